"""TODO: what this folder answers."""

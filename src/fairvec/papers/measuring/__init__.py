"""The same figures, measured by us."""

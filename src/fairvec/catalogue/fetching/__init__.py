"""Bringing what the catalogue names onto this machine."""

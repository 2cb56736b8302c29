"""Compiled loops of the readers: apart, because importing them costs."""

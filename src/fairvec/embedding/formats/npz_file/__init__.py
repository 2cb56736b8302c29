"""Arrays of numpy."""

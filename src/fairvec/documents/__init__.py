"""Check documents for gender bias and write fairer versions: read, find, measure, check, apply."""

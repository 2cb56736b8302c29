"""Suites: the lists of a test, with their source."""

"""A fairer version of a Russian text: what agrees with a person's gender changes with it."""

"""A fairer version of a text: changes that a person accepts one by one."""

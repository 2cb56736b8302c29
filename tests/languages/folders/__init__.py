"""Folders of languages that fairvec does not come with."""

"""Pickles of models: instructions of a short list, which make plain data and stand-ins alone."""

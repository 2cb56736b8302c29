"""One matrix of numpy, with a list of words in a file beside it."""

"""Vectors as lines of text: word2vec, GloVe and fastText."""

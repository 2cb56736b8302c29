"""Pickles of gensim and Poincaré GloVe, rebuilt and never run."""

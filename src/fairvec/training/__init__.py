"""From text to vectors: corpora, co-occurrence counts, GloVe in flat and curved space, gensim."""

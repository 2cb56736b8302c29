"""From text to points: corpora, co-occurrence counts, GloVe in flat and in curved space."""

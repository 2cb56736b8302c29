"""The binary format of word2vec."""

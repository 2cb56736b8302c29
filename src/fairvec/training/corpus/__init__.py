"""The text that is learnt from: files, words, and the words as numbers."""

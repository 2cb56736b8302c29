"""What the rest of the vocabulary tells of a word."""

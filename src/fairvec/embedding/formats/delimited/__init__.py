"""Tables of text: a word, then its numbers, with commas or tabs between them."""

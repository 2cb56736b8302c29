"""What a method learns from words: directions, sides, sets, specific words."""

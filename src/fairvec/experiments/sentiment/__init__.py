"""What a sentiment classifier makes of an embedding, and of two groups."""

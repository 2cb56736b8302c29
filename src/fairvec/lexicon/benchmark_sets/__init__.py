"""Published sets: similarity, analogy, SemBias."""

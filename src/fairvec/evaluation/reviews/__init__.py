"""Reviews learnt from embeddings: the figures of each, and what a change of it did to them."""

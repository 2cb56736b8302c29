"""How a concept is taken out: one file a family of methods."""

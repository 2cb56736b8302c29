"""Before and after: what became of each figure."""

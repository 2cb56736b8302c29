"""Several factors at once, every level with every other: what each explains."""

"""Product-quantised vectors of navec."""

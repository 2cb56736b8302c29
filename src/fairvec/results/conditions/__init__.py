"""A small safe language of conditions, over one row and over all rows of a run."""

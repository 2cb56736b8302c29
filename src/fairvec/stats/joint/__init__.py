"""Several tests of overlapping words taken together: regrouped jointly and pooled."""

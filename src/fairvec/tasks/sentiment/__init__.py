"""Is a review for or against: what a classifier makes of an embedding."""

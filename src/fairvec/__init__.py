"""Measure and mitigate social bias in word and sentence representations."""

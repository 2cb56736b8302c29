"""Sentiment of reviews: a classifier on word vectors, its accuracy, and its bias."""

"""Debiasing methods, one file a family."""

"""Figures and findings in words."""

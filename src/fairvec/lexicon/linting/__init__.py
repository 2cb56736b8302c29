"""Mistakes in word lists, and their waivers."""

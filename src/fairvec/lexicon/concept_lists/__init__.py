"""Concepts: what a method takes out, and what it leaves in."""

"""Rewriting of Russian: persons by noun or pronoun, with all that agrees with their gender."""

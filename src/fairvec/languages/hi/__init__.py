"""Rewriting of Hindi: gendered nouns with the possessives, adjectives and verbs that agree."""

from fairvec.languages.hi.rewriting import propose

__all__ = ["propose"]

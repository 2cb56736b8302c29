"""Hindi: gendered nouns, with the possessives, adjectives and verbs that agree with them."""

from fairvec.tasks.documents.rewriting.hindi.proposing import propose

__all__ = ["propose"]

"""What the table of English says of a word."""

from functools import cache
from typing import Literal

from fairvec.lexicon.rewrites import GenderedTerm, RewriteTable, rewrite_table

Side = Literal["a", "b", ""]
"""The group of a word; empty if it is of neither."""


def table() -> RewriteTable:
    """Return the table of English."""
    return rewrite_table("en")


@cache
def listed(*names: str) -> frozenset[str]:
    """Return the words of the lists of these names."""
    return frozenset(word for name in names for word in table().lists[name])


@cache
def terms() -> dict[str, GenderedTerm]:
    """Return the gendered terms but pronouns, by each of their two sides."""
    chosen = [term for term in table().terms if term.rule != "pronoun"]
    return {side: term for term in chosen for side in (term.a, term.b) if side}


@cache
def side_of(word: str) -> Side:
    """Return the group that a term or pronoun is of, a or b; empty if it is of neither."""
    for term in table().terms:
        if word in (term.a, term.b):
            return "a" if word == term.a else "b"
    return ""


def counterpart(word: str) -> str:
    """Return the term of the other group, or nothing."""
    term = terms()[word]
    return term.b if word == term.a else term.a


@cache
def function_words() -> frozenset[str]:
    """Return the words after which no noun phrase goes on: prepositions, auxiliaries and more."""
    return listed("prepositions", "conjunctions", "determiners", "auxiliaries", "modals")

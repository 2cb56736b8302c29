"""A number that is read off a model for a table, without a test."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadingOfATable:
    """A number taken the paper's way and by fairvec's default, and what is to be said of it."""

    papers: float
    default: float
    note: str

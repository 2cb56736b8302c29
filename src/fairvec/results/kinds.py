"""The words for an answer and for a change."""

from typing import Literal

VerdictKind = Literal[
    "biased", "associated", "mixed", "inconclusive", "no-evidence", "too-few-words", "no-verdict"
]
"""A significant effect is bias in a bias test, and an association in any other kind of test; an
inconclusive one is significant alone and not among the tests it is corrected with. A category is
mixed if single tests of it are biased and all of them together do not clearly lean one way."""

Holds = Literal["firm", "thin", "fragile", "frequency"]
"""How a claimed effect holds with other words: firm; thin, because shorter lists show it too rarely
though no more rarely than lists so short would; fragile, because it depends on which words are
taken; or it is the frequency of words that may explain it."""

ChangeKind = Literal[
    "removed",
    "reduced",
    "no-longer-evident",
    "unchanged",
    "unclear",
    "increased",
    "appeared",
    "introduced",
    "overshot",
    "reversed",
    "no-evidence",
    "no-answer",
    "kept",
    "lost",
    "gained",
]
"""What became of an effect (to no-answer) or of a figure of usefulness (kept, lost or gained)."""

HARMFUL: tuple[ChangeKind, ...] = ("reversed", "introduced", "overshot", "appeared")
"""Kinds of change that leave an effect where there was none, or none of that sign."""

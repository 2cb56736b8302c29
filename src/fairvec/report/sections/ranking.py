"""Which words carry a measure that only describes: those at its two ends, in order."""

from dataclasses import dataclass

from fairvec.ground.numbers import number
from fairvec.results import Description, WordScore

MOST = 12
"""How many words are named at each end."""


@dataclass(frozen=True)
class End:
    """One end of a ranking: what it is called, and its words, the outermost first."""

    title: str
    words: tuple[WordScore, ...]


@dataclass(frozen=True)
class Ranking:
    """All words of a description, and those at its two ends; `centred` if 0 parts the ends."""

    words: tuple[WordScore, ...]
    low: End
    high: End
    centred: bool


def ranking(one: Description) -> Ranking | None:
    """Return the words at both ends of a description; None if it has no number for every word.

    Numbers of both signs are parted at 0; others into the smaller and the larger half.
    """
    if not one.words or one.test.kind == "movement":  # which names only the words that moved most
        return None
    ordered = sorted(one.words, key=lambda word: word.score)
    centred = ordered[0].score < 0 < ordered[-1].score
    half = len(ordered) // 2
    low = [word for word in ordered if word.score < 0] if centred else ordered[:half]
    high = [word for word in ordered if word.score > 0] if centred else ordered[half:]
    low_title, high_title = _titles(one, centred=centred)
    return Ranking(
        tuple(ordered),
        End(low_title, tuple(low[:MOST])),
        End(high_title, tuple(high[: -MOST - 1 : -1])),
        centred,
    )


def about_word(word: WordScore) -> str:
    """Return what is known of one word, for its dot."""
    known = (word.word, word.transliteration, f"“{word.gloss}”" * bool(word.gloss))
    return " · ".join([*(part for part in known if part), number(word.score, 3)])


def _titles(one: Description, *, centred: bool) -> tuple[str, str]:
    """Return what the low and the high end are called: by the lists to which the signs lean.

    A measure that does not declare to which list a sign leans has no names for its ends.
    """
    side = one.described.positive_words if one.described else ""
    if not (centred and side):
        return "Smallest", "Largest"
    lists = {group.role: group.title for group in one.coverage}
    low, high = (lists.get(role, role.upper()) for role in ("ba" if side == "a" else "ab"))
    return f"Lean most to {low}", f"Lean most to {high}"

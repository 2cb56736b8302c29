"""Where words may stand without covering one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import category, east_asian_width

Anchor = Literal["start", "middle", "end"]

LETTER = 6.4
"""Width of a letter in pixels at the labels' size; generous, since fonts differ."""


@dataclass(frozen=True)
class Label:
    """A word at a place (percent of the width) and the edge of the word that stands there."""

    text: str
    place: float
    anchor: Anchor

    def reach(self, width: float) -> tuple[float, float]:
        """Return the pixels from and to which the word covers a drawing of this width."""
        here, long = self.place / 100 * width, text_width(self.text)
        left = here - {"start": 0.0, "middle": long / 2, "end": long}[self.anchor]
        return left, left + long


def text_width(text: str) -> float:
    """Return about how many pixels a word covers; marks above and below letters cover none."""
    return LETTER * sum(map(_letters_wide, text))


def _letters_wide(letter: str) -> float:
    """Return the width of a letter in Latin ones; those of other scripts vary most among fonts."""
    if east_asian_width(letter) in "WF":
        return 2.0
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    foreign = letter > "\u024f" and category(letter)[0] in "LM"
    return (1.25 if category(letter) == "Lu" else 1.0) * (1.35 if foreign else 1.0)


def label(text: str, place: float, width: float) -> Label:
    """Return the label in the middle of its place, or turned inwards at the drawing's edges."""
    here, half = place / 100 * width, text_width(text) / 2
    return Label(
        text, place, "start" if here < half else "end" if here > width - half else "middle"
    )


def lanes(labels: Sequence[Label], width: float, most: int) -> list[int | None]:
    """Give each label the lowest lane in which it touches no other; None if `most` are full.

    First fit from left to right needs the fewest lanes. What fits one width fits every larger
    one: places move apart while words keep their size.
    """
    chosen: list[int | None] = [None] * len(labels)
    ends: list[float] = []
    for position in sorted(range(len(labels)), key=lambda at: labels[at].reach(width)):
        left, right = labels[position].reach(width)
        free = next((lane for lane, end in enumerate(ends) if end + LETTER <= left), len(ends))
        if free >= most:
            continue
        ends[free:] = [right, *ends[free + 1 :]]
        chosen[position] = free
    return chosen

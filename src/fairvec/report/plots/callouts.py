"""Words near their marks in a plane, led to them by a line where there is no room beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot

from fairvec.report.plots.beside_dots import LINE, Box
from fairvec.report.plots.labels import LETTER, Anchor, text_width

GAP = 12.0
"""How far from the middle of its mark a word begins that stands beside it, in pixels."""

NEAR = 14.0
"""A word further from its mark than this, in pixels, is led to it by a line."""

PIECES = 6
"""A leading line keeps clear of words as so many small boxes."""

ACROSS = (0.0, 14.0, 32.0, 56.0, 84.0, 120.0, 160.0, 210.0)
UPWARDS = tuple(LINE * step for step in range(-20, 21))


@dataclass(frozen=True)
class Name:
    """A word that wants to stand by a mark; a `modest` one stands beside it or not at all."""

    text: str
    mark: Box
    modest: bool = False


@dataclass(frozen=True)
class Callout:
    """A word whose left end and middle height lie (dx, dy) pixels from the middle of its mark.

    `lead` is where a line from the mark ends, also seen from it; None if the word needs none.
    """

    text: str
    dx: float
    dy: float
    lead: tuple[float, float] | None

    @property
    def anchor(self) -> tuple[float, Anchor]:
        """The end of the word that is nearest to the mark, and which end it is."""
        end = self.dx + wide(self.text)
        if self.dx >= 0:
            return self.dx, "start"
        return (end, "end") if end <= 0 else ((self.dx + end) / 2, "middle")

    def box(self, mark: Box) -> Box:
        """Return what the word covers."""
        y = middle(mark) + self.dy
        return Box(mark.place, self.dx, self.dx + wide(self.text), y - LINE / 2, y + LINE / 2)

    def line(self, mark: Box) -> list[Box]:
        """Return what its line covers, piece by piece."""
        if self.lead is None:
            return []
        across, down = self.lead
        shares = [step / PIECES for step in range(PIECES + 1)]
        ends = [(across * share, middle(mark) + down * share) for share in shares]
        return [
            Box(mark.place, min(a, c) - 1, max(a, c) + 1, min(b, d) - 1, max(b, d) + 1)
            for (a, b), (c, d) in pairwise(ends)
        ]


def wide(text: str) -> float:
    """Return about how many pixels a word covers; short ones may be all wide letters."""
    return text_width(text) + LETTER


def middle(mark: Box) -> float:
    """Return the height of a mark's middle."""
    return (mark.top + mark.bottom) / 2


def callouts(
    names: Sequence[Name],
    height: float,
    widths: tuple[float, float],
    others: Sequence[Box] = (),
) -> list[Callout | None]:
    """Give each word in turn the nearest place where it covers nothing; None if there is none.

    No word covers a mark that has one, another word or its line, at any width between two. `others`
    are marks without a word: they are covered only where a word that is not modest would find no
    place else.
    """
    marks = [name.mark for name in names]
    words: list[Box] = []
    lines: list[Box] = []
    chosen: list[Callout | None] = []
    for name in names:
        # A line begins in its mark, and may begin in another one that lies over it.
        strangers = [*words, *(mark for mark in marks if mark.clears(name.mark, widths))]
        found = None
        for spared in ((*others,),) if name.modest else ((*others,), ()):
            covered = [*words, *marks, *lines, *spared]
            found = found or next(
                (
                    one
                    for one in _places(name.text)
                    if not (name.modest and one.lead)
                    and one.box(name.mark).inside(height, widths)
                    and _clear([one.box(name.mark)], covered, widths)
                    and _clear(one.line(name.mark), strangers, widths)
                ),
                None,
            )
        if found:
            words.append(found.box(name.mark))
            lines += found.line(name.mark)
        chosen.append(found)
    return chosen


def _clear(boxes: Sequence[Box], others: Sequence[Box], widths: tuple[float, float]) -> bool:
    return all(box.clears(other, widths) for box in boxes for other in others)


@cache
def _places(text: str) -> list[Callout]:
    """Return the places of a word, those nearest to its mark first."""
    long = wide(text)
    found: list[tuple[float, float, float, Callout]] = []
    for dy in UPWARDS:
        for step in ACROSS:
            beside = (GAP + step, -GAP - step - long)
            for dx in dict.fromkeys((*beside, step - long / 2, -step - long / 2)):
                across = min(max(0.0, dx - 2), dx + long + 2)
                down = dy - LINE / 2 if dy > 0 else dy + LINE / 2 if dy < 0 else 0.0
                far = round(hypot(across, down), 3)
                lead = (across, down) if far > NEAR else None
                # Of equals first what is level with the mark, then left: there a front leaves room.
                found.append((far, abs(dy), dx, Callout(text, dx, dy, lead)))
    return [one for *_, one in sorted(found, key=lambda each: each[:3])]

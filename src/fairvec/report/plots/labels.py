"""Label placement: where words fit next to their marks without covering one another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot
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


# Where words fit next to their dots in a plane, at every width of the drawing.


Side = Literal["right", "left", "above", "below"]

DOT, LINE, AWAY = 5.0, 16.0, 8.0
"""Half a dot, the height of a line of text, and how far from its dot's middle a word begins."""


@dataclass(frozen=True)
class Box:
    """What is `left` and `right` of a place (percent of the width) and between two heights.

    Widths and heights are pixels; when the drawing grows, places move apart and boxes keep their
    size.
    """

    place: float
    left: float
    right: float
    top: float
    bottom: float

    def clears(self, other: "Box", widths: tuple[float, float]) -> bool:
        """Return whether two boxes never touch in drawings between two widths.

        Gaps change evenly with the width, so a gap at both ends is one everywhere between.
        """
        if self.top >= other.bottom or other.top >= self.bottom:
            return True
        apart = (other.place - self.place) / 100
        return all(apart * width + other.left >= self.right for width in widths) or all(
            self.left >= apart * width + other.right for width in widths
        )

    def inside(self, height: float, widths: tuple[float, float]) -> bool:
        """Return whether the box stays within drawings of this height between two widths."""
        share = self.place / 100
        return (self.top >= 0 and self.bottom <= height) and all(
            share * width + self.left >= 0 and share * width + self.right <= width
            for width in widths
        )


def place_labels(
    texts: Sequence[str],
    dots: Sequence[tuple[float, float]],
    height: float,
    widths: tuple[float, float],
    occupied: Sequence[Box] = (),
) -> list[Side | None]:
    """Give each word in turn the first side of its dot where it covers nothing; None if none is.

    Dots are places (percent of the width) and heights; no word covers a dot, a word before it or
    what is `taken`. Words that matter most should come first.
    """
    standing = [*occupied, *(Box(x, -DOT, DOT, y - DOT, y + DOT) for x, y in dots)]
    chosen: list[Side | None] = []
    for text, dot in zip(texts, dots, strict=True):
        free = (
            (side, box)
            for side, box in _boxes(text, *dot)
            if box.inside(height, widths) and all(box.clears(other, widths) for other in standing)
        )
        side, box = next(free, (None, None))
        chosen.append(side)
        if box:
            standing.append(box)
    return chosen


def _boxes(text: str, x: float, y: float) -> Iterator[tuple[Side, Box]]:
    long = text_width(text)
    yield "right", Box(x, AWAY, AWAY + long, y - LINE / 2, y + LINE / 2)
    yield "left", Box(x, -AWAY - long, -AWAY, y - LINE / 2, y + LINE / 2)
    yield "above", Box(x, -long / 2, long / 2, y - DOT - LINE, y - DOT)
    yield "below", Box(x, -long / 2, long / 2, y + DOT, y + DOT + LINE)


# Words near their marks in a plane, with a leader line where there is no space next to them.


GAP = 12.0
"""How far from the middle of its mark a word next to it begins, in pixels."""

NEAR = 14.0
"""A word further from its mark than this, in pixels, is led to it by a line."""

PIECES = 6
"""A leading line keeps clear of words as so many small boxes."""

ACROSS = (0.0, 14.0, 32.0, 56.0, 84.0, 120.0, 160.0, 210.0)
UPWARDS = tuple(LINE * step for step in range(-20, 21))


@dataclass(frozen=True)
class CalloutRequest:
    """A word to place at a mark; a `modest` one is right next to it or left out."""

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
        end = self.dx + callout_width(self.text)
        if self.dx >= 0:
            return self.dx, "start"
        return (end, "end") if end <= 0 else ((self.dx + end) / 2, "middle")

    def box(self, mark: Box) -> Box:
        """Return what the word covers."""
        y = mark_height(mark) + self.dy
        return Box(
            mark.place, self.dx, self.dx + callout_width(self.text), y - LINE / 2, y + LINE / 2
        )

    def line(self, mark: Box) -> list[Box]:
        """Return what its line covers, piece by piece."""
        if self.lead is None:
            return []
        across, down = self.lead
        shares = [step / PIECES for step in range(PIECES + 1)]
        ends = [(across * share, mark_height(mark) + down * share) for share in shares]
        return [
            Box(mark.place, min(a, c) - 1, max(a, c) + 1, min(b, d) - 1, max(b, d) + 1)
            for (a, b), (c, d) in pairwise(ends)
        ]


def callout_width(text: str) -> float:
    """Return about how many pixels a word covers; short ones may be all wide letters."""
    return text_width(text) + LETTER


def mark_height(mark: Box) -> float:
    """Return the height of a mark's middle."""
    return (mark.top + mark.bottom) / 2


def place_callouts(
    names: Sequence[CalloutRequest],
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
        obstacles = [*words, *(mark for mark in marks if mark.clears(name.mark, widths))]
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
                    and _clear(one.line(name.mark), obstacles, widths)
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
    long = callout_width(text)
    found: list[tuple[float, float, float, Callout]] = []
    for dy in UPWARDS:
        for step in ACROSS:
            at_the_side = (GAP + step, -GAP - step - long)
            for dx in dict.fromkeys((*at_the_side, step - long / 2, -step - long / 2)):
                across = min(max(0.0, dx - 2), dx + long + 2)
                down = dy - LINE / 2 if dy > 0 else dy + LINE / 2 if dy < 0 else 0.0
                far = round(hypot(across, down), 3)
                lead = (across, down) if far > NEAR else None
                # Of equals first what is level with the mark, then left: there a front leaves room.
                found.append((far, abs(dy), dx, Callout(text, dx, dy, lead)))
    return [one for *_, one in sorted(found, key=lambda each: each[:3])]

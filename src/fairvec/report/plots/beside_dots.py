"""Where words may stand beside their dots in a plane, at every width of the drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from fairvec.report.plots.labels import text_width

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


def beside_dots(
    texts: Sequence[str],
    dots: Sequence[tuple[float, float]],
    height: float,
    widths: tuple[float, float],
    taken: Sequence[Box] = (),
) -> list[Side | None]:
    """Give each word in turn the first side of its dot where it covers nothing; None if none is.

    Dots are places (percent of the width) and heights; no word covers a dot, a word before it or
    what is `taken`. Words that matter most should come first.
    """
    standing = [*taken, *(Box(x, -DOT, DOT, y - DOT, y + DOT) for x, y in dots)]
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

"""The scatter plot of a frontier: information lost to the right, bias left upwards.

Widths are percentages and heights pixels, so that the drawing fits a phone and a screen alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from fairvec.report.plots.beside_dots import Box
from fairvec.report.plots.callouts import Callout, Name, callouts, middle
from fairvec.report.plots.loss_scale import NOTHING, LossScale, loss_scale_of
from fairvec.report.plots.method_marks import outline
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent
from fairvec.results import REFERENCE, Point

HEIGHT = 480
FOOT = 24
LAYOUTS = {"on-phone": (240.0, 404.0), "on-tablet": (396.0, 644.0), "on-screen": (600.0, 960.0)}
"""Widths between which words are laid out; the style sheet chooses among the layouts."""

COLUMN, LANE = 3.0, (5.0, 30.0)
"""In the lane of what loses nothing every method has a column; the lane is so wide at all events
and so wide at the most, in percent of the width."""

WARNING = "M0,-12L11,8H-11z"


@dataclass(frozen=True)
class Spot:
    """A point with its mark, what is said of it, and the word beside it if it has one.

    A `modest` word is left out where there is no room right beside its mark.
    `spread` is the least and the most bias that it leaves in a fold of the tests, if shown.
    """

    point: Point
    mark: tuple[str, str]
    about: str
    word: str = ""
    modest: bool = False
    spread: tuple[float, float] | None = None

    @property
    def loss(self) -> float:
        """The share of the information that is lost."""
        return 1 - self.point.information_kept

    @property
    def half(self) -> float:
        """Half of what the mark covers, in pixels."""
        return 13.0 if self.point.harms or self.point.recommended else 9.0


@dataclass(frozen=True)
class _Plane:
    """Where every spot stands."""

    across: LossScale
    up: Scale
    columns: tuple[str, ...]

    def place(self, spot: Spot) -> tuple[float, float]:
        """Return a spot's place in percent of the width, and its height in pixels."""
        x = self.across.at(spot.loss)
        if abs(spot.loss) <= NOTHING:
            start, end = self.across.lane_ends
            column = self.columns.index(spot.point.method)
            x = start + (column + 0.5) / len(self.columns) * (end - start)
        return round(x, 2), self.height(spot.point.bias_left)

    def box(self, spot: Spot) -> Box:
        """Return what a spot's mark covers."""
        x, y = self.place(spot)
        return Box(x, -spot.half, spot.half, y - spot.half, y + spot.half)

    def upright(self, spot: Spot) -> Box:
        """Return what the line through a spot covers."""
        least, most = (self.height(end) for end in spot.spread or (0.0, 0.0))
        return Box(self.place(spot)[0], -5, 5, most, least)

    def height(self, value: float) -> float:
        """Return the height of so much bias, in pixels from the top."""
        return round(HEIGHT * (1 - self.up.at(value) / 100), 1)


def scatter(spots: Sequence[Spot], *, keep: float, about: str) -> Markup:
    """Draw every point with the mark of its method, larger with its strength.

    Lines join the strengths of a method, from the model as it is on. The front is a dashed stair,
    the recommended point has a ring, a point that turns round or makes an effect stands in a
    triangle, and a dotted line is where the share `keep` is kept.
    """
    plane = _plane(spots)
    # The front last: what is best is not covered by what is not.
    drawn = sorted(spots, key=lambda spot: (spot.point.recommended, spot.point.on_front))
    return element(
        "svg",
        *_grid(plane, 1 - keep),
        *_paths(spots, plane),
        *_front([spot for spot in spots if spot.point.on_front], plane),
        *(_spread(spot, plane) for spot in drawn if spot.spread),
        *(word for name, widths in LAYOUTS.items() for word in _words(spots, plane, widths, name)),
        *(_spot(spot, plane) for spot in drawn),
        class_="trade",
        width="100%",
        height=HEIGHT + FOOT,
        role="group",
        aria_label=about,
    )


def _plane(spots: Sequence[Spot]) -> _Plane:
    still = [spot.point.method for spot in spots if abs(spot.loss) <= NOTHING]
    columns = tuple(dict.fromkeys(still))
    lane = min(max(COLUMN * len(columns), LANE[0]), LANE[1])
    ends = [end for spot in spots for end in spot.spread or ()]
    up = scale_of([0.0, *(spot.point.bias_left for spot in spots), *ends], ticks=6)
    return _Plane(loss_scale_of((spot.loss for spot in spots), lane=lane), up, columns)


def _spot(spot: Spot, plane: _Plane) -> Markup:
    point = spot.point
    # Seen by no one, but easier to touch, and where the page puts the text about the point.
    parts = [element("title", Markup.escape(spot.about)), element("circle", class_="hit", r=12)]
    if point.harms:
        parts.append(element("path", class_="warning", d=WARNING))
    if point.recommended:
        parts.append(element("circle", class_="ring", r=13))
    size = 0.6 + 0.6 * point.strength if point.method != REFERENCE else 1.2
    parts.append(outline(*spot.mark, size, "filled" if point.evidence else "hollow"))
    # A nested drawing without size of its own stands at a place and lets its marks overflow it.
    x, y = plane.place(spot)
    return element("svg", *parts, x=percent(x), y=y, class_="spot", role="img", tabindex=0)


def _paths(spots: Sequence[Spot], plane: _Plane) -> list[Markup]:
    """Join the strengths of each method; a model beside was not changed and has no path."""
    start = [spot for spot in spots if spot.point.method == REFERENCE][:1]
    paths = []
    for method in dict.fromkeys(spot.point.method for spot in spots):
        own = [spot for spot in spots if spot.point.method == method and not spot.point.other]
        if method == REFERENCE or not own:
            continue
        ordered = [*start, *sorted(own, key=lambda spot: spot.point.strength)]
        lines = [_line(plane.place(one), plane.place(two)) for one, two in pairwise(ordered)]
        if lines:
            paths.append(element("g", *lines, class_=f"path {own[0].mark[1]}"))
    return paths


def _front(spots: Sequence[Spot], plane: _Plane) -> list[Markup]:
    """Draw the front as a stair: between two points nothing that was tried is better than both."""
    lines = []
    for (x, y), (to_x, to_y) in pairwise(sorted(plane.place(spot) for spot in spots)):
        lines.append(_line((x, y), (to_x, y), "front"))
        lines.append(_line((to_x, y), (to_x, to_y), "front"))
    return lines


def _spread(spot: Spot, plane: _Plane) -> Markup:
    """Draw from the least to the most that a point leaves in a fold, with short ends."""
    x, _ = plane.place(spot)
    least, most = (plane.height(end) for end in spot.spread or ())
    ends = [
        element("line", x1=-4, x2=4, y1=y - most, y2=y - most) for y in dict.fromkeys((least, most))
    ]
    upright = element("line", y1=0, y2=least - most)
    kind = f"spread {spot.mark[1]}"
    return element("svg", upright, *ends, x=percent(x), y=most, class_=kind)


def _words(
    spots: Sequence[Spot], plane: _Plane, widths: tuple[float, float], where: str
) -> list[Markup]:
    """Write the words that one layout has room for; those of screen readers are in the marks."""
    named = [spot for spot in spots if spot.word]
    # What matters most chooses first.
    named.sort(key=lambda spot: (not spot.point.recommended, not spot.point.on_front, spot.modest))
    names = [Name(spot.word, plane.box(spot), spot.modest) for spot in named]
    others = [plane.box(spot) for spot in spots if not spot.word]
    others += [plane.upright(spot) for spot in spots if spot.spread]
    found = callouts(names, HEIGHT, widths, others)
    return [
        _word(one, name, where) for one, name in zip(found, names, strict=True) if one is not None
    ]


def _word(one: Callout, name: Name, where: str) -> Markup:
    at, anchor = one.anchor
    place = {"x": round(at, 1), "y": round(one.dy + 4, 1)}
    text = element("text", Markup.escape(one.text), text_anchor=anchor, **place)
    lead = [element("line", x2=round(one.lead[0], 1), y2=round(one.lead[1], 1))] if one.lead else []
    kind = f"callout {where}{' modest' if name.modest else ''}"
    x, y = percent(name.mark.place), round(middle(name.mark), 1)
    return element("svg", *lead, text, x=x, y=y, class_=kind, aria_hidden="true")


def _line(one: tuple[float, float], two: tuple[float, float], kind: str = "") -> Markup:
    x1, x2 = percent(one[0]), percent(two[0])
    return element("line", class_=kind, x1=x1, x2=x2, y1=one[1], y2=two[1])


def _grid(plane: _Plane, limit: float) -> list[Markup]:
    start, end = plane.across.lane_ends
    lane = {"x": percent(round(start, 2)), "width": percent(round(end - start, 2))}
    marks = [element("rect", class_="lane", height=HEIGHT, **lane)]
    for tick in plane.up.ticks:
        y = plane.height(tick)
        marks.append(_line((0, y), (100, y), "grid"))
        text = Markup.escape(plane.up.label(tick))
        marks.append(element("text", text, class_="tick", x=-6, y=y + 4, text_anchor="end"))
    for tick in plane.across.ticks:
        x = round(plane.across.at(tick), 2)
        if tick:
            marks.append(_line((x, 0), (x, HEIGHT), "grid"))
        text = Markup.escape(plane.across.label(tick))
        below = element(
            "text", text, class_="tick", x=percent(x), y=HEIGHT + 16, text_anchor="middle"
        )
        marks.append(below)
    if 0 < limit <= plane.across.loss:
        x = round(plane.across.at(limit), 2)
        marks.append(_line((x, 0), (x, HEIGHT), "limit"))
    return marks

"""Scatter plots: a frontier by method, and words on two axes.

Widths are percentages and heights pixels, so that the drawing fits a phone and a screen alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from markupsafe import Markup

from fairvec.report.plots.labels import (
    Box,
    Callout,
    CalloutRequest,
    mark_height,
    place_callouts,
    place_labels,
    text_width,
)
from fairvec.report.plots.rows import forest_axis
from fairvec.report.plots.svg import (
    LossScale,
    Scale,
    element,
    loss_scale_of,
    percent,
    scale_of,
)
from fairvec.results.frontier import NOTHING, REFERENCE, FrontierPoint

# A mark for every method: a shape that no other one has, and a colour that helps to find it.


def _corners(count: int, radius: float, inner: float = 0.0) -> str:
    """Return a closed outline with so many corners, or as many points between `inner` ones."""
    steps = count * (2 if inner else 1)
    corners = []
    for step in range(steps):
        far = inner if inner and step % 2 else radius
        angle = 2 * pi * (step / steps) - pi / 2
        corners.append(f"{far * cos(angle):.2f},{far * sin(angle):.2f}")
    return f"M{'L'.join(corners)}z"


OUTLINES = {
    "circle": "M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z",
    "square": "M-4.5,-4.5h9v9h-9z",
    "triangle": "M0,-6L5.8,4.6H-5.8z",
    "plus": "M-1.9,-5.5h3.8v3.6h3.6v3.8h-3.6v3.6h-3.8v-3.6h-3.6v-3.8h3.6z",
    "diamond": "M0,-6.2L6.2,0L0,6.2L-6.2,0z",
    "star": _corners(5, 6.8, 2.9),
    "triangle-down": "M0,6L5.8,-4.6H-5.8z",
    "times": "M0,-2.6L3.6,-6.2L6.2,-3.6L2.6,0L6.2,3.6L3.6,6.2L0,2.6"
    "L-3.6,6.2L-6.2,3.6L-2.6,0L-6.2,-3.6L-3.6,-6.2z",
    "pentagon": _corners(5, 6),
    "hourglass": "M-4.8,-5.4H4.8L1,0L4.8,5.4H-4.8L-1,0z",
    "bar": "M-2.4,-6.2h4.8v12.4h-4.8z",
    "triangle-right": "M6,0L-4.6,5.8V-5.8z",
    "half": "M-6,2.6a6,6 0 0 1 12,0z",
    "bow": "M-5.4,-4.8V4.8L0,1L5.4,4.8V-4.8L0,-1z",
    "flat": "M-6.2,-2.4h12.4v4.8h-12.4z",
    "triangle-left": "M-6,0L4.6,5.8V-5.8z",
    "burst": _corners(4, 7, 2.6),
}

REFERENCE_MARK = ("circle", "tone-0")
"""The model as it is: no method has its shape."""

SHAPES = tuple(shape for shape in OUTLINES if shape != REFERENCE_MARK[0])
TONES = 6
"""Colours of the style sheet, which also people who tell few colours apart tell apart."""


def method_symbol(place: int) -> tuple[str, str]:
    """Return the shape and colour of a method.

    Sixteen methods have sixteen shapes; of more, two that share a shape differ in colour.
    """
    return SHAPES[place % len(SHAPES)], f"tone-{(place + place // len(SHAPES)) % TONES + 1}"


def symbol_path(shape: str, tone: str, size: float = 1.0, state: str = "filled") -> Markup:
    """Draw a mark round the origin of whatever it stands in."""
    kind = f"mark-of {tone} {state}"
    return element("path", class_=kind, d=OUTLINES[shape], transform=f"scale({size:g})")


def draw_symbol(shape: str, tone: str, size: float = 1.0) -> Markup:
    """Draw a method's mark alone, for the legend and the tables."""
    return element(
        "svg",
        symbol_path(shape, tone, size),
        class_="key-mark",
        width=16,
        height=16,
        viewBox="-8 -8 16 16",
        aria_hidden="true",
    )


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
    """A point with its mark, its description, and the word next to it if it has one.

    A `modest` word is left out where there is no space right next to its mark.
    `spread` is the least and the most bias that it leaves in a fold of the tests, if shown.
    """

    point: FrontierPoint
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
    parts.append(symbol_path(*spot.mark, size, "filled" if point.evidence else "hollow"))
    # A nested drawing without size of its own stands at a place and lets its marks overflow it.
    x, y = plane.place(spot)
    return element("svg", *parts, x=percent(x), y=y, class_="spot", role="img", tabindex=0)


def _paths(spots: Sequence[Spot], plane: _Plane) -> list[Markup]:
    """Join the strengths of each method; a comparison model was not changed and has no path."""
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
    names = [CalloutRequest(spot.word, plane.box(spot), spot.modest) for spot in named]
    others = [plane.box(spot) for spot in spots if not spot.word]
    others += [plane.upright(spot) for spot in spots if spot.spread]
    found = place_callouts(names, HEIGHT, widths, others)
    return [
        _word(one, name, where) for one, name in zip(found, names, strict=True) if one is not None
    ]


def _word(one: Callout, name: CalloutRequest, where: str) -> Markup:
    at, anchor = one.anchor
    place = {"x": round(at, 1), "y": round(one.dy + 4, 1)}
    text = element("text", Markup.escape(one.text), text_anchor=anchor, **place)
    lead = [element("line", x2=round(one.lead[0], 1), y2=round(one.lead[1], 1))] if one.lead else []
    kind = f"callout {where}{' modest' if name.modest else ''}"
    x, y = percent(name.mark.place), round(mark_height(name.mark), 1)
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


# Words as a cloud of dots on two axes, each word next to its dot where there is space.


CLOUD_HEIGHT = 520.0
PHONE, SCREEN = (272.0, 690.0), (640.0, 960.0)
"""Widths between which words are laid out; the style sheet chooses between the two layouts."""


@dataclass(frozen=True)
class Mark:
    """A word at two numbers; `x_after` is where a change took it along the first axis."""

    text: str
    x: float
    y: float
    about: str
    kind: str
    x_after: float | None = None


def cloud(marks: Sequence[Mark], about: str) -> Markup:
    """Draw marks with both axes; the first of them get room for their words first."""
    ends = [mark.x_after for mark in marks if mark.x_after is not None]
    across = scale_of([0.0, *(mark.x for mark in marks), *ends], ticks=6, whole_steps=False)
    upwards = scale_of([0.0, *(mark.y for mark in marks)], ticks=5, whole_steps=False)
    dots = [(across.at(mark.x), _height(mark.y, upwards)) for mark in marks]
    numbers = [(upwards.label(tick), _height(tick, upwards)) for tick in upwards.ticks]
    taken = [Box(0, 0, text_width(text) + 4, y - 14, y) for text, y in numbers]
    words = [mark.text for mark in marks]
    sides = zip(
        *(place_labels(words, dots, CLOUD_HEIGHT, widths, taken) for widths in (PHONE, SCREEN)),
        strict=True,
    )
    return element(
        "svg",
        *_cloud_grid(across, upwards),
        *(element("text", Markup.escape(text), class_="tick", x=2, y=y - 3) for text, y in numbers),
        # All ways first, so that none runs over a word.
        *(_way(mark, across, y) for mark, (_, y) in zip(marks, dots, strict=True)),
        *(
            element(
                "svg",
                element("title", Markup.escape(mark.about)),
                element("circle", r=4.5),
                element("text", Markup.escape(mark.text)),
                x=percent(x),
                y=y,
                class_=f"{mark.kind} phone-{phone or 'bare'} screen-{screen or 'bare'}",
            )
            for mark, (x, y), (phone, screen) in zip(marks, dots, sides, strict=True)
        ),
        class_="cloud",
        width="100%",
        height=CLOUD_HEIGHT,
        role="img",
        aria_label=about,
    ) + forest_axis(across)


def _height(value: float, scale: Scale) -> float:
    return round(CLOUD_HEIGHT * (1 - scale.at(value) / 100), 1)


def _cloud_grid(across: Scale, upwards: Scale) -> list[Markup]:
    lines: list[dict[str, str | float]] = [
        {"x1": percent(across.at(tick)), "x2": percent(across.at(tick)), "y2": CLOUD_HEIGHT}
        for tick in across.ticks
    ]
    lines += [
        {"x2": "100%", "y1": _height(tick, upwards), "y2": _height(tick, upwards)}
        for tick in upwards.ticks
    ]
    ticks = [*across.ticks, *upwards.ticks]
    return [
        element("line", class_="zero" if abs(tick) < 1e-9 else "grid", **line)
        for tick, line in zip(ticks, lines, strict=True)
    ]


def _way(mark: Mark, across: Scale, y: float) -> Markup:
    """Draw the way to where a change took a word, which ends in a short upright line."""
    if mark.x_after is None:
        return Markup("")
    here, there = percent(across.at(mark.x)), percent(across.at(mark.x_after))
    return element(
        "g",
        element("line", x1=here, x2=there, y1=y, y2=y),
        element("line", class_="end", x1=there, x2=there, y1=y - 4, y2=y + 4),
        class_=f"way {mark.kind}",
    )

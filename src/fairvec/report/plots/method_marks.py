"""A mark for every method: a shape that no other one has, and a colour that helps to find it."""

from math import cos, pi, sin

from markupsafe import Markup

from fairvec.report.plots.svg import element


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


def mark_of(place: int) -> tuple[str, str]:
    """Return the shape and colour of a method.

    Sixteen methods have sixteen shapes; of more, two that share a shape differ in colour.
    """
    return SHAPES[place % len(SHAPES)], f"tone-{(place + place // len(SHAPES)) % TONES + 1}"


def outline(shape: str, tone: str, size: float = 1.0, state: str = "filled") -> Markup:
    """Draw a mark round the origin of whatever it stands in."""
    kind = f"mark-of {tone} {state}"
    return element("path", class_=kind, d=OUTLINES[shape], transform=f"scale({size:g})")


def mark(shape: str, tone: str, size: float = 1.0) -> Markup:
    """Draw a method's mark alone, for the legend and the tables."""
    return element(
        "svg",
        outline(shape, tone, size),
        class_="key-mark",
        width=16,
        height=16,
        viewBox="-8 -8 16 16",
        aria_hidden="true",
    )

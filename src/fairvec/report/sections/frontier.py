"""The page of a frontier: what every method leaves and costs, and which one to take."""

from collections.abc import Sequence
from pathlib import Path

from fairvec.ground.errors import SettingError
from fairvec.ground.files import write_text
from fairvec.report.page import environment
from fairvec.report.plots.scatter_plot import scatter
from fairvec.report.words.numbers import counted, number, percent
from fairvec.results import (
    HARMFUL,
    REFERENCE,
    WHAT_IS_APART,
    Line,
    Point,
    Survey,
    Untried,
)

FIRST, LAST = "meaning", "neighbours"
"""Between these kinds of information stand those of benchmarks, as they were asked."""

SHAPES = ("circle", "square", "diamond", "triangle", "pentagon", "cross")
TONES = 6
"""Colours of the style sheet: shape and colour together tell the methods apart."""


def render_frontier(lines: Sequence[Line]) -> str:
    """Return the page about one frontier; the same records give the same page."""
    surveys = [line for line in lines if isinstance(line, Survey)]
    points = [line for line in lines if isinstance(line, Point)]
    if len(surveys) != 1 or not points:
        raise SettingError("A frontier has one survey and some points; run 'fairvec frontier'.")
    (survey,) = surveys
    methods = list(dict.fromkeys(point.method for point in points if point.method != REFERENCE))
    marks = {method: mark_of(place) for place, method in enumerate(methods)}
    front = sorted(
        (point for point in points if point.on_front), key=lambda point: point.information_kept
    )
    return (
        environment()
        .get_template("frontier.html")
        .render(
            survey=survey,
            unseen=survey.unseen,
            apart=WHAT_IS_APART[survey.unseen.apart] if survey.unseen else "",
            points=points,
            front=front[::-1],
            marks=marks,
            families={family: family.capitalize() for family in _families(points)},
            asked=_asked(points),
            untried=[line for line in lines if isinstance(line, Untried)],
            plot=scatter(points, marks, about),
            warnings=warnings,
        )
    )


def write_frontier_report(lines: Sequence[Line], path: Path | str) -> Path:
    """Write the page to `path`, whole or not at all."""
    write_text(Path(path), render_frontier(lines))
    return Path(path)


def mark_of(place: int) -> tuple[str, str]:
    """Return the shape and colour of a method: two methods share one of them at the most."""
    return SHAPES[place % len(SHAPES)], f"tone-{(place + place // len(SHAPES)) % TONES + 1}"


def warnings(point: Point) -> list[str]:
    """Return what speaks against a point, the worst first."""
    said = [
        f"{kind.upper()} {', '.join(tests)}"
        for kind in HARMFUL
        if (tests := [effect.test for effect in point.harms if effect.kind == kind])
    ]
    if not point.held_out:
        said.append("fitted on tested words")
    if point.calibrated:
        said.append("calibrated on these tests")
    return said


def about(point: Point) -> str:
    """Return one point in one line, for its mark."""
    kept = f"keeps {percent(point.information_kept)} of the information"
    moved = "" if point.displacement is None else f", moves words by {number(point.displacement)}"
    warned = "".join(f" · {text}" for text in warnings(point))
    left = f"leaves {number(point.bias_left)} of {number(point.bias_before)}"
    return f"{point.label} · {left}, {kept}{moved}{warned}"


def _families(points: Sequence[Point]) -> list[str]:
    """Return the kinds of information that some point has, in the order of the table."""
    found = dict.fromkeys(family for point in points for family in point.kept)
    return sorted(found, key=lambda family: (family != FIRST, family == LAST))


def _asked(points: Sequence[Point]) -> dict[str, str]:
    """Say of each kind of information by which tests it was measured."""
    tests: dict[str, list[str]] = {}
    for figure in points[0].figures:
        tests.setdefault(figure.family.capitalize(), []).append(figure.test)
    return {
        family: f"{counted(len(names), 'figure')}: {', '.join(names)}"
        for family, names in tests.items()
    }

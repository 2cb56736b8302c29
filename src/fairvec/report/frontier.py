"""The page of a frontier: the bias each method leaves, what it costs, and which one to choose."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import write_text
from fairvec.core.tables import Cell, Table, alarm, strong, table_of
from fairvec.messages.captions import frontier_title
from fairvec.messages.frontiers import (
    WHAT_IS_APART,
    figures_list,
    frontier_alt_text,
    information_percent,
    mark_label,
    point_doubts,
    point_harms,
    point_line,
    point_warnings,
    remaining_bias,
)
from fairvec.messages.reports import history_lines
from fairvec.report.page import render_page
from fairvec.report.plots.scatter_plots import REFERENCE_MARK, Spot, method_symbol, scatter
from fairvec.results.frontier import (
    REFERENCE,
    FailedTrial,
    FrontierLine,
    FrontierPoint,
    FrontierSummary,
    HeldOutCheck,
)

FIRST, LAST = "meaning", "neighbours"
"""Between these kinds of information come those of benchmarks, in the order of the run."""


def render_frontier(lines: Sequence[FrontierLine]) -> str:
    """Return the page about one frontier; the same records give the same page."""
    surveys = [line for line in lines if isinstance(line, FrontierSummary)]
    points = [line for line in lines if isinstance(line, FrontierPoint)]
    if len(surveys) != 1 or not points:
        raise SettingError("A frontier has one survey and some points; run 'fairvec frontier'.")
    (survey,) = surveys
    methods = list(dict.fromkeys(point.method for point in points if point.method != REFERENCE))
    marks = {method: method_symbol(place) for place, method in enumerate(methods)}
    front = sorted(
        (point for point in points if point.on_front), key=lambda point: point.information_kept
    )
    strongest = _strongest(points)
    spots = [
        _spot_of(point, survey, marks, last=point is strongest[point.method]) for point in points
    ]
    return render_page(
        "frontier.html",
        title=frontier_title(survey),
        survey=survey,
        unseen=survey.unseen,
        apart=WHAT_IS_APART[survey.unseen.apart] if survey.unseen else "",
        points=points,
        front=front[::-1],
        marks=marks,
        families={family: family.capitalize() for family in _families(points)},
        asked=_tests_by_family(points),
        untried=[line for line in lines if isinstance(line, FailedTrial)],
        plot=scatter(spots, keep=survey.keep, about=frontier_alt_text(points, methods)),
        information_percent=information_percent,
        fold_range=fold_range,
        history_lines=history_lines,
        point_doubts=point_doubts,
        point_harms=point_harms,
    )


def write_frontier_report(lines: Sequence[FrontierLine], path: Path | str) -> Path:
    """Write the page to `path` atomically."""
    write_text(Path(path), render_frontier(lines))
    return Path(path)


def fold_range(point: FrontierPoint, survey: FrontierSummary) -> tuple[float, float] | None:
    """Return the least and the most bias that a point leaves in a fold, of two folds or more."""
    folds = survey.unseen.folds if survey.unseen else ()
    remaining = [share for fold in folds if (share := point.left_in(fold.tests)) is not None]
    return (min(remaining), max(remaining)) if len(remaining) > 1 else None


def frontier_table(points: Sequence[FrontierPoint]) -> Table:
    """Return one line per point, those of the front marked."""
    return table_of(
        ("", "point", "bias left", "information kept", "warnings"), map(_point_cells, points)
    )


def _point_cells(point: FrontierPoint) -> tuple[Cell, ...]:
    mark = "=>" if point.recommended else "front" if point.on_front else ""
    warnings = "; ".join(point_warnings(point))
    return (
        "beside" if point.other else mark,
        strong(point.label) if point.on_front else point.label,
        remaining_bias(point.bias_left, point.bias_before),
        f"{information_percent(point.information_kept)}%",
        alarm(warnings) if point.harms else warnings,
    )


def folds_table(unseen: HeldOutCheck) -> Table:
    """Return one line per fold: what was chosen without it, and what that leaves of it."""
    rows = [
        (
            ", ".join(fold.tests),
            fold.chosen or "nothing",
            remaining_bias(fold.left, fold.before),
            "" if fold.share is None else f"{fold.share:.0%}",
            alarm(", ".join(fold.harmed)),
        )
        for fold in unseen.folds
    ]
    return table_of(("fold", "chosen without it", "bias left on it", "share left", "harmed"), rows)


def _spot_of(
    point: FrontierPoint,
    survey: FrontierSummary,
    marks: Mapping[str, tuple[str, str]],
    *,
    last: bool,
) -> Spot:
    """Return a point as it is drawn: named if it is on the front, or the `last` of its method."""
    spread = fold_range(point, survey)
    by_name = point.on_front or point.other or point.method == REFERENCE
    return Spot(
        point,
        marks.get(point.method, REFERENCE_MARK),
        point_line(point, spread),
        word=mark_label(point) if by_name or last else "",
        modest=not by_name,
        spread=spread if point.on_front else None,
    )


def _strongest(points: Sequence[FrontierPoint]) -> dict[str, FrontierPoint]:
    """Return where the path of each method ends."""
    ordered = sorted(points, key=lambda point: point.strength)
    return {point.method: point for point in ordered}


def _families(points: Sequence[FrontierPoint]) -> list[str]:
    """Return the kinds of information that some point has, in the order of the table."""
    found = dict.fromkeys(family for point in points for family in point.kept)
    return sorted(found, key=lambda family: (family != FIRST, family == LAST))


def _tests_by_family(points: Sequence[FrontierPoint]) -> dict[str, str]:
    """Say of each kind of information by which tests it was measured."""
    tests: dict[str, list[str]] = {}
    for figure in points[0].figures:
        tests.setdefault(figure.family.capitalize(), []).append(figure.test)
    return {family: figures_list(names) for family, names in tests.items()}

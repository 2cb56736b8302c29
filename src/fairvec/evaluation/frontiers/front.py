"""The Pareto front of bias left against information kept, and what to take from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.results import Point

NOTICEABLE = 0.1
"""A mean |d| that is lower by less than this is not lower in a way that matters."""

KEEP = 0.95
"""Information that a recommended method must keep, unless told otherwise."""


@dataclass(frozen=True)
class Recommendation:
    """The point to take, if there is one, and why."""

    point: Point | None
    reason: str


NOTHING_TO_REMOVE = Recommendation(
    None,
    "No bias test of the concept is significant in this model, so that there is nothing of which "
    "these tests could show that it was removed.",
)


def dominates(one: Point, other: Point) -> bool:
    """Say whether a point is at least as good in both ways as another, and better in one."""
    better = one.bias_left < other.bias_left or one.information_kept > other.information_kept
    return (
        better
        and one.bias_left <= other.bias_left
        and one.information_kept >= other.information_kept
    )


def front(points: Sequence[Point]) -> list[Point]:
    """Return the points that no other one dominates, least bias first."""
    best = [one for one in points if not any(dominates(other, one) for other in points)]
    return sorted(best, key=lambda point: (point.bias_left, -point.information_kept))


def recommend(points: Sequence[Point], *, keep: float = KEEP) -> Recommendation:
    """Choose the point that leaves least bias among those that keep enough and harm nothing.

    A point that turns an effect round or makes one appear is never recommended: it is not better
    than one that leaves the effect as it is. Nor is one that hardly lowers the bias. A
    point that was fitted on tested words, or calibrated on the tests, is recommended only where no
    other one was tried, because the tests do not judge it.
    """
    if not points:
        return Recommendation(None, "No method could be tried on this model.")
    points = [point for point in points if point.evidence] or points
    harmless = [point for point in points if not point.harms]
    if not harmless:
        return Recommendation(
            None,
            "Every method and strength that was tried turns an effect round or makes one appear; "
            "the model is better left as it is.",
        )
    helpful = [one for one in harmless if one.bias_left <= one.bias_before - NOTICEABLE]
    if not helpful:
        return Recommendation(
            None,
            f"Nothing that was tried lowers the mean |d| by {NOTICEABLE:g} or more without doing "
            "harm elsewhere; the model is better left as it is.",
        )
    careful = [point for point in helpful if point.information_kept >= keep]
    if not careful:
        most = max(helpful, key=lambda point: (point.information_kept, *_in_no_order(point)))
        return Recommendation(
            None,
            f"Nothing that lowers the bias without harm keeps {keep:.0%} of the information; the "
            f"model is better left as it is. {most.label} keeps most, "
            f"{most.information_kept:.1%}, and leaves {share_left(most)} of the bias.",
        )
    best = min(
        careful,
        key=lambda point: (point.bias_left, -point.information_kept, *_in_no_order(point)),
    )
    return Recommendation(
        best,
        f"It leaves {share_left(best)} of the bias of the tests that choose it and keeps "
        f"{best.information_kept:.1%} of the information: the least bias among the {len(careful)} "
        f"of {len(points)} points that lower it, keep {keep:.0%} and neither turn round nor make "
        "an effect.",
    )


def _in_no_order(point: Point) -> tuple[float, str]:
    """Return what decides between points of the same figures, in whatever order they were tried."""
    return point.strength, point.method


def share_left(point: Point) -> str:
    """Return the share of the bias that a point leaves of the tests it was measured by."""
    return f"{point.bias_left / point.bias_before:.0%}"

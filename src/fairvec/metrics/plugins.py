"""Metrics from outside: registered in Python, or brought by another package."""

from collections.abc import Iterator
from dataclasses import is_dataclass
from math import isfinite
from typing import Any, TypeVar

from fairvec.core.errors import SettingError, UndefinedError, brief
from fairvec.core.plugins import (
    PluginRegistry,
    is_frozen,
    is_name,
    lacking_settings,
    origin_of,
    refusal,
)
from fairvec.geometry import Similarity
from fairvec.metrics.base import Metric, Score, Traits
from fairvec.metrics.bias import BIAS_METRICS
from fairvec.results import Convention

GROUP = "fairvec.metrics"
"""The group of entry points by which a package brings metrics."""
NEEDED = ("x", "y", "words", "a", "b")
"""The roles that a metric can ask for."""

Given = TypeVar("Given")


def as_metric(given: object, called: str) -> Metric:
    """Return what somebody gave as a metric, or say what it lacks; a class is made by its defaults.

    It must be a frozen dataclass with all that `Metric` has.
    """
    made: Any = given
    if isinstance(given, type):
        try:
            made = given()
        except Exception as error:  # it is somebody else's, and may raise anything
            raise SettingError(
                f"{called} cannot be made by its default settings ({brief(error)}); give every "
                "setting a default, or give an object."
            ) from error
    refusal(called, _lacks(made))
    found: Metric = made
    return found


def _lacks(made: Any) -> Iterator[str]:
    """Say what is no part of a metric, or is another thing than it should be."""
    if not is_dataclass(made) or not is_frozen(type(made)):
        yield "is no frozen dataclass"
        return
    if trouble := lacking_settings(type(made)):
        yield trouble
        return
    for part, (fits, should) in _PARTS.items():
        try:
            held = getattr(made, part)
        except AttributeError:
            yield f"has no {part}"
        except Exception as error:  # a property of somebody else's may raise anything
            yield f"fails when it is asked for its {part} ({brief(error)})"
        else:
            if not fits(held):
                yield f"has a {part} that is no {should}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


_PARTS: dict[str, tuple[Any, str]] = {
    "name": (is_name, "name of small letters, digits, dots and hyphens"),
    "needs": (
        lambda held: isinstance(held, tuple) and held and set(held) <= {*NEEDED},
        f"tuple of {', '.join(NEEDED)}",
    ),
    "neutral": (lambda held: held is None or _is_number(held), "finite number or None"),
    "meaning": (lambda held: isinstance(held, str) and held.endswith("."), "sentence"),
    "similarity": (lambda held: held is None or isinstance(held, Similarity), "similarity or None"),
    "convention": (lambda held: held is None or isinstance(held, Convention), "Convention or None"),
    "traits": (lambda held: isinstance(held, Traits), "Traits"),
    "measure": (callable, "function"),
}

FOREIGN_METRICS: PluginRegistry[Metric] = PluginRegistry(
    "metric", GROUP, frozenset(known.name for known in BIAS_METRICS), as_metric
)
"""The metrics that are not fairvec's own."""


def register_metric(metric: Given) -> Given:
    """Have a metric found by its name, as fairvec's own are, in this process; return what is given.

    It takes an object, or stands as a decorator above a class whose settings all have defaults:

        @fairvec.register_metric
        @dataclass(frozen=True)
        class MyMetric: ...

    To have the shell find it too, declare an entry point of the group `fairvec.metrics`.
    """
    FOREIGN_METRICS.register(metric)
    return metric


def checked_score(metric: Metric, score: Any) -> Score:
    """Return what a metric from outside gave, if it is a score with a finite value."""
    origin = origin_of(type(metric))
    if origin is None or (isinstance(score, Score) and _is_finite(score.value)):
        found: Score = score
        return found
    gave = f"the value {score.value!r}" if isinstance(score, Score) else type(score).__name__
    raise UndefinedError(
        f"{metric.name} of {origin} gave {gave} instead of a Score with a finite value; tell the "
        "authors of that package."
    )


def _is_finite(value: Any) -> bool:
    try:
        return bool(isfinite(value))
    except (TypeError, ValueError):
        return False

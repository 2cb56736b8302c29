"""Metrics of other packages: registered in Python, or found by an entry point.

Whatever a plugin brings is checked twice: `as_metric` when it is registered, `check_plugin_score`
at every score that it gives.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass
from math import isfinite
from typing import Any, TypeVar

from fairvec.core.errors import SettingError, UndefinedError, brief
from fairvec.core.plugins import (
    PluginRegistry,
    describe_setting_fault,
    is_frozen,
    is_name,
    origin_of,
    refusal,
)
from fairvec.geometry import Similarity
from fairvec.metrics.base import Metric, Score, Traits
from fairvec.metrics.bias import METRICS
from fairvec.results.identities import Convention

GROUP = "fairvec.metrics"
"""The group of entry points by which a package brings metrics."""
ROLES = ("x", "y", "words", "a", "b")
"""The roles that a metric may require of a test."""

Registered = TypeVar("Registered")


def as_metric(plugin: object, label: str) -> Metric:
    """Check a plugin's metric and return it; a class is instantiated with its default settings.

    It must be a frozen dataclass with all that `Metric` has; the error names what is missing.
    """
    metric: Any = plugin
    if isinstance(plugin, type):
        try:
            metric = plugin()
        except Exception as error:  # it is somebody else's, and may raise anything
            raise SettingError(
                f"{label} cannot be made by its default settings ({brief(error)}); give every "
                "setting a default, or give an object."
            ) from error
    refusal(label, _faults(metric))
    checked: Metric = metric
    return checked


def _faults(metric: Any) -> Iterator[str]:
    """Yield what is missing or of a wrong type."""
    if not is_dataclass(metric) or not is_frozen(type(metric)):
        yield "is no frozen dataclass"
        return
    if trouble := describe_setting_fault(type(metric)):
        yield trouble
        return
    for part, (fits, should) in _PARTS.items():
        try:
            value = getattr(metric, part)
        except AttributeError:
            yield f"has no {part}"
        except Exception as error:  # a property of somebody else's may raise anything
            yield f"fails when it is asked for its {part} ({brief(error)})"
        else:
            if not fits(value):
                yield f"has a {part} that is no {should}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


_PARTS: dict[str, tuple[Any, str]] = {
    "name": (is_name, "name of small letters, digits, dots and hyphens"),
    "needs": (
        lambda roles: isinstance(roles, tuple) and roles and set(roles) <= {*ROLES},
        f"tuple of {', '.join(ROLES)}",
    ),
    "neutral": (lambda value: value is None or _is_number(value), "finite number or None"),
    "meaning": (lambda text: isinstance(text, str) and text.endswith("."), "sentence"),
    "similarity": (
        lambda value: value is None or isinstance(value, Similarity),
        "similarity or None",
    ),
    "convention": (
        lambda value: value is None or isinstance(value, Convention),
        "Convention or None",
    ),
    "traits": (lambda value: isinstance(value, Traits), "Traits"),
    "measure": (callable, "function"),
}

FOREIGN_METRICS: PluginRegistry[Metric] = PluginRegistry(
    "metric", GROUP, frozenset(known.name for known in METRICS), as_metric
)
"""The metrics that are not fairvec's own."""


def register_metric(metric: Registered) -> Registered:
    """Have a metric found by its name, as fairvec's own are, in this process; return what is given.

    It takes an object, or stands as a decorator above a class whose settings all have defaults:

        @fairvec.register_metric
        @dataclass(frozen=True)
        class MyMetric: ...

    To have the shell find it too, declare an entry point of the group `fairvec.metrics`.
    """
    FOREIGN_METRICS.register(metric)
    return metric


def check_plugin_score(metric: Metric, score: Any) -> Score:
    """Return the score of a metric; that of a plugin must be a Score with a finite value."""
    origin = origin_of(type(metric))
    if origin is None or (isinstance(score, Score) and _is_finite(score.value)):
        checked: Score = score
        return checked
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

"""The plan of an audit: which models, tests, metrics and statistics."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from numbers import Real
from typing import Any, Literal, get_args

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.plugins import origin_of
from fairvec.core.settings import LARGEST_SEED, check_value, plain
from fairvec.core.text import short_repr
from fairvec.encoders import Representation
from fairvec.lexicon import SelectedTest
from fairvec.metrics import FOREIGN_METRICS, Metric, Weat, as_metric, configure_metric
from fairvec.stats import PMethod, Sides, Ties

IntervalKind = Literal["permutation", "bootstrap", "none"]
"""Whether an effect's interval inverts its permutation test, or resamples words, or is left out."""


_CHOICES = {
    "sides": get_args(Sides),
    "ties": get_args(Ties),
    "method": get_args(PMethod),
    "interval": get_args(IntervalKind),
}

_WHOLE_NUMBERS = (("samples", 100, 10**8), ("resamples", 100, 10**7), ("seed", 0, LARGEST_SEED))
"""The fewest show a p of .05; the most take hours, and a resample is kept until the end."""


@dataclass(frozen=True)
class Statistics:
    """How sure we want to be, and by which rules; every choice is written into the Result."""

    sides: Sides = "two"
    ties: Ties = ">="
    method: PMethod = "auto"
    samples: int = 100_000
    interval: IntervalKind = "permutation"
    resamples: int = 50_000
    level: float = 0.95
    alpha: float = 0.05
    smallest_coverage: float = 0.5
    robust: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, plain(getattr(self, each.name)))
        check_value("The statistics", "robust", bool, self.robust)
        for name in ("level", "alpha"):
            value = getattr(self, name)
            if not isinstance(value, float) or not 0 < value < 1:
                raise SettingError(
                    f"The setting {name} must lie between 0 and 1, not {short_repr(value)}."
                )
        share = self.smallest_coverage
        if not isinstance(share, Real) or not 0 <= share <= 1:
            raise SettingError(
                f"The smallest coverage is a share from 0 to 1, not {short_repr(share)}."
            )
        for name, known in _CHOICES.items():
            chosen = getattr(self, name)
            if not isinstance(chosen, str) or chosen not in known:
                raise UnknownNameError(f"choice of {name}", chosen, known)
        for name, least, most in _WHOLE_NUMBERS:
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise SettingError(
                    f"The setting {name} must be a whole number from {least} to {most:,}, not "
                    f"{short_repr(value)}."
                )


@dataclass(frozen=True)
class Audit:
    """One embedding or encoder, the tests to run on it and the metric to run them with."""

    source: Representation
    tests: tuple[SelectedTest, ...]
    metric: Metric = field(default_factory=Weat)


@dataclass(frozen=True)
class Plan:
    """Everything that decides the outcome: the same plan gives the same results."""

    audits: tuple[Audit, ...]
    statistics: Statistics = field(default_factory=Statistics)


# The metrics of an audit: named, with the audit's settings, or objects that have their own.


AskedMetrics = str | Metric | Iterable[str | Metric]
"""One metric or several; each is a name or an object."""

_CALLED = {"effect_size": "convention"}


def asked_metrics(metrics: AskedMetrics, settings: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Return the metrics asked for, each once; those named take the settings, objects stay."""
    found: list[Metric] = []
    for one in listed_metrics(metrics):
        chosen = configure_metric(one, settings) if isinstance(one, str) else _checked(one)
        if chosen not in found:
            found.append(chosen)
    return tuple(found)


def refuse_contradictions(metrics: AskedMetrics, named: Mapping[str, Any]) -> None:
    """Refuse what is no metric, and a setting of the audit that a metric object has otherwise."""
    asked_metrics(metrics, named)
    for one in listed_metrics(metrics):
        if isinstance(one, str) or not is_dataclass(one):
            continue
        for setting in (each.name for each in fields(one) if each.name in named):
            own, wanted = getattr(one, setting), named[setting]
            if own != wanted:
                raise SettingError(
                    f"The metric {one.name} is an object with the {_CALLED.get(setting, setting)} "
                    f"{_said(own)}, and the audit names {_said(wanted)}; set it on the object, or "
                    "give the metric by its name."
                )


def listed_metrics(metrics: AskedMetrics) -> tuple[str | Metric, ...]:
    """Return what is asked for one by one; a generator can be gone through but once."""
    listed: tuple[str | Metric, ...] = (
        (metrics,) if isinstance(metrics, str) or not isinstance(metrics, Iterable) else (*metrics,)
    )
    if not listed:
        raise SettingError("metrics= names no metric; leave it out to use weat.")
    return listed


def _checked(one: Metric) -> Metric:
    if isinstance(one, type) or not all(
        hasattr(one, part) for part in ("name", "needs", "measure")
    ):
        raise SettingError(
            f"metrics= holds {one!r}, which is no metric; give names, as in 'weat', or objects, as "
            "in DirectBias(strictness=2)."
        )
    if origin_of(type(one)) is None:
        return one
    found = as_metric(one, f"The metric {one.name!r}")
    FOREIGN_METRICS.refuse_own(found.name)
    return found


def _said(setting: Any) -> str:
    return str(getattr(setting, "name", setting))

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

_INTEGER_LIMITS = (("samples", 100, 10**8), ("resamples", 100, 10**7), ("seed", 0, LARGEST_SEED))
"""The smallest and largest value of each: the fewest show a p of .05, the most take hours."""


@dataclass(frozen=True)
class Statistics:
    """The statistics of an audit; every choice is written into the Result."""

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
        for setting in fields(self):
            object.__setattr__(self, setting.name, plain(getattr(self, setting.name)))
        check_value("The statistics", "robust", bool, self.robust)
        for name in ("level", "alpha"):
            value = getattr(self, name)
            if not isinstance(value, float) or not 0 < value < 1:
                raise SettingError(
                    f"The setting {name} must lie between 0 and 1, not {short_repr(value)}."
                )
        min_coverage = self.smallest_coverage
        if not isinstance(min_coverage, Real) or not 0 <= min_coverage <= 1:
            raise SettingError(
                f"The smallest coverage is a share from 0 to 1, not {short_repr(min_coverage)}."
            )
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise UnknownNameError(f"choice of {name}", value, choices)
        for name, low, high in _INTEGER_LIMITS:
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise SettingError(
                    f"The setting {name} must be a whole number from {low} to {high:,}, not "
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
    """Everything that determines the outcome: the same plan gives the same results."""

    audits: tuple[Audit, ...]
    statistics: Statistics = field(default_factory=Statistics)


AskedMetrics = str | Metric | Iterable[str | Metric]
"""One metric or several; each is a name or an object."""

_SETTING_NAMES = {"effect_size": "convention"}
"""What users call a setting of a metric, where that differs."""


def asked_metrics(metrics: AskedMetrics, settings: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Return the metrics, each once; names are configured by the settings, objects stay."""
    resolved: list[Metric] = []
    for metric in listed_metrics(metrics):
        configured = (
            configure_metric(metric, settings) if isinstance(metric, str) else _check_metric(metric)
        )
        if configured not in resolved:
            resolved.append(configured)
    return tuple(resolved)


def refuse_contradictions(metrics: AskedMetrics, named: Mapping[str, Any]) -> None:
    """Refuse what is not a metric, and a setting of the audit that a metric object contradicts."""
    asked_metrics(metrics, named)
    for metric in listed_metrics(metrics):
        if isinstance(metric, str) or not is_dataclass(metric):
            continue
        for setting in (
            setting_field.name for setting_field in fields(metric) if setting_field.name in named
        ):
            own_value, named_value = getattr(metric, setting), named[setting]
            if own_value != named_value:
                raise SettingError(
                    f"The metric {metric.name} is an object with the "
                    f"{_SETTING_NAMES.get(setting, setting)} {_format_setting(own_value)}, and the "
                    f"audit names {_format_setting(named_value)}; set it on the object, or give "
                    "the metric by its name."
                )


def listed_metrics(metrics: AskedMetrics) -> tuple[str | Metric, ...]:
    """Return the metrics as a tuple: a generator can be read only once."""
    listed: tuple[str | Metric, ...] = (
        (metrics,) if isinstance(metrics, str) or not isinstance(metrics, Iterable) else (*metrics,)
    )
    if not listed:
        raise SettingError("metrics= names no metric; leave it out to use weat.")
    return listed


def _check_metric(metric: Metric) -> Metric:
    if isinstance(metric, type) or not all(
        hasattr(metric, part) for part in ("name", "needs", "measure")
    ):
        raise SettingError(
            f"metrics= holds {metric!r}, which is no metric; give names, as in 'weat', or objects, "
            "as in DirectBias(strictness=2)."
        )
    if origin_of(type(metric)) is None:
        return metric
    wrapped = as_metric(metric, f"The metric {metric.name!r}")
    FOREIGN_METRICS.refuse_own(wrapped.name)
    return wrapped


def _format_setting(setting: Any) -> str:
    return str(getattr(setting, "name", setting))

"""What an audit is asked with: its statistics and its metrics."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.plugins import origin_of
from fairvec.core.settings import Seed, Share, settings
from fairvec.metrics import FOREIGN_METRICS, Metric, as_metric, configure_metric
from fairvec.stats import PMethod, Sides, Ties

IntervalKind = Literal["permutation", "bootstrap", "none"]
"""Whether an effect's interval inverts its permutation test, or resamples words, or is left out."""

COVERAGE = "Skip a test when less than this share of a list is found."
InnerShare = Annotated[float, Field(gt=0, lt=1)]
Samples = Annotated[int, Field(ge=100, le=10**8)]
Resamples = Annotated[int, Field(ge=100, le=10**7)]


@settings(called="statistics")
class Statistics:
    """The statistics of an audit; every choice is written into the Result.

    The fewest samples and resamples that are taken show a p of .05, the most take hours.
    """

    sides: Annotated[Sides, Field(description="Tails that p counts; verdicts stay two-sided.")] = (
        "two"
    )
    ties: Annotated[Ties, Field(description="Whether equal statistics count as extreme.")] = ">="
    method: Annotated[
        PMethod,
        Field(description="How p is computed; auto is exact wherever that is possible."),
    ] = "auto"
    samples: Annotated[Samples, Field(description="Regroupings drawn when p is sampled.")] = 100_000
    interval: Annotated[
        IntervalKind,
        Field(description="Interval of an effect: what its p allows, or words drawn again."),
    ] = "permutation"
    resamples: Annotated[
        Resamples, Field(description="Words drawn again for a bootstrap interval.")
    ] = 50_000
    level: Annotated[InnerShare, Field(description="Coverage of the interval.")] = 0.95
    alpha: Annotated[InnerShare, Field(description="Level that p is held against.")] = 0.05
    min_coverage: Annotated[Share, Field(description=COVERAGE)] = 0.5
    robust: Annotated[
        bool, Field(description="Also try other words, lists and equal frequency.")
    ] = False
    seed: Annotated[Seed, Field(description="Seed of everything random.")] = 0


DEFAULT_STATISTICS = Statistics()
"""The statistics of an audit of which nothing else is said."""

MetricChoice = str | Metric | Iterable[str | Metric]
"""One metric or several; each is a name or an object."""

_SETTING_NAMES = {"effect_size": "convention"}
"""What users call a setting of a metric, where that differs."""


def resolve_metrics(
    metrics: MetricChoice, settings: Mapping[str, Any], **defaults: Any
) -> tuple[Metric, ...]:
    """Return the metrics, each once; names are configured by settings or defaults, objects stay."""
    resolved: list[Metric] = []
    for metric in metric_tuple(metrics):
        configured = (
            configure_metric(metric, settings, **defaults)
            if isinstance(metric, str)
            else _check_metric(metric)
        )
        if configured not in resolved:
            resolved.append(configured)
    return tuple(resolved)


def refuse_contradictions(metrics: MetricChoice, named: Mapping[str, Any]) -> None:
    """Refuse what is not a metric, and a setting of the audit that a metric object contradicts."""
    resolve_metrics(metrics, named)
    for metric in metric_tuple(metrics):
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


def metric_tuple(metrics: MetricChoice) -> tuple[str | Metric, ...]:
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

"""The metrics of an audit: named, with the audit's settings, or objects that have their own."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.ground.outside.origins import origin_of
from fairvec.metrics import FOREIGN_METRICS, Metric, as_metric, metric_sharing

AskedMetrics = str | Metric | Iterable[str | Metric]
"""One metric or several; each is a name or an object."""

_CALLED = {"effect_size": "convention"}


def asked_metrics(metrics: AskedMetrics, settings: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Return the metrics asked for, each once; those named take the settings, objects stay."""
    found: list[Metric] = []
    for one in listed_metrics(metrics):
        chosen = metric_sharing(one, settings) if isinstance(one, str) else _checked(one)
        if chosen not in found:
            found.append(chosen)
    return tuple(found)


def refuse_contradictions(metrics: AskedMetrics, named: Mapping[str, Any]) -> None:
    """Refuse what is no metric, and a setting of the audit that a metric object has otherwise."""
    asked_metrics(metrics, named)
    for one in listed_metrics(metrics):
        if isinstance(one, str) or not is_dataclass(one):
            continue
        for setting in (field.name for field in fields(one) if field.name in named):
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

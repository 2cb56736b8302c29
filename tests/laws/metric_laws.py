"""The laws of metrics, as the tests of fairvec's own run them: see test_metric_laws.py."""

from collections.abc import Iterator
from dataclasses import replace

from fairvec.core.settings import setting_types
from fairvec.metrics import Metric
from fairvec.testing.planted import variants_of
from tests.metrics.toys import toy_contexts

FEWER = {"neighbours": 8, "each": 12, "learnt": 6, "draws": 12, "contexts": toy_contexts}
"""Settings that ask for more words than a toy has, or for a corpus."""


def as_used(known: Metric) -> Iterator[Metric]:
    """Give a registered metric as a toy can bear it, with every similarity and answer it has."""
    has = setting_types(type(known))
    fewer = {setting: value for setting, value in FEWER.items() if setting in has}
    yield from variants_of(replace(known, **fewer))  # type: ignore[type-var]

"""In an audit a test on degenerate words is a row that says so, and costs no other row."""

import warnings
from collections.abc import Iterable

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from fairvec.lexicon import Suite, parse_suite
from fairvec.metrics import METRICS, Metric, metric
from fairvec.results import Description, Result, Skipped
from fairvec.testing.planted import planted, suite_text
from tests.laws.metric_laws import as_used

SECOND = """
[sets.p]
title = "p"
words = ["w0", "w1", "w2", "w3"]
[sets.q]
title = "q"
words = ["w4", "w5", "w6", "w7"]
[[tests]]
id = "two"
title = "Two"
category = "gender"
kind = "bias"
x = "p"
y = "q"
a = "p"
b = "q"
paired = true
"""
ODD = [f"w{number}" for number in range(8)]
"""The words of the second test, which are degenerate; those of the first are not."""
every_metric = pytest.mark.parametrize("known", METRICS, ids=lambda known: known.name)


def suite() -> Suite:
    return parse_suite(suite_text() + "paired = true\n" + SECOND)


def model(known: Metric, space: Geometry, odd: float) -> Embedding:
    """Return a vocabulary whose odd words are one vector, so many times as long as it was."""
    sound = planted(known, space, 3)
    vectors = np.array(sound.vectors)
    rows = [sound.positions[key] for key in ODD]
    vectors[rows] = odd * vectors[rows[0]]
    return Embedding(sound.keys, vectors, space, "odd")


def answers(model: Embedding, metrics: Iterable[Metric]) -> list[Result | Description | Skipped]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        return [
            row
            for row in fairvec.audit(model, suites=suite(), metrics=[*metrics])
            if isinstance(row, Result | Description | Skipped)
        ]


@every_metric
def test_one_degenerate_test_costs_no_other(known: Metric) -> None:
    ways = [*as_used(known)]
    for space in (Euclidean(), Poincare(), ProductOfBalls(3)):
        for size in (1.0, 1e-200) if space.curvature else (0.0, 1e-200, 1e200):
            rows = answers(model(known, space, size), ways)
            assert rows
            for row in rows:
                if isinstance(row, Skipped):
                    assert "fault of fairvec" not in row.reason, row.reason
                    assert row.reason.endswith(".")
                    assert "\n" not in row.reason
                else:
                    assert np.isfinite(row.value if isinstance(row, Description) else row.effect)
            if not (known.traits.flat_only and space.curvature) and size in (0.0, 1.0):
                first = [row for row in rows if row.test.id == "toy/one"]
                assert first
                assert not any(isinstance(row, Skipped) for row in first)


def test_a_whole_model_of_another_unit_gives_the_same_figures() -> None:
    sound = planted(metric("weat"), Euclidean(), 3)
    (wanted,) = (row for row in answers(sound, [metric("weat")])[:1])
    assert isinstance(wanted, Result)
    for power in (-660, 500):
        scaled = Embedding(sound.keys, np.ldexp(np.asarray(sound.vectors), power), name="planted")
        found = answers(scaled, [metric("weat")])[0]
        assert isinstance(found, Result)
        assert found.effect == pytest.approx(wanted.effect, rel=1e-9)
        assert found.p == wanted.p

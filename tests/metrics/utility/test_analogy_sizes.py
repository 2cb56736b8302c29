"""The answers to analogies do not depend on the unit in which vectors are written."""

from typing import Any

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.geometry import SIMILARITIES, Poincare, Similarity
from fairvec.metrics.utility.analogy import Analogies


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul", "gyro-translation"])
@pytest.mark.parametrize("power", [-660, -80, 80, 600])
def test_answers_are_the_same_at_every_size(method: Any, power: int) -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(120, 6))
    keys = [f"w{number}" for number in range(len(vectors))]
    rows = rng.permuted(np.tile(np.arange(120), (20, 1)), axis=1)[:, :3]
    metric = Analogies(method)
    wanted = metric.answers(rows, Embedding(keys, vectors))
    with np.errstate(all="raise", under="ignore"):
        found = metric.answers(rows, Embedding(keys, np.ldexp(vectors, power)))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda one: one.name)
@pytest.mark.parametrize("power", [-500, -40, 40, 500])
def test_a_ball_of_any_radius_gives_the_answers_of_the_unit_ball(
    similarity: Similarity, power: int
) -> None:
    """c = 4^power, with all vectors as much shorter: the same points in another unit."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(120, 6)) / 10
    keys = [f"w{number}" for number in range(len(points))]
    rows = rng.permuted(np.tile(np.arange(120), (20, 1)), axis=1)[:, :3]
    metric = Analogies("gyro-translation", similarity)
    wanted = metric.answers(rows, Embedding(keys, points, Poincare()))
    ball = Poincare(float(np.ldexp(1.0, 2 * power)))
    found = metric.answers(rows, Embedding(keys, np.ldexp(points, -power), ball))
    np.testing.assert_array_equal(found, wanted)

"""A vector that is NaN is blamed on its word, also where only its row was known."""

import numpy as np
import pytest

from fairvec.core.errors import FairvecError
from fairvec.embedding import Embedding
from fairvec.embedding.neighbours import neighbours_of
from fairvec.geometry import Euclidean, Geometry, Poincare
from fairvec.metrics.bias.vocabulary import nearest_words
from fairvec.metrics.utility.movement import neighbourhoods


def with_one(value: float, geometry: Geometry) -> Embedding:
    vectors = np.random.default_rng(0).uniform(0.1, 0.4, (5000, 2))
    vectors[4999] = value
    return Embedding([f"w{row}" for row in range(5000)], vectors, geometry, "model")


@pytest.mark.parametrize("geometry", [Euclidean(), Poincare()], ids=["flat", "ball"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_the_word_is_named(value: float, geometry: Geometry) -> None:
    model = with_one(value, geometry)
    for looked in (
        lambda: neighbours_of(model, ["w1"], 3),
        lambda: nearest_words(model.rows(["w1"]), ["w1"], model, 3),
        lambda: neighbourhoods(model, 3),
    ):
        with pytest.raises(FairvecError, match="model: the vector of 'w4999' holds NaN or inf"):
            looked()

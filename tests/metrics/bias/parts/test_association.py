import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import NoSpreadError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Euclidean,
    Similarity,
)
from fairvec.lexicon import resolve
from fairvec.metrics import TwoSamples, Weat
from fairvec.metrics.bias.weat import (
    AttributeSimilarities,
    association_score,
    effect_size,
    leanings,
)
from tests import toys


def test_clusters_of_unequal_size_are_averaged() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    near = AttributeSimilarities(rows, 10 * rows).mean_by_target([1, 3, 2])
    assert near.to_a.tolist() == [[0, 1], [4, 5], [9, 10]]
    assert near.to_b.tolist() == [[0, 10], [40, 50], [90, 100]]


def test_a_word_equally_close_to_all_has_no_effect_of_its_own() -> None:
    group = resolve(toys.suite().tests[0], toys.embedding())["x"]
    alike = np.full((5, 4), 0.1 + 0.2)
    alike[1, 0] = 0.5
    shares = AttributeSimilarities(alike, alike[:, ::-1]).shares(group, ddof=1)
    assert [share.effect is None for share in shares] == [True, False, True, True, True]


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("roles", ["xyab", "a", "b"])
def test_an_infinite_distance_is_said_not_counted(roles: str) -> None:
    toy = toys.embedding(0.3)
    huge = np.array(toy.vectors)
    huge[[toy.positions[word] for role in roles for word in toys.WORDS[role]]] *= 1e200
    points = toy.moved_to(huge, Step("move"))
    groups = resolve(toys.suite().tests[0], points)
    with pytest.raises(UndefinedError, match="negative-squared-distance is infinite"):
        Weat(NEGATIVE_SQUARED_DISTANCE).measure(groups, Euclidean())


@pytest.mark.parametrize("similarity", [COSINE, NEGATIVE_DISTANCE], ids=lambda s: s.name)
@given(dimensions=st.integers(1, 400), size=st.floats(0.1, 50), noise=st.floats(0.1, 5))
def test_a_spread_counts_from_the_rounding_of_the_stored_numbers_on(
    similarity: Similarity, dimensions: int, size: float, noise: float
) -> None:
    """The limit is eps / sqrt(d), and for distances so much of the largest of them."""
    stored = Embedding(["word"], np.ones((1, dimensions), np.float32))
    limit = float(np.finfo(np.float32).eps) / dimensions**0.5
    limit *= 1 if similarity is COSINE else size
    # The two leanings are opposite, so their standard deviation is the size of one.
    x, y = (np.array([[-size, -size - by]]) for by in (noise * limit, -noise * limit))
    samples = TwoSamples(x, y, leanings, effect_size("population"))
    if 0.99 < noise < 1.01:
        return
    if noise < 1:
        with pytest.raises(NoSpreadError):
            association_score(samples, [], similarity, stored)
    else:
        assert association_score(samples, [], similarity, stored).value == pytest.approx(
            2, rel=1e-4
        )

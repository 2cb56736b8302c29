"""WEAT is its published formula under each convention of the effect size."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import NoSpreadError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Poincare,
    Similarity,
)
from fairvec.lexicon import resolve
from fairvec.metrics import EFFECT_SIZES, EffectSize, TwoSamples, effect_size
from fairvec.metrics.bias.weat import AttributeSimilarities, Weat, association_score, leanings
from tests import toys

# --- weat ---


def cosine(u: FloatArray, v: FloatArray) -> float:
    return float(u @ v / np.sqrt((u @ u) * (v @ v)))


def textbook(convention: str) -> float:
    """WEAT of the toy in plain loops, straight from the papers' formulas."""
    v = dict(zip(toys.embedding(0.3).keys, toys.embedding(0.3).vectors, strict=True))
    raw, lean = {}, {}
    for role in "xy":
        for w in toys.WORDS[role]:
            to_a = np.mean([cosine(v[w], v[a]) for a in toys.WORDS["a"]])
            to_b = np.mean([cosine(v[w], v[b]) for b in toys.WORDS["b"]])
            raw[w], lean[w] = (to_a, to_b), to_a - to_b
    difference = np.mean([lean[w] for w in toys.WORDS["x"]]) - np.mean(
        [lean[w] for w in toys.WORDS["y"]]
    )
    spread = {
        "caliskan": np.std(list(lean.values()), ddof=1),
        "population": np.std(list(lean.values())),
        "raw-similarity": np.std([n for pair in raw.values() for n in pair], ddof=1),
    }
    return float(difference / spread[convention])


@pytest.mark.parametrize("size", EFFECT_SIZES, ids=lambda size: size.name)
def test_every_convention_equals_its_formula(size: EffectSize) -> None:
    groups = resolve(toys.suite().tests[0], toys.embedding(0.3))
    score = Weat(effect_size=size).measure(groups, Euclidean())
    assert score.value == pytest.approx(textbook(size.name), rel=1e-12)


def test_a_words_own_effect_size_is_wefat() -> None:
    embedding = toys.embedding(0.3)
    score = Weat().measure(resolve(toys.suite().tests[0], embedding), Euclidean())
    share = score.words[0]
    own = embedding.rows([share.found.key])[0]
    to_a = [cosine(own, row) for row in embedding.rows(toys.WORDS["a"])]
    to_b = [cosine(own, row) for row in embedding.rows(toys.WORDS["b"])]
    expected = (np.mean(to_a) - np.mean(to_b)) / np.std(to_a + to_b, ddof=1)
    assert share.effect == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
def test_similarities_run_on_the_ball(similarity: Similarity) -> None:
    ball = toys.embedding(0.3, space=Poincare())
    score = Weat(similarity).measure(resolve(toys.suite().tests[0], ball), ball.geometry)
    alike = similarity.between(ball.rows(toys.WORDS["x"]), ball.rows(toys.WORDS["a"]), Poincare())
    assert isinstance(score.samples, TwoSamples)
    np.testing.assert_allclose(score.samples.x[:, 0], alike.mean(axis=1), rtol=1e-14)


def test_no_spread_is_reported_not_divided_by() -> None:
    flat = toys.embedding(0.0)
    same = flat.with_vectors(np.ones_like(flat.vectors), Step("move"))
    with pytest.raises(UndefinedError, match="lean alike"):
        Weat(COSINE).measure(resolve(toys.suite().tests[0], same), Euclidean())


def test_a_batch_without_spread_is_undefined_and_the_rest_is_not() -> None:
    x = np.array([[[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]])
    y = np.array([[[0.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])
    effects = effect_size("caliskan")(x, y)
    assert np.isfinite(effects[0])
    assert np.isnan(effects[1])


def test_a_misspelt_convention_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="caliskan"):
        effect_size("caliskn")


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda s: s.name)
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_the_rounding_of_stored_numbers_is_no_effect(
    kind: type[np.floating[Any]], similarity: Similarity
) -> None:
    """Every target is as near to A as to B in exact numbers; storing them leaves rounding alone."""
    generator = np.random.default_rng(0)
    keys = [word for words in toys.WORDS.values() for word in words]
    exact = generator.normal(size=(len(keys), 100))
    targets, half = len(toys.WORDS["x"]) + len(toys.WORDS["y"]), len(toys.WORDS["a"])
    exact[:targets, 0] = 0
    exact[targets + half :] = exact[targets : targets + half] * ([-1] + [1] * 99)
    turned = exact @ np.linalg.qr(generator.normal(size=(100, 100)))[0]
    groups = resolve(toys.suite().tests[0], Embedding(keys, turned.astype(kind)))
    with pytest.raises(NoSpreadError, match="up to the rounding"):
        Weat(similarity).measure(groups, Euclidean())


# --- association ---


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


@pytest.mark.parametrize("roles", ["xyab", "a", "b"])
def test_a_distance_without_a_spread_is_refused(roles: str) -> None:
    toy = toys.embedding(0.3)
    huge = np.array(toy.vectors)
    huge[[toy.positions[word] for role in roles for word in toys.WORDS[role]]] *= 1e140
    points = toy.with_vectors(huge, Step("move"))
    groups = resolve(toys.suite().tests[0], points)
    with pytest.raises(UndefinedError, match="negative-squared-distance are so large"):
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

from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import NoSpreadError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import COSINE, SIMILARITIES, Euclidean, FloatArray, Poincare, Similarity
from fairvec.lexicon import resolve
from fairvec.metrics import EFFECT_SIZES, EffectSize, TwoSamples, Weat, effect_size
from tests import toys


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


def test_no_spread_is_said_not_divided_by() -> None:
    flat = toys.embedding(0.0)
    same = flat.moved_to(np.ones_like(flat.vectors), Step("move"))
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

"""RNSB is the divergence of a classifier's scores as published."""

from math import isclose

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.metrics.base import OneSample
from fairvec.metrics.bias.rnsb import Rnsb, _divergence
from fairvec.testing.planted import measured, planted
from tests import toys
from tests.metrics.vocabularies import looked_up, placed, rows
from tests.resource_limits import outcome

# --- rnsb ---


def probabilities_of_b(penalty: float) -> FloatArray:
    """A logistic regression by minimising its loss: sum of log-losses + penalty/2 |weights|^2."""
    v = rows(toys.embedding(0.3))
    examples = np.column_stack([np.concatenate([v["a"], v["b"]]), np.ones(8)])
    sides = np.repeat([-1, 1], 4)

    def loss(weights: FloatArray) -> float:
        losses = np.logaddexp(0, -sides * (examples @ weights))
        return float(losses.sum() + penalty / 2 * weights @ weights)

    weights = minimize(loss, np.zeros(7), tol=1e-12).x
    return np.asarray(expit(np.column_stack([v["words"], np.ones(10)]) @ weights))


@pytest.mark.parametrize("penalty", [0.1, 1.0])
def test_it_is_the_divergence_of_the_probabilities_from_uniform(penalty: float) -> None:
    toy = toys.embedding(0.3)
    score = Rnsb(penalty).measure(looked_up(toy), toy.geometry)
    p = probabilities_of_b(penalty)
    np.testing.assert_allclose([share.leaning for share in score.words], p, rtol=1e-4)
    shares = p / p.sum()
    assert score.value == pytest.approx(sum(q * np.log(q * 10) for q in shares), rel=1e-3)


def test_words_of_b_get_the_larger_probability() -> None:
    groups = placed({"x": [(3, 0)], "y": [(-3, 0)], "a": [(1, 0), (2, 0)], "b": [(-1, 0), (-2, 0)]})
    score = Rnsb().measure(groups, Euclidean())
    assert [share.leaning > 0.5 for share in score.words] == [False, True]


def test_words_that_b_fits_equally_are_neutral() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(0, 1, 0)],
        "y": [(0, 0, 7)],
        "a": [(1, 0, 0)],
        "b": [(-1, 0, 0)],
    }
    assert Rnsb().measure(placed(words), Euclidean()).value == pytest.approx(0, abs=1e-12)


def test_one_word_that_takes_all_reaches_log_n() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(90.0,), (80.0,)],
        "y": [(-90.0,)],
        "a": [(1,), (2,)],
        "b": [(-1,), (-2,)],
    }
    value = Rnsb(1e-4).measure(placed(words), Euclidean()).value
    assert value == pytest.approx(np.log(3), rel=1e-9)


def test_the_words_can_be_resampled() -> None:
    toy = toys.embedding(0.3)
    score = Rnsb().measure(looked_up(toy), toy.geometry)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows[None])[0] == pytest.approx(score.value)


def test_no_probability_at_all_is_reported_not_divided_by() -> None:
    words: dict[str, list[tuple[float, ...]]] = {
        "x": [(1e6,)],
        "y": [(2e6,)],
        "a": [(1,), (2,)],
        "b": [(-1,), (-2,)],
    }
    with pytest.raises(UndefinedError, match="no distribution"):
        Rnsb().measure(placed(words), Euclidean())


def test_the_ball_has_no_flat_plane_to_divide_it() -> None:
    ball = toys.embedding(0.3, space=Poincare())
    with pytest.raises(UndefinedError, match="use ect or rnd"):
        Rnsb().measure(looked_up(ball), ball.geometry)


# --- RNSB ends, and says the right thing, on vectors of every size ---


ENDS = """
import numpy as np
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.metrics.bias.rnsb import Rnsb
from fairvec.testing.planted import measured, planted
model = planted(Rnsb(), Euclidean(), 3)
for size in (2.0**-480, 1e-100):
    small = Embedding(model.keys, np.asarray(model.vectors) * size)
    print(measured(Rnsb(), small).value)
"""


def test_vectors_too_small_to_learn_from_give_every_word_the_same_share() -> None:
    # The probability of B is then its share of the examples, whatever the word.
    assert isclose(float(outcome(ENDS, seconds=60)), 0, abs_tol=1e-12)


@pytest.mark.parametrize("size", [1e31, 1e140, 1e200])
def test_vectors_too_large_for_a_regression_are_refused(size: float) -> None:
    model = planted(Rnsb(), Euclidean(), 3)
    large = Embedding(model.keys, np.asarray(model.vectors) * size)
    with pytest.raises(UndefinedError, match="one small number"):
        measured(Rnsb(), large)


def test_numbers_that_weigh_nothing_change_nothing() -> None:
    model = planted(Rnsb(), Euclidean(), 3)
    vectors = np.asarray(model.vectors)
    wanted = measured(Rnsb(), model).value
    beside = np.column_stack([vectors, np.full(len(vectors), 1e-250)])
    wider = Embedding(model.keys, beside)
    assert measured(Rnsb(), wider).value == pytest.approx(wanted, rel=1e-9)


def test_words_that_nobody_takes_for_b_have_no_divergence_and_make_no_noise() -> None:
    probabilities = np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.5]])[..., None]
    with np.errstate(all="raise"):
        none, two_of_three = _divergence(probabilities)
    assert np.isnan(none)
    assert isclose(two_of_three, np.log(3 / 2))

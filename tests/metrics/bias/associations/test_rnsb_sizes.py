"""RNSB ends, and says the right thing, on vectors of every size."""

from math import isclose

import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.metrics import Rnsb
from fairvec.metrics.bias.rnsb import _divergence
from fairvec.testing.planted import measured, planted
from tests.limits import outcome

ENDS = """
import numpy as np
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean
from fairvec.metrics import Rnsb
from fairvec.testing.planted import measured, planted
model = planted(Rnsb(), Euclidean(), 3)
for size in (2.0**-660, 1e-200, 1e-320):
    small = Embedding(model.keys, np.asarray(model.vectors) * size)
    print(measured(Rnsb(), small).value)
"""


def test_vectors_too_small_to_learn_from_give_every_word_the_same_share() -> None:
    # The probability of B is then its share of the examples, whatever the word.
    assert isclose(float(outcome(ENDS, seconds=60)), 0, abs_tol=1e-12)


@pytest.mark.parametrize("size", [1e31, 1e200])
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

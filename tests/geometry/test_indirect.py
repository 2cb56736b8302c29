import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairvec.geometry import FloatArray
from fairvec.geometry.directions import beta, cosine_without_direction


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


@given(seed=st.integers(0, 10_000), columns=st.integers(2, 9), along=st.floats(0, 5))
def test_the_share_is_that_of_the_vectors_without_g(seed: int, columns: int, along: float) -> None:
    noise = np.random.default_rng(seed)
    g = unit(noise.normal(size=columns))
    w, v = unit(noise.normal(size=(2, 50, columns)) + along * g)
    alike, word, other = np.einsum("nd,nd->n", w, v), w @ g, v @ g
    left, right = (unit(rows - np.outer(rows @ g, g)) for rows in (w, v))
    without = np.einsum("nd,nd->n", left, right)
    # Of a word that is nearly g hardly a digit is left.
    seen = np.minimum(1 - word**2, 1 - other**2) > 1e-9
    found = cosine_without_direction(alike, word, other)
    np.testing.assert_allclose(found[seen], without[seen], atol=1e-6)
    expected = np.where(alike > 1e-12, (alike - without) / alike, 0)
    scale = np.maximum(1, 1 / np.maximum(np.abs(alike), 1e-12))
    assert (np.abs(beta(alike, word, other) - expected) <= 1e-6 * scale)[seen].all()


@given(alike=st.floats(1e-6, 1), other=st.floats(-1, 1))
def test_a_word_on_g_owes_it_all(alike: float, other: float) -> None:
    numbers = np.array([alike]), np.array([1.0]), np.array([other])
    assert (cosine_without_direction(*numbers)[0], beta(*numbers)[0]) == (0, 1)

import numpy as np
import pytest
from numpy.typing import NDArray

from fairvec.geometry import FloatArray
from fairvec.mitigation.methods.ran import TOLERANCE, RanWeights, forces, objective, solve_ran

PUBLISHED = RanWeights(1 / 8, 6 / 8, 1 / 8)


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def problem(seed: int, near: float) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], FloatArray]:
    """Words, their neighbours (at all angles where `near` is small), who repels, a direction."""
    noise = np.random.default_rng(seed)
    words = unit(noise.normal(size=(30, 7)))
    neighbours = unit(noise.normal(size=(30, 9, 7)) + near * words[:, None])
    repelled = noise.random((30, 9)) < 0.6
    repelled[0] = False
    return words, neighbours, repelled, unit(noise.normal(size=7))


def published(
    x: FloatArray, word: FloatArray, near: FloatArray, g: FloatArray, weights: RanWeights
) -> float:
    """The objective of one word, as the paper writes it."""
    x = unit(x)
    repulsion = np.mean(np.abs(near @ x)) if len(near) else 0.0
    attraction, neutralisation = abs(x @ word - 1) / 2, abs(x @ g)
    return float(
        weights.repulsion * repulsion
        + weights.attraction * attraction
        + weights.neutralisation * neutralisation
    )


def by_adam(word: FloatArray, near: FloatArray, g: FloatArray, weights: RanWeights) -> FloatArray:
    """The published optimiser: 300 steps of Adam from the word itself, at a rate of .01."""
    x, first, second = word.copy(), np.zeros_like(word), np.zeros_like(word)
    for step in range(1, 301):
        length = np.linalg.norm(x)
        u = x / length
        slope = -weights.attraction / 2 * word + weights.neutralisation * np.sign(u @ g) * g
        if len(near):
            slope = slope + weights.repulsion * (np.sign(near @ u)[:, None] * near).mean(axis=0)
        slope = (slope - (slope @ u) * u) / length
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        x = x - 0.01 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return x


@pytest.mark.parametrize("near", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("weights", [PUBLISHED, RanWeights(0.3, 0.4, 0.3), RanWeights(0, 1, 0.2)])
def test_no_word_does_better_by_the_published_optimiser(near: float, weights: RanWeights) -> None:
    words, neighbours, repelled, g = problem(1, near)
    pushes = forces(neighbours, repelled, g, weights)
    found = solve_ran(words, pushes, weights.attraction)
    assert (found.gaps[found.attracted] < TOLERANCE).all()
    values = objective(found.rows, words, pushes, weights.attraction)
    noise = np.random.default_rng(2)
    for number, word in enumerate(words):
        given = word, neighbours[number][repelled[number]], g, weights
        assert values[number] == pytest.approx(published(found.rows[number], *given), abs=1e-12)
        if found.attracted[number]:
            assert values[number] <= published(by_adam(*given), *given) + TOLERANCE
            for _ in range(20):
                aside = found.rows[number] + 0.03 * noise.normal(size=7)
                assert values[number] <= published(aside, *given) + TOLERANCE


def test_among_neighbours_on_its_side_a_word_is_pushed_from_their_mean() -> None:
    """The closed form: y = (a/2) w - r mean n, less what it has along g, up to s."""
    words, neighbours, repelled, g = problem(3, 12.0)
    found = solve_ran(words, forces(neighbours, repelled, g, PUBLISHED), PUBLISHED.attraction)
    for word, near, pushing, x in zip(words, neighbours, repelled, found.rows, strict=True):
        y = 3 / 8 * word - (near[pushing].mean(axis=0) / 8 if pushing.any() else 0)
        y = y - np.clip(y @ g, -1 / 8, 1 / 8) * g
        assert (near[pushing] @ x > 0).all()
        np.testing.assert_allclose(x, unit(y), atol=1e-9)


def test_a_word_without_bias_and_biased_neighbours_stays() -> None:
    words, neighbours, repelled, g = problem(4, 1.0)
    words = unit(words - np.outer(words @ g, g))
    found = solve_ran(
        words, forces(neighbours, repelled & False, g, PUBLISHED), PUBLISHED.attraction
    )
    np.testing.assert_allclose(found.rows, words, atol=1e-12)


def test_a_word_that_nothing_holds_stays_and_is_marked() -> None:
    words, neighbours, repelled, g = problem(5, 0.0)
    words = np.tile(g, (30, 1))
    weights = RanWeights(0.0, 0.5, 0.5)
    found = solve_ran(words, forces(neighbours, repelled, g, weights), weights.attraction)
    assert not found.attracted.any()
    np.testing.assert_array_equal(found.rows, words)

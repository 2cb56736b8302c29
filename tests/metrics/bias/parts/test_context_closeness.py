"""The error that the contexts of the attributes leave."""

import numpy as np
import pytest

from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.metrics.bias.ceat import (
    ContextSimilarities,
    attribute_standard_error,
    context_similarities,
)


def of_x_alone(to_a: list[float], to_b: list[float], sizes: tuple[tuple[int, ...], ...]) -> float:
    """The error where Y is equally close to everything, so that g is the closeness of X."""
    x = ContextSimilarities(np.array([to_a]), np.array([to_b]), *sizes)
    y = ContextSimilarities(np.zeros((1, len(to_a))), np.zeros((1, len(to_b))), *sizes)
    return attribute_standard_error(x, y)


def test_by_hand() -> None:
    # A: two words with contexts (1, 3) and (2, 2): variances 2 and 0; B: one word with (0, 1, 2).
    found = of_x_alone([1, 3, 2, 2], [0, 1, 2], ((2, 2), (3,)))
    assert found**2 == pytest.approx(2 / (2 * 4) + 0 + 1 / 3)


def test_a_word_with_one_context_takes_the_mean_of_the_others() -> None:
    found = of_x_alone([1, 3, 7], [0, 1, 2], ((2, 1), (3,)))
    assert found**2 == pytest.approx(2 / (2 * 4) + 1.5 / 4 + 1 / 3)
    assert of_x_alone([1, 3], [2], ((1, 1), (1,))) == 0


def test_it_is_how_far_other_contexts_move_the_difference() -> None:
    generator = np.random.default_rng(2)
    words = {role: generator.normal(size=(4, 1, 10)) for role in "xyab"}
    targets = {role: [*(words[role] + 0.5 * generator.normal(size=(4, 6, 10)))] for role in "xy"}
    differences, errors = [], []
    for _ in range(400):
        a, b = ([*(words[role] + generator.normal(size=(4, 5, 10)))] for role in "ab")
        x, y = (context_similarities(targets[role], a, b, COSINE, Euclidean()) for role in "xy")
        means = [one.by_word.means for one in (x, y)]
        lean: list[FloatArray] = [one[:, 0] - one[:, 1] for one in means]
        differences.append(lean[0].mean() - lean[1].mean())
        errors.append(attribute_standard_error(x, y) ** 2)
    assert np.var(differences, ddof=1) == pytest.approx(np.mean(errors), rel=0.2)

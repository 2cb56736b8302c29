import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.geometry import Euclidean, Poincare
from fairvec.lexicon import resolve
from fairvec.metrics.bias.direction import DirectBias, SignedDirectBias
from tests import toys
from tests.metrics.along import PAIRS, cosine, looked_up

ROOT = np.sqrt(0.5)
"""The cosine of `between` with the first axis is -ROOT, of `on` 1 and of `across` 0."""


@pytest.mark.parametrize(
    ("strictness", "expected"),
    [(1.0, (1 + ROOT) / 3), (2.0, (1 + 0.5) / 3), (0.5, (1 + np.sqrt(ROOT)) / 3)],
)
def test_the_direct_bias_by_hand(strictness: float, expected: float) -> None:
    score = DirectBias(strictness).measure(looked_up(PAIRS, paired=True), Euclidean())
    assert score.value == pytest.approx(expected, rel=1e-14)
    assert [share.leaning for share in score.words] == pytest.approx([1, -ROOT, 0], abs=1e-15)


def test_the_signed_bias_by_hand() -> None:
    score = SignedDirectBias().measure(looked_up(PAIRS, paired=True), Euclidean())
    assert score.value == pytest.approx((1 - ROOT) / 3, rel=1e-14)
    assert [share.found.key for share in score.words] == ["on", "between", "across"]


def test_x_and_y_are_the_words_where_there_is_no_list_of_them() -> None:
    embedding = toys.embedding(0.3)
    score = DirectBias().measure(resolve(toys.suite().tests[0], embedding), Euclidean())
    rows = {
        role: [row / np.sqrt(row @ row) for row in embedding.rows(words)]
        for role, words in toys.WORDS.items()
    }
    g = np.mean(rows["a"], axis=0) - np.mean(rows["b"], axis=0)
    expected = [abs(cosine(row, g)) for role in "xy" for row in rows[role]]
    assert score.value == pytest.approx(np.mean(expected), rel=1e-12)
    assert [share.role for share in score.words] == ["x"] * 5 + ["y"] * 5


@pytest.mark.parametrize("metric", [DirectBias(), SignedDirectBias()])
def test_the_ball_is_read_from_its_origin(metric: DirectBias | SignedDirectBias) -> None:
    test = toys.suite().tests[0]
    flat, ball = toys.embedding(0.3), toys.embedding(0.3, space=Poincare())
    in_flat = metric.measure(resolve(test, flat), flat.geometry)
    in_ball = metric.measure(resolve(test, ball), ball.geometry)
    assert in_flat.value == in_ball.value


def test_a_strictness_of_zero_is_refused() -> None:
    with pytest.raises(SettingError, match="above 0"):
        DirectBias(strictness=0)


def test_no_words_is_said() -> None:
    none = {role: dict(words) for role, words in PAIRS.items()}
    none["words"] = {"gone": (0, 0, 0)}
    with pytest.raises(UndefinedError, match="No word"):
        DirectBias().measure(looked_up(none, paired=True), Euclidean())

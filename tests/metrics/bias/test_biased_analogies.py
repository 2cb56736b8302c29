"""Biased analogies are those that trying every pair of words finds."""

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.metrics.bias.biased_analogies import BiasedAnalogy, biased_analogies
from fairvec.metrics.utility.analogy import Analogies
from tests.metrics.vocabularies import units

PAIR = ("he", "she")


def model(space: Geometry | None = None, others: int = 80) -> Embedding:
    """Words around three centres, of which some lean to he and some to she."""
    generator = np.random.default_rng(0)
    centres = generator.normal(size=(3, 6))
    vectors: FloatArray = centres[generator.integers(0, 3, size=others)]
    vectors += 0.4 * generator.normal(size=vectors.shape)
    both = np.array([[1.0, 1, 0, 0, 0, 0], [-1, 1, 0, 0, 0, 0]])
    keys = [*PAIR, *(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(others))]
    points = np.concatenate([both, vectors])
    if space:
        points /= 2 * np.linalg.norm(points, axis=1).max()
    return Embedding(keys, points, space or Euclidean(), "leaning")


def by_loops(embedding: Embedding, count: int) -> list[tuple[str, str, float]]:
    """Every pair of words, the best first, each word once."""
    one = dict(zip(embedding.keys, units(embedding.rows(embedding.keys)), strict=True))
    towards = one["he"] - one["she"]
    scored = []
    for x in embedding.keys[2:]:
        for y in embedding.keys[2:]:
            apart = one[x] - one[y]
            length = np.sqrt(apart @ apart)
            if x != y and length <= 1:
                scored.append((float(apart @ towards / length / np.sqrt(towards @ towards)), x, y))
    chosen: list[tuple[str, str, float]] = []
    for score, x, y in sorted(scored, reverse=True):
        if not any({x, y} & {*other[:2]} for other in chosen):
            chosen.append((x, y, score))
    return chosen[:count]


@pytest.mark.parametrize("others", [80, 300])
@pytest.mark.parametrize("space", [Euclidean(), Poincare()], ids=lambda space: space.name)
def test_pairs_are_those_of_plain_loops(space: Geometry, others: int) -> None:
    embedding = model(space, others)
    found = biased_analogies(embedding, PAIR, count=8)
    expected = by_loops(embedding, 8)
    assert [(one.x, one.y) for one in found] == [pair[:2] for pair in expected]
    assert [one.score for one in found] == pytest.approx([score for *_, score in expected])


def test_answers_are_what_the_model_answers() -> None:
    embedding = model(Poincare())
    found = biased_analogies(embedding, PAIR, manner="answers", count=50)
    assert found
    metric = Analogies("gyro-translation")
    for one in found:
        asked = np.array([[0, embedding.positions[one.x], 1]])
        assert embedding.keys[metric.answers(asked, embedding)[0, 0]] == one.y
    used = [word for one in found for word in (one.x, one.y)]
    assert len({*used}) == len(used)


def test_words_that_are_left_out_do_not_come() -> None:
    embedding = model()
    (strongest, *_) = biased_analogies(embedding, PAIR)
    others = biased_analogies(embedding, PAIR, without={strongest.x})
    assert strongest.x not in {word for one in others for word in (one.x, one.y)}


@pytest.mark.parametrize(("row", "frequent"), [(9_999, True), (10_000, False)])
def test_ten_thousand_words_are_frequent_unless_said_otherwise(row: int, frequent: bool) -> None:
    letters = "bcdfgjklmn"
    keys = [*PAIR, "boss", *("".join(letters[int(n)] for n in str(i)) for i in range(10_001))]
    vectors = np.tile([0.0, 0, -1], (len(keys), 1))
    vectors[:3] = [1, 1, 0], [-1, 1, 0], [0.5, 0, 1]
    vectors[row] = -0.2, 0, 1
    found = biased_analogies(Embedding(keys, vectors), PAIR, among=["boss"])
    assert [one.y for one in found] == ([keys[row]] if frequent else [])


def test_chosen_words_each_have_their_own_answer() -> None:
    embedding = model()
    asked = ["wordaa", "wordab", "wordac"]
    for manner in ("pairs", "answers"):
        found = biased_analogies(embedding, PAIR, manner=manner, among=asked, words=40)
        assert {one.x for one in found} <= {*asked}
    assert {one.x for one in found} == {*asked}
    assert sorted((one.score for one in found), reverse=True) == [one.score for one in found]


@pytest.mark.parametrize("key", ["1984", "mp3", "..."])
def test_numbers_signs_and_rare_words_are_no_words(key: str) -> None:
    # The boss has no partner left, unless one of these is a word.
    sides = [0.2, -0.2, 0.3, 0.1, 0.1]
    vectors = np.array([[1, 0.5], [-1, 0.5], *([side, 1] for side in sides)])
    embedding = Embedding([*PAIR, "doctor", "nurse", "boss", key, "rare"], vectors)
    (only,) = biased_analogies(embedding, PAIR, words=6)
    assert isinstance(only, BiasedAnalogy)
    assert (only.x, only.y) == ("doctor", "nurse")
    assert only.score == pytest.approx(1)


def test_nothing_to_ask_is_reported() -> None:
    with pytest.raises(UndefinedError, match="has 1 frequent words besides"):
        biased_analogies(model(), PAIR, words=3)
    with pytest.raises(SettingError, match="not 0"):
        biased_analogies(model(), PAIR, count=0)

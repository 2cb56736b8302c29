from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.metrics.bias import vocabulary
from fairvec.metrics.bias.vocabulary import (
    cosines_with,
    groups_in_original,
    most_extreme,
    unit_blocks,
)
from tests import toys
from tests.metrics.crowds import crowd, looked_up, units

AXIS = np.eye(6)[0]


def test_blocks_hold_every_word_once() -> None:
    model = crowd(0.3, others=600)
    starts, blocks = zip(*unit_blocks(model, 300), strict=True)
    assert starts == (0, 300, 600)
    np.testing.assert_allclose(np.concatenate(blocks), units(model.rows(model.keys)), rtol=1e-12)


def test_a_word_of_more_numbers_than_a_block_is_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "NUMBERS_AT_A_TIME", 5)
    assert [start for start, _ in unit_blocks(crowd(0.3, others=4), 300)][:3] == [0, 1, 2]


def test_leanings_are_cosines_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    model = crowd(0.3, others=600)
    monkeypatch.setattr(vocabulary, "NUMBERS_AT_A_TIME", 600)
    expected = units(model.rows(model.keys))[:, 0]
    np.testing.assert_allclose(cosines_with(AXIS, model), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            Step("subset", {"of": "glove-6b-100d"}),
            r"whole vocabulary \(this one was cut from glove-6b-100d\)\.$",
        ),
        (
            Step("subset"),
            r"crowd is a cut of a larger one; use a model with its whole vocabulary\.$",
        ),
        (Step("read", {"words_wanted": 60, "words_found": 50}), "looks at every word"),
    ],
)
def test_a_cut_has_no_whole_vocabulary(step: Step, said: str) -> None:
    model = crowd(0.3)
    cut = replace(model, history=(step, Step("normalise")))
    with pytest.raises(UndefinedError, match=said):
        cosines_with(AXIS, cut)
    read = replace(model, history=(Step("read", {"file": "crowd.txt"}), Step("normalise")))
    np.testing.assert_array_equal(cosines_with(AXIS, read), cosines_with(AXIS, model))


def test_a_vector_of_length_zero_leans_nowhere() -> None:
    model = Embedding(["one", "none"], np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(cosines_with(np.array([1.0, 0.0]), model), [0.6, 0])


def test_the_most_leaning_words_are_the_ends_of_the_order_without_a_and_b() -> None:
    model = crowd(0.3)
    leanings = cosines_with(AXIS, model)
    a, b = most_extreme(leanings, looked_up(model), 5)
    attributes = {*toys.WORDS["a"], *toys.WORDS["b"]}
    order = sorted(
        (lean, key) for lean, key in zip(leanings, model.keys, strict=True) if key not in attributes
    )
    assert [model.keys[row] for row in b] == [key for _, key in order[:5]]
    assert [model.keys[row] for row in a] == [key for _, key in reversed(order[-5:])]


def test_too_few_words_are_said() -> None:
    model = crowd(0.3)
    with pytest.raises(UndefinedError, match="50 words besides A and B and 52 are needed"):
        most_extreme(cosines_with(AXIS, model), looked_up(model), 26)
    ends = most_extreme(cosines_with(AXIS, model), looked_up(model), 25)
    assert len({*ends.a, *ends.b}) == 50


@pytest.mark.parametrize("apart", [0.0, vocabulary.NOTICEABLE])
def test_words_that_lean_no_more_than_rounding_are_said(apart: float) -> None:
    model = crowd(0.3)
    leanings = np.zeros(len(model))
    leanings[-1] = apart
    with pytest.raises(UndefinedError, match="the setting original"):
        most_extreme(leanings, looked_up(model), 5)
    leanings[-1] = 2 * vocabulary.NOTICEABLE
    assert most_extreme(leanings, looked_up(model), 5).a[0] == len(model) - 1


def test_without_an_original_the_words_are_those_of_now() -> None:
    groups = looked_up(crowd(0.3))
    assert groups_in_original(groups, None) is groups


def test_the_original_gives_the_same_words_with_their_old_vectors() -> None:
    original = crowd(0.3)
    now = original.moved_to(-original.vectors, Step("turn around"))
    before = groups_in_original(looked_up(now), original)
    assert before.source is original
    np.testing.assert_array_equal(before["x"].vectors, -looked_up(now)["x"].vectors)


def test_an_original_with_other_keys_is_refused() -> None:
    with pytest.raises(SettingError, match="do not hold the same keys"):
        groups_in_original(looked_up(crowd(0.3)), crowd(0.3, others=3))


def test_a_word_that_only_the_original_knows_is_said() -> None:
    original = crowd(0.3)
    vectors = original.vectors.copy()
    vectors[0] = 0
    now = original.moved_to(vectors, Step("lose a word"))
    with pytest.raises(UndefinedError, match="Not the same words"):
        groups_in_original(looked_up(now), original)

"""Laws of sentences: one bare template is WEAT, and saying a thing twice proves nothing new."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.geometry import SIMILARITIES, Euclidean, Geometry, Similarity
from fairvec.lexicon import resolve
from fairvec.metrics import EFFECT_SIZES, EffectSize, Score, TwoSamples, Weat, effect_size
from fairvec.metrics.bias.seat import Seat
from fairvec.stats import permutation_test
from fairvec.testing.planted import SPACES
from tests.metrics import bleached

FRAMES = ("this is _", "that is _", "_ is here", "here is the _")
seeds = st.integers(0, 10_000)
some_frames = st.permutations(FRAMES).flatmap(
    lambda frames: st.integers(1, len(frames)).map(lambda count: frames[:count])
)


def measured(metric: Seat | Weat, seed: int, space: Geometry) -> tuple[Score, TwoSamples]:
    points = bleached.embedding(seed=seed, space=space)
    score = metric.measure(resolve(bleached.TEST, points), points.geometry)
    assert isinstance(score.samples, TwoSamples)
    return score, score.samples


def p_value(samples: TwoSamples) -> float:
    return permutation_test(samples.leanings(samples.x), samples.leanings(samples.y)).value


@pytest.mark.parametrize(
    ("similarity", "size", "space"),
    list(product(SIMILARITIES, EFFECT_SIZES, SPACES)),
    ids=lambda value: getattr(value, "name", getattr(value, "__name__", None)),
)
@given(seed=seeds)
@settings(max_examples=20)
def test_with_the_bare_word_as_its_only_sentence_it_is_weat(
    similarity: Similarity, size: EffectSize, space: Geometry, seed: int
) -> None:
    bare = Seat(similarity, size, templates=bleached.only("_"))
    seat, seat_samples = measured(bare, seed, space)
    weat, weat_samples = measured(Weat(similarity, size), seed, space)
    assert seat == (Score(weat.value, weat.words, seat.samples))
    np.testing.assert_array_equal(seat_samples.x, weat_samples.x)
    assert weat.near is not None
    np.testing.assert_array_equal(seat.near, weat.near)
    assert p_value(seat_samples) == p_value(weat_samples)


@given(seed=seeds, frames=some_frames)
def test_saying_every_sentence_twice_changes_neither_effect_nor_p(
    seed: int, frames: list[str]
) -> None:
    twice = [*frames, *(f"{frame}!" for frame in frames)]
    space = Euclidean()
    scores = [
        measured(
            Seat(effect_size=effect_size("population"), templates=bleached.only(*each)), seed, space
        )
        for each in (frames, twice)
    ]
    (once, once_samples), (again, again_samples) = scores
    assert again.value == pytest.approx(once.value, rel=1e-9)
    assert p_value(again_samples) == p_value(once_samples)


@given(seed=seeds, frames=some_frames, order=st.randoms(use_true_random=False))
def test_the_order_of_sentences_is_irrelevant(
    seed: int, frames: list[str], order: st.DataObject
) -> None:
    shuffled = [*frames]
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    space = Euclidean()
    values = [
        measured(Seat(templates=bleached.only(*each)), seed, space)[0].value
        for each in (frames, shuffled)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-9)

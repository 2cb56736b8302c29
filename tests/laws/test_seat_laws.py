"""Laws of sentences and their templates."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.geometry import SIMILARITIES, Euclidean, Geometry, Similarity
from fairvec.languages.sentences import templates
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Test, resolve
from fairvec.metrics import EFFECT_SIZES, EffectSize, Score, TwoSamples, effect_size
from fairvec.metrics.bias.seat import Seat, choose_templates, fill_templates
from fairvec.metrics.bias.weat import Weat
from fairvec.stats import permutation_test
from fairvec.testing.planted import SPACES
from tests.loops import loop_over
from tests.metrics import toys

# --- Laws of sentences: one bare template is WEAT, and saying a thing twice proves nothing new


FRAMES = ("this is _", "that is _", "_ is here", "here is the _")
seeds = st.integers(0, 10_000)
some_frames = st.permutations(FRAMES).flatmap(
    lambda frames: st.integers(1, len(frames)).map(lambda count: frames[:count])
)


def measured(metric: Seat | Weat, seed: int, space: Geometry) -> tuple[Score, TwoSamples]:
    points = toys.embedding(seed=seed, space=space)
    score = metric.measure(resolve(toys.TEST, points), points.geometry)
    assert isinstance(score.samples, TwoSamples)
    return score, score.samples


def p_value(samples: TwoSamples) -> float:
    return permutation_test(samples.leanings(samples.x), samples.leanings(samples.y)).value


@loop_over(
    ("similarity", "size", "space"),
    list(product(SIMILARITIES, EFFECT_SIZES, SPACES)),
)
@given(seed=seeds)
@settings(max_examples=20)
def test_with_the_bare_word_as_its_only_sentence_it_is_weat(
    similarity: Similarity, size: EffectSize, space: Geometry, seed: int
) -> None:
    unframed = Seat(similarity, size, templates=toys.only("_"))
    seat, seat_samples = measured(unframed, seed, space)
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
            Seat(effect_size=effect_size("population"), templates=toys.only(*each)), seed, space
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
        measured(Seat(templates=toys.only(*each)), seed, space)[0].value
        for each in (frames, shuffled)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-9)


# --- Laws of fair sentences: what a word leans to does not depend on the list it stands in ---


PARTS = ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "PRON", "NUM", None)
AROUND = {
    "en": "this that is are a an the here there word will did can may they it person's name person",
    "hi": "यह वह है यहाँ वहाँ वो ये इसका उसका नाम",
    "ru": "это вот здесь там есть можно нужно надо пора этот тот кто-то слово имя этого человека",
}

some_parts = st.lists(st.sampled_from(PARTS), min_size=2, max_size=7)


def lists_of(language: str, parts: dict[str, list[Any]], order: list[int] | None = None) -> Test:
    """A test of one list a role; words of X and Y change places by `order`."""
    # A word without a part of speech takes its list's, and keeps it when it changes places.
    words = {
        role: [(f"{role}{i}", pos or each[0]) for i, pos in enumerate(each)]
        for role, each in parts.items()
    }
    if order is not None:
        pool = [*words["x"], *words["y"]]
        shuffled = [pool[place] for place in order]
        words |= {"x": shuffled[: len(words["x"])], "y": shuffled[len(words["x"]) :]}
    sets = {}
    for role, each in words.items():
        own = tuple(Word(word=word, pos=pos) for word, pos in each)
        # Where a list decides for its words (in Hindi), it is by the part of speech of the list.
        filled = WordSet(id=role, title=role, pos=parts[role][0], words=own)
        # The list has tagged the untagged; a word that changes places brings no tag along.
        sets[role] = filled.model_copy(update={"words": own})
    return toys.TEST.model_copy(update={"language": language, "sets": sets})


def points_of(test: Test, seed: int, space: Geometry) -> Embedding:
    keys = sorted(word.word for each in test.sets.values() for word in each.words)
    keys += AROUND[test.language].split()
    vectors = np.random.default_rng(seed).normal(size=(len(keys), 6)) * 0.1
    return Embedding(keys, vectors, space, "toy")


def measured_exchange(test: Test, seed: int, space: Geometry, **how: Any) -> Score:
    points = points_of(test, seed, space)
    return Seat(**how).measure(resolve(test, points), space)


def leanings(score: Score) -> dict[str, float]:
    return {share.found.word.word: share.leaning for share in score.words}


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)
@pytest.mark.parametrize("language", AROUND)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_words_of_any_parts_of_speech_may_change_places(
    language: str, space: Geometry, data: st.DataObject, seed: int
) -> None:
    parts = {role: data.draw(some_parts) for role in "xyab"}
    order = data.draw(st.permutations(range(len(parts["x"]) + len(parts["y"]))))
    before = measured_exchange(lists_of(language, parts), seed, space)
    after = measured_exchange(lists_of(language, parts, order), seed, space)
    assert before.doubt == after.doubt == ""
    assert leanings(after) == pytest.approx(leanings(before), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("language", AROUND)
@given(data=st.data())
def test_every_word_of_a_pair_of_lists_has_as_many_sentences(
    language: str, data: st.DataObject
) -> None:
    parts = {role: data.draw(some_parts) for role in "xyab"}
    test = lists_of(language, parts)
    groups = resolve(test, points_of(test, 0, Euclidean()))
    filled = fill_templates(groups, choose_templates(groups, templates(language)))
    for roles in (("x", "y"), ("a", "b")):
        assert len({len(each) for role in roles for each in filled[role]}) == 1


@given(data=st.data(), seed=st.integers(0, 1000))
def test_the_papers_choice_is_in_doubt_where_the_lists_have_different_sentences(
    data: st.DataObject, seed: int
) -> None:
    one, other = data.draw(st.permutations(("NOUN", "PROPN", "VERB", "ADJ")))[:2]
    sizes = data.draw(st.tuples(*[st.integers(2, 6)] * 4))
    parts = dict(
        zip(
            "xyab",
            ([pos] * n for pos, n in zip((one, other, "NOUN", "NOUN"), sizes, strict=True)),
            strict=True,
        )
    )
    test, space = lists_of("en", parts), Euclidean()
    own = measured_exchange(test, seed, space, target_templates="own", attribute_templates="own")
    assert own.doubt.startswith("The lists X and Y stand in different sentences")
    same = lists_of("en", parts | {"y": [one] * sizes[1]})
    assert not measured_exchange(same, seed, space, target_templates="own").doubt

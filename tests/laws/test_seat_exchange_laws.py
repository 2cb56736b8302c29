"""Laws of fair sentences: what a word leans to does not depend on the list it stands in."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry
from fairvec.languages.sentences import templates
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Test, resolve
from fairvec.metrics import Score
from fairvec.metrics.bias.seat import Seat, choose_templates, fill_templates
from fairvec.testing.planted import SPACES
from tests.metrics import bleached

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
        made = WordSet(id=role, title=role, pos=parts[role][0], words=own)
        # The list has tagged the untagged; a word that changes places brings no tag along.
        sets[role] = made.model_copy(update={"words": own})
    return bleached.TEST.model_copy(update={"language": language, "sets": sets})


def points_of(test: Test, seed: int, space: Geometry) -> Embedding:
    keys = sorted(word.word for each in test.sets.values() for word in each.words)
    keys += AROUND[test.language].split()
    vectors = np.random.default_rng(seed).normal(size=(len(keys), 6)) * 0.1
    return Embedding(keys, vectors, space, "toy")


def measured(test: Test, seed: int, space: Geometry, **how: Any) -> Score:
    points = points_of(test, seed, space)
    return Seat(**how).measure(resolve(test, points), space)


def leanings(score: Score) -> dict[str, float]:
    return {share.found.word.word: share.leaning for share in score.words}


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)
@pytest.mark.parametrize("language", AROUND)
@given(data=st.data(), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_words_of_any_parts_of_speech_may_change_places(
    language: str, space: Geometry, data: st.DataObject, seed: int
) -> None:
    parts = {role: data.draw(some_parts) for role in "xyab"}
    order = data.draw(st.permutations(range(len(parts["x"]) + len(parts["y"]))))
    before = measured(lists_of(language, parts), seed, space)
    after = measured(lists_of(language, parts, order), seed, space)
    assert before.doubt == after.doubt == ""
    assert leanings(after) == pytest.approx(leanings(before), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("language", AROUND)
@given(data=st.data())
@settings(max_examples=30)
def test_every_word_of_a_pair_of_lists_has_as_many_sentences(
    language: str, data: st.DataObject
) -> None:
    parts = {role: data.draw(some_parts) for role in "xyab"}
    test = lists_of(language, parts)
    groups = resolve(test, points_of(test, 0, Euclidean()))
    made = fill_templates(groups, choose_templates(groups, templates(language)))
    for roles in (("x", "y"), ("a", "b")):
        assert len({len(each) for role in roles for each in made[role]}) == 1


@given(data=st.data(), seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_the_papers_choice_is_doubted_where_the_lists_stand_in_different_sentences(
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
    own = measured(test, seed, space, target_templates="own", attribute_templates="own")
    assert own.doubt.startswith("The lists X and Y stand in different sentences")
    assume(one == "NOUN")
    same = lists_of("en", parts | {"y": ["NOUN"] * sizes[1]})
    assert not measured(same, seed, space, target_templates="own").doubt

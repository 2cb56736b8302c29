"""Laws of held-out words: whatever key a tested entry reaches teaches no method."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, LexiconError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.suites import what_is_left, words_of_tests
from fairvec.experiments.provenance import fitted_words
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Concept, SelectedTest, Test, parse_concepts, resolve
from fairvec.mitigation import Debiaser, HardDebiasing, Transform
from fairvec.testing.planted import concept_text
from tests import toys as lists
from tests.mitigation.every_method import every_method
from tests.mitigation.toys import (
    EQUALISE,
    NEUTRAL,
    PAIRS,
    SPECIFIC,
    THINGS,
    VERBS,
    concept,
    embedding,
)

KNOWN = [*chain(*PAIRS, *VERBS, EQUALISE[0]), *SPECIFIC[:2], *THINGS, *NEUTRAL[:10]]
HARD = HardDebiasing()
each_method = pytest.mark.parametrize("method", every_method(), ids=lambda method: method.name)


def spelt(words: Iterable[str]) -> st.SearchStrategy[str]:
    """One word in a case of its own."""
    cases = (str, str.title, str.upper)
    return st.builds(
        lambda word, case: cases[case](word), st.sampled_from([*words]), st.integers(0, 2)
    )


entries = st.one_of(
    spelt(KNOWN),
    st.lists(spelt(KNOWN), min_size=2, max_size=3).map(" ".join),
    st.builds(lambda one, other: f"{one} {other}", spelt(KNOWN), st.just("unheard-of")),
).flatmap(
    lambda listed: st.builds(
        lambda other: Word(word=listed, variants=other),
        st.lists(spelt(KNOWN), max_size=1).map(tuple),
    )
)
some_lists = st.lists(
    st.lists(entries, min_size=1, max_size=4, unique_by=lambda word: word.word),
    min_size=4,
    max_size=4,
)


def asked(drawn: list[list[Word]], language: str = "en") -> SelectedTest:
    sets = {
        role: WordSet(id=role, title=role, words=tuple(words))
        for role, words in zip("xyab", drawn, strict=True)
    }
    test = Test(id="toy/one", title="One", category="c", kind="bias", language=language, sets=sets)
    return SelectedTest(lists.suite(), test)


@each_method
@given(drawn=some_lists)
@settings(max_examples=15, deadline=None)
def test_no_method_is_fitted_on_a_key_that_a_test_reaches(
    method: Debiaser, drawn: list[list[Word]]
) -> None:
    tested, before = asked(drawn), embedding()
    found = attempt(method, tested, before)
    if isinstance(found, FairvecError):
        # Too little may be left; what the words lack is then said as it is.
        assert not isinstance(found, LexiconError) or "held out" in str(found)
        return
    assert fitted_words(resolve(tested.test, found.transform(before))) == ()


def attempt(method: Debiaser, tested: SelectedTest, before: Embedding) -> Transform | FairvecError:
    """Fit as the shell does with --holdout."""
    try:
        fitting = concept().without(words_of_tests([tested]))
        what_is_left(concept(), fitting, before)
        return method.fit(before, fitting)
    except FairvecError as error:
        return error


HINDI = concept_text([("बेटा", "बेटी"), ("राजा", "रानी"), ("चाचा", "चाची")], language="hi")


@pytest.mark.parametrize(
    ("entry", "language"),
    [
        ("बेटा बेटी", "hi"),  # parts
        ("राज़ा", "hi"),  # with a nukta that the model does not write
        ("राज़ा बेटा", "hi"),  # both
        ("राज़ा", "ru"),  # a test in another language has other rules: this reaches nothing there
    ],
)
def test_keys_are_compared_and_not_spellings(entry: str, language: str) -> None:
    (about,) = parse_concepts(HINDI)
    keys = [word.word for word in about.definition.entries]
    before = Embedding(keys, np.random.default_rng(0).normal(size=(len(keys), 4)), name="m")
    others = [[Word(word=word)] for word in ("क", "ख", "ग")]
    tested = asked([[Word(word=entry)], *others], language)
    fitting = about.without(words_of_tests([tested]))
    transform = HARD.fit(before, fitting)
    assert fitted_words(resolve(tested.test, transform.transform(before))) == ()
    assert set(transform.fitted_on) < set(keys)
    left = what_is_left(about, fitting, before)
    assert f"of the 6 words that define hi/gender:pairs in m {len(transform.fitted_on)}" in left


def test_where_everything_is_held_out_that_is_the_reason() -> None:
    before = embedding()
    pooled = [Word(word=" ".join(pair)) for pair in PAIRS]
    held: Concept = concept().without(pooled)
    with pytest.raises(LexiconError, match="are among those to be held out"):
        HARD.fit(before, held)
    with pytest.raises(LexiconError, match="are among those to be held out"):
        what_is_left(concept(), held, before)

"""Laws of every debiasing method: what it guarantees holds, and held-out words teach it nothing."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, LexiconError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.suites import describe_holdout, words_of_tests
from fairvec.experiments.provenance import fitted_words
from fairvec.geometry import Geometry, Poincare
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Concept, SelectedTest, Test, parse_concepts, resolve
from fairvec.mitigation import DEBIASERS, GUARANTEES, Debiaser, Transform
from fairvec.mitigation.methods.conceptor import HalfSibling
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.erasure import INLP, LEACE
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.mitigation.methods.ran import RAN
from fairvec.mitigation.transform_file import MOVES
from fairvec.testing import method_laws
from fairvec.testing.method_laws import (
    CHECKS,
    METHOD_LAWS,
    METHOD_SPACES,
    MethodLaw,
    held_out_vectors_make_no_difference,
)
from fairvec.testing.planted import EQUALISE, NEUTRAL, PAIRS, SPECIFIC, THINGS, VERBS, concept_text
from tests import toys as lists
from tests.laws.helpers import BY_ADAM, METHODS, examples
from tests.loops import loop_over
from tests.mitigation.toys import concept, embedding, every_method

# --- Laws of every registered debiasing method, in every geometry ---


CASES = [
    (method, space)
    for method in METHODS
    for space in METHOD_SPACES
    if isinstance(space, Poincare) or method is not BY_ADAM
]
FITS: dict[tuple[object, ...], Transform] = {}


def fit_once(method: Debiaser, before: Embedding, about: Concept) -> Transform:
    """Fit a method, or return what it gave for the same vectors and words before."""
    rows = np.asarray(before.vectors)
    words = (*before.keys, *(word.word for word in about.held_out))
    key = (repr(method), before.geometry, words, rows.dtype, rows.tobytes())
    if key not in FITS:
        FITS[key] = method.fit(before, about)
    return FITS[key]


def test_every_move_and_guarantee_is_under_law() -> None:
    fitted = [fit_once(method, embedding(space), concept()) for method, space in CASES]
    assert {type(transform.move) for transform in fitted} == set(MOVES)
    declared = {name for transform in fitted for name in transform.guarantees}
    assert declared == set(GUARANTEES) == set(CHECKS)
    assert len({method.name for method in DEBIASERS}) == len(DEBIASERS)


@pytest.mark.parametrize(("method", "space"), CASES, ids=repr)
def test_a_method_obeys(method: Debiaser, space: Geometry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method_laws, "fit_checked", fit_once)
    # These look at the whole space around a word.
    by_neighbours = isinstance(method, RAN | DoubleHard)

    @loop_over("law", METHOD_LAWS)
    def obeys(law: MethodLaw) -> None:
        if law is not held_out_vectors_make_no_difference or not by_neighbours:
            law(method, space)

    obeys()


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (LinearProjection(), "norm-kept"),
        (LinearProjection(), "kept-directions-untouched"),
        (LPSG(convention="as-computed", keep=("verbs", "things")), "kept-directions-untouched"),
        (LinearProjection(strength=0.5), "idempotent"),
        (LinearProjection(strength=0.5), "direction-removed"),
        (HardDebiasing(strength=0.5), "pairs-equidistant"),
        (LEACE(each=50, strength=0.5), "not-linearly-readable"),
        (INLP(each=50, strength=0.5), "not-linearly-readable"),
        (OSCaR(against="things"), "idempotent"),
        (HalfSibling(alpha=1.0), "idempotent"),
    ],
)
def test_what_is_not_declared_need_not_hold(method: Debiaser, name: str) -> None:
    before = embedding()
    transform = method.fit(before, concept())
    assert name not in transform.guarantees
    assert not CHECKS[name](before, transform.transform(before), transform)


# --- Laws of held-out words: whatever key a tested entry reaches teaches no method ---


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


def selected_test(word_lists: list[list[Word]], language: str = "en") -> SelectedTest:
    sets = {
        role: WordSet(id=role, title=role, words=tuple(words))
        for role, words in zip("xyab", word_lists, strict=True)
    }
    test = Test(id="toy/one", title="One", category="c", kind="bias", language=language, sets=sets)
    return SelectedTest(lists.suite(), test)


@each_method
@given(word_lists=some_lists)
@examples(15, least=6)
def test_no_method_is_fitted_on_a_key_that_a_test_reaches(
    method: Debiaser, word_lists: list[list[Word]]
) -> None:
    tested, before = selected_test(word_lists), embedding()
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
        describe_holdout(concept(), fitting, before)
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
    tested = selected_test([[Word(word=entry)], *others], language)
    fitting = about.without(words_of_tests([tested]))
    transform = HARD.fit(before, fitting)
    assert fitted_words(resolve(tested.test, transform.transform(before))) == ()
    assert set(transform.fitted_on) < set(keys)
    left = describe_holdout(about, fitting, before)
    assert f"of the 6 words that define hi/gender:pairs in m, {len(transform.fitted_on)}" in left


def test_where_every_word_is_held_out_that_is_the_reason() -> None:
    before = embedding()
    pooled = [Word(word=" ".join(pair)) for pair in PAIRS]
    held_out: Concept = concept().without(pooled)
    with pytest.raises(LexiconError, match="are among those to be held out"):
        HARD.fit(before, held_out)
    with pytest.raises(LexiconError, match="are among those to be held out"):
        describe_holdout(concept(), held_out, before)

"""What a concept looks like in a model."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

import fairvec
from fairvec.core.errors import UnknownNameError
from fairvec.embedding import Embedding, Step, from_arrays
from fairvec.experiments.debiasing.concept_view import PAIRS, SPECIFIC, TESTED, concept_view
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.lexicon import Concept, concept, parse_concepts
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.results.records import ConceptView
from tests.mitigation import toys
from tests.mitigation.toys import row

SEED = [f"seed{number}" for number in range(20)]
TESTED_WORDS = ["nurse", "plumber", "banker", "poetry", "algebra"]
GENDER = concept("en/gender")


def taught(variant: str = "pairs") -> Concept:
    """The toy concept with a seed that is long enough to learn from."""
    (found,) = parse_concepts(
        toys.TEXT.replace(f"specific = {toys.SPECIFIC}", f'specific = {SEED}\naxis = ["he", "she"]')
    )
    return found.choosing(variant)


def model(space: Geometry | None = None) -> Embedding:
    """The toy embedding with a seed along a new axis, and words of shipped tests."""
    plain = toys.embedding(columns=12)
    noise = np.random.default_rng(3)
    more = noise.normal(size=(len(SEED) + len(TESTED_WORDS), 12)) * 0.3
    more[: len(SEED), 11] += 3
    more[-1, 11] += 3  # algebra lies among the specific words, and nobody lists it
    vectors = np.concatenate([plain.vectors, more])
    keys = [*plain.keys, *SEED, *TESTED_WORDS]
    return Embedding(keys, vectors * (0.1 if space else 1), space or Euclidean(), "toy")


def seen(of: Embedding, after: Embedding | None = None, variant: str = "pairs") -> ConceptView:
    view = concept_view(of, taught(variant), after)
    assert view is not None
    return view


def unit(vector: FloatArray) -> FloatArray:
    return vector / np.sqrt(vector @ vector)


def test_shares_are_those_of_differences_at_length_one() -> None:
    plain = model()
    view = seen(plain)
    differences = np.array([unit(unit(row(plain, a)) - unit(row(plain, b))) for a, b in view.pairs])
    values = np.sort(np.linalg.eigvalsh(differences.T @ differences))[::-1][: len(view.pairs)]
    assert [each.share for each in view.components] == pytest.approx(values / len(view.pairs))
    assert ("he", "she") in view.pairs
    assert ("uncle", "aunt") in view.pairs  # an equality pair, after the defining ones


def test_pairs_that_share_a_direction_stand_out_from_random_ones() -> None:
    first, *others = seen(model()).components
    assert first.share > 0.6 > first.by_chance_high > first.by_chance
    assert sum(each.by_chance for each in (first, *others)) == pytest.approx(1)
    shares = [each.by_chance for each in (first, *others)]
    assert shares == sorted(shares, reverse=True)


def test_random_pairs_are_those_of_the_seed() -> None:
    one, other = (concept_view(model(), taught(), seed=seed) for seed in (0, 1))
    assert one is not None
    assert other is not None
    assert one == seen(model())
    assert one.components != other.components
    assert one.words == other.words


def test_pairs_that_share_no_more_than_chance_do_not_stand_out() -> None:
    plain = model()
    noise = np.random.default_rng(0).normal(size=plain.vectors.shape)
    (first, *_) = seen(plain.with_vectors(noise, Step("forgotten"))).components
    assert first.share < first.by_chance_high + 0.1


def test_a_concept_without_an_axis_is_shown_along_its_first_pair() -> None:
    view = concept_view(model(), taught().model_copy(update={"axis": ()}))
    assert view is not None
    assert view.axis == toys.PAIRS[0] != seen(model()).axis


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.5)], ids=repr)
def test_words_stand_where_formulas_put_them(space: Geometry) -> None:
    plain = model(space)
    view = seen(plain)
    assert view.axis == ("he", "she")
    he, she = (unit(row(plain, key)) for key in view.axis)
    defining = {word for pair in (*toys.PAIRS, *toys.EQUALISE) for word in pair}
    teaching = [key for key in plain.keys if key not in defining]
    rows = np.array([unit(row(plain, key)) for key in teaching])
    sides = np.array([key in SEED for key in teaching])
    svm = LinearSVC(C=1.0, dual=False).fit(rows, sides)
    places = rows @ unit(svm.coef_[0])
    line = (places[sides].mean() + places[~sides].mean()) / 2
    for word in view.words:
        at = unit(row(plain, word.key))
        assert word.x == pytest.approx(at @ unit(he - she), abs=1e-9)
        assert word.y == pytest.approx(line - at @ unit(svm.coef_[0]), abs=1e-6)


def test_words_are_listed_learnt_or_neutral() -> None:
    kinds = {word.key: word.kind for word in seen(model()).words}
    assert kinds["algebra"] == "learnt"
    assert {kinds[key] for key in ("nurse", "plumber", "banker", "poetry")} == {"neutral"}
    assert {kinds[key] for key in ("he", "she", "uncle")} == {"listed"}
    view = seen(model())
    assert view.recognised == (20, 20)
    assert all((word.y < 0) == (word.kind == "learnt") for word in view.words[SPECIFIC:])


def test_the_most_frequent_listed_words_come_first_and_then_tested_ones() -> None:
    view = seen(model())
    places = [model().positions[word.key] for word in view.words]
    assert places[:SPECIFIC] == sorted(places[:SPECIFIC])
    assert {word.key for word in view.words[SPECIFIC:]} == set(TESTED_WORDS)


def test_words_are_followed_along_the_direction_from_before() -> None:
    plain = model()
    after = HardDebiasing().fit(plain, taught("one-pair")).transform(plain)
    view = seen(plain, after)
    moved = {word.key: word.x_after for word in view.words}
    assert moved["nurse"] == pytest.approx(0, abs=1e-9)
    assert abs({word.key: word.x for word in view.words}["nurse"]) > 0.01
    he, she = (unit(row(plain, key)) for key in ("he", "she"))
    assert moved["he"] == pytest.approx(unit(row(after, "he")) @ unit(he - she), abs=1e-9)
    assert view.after is not None
    assert view.after.sha256 == after.content_hash != view.model.sha256
    assert all(word.x_after is None for word in seen(plain).words)


def test_a_word_of_which_nothing_is_left_has_no_place_after() -> None:
    plain = model()
    vectors = np.array(plain.vectors)
    vectors[plain.positions["nurse"]] = 0
    ends = {w.key: w.x_after for w in seen(plain, plain.with_vectors(vectors, Step("gone"))).words}
    assert ends["nurse"] is None
    assert ends["banker"] is not None


@pytest.mark.parametrize("of", [concept("en/race"), concept("en/religion"), concept("hi/caste")])
def test_a_concept_without_pairs_or_specific_words_has_no_view(of: Concept) -> None:
    words = [*of.definition.entries, *of.specific]
    keys = [*dict.fromkeys(word.word for word in words), *(f"word{n}" for n in range(30))]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 8))
    assert concept_view(from_arrays(keys, vectors), of) is None


def test_a_model_without_the_words_has_no_view() -> None:
    assert concept_view(from_arrays(["a", "b"], np.eye(2)), GENDER) is None
    with pytest.raises(UnknownNameError):
        concept_view(model(), taught(), from_arrays(["a", "b"], np.eye(2)))


def test_the_hindi_axis_is_that_of_the_thesis() -> None:
    hindi = concept_view(fairvec.load("glove-hi-small"), concept("hi/gender"))
    assert hindi is not None
    assert hindi.axis == ("हमारा", "हमारी")
    assert len(hindi.pairs) == len(hindi.components) == PAIRS
    assert len(hindi.words) == SPECIFIC + TESTED
    assert all(word.transliteration and word.gloss for word in hindi.words)
    # Nine definitional pairs and an equality pair share little: read against random pairs.
    assert hindi.components[0].share == pytest.approx(0.270, abs=5e-4)
    assert hindi.components[0].share > hindi.components[0].by_chance_high


def test_english_pairs_differ_in_one_direction() -> None:
    english = concept_view(fairvec.load("glove-en-small"), GENDER)
    assert english is not None
    assert english.components[0].share == pytest.approx(0.600, abs=0.002)
    assert english.components[0].by_chance < 0.2


@pytest.mark.parametrize("power", [-480, -300, 300, 480])
def test_words_lie_where_they_do_whatever_the_unit_of_the_vectors(power: int) -> None:
    """A view comes last in a debiasing, and must not be what fails it."""
    usual = model()
    other = Embedding(usual.keys, np.ldexp(np.asarray(usual.vectors), power), name="toy")
    wanted, found = (seen(each, each) for each in (usual, other))
    assert [word.word for word in found.words] == [word.word for word in wanted.words]
    places = [
        np.array([(word.x, word.y, word.x_after) for word in view.words], np.float64)
        for view in (found, wanted)
    ]
    np.testing.assert_allclose(places[0], places[1], atol=1e-9)

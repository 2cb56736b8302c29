"""Specific words: learnt from a seed, or calibrated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.languages.people import person_words
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, ConceptWords, parse_concepts
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.hard import HardDebiasing, MultiClassHard
from fairvec.mitigation.methods.projection import LPSG, LinearProjection
from fairvec.mitigation.specific_words import (
    LearntWords,
    Sides,
    _means_it,
    best_threshold,
    learn_calibrated,
    learn_specific,
    learn_specific_words,
    listed_words,
    precise_threshold,
    rank_unseen,
    specific_split,
    training_words,
    wilson_low,
)
from fairvec.testing.planted import SPECIFIC, TEXT
from tests.mitigation.toys import concept, embedding


def lower_end(found: int, of: int) -> float:
    """The lower end of Wilson's 95 % interval, by scipy."""
    return float(binomtest(found, of).proportion_ci(method="wilson").low)


# --- specific ---


SEED = [f"seed{number}" for number in range(20)]
HIDDEN = [f"hidden{number}" for number in range(8)]


def taught() -> Concept:
    """The toy concept with a seed that is long enough to learn from."""
    (found,) = parse_concepts(TEXT.replace(f"specific = {SPECIFIC}", f"specific = {SEED}"))
    return found


def model(space: Geometry | None = None) -> Embedding:
    """The toy embedding with words along a new axis, of which the concept lists some."""
    plain = embedding(columns=12)
    noise = np.random.default_rng(3)
    more = noise.normal(size=(len(SEED) + len(HIDDEN), 12)) * 0.3
    more[:, 11] += 3
    vectors = np.concatenate([plain.vectors, more, np.zeros((1, 12))])
    if space:
        vectors = vectors * 0.1
    keys = [*plain.keys, *SEED, *HIDDEN, "nothing"]
    return Embedding(keys, vectors, space or Euclidean(), "toy")


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.5)], ids=repr)
def test_words_like_the_seed_are_learnt(space: Geometry) -> None:
    split = learn_specific(model(space), taught())
    assert split.seed == tuple(SEED)
    assert split.learnt == tuple(HIDDEN)
    assert {"man", "aunt"} < set(split.defining)
    assert split.keys == {*SEED, *HIDDEN, *split.defining}
    assert split.taught is not None
    assert split.taught.recognised == len(SEED)
    assert split.taught.among == len(model()) - len(split.defining)


def test_scores_are_those_of_words_judged_unseen() -> None:
    plain = model()
    split = learn_specific(plain, taught(), seed=5)
    teaching = [key for key in plain.keys if key not in split.defining]
    rows = plain.rows(teaching)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(lengths, lengths, 1)
    sides = np.array([key in SEED for key in teaching])
    judged = cross_val_predict(
        LinearSVC(C=1.0, dual=False),
        rows,
        sides,
        cv=StratifiedKFold(10, shuffle=True, random_state=5),
    )
    assert split.taught is not None
    assert split.taught.folds == 10
    assert split.taught.f_score == pytest.approx(f1_score(sides, judged))
    assert split.taught.balanced_accuracy == pytest.approx(balanced_accuracy_score(sides, judged))
    # Words that are like the seed and not in it count as wrong.
    assert 0.5 < split.taught.f_score < 1


def test_the_direction_is_judged_by_couples_of_words_judged_unseen() -> None:
    training = training_words(model(), taught())
    scores = cross_val_predict(
        LinearSVC(C=1.0, dual=False),
        training.units,
        training.sides,
        cv=StratifiedKFold(5, shuffle=True, random_state=5),
        method="decision_function",
    )
    np.testing.assert_allclose(rank_unseen(training, seed=5), scores)
    report = learn_specific(model(), taught(), seed=5).taught
    assert report is not None
    couples = scores[training.sides][:, None] > scores[~training.sides]
    assert report.auc == pytest.approx(couples.mean())


def test_class_weights_and_a_threshold_mark_words_where_c_1_marks_none() -> None:
    """20 specific words among 2,000 others, told by one weak column of twenty."""
    random = np.random.default_rng(0).normal(size=(2060, 20))
    random[:60, 0] += 2.5
    hidden = [f"hidden{n}" for n in range(40)]
    keys = [*SEED, *hidden, *(f"word{n}" for n in range(2000))]
    plain = Embedding(keys, random, Euclidean(), "weak")
    published, tuned = (learn_specific(plain, taught(), tuned=how) for how in (False, True))
    assert published.taught is not None
    assert tuned.taught is not None
    assert published.taught.recognised < tuned.taught.recognised
    assert tuned.taught.auc >= published.taught.auc > 0.8
    assert len(set(tuned.learnt) & {*hidden}) > len(set(published.learnt) & {*hidden})
    assert "AUC" in tuned.remarks["specific_words"][0]


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=2, max_size=12).filter(
        lambda drawn: len({side for _, side in drawn}) == 2 and len({at for at, _ in drawn}) > 1
    )
)
def test_no_other_threshold_is_better(drawn: list[tuple[int, bool]]) -> None:
    scores, sides = np.array([at for at, _ in drawn], float), np.array([side for _, side in drawn])

    def f_score(at: float) -> float:
        marked = scores > at
        return float(2 * (marked & sides).sum() / (marked.sum() + sides.sum()))

    others = [-np.inf, *(np.unique(scores)[1:] - 0.5)]
    assert f_score(best_threshold(scores, sides)) == pytest.approx(max(map(f_score, others)))


def test_frequent_words_teach_and_all_are_marked() -> None:
    split = learn_specific(model(), taught(), among=60)
    assert split.taught is not None
    assert split.taught.among < 90
    assert set(split.learnt) >= set(HIDDEN)


@pytest.mark.parametrize(
    "method",
    [
        HardDebiasing(specific="svm"),
        MultiClassHard(specific="svm"),
        LinearProjection(moves="neutral", specific="svm"),
        LPSG(moves="neutral", specific="svm"),
    ],
)
def test_learnt_words_do_not_move_and_are_named(
    method: HardDebiasing | LinearProjection | LPSG,
) -> None:
    plain = model()
    transform = method.fit(plain, taught())
    assert transform.unmoved >= {*HIDDEN, *SEED}
    details = transform.transform(plain).history[-1].details
    assert details["learnt_words"] == HIDDEN
    (message,) = details["specific_words"]
    assert message.startswith("8 words learnt by a linear SVM (C = 1) from a seed of 20, of which")
    assert "10-fold F-score 0." in message


def test_double_hard_keeps_the_concept_of_learnt_words() -> None:
    transform = DoubleHard(specific="svm", components=1).fit(model(), taught())
    assert {*HIDDEN, *SEED} <= transform.placed.keys()


def test_listed_words_say_nothing_about_learning() -> None:
    plain = embedding()
    split = listed_words(ConceptWords(concept(), plain))
    assert split.seed == ("beard", "bride")
    assert split.remarks == {}
    assert HardDebiasing().fit(plain, concept()).unmoved | {"uncle", "aunt", "man", "woman"} == (
        split.keys
    )


def test_a_short_seed_is_refused_by_name() -> None:
    with pytest.raises(LexiconError, match=r"toy has 2 of the specific words that en/gender:pairs"):
        learn_specific(embedding(), concept())
    empty = concept().model_copy(update={"specific": ()})
    with pytest.raises(LexiconError, match=r"toy has 0 of the specific words .* 10 of either"):
        HardDebiasing(specific="svm").fit(embedding(), empty)


def test_learning_needs_words_that_move() -> None:
    with pytest.raises(SettingError, match="here all words move; use moves='neutral'"):
        LinearProjection(specific="svm")
    with pytest.raises(UnknownNameError, match="choice of specific named 'smv'; did you mean svm"):
        LPSG(specific="smv")  # type: ignore[arg-type]


LETTERS = np.random.default_rng(7).choice([*"bcdfghjklmnpqrtvxz"], size=(800, 7))
NAMES = [*dict.fromkeys("".join(word) for word in LETTERS)][:692]
TAUGHT, LIKE_THEM = NAMES[:80], NAMES[80:92]


def many(space: Geometry | None = None, signal: float = 4.0) -> tuple[Embedding, Concept]:
    """An embedding with 80 listed words and 12 like them, and the concept that lists them."""
    draw = np.random.default_rng(1)
    plain = embedding(columns=12)
    alike, others = draw.normal(size=(92, 12)) * 0.3, draw.normal(size=(600, 12))
    alike[:, 11] += signal
    if not signal:
        alike /= 0.3
    vectors = np.concatenate([plain.vectors, alike, others])
    (found,) = parse_concepts(TEXT.replace(f"specific = {SPECIFIC}", f"specific = {TAUGHT}"))
    keys = [*plain.keys, *NAMES]
    return Embedding(keys, vectors * (0.1 if space else 1), space or Euclidean(), "many"), found


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.5)], ids=repr)
def test_calibrated_words_stay_and_their_teachers_are_named(space: Geometry) -> None:
    plain, of = many(space)
    transform = HardDebiasing(specific="learnt").fit(plain, of)
    split = learn_calibrated(ConceptWords(of, plain))
    assert split.calibration is not None
    assert len({*split.learnt} & {*LIKE_THEM}) >= 8
    assert len({*split.learnt} - {*LIKE_THEM}) <= 1
    assert transform.unmoved >= {*split.learnt, *split.seed}
    assert {*transform.fitted_on} >= {*split.teachers} >= {*split.seed}
    (message,) = transform.remarks["specific_words"]
    assert message.startswith(f"{len(split.learnt)} words learnt by a logistic regression")
    assert [*transform.remarks["learnt_words"]] == [*split.learnt]


def test_without_a_signal_only_listed_words_stay_and_that_is_reported() -> None:
    plain, of = many(signal=0.0)
    of = of.model_copy(update={"category": "none", "equalise": ()})
    words = ConceptWords(of, plain)
    split = learn_calibrated(words)
    assert split.learnt == ()
    assert split.keys == listed_words(words).keys
    assert "so that only listed words stay" in split.remarks["specific_words"][0]


def test_held_out_words_teach_nothing_and_are_not_learnt() -> None:
    plain, of = many()
    held = (LIKE_THEM[3], TAUGHT[5], "man")
    words = ConceptWords(of.without([Word(word=key) for key in held]), plain)
    split = learn_calibrated(words)
    assert {*held}.isdisjoint(split.teachers)
    assert LIKE_THEM[3] not in split.learnt
    assert TAUGHT[5] in split.keys, "a specific word stays even when no method may learn from it"
    moved = np.array(plain.vectors)
    moved[[plain.positions[key] for key in held]] *= -3
    elsewhere = ConceptWords(words.concept, Embedding(plain.keys, moved, plain.geometry, "many"))
    assert learn_calibrated(elsewhere).learnt == split.learnt


def test_verbs_and_names_do_not_teach() -> None:
    given = [Word(word="John"), Word(word="Dad"), Word(word="dad"), Word(word="goes", pos="VERB")]
    assert [_means_it(word, given) for word in given] == [False, True, True, False]


@pytest.mark.parametrize("way", ["learnt", "svm"])
def test_a_model_without_the_words_is_refused_in_one_sentence(way: str) -> None:
    plain, of = many()
    bare = Concept(pairs=[("qqq", "www")], id="colour", language="en", specific=["nowhere"])
    with pytest.raises(LexiconError, match=r"many has 0 of the specific words .* 10 of") as caught:
        specific_split(ConceptWords(bare, plain), way)
    assert str(caught.value).count(".") == 1
    every = of.model_copy(update={"specific": tuple(Word(word=key) for key in plain.keys)})
    with pytest.raises(LexiconError, match=r"and 0 others; 10 of either kind are needed"):
        specific_split(ConceptWords(every, plain), way)


def test_words_for_persons_are_listed_for_gender_alone() -> None:
    shown = {word.word for word in person_words("en")}
    assert {"duchess", "mum", "herself"} <= shown
    assert {"James", "actress", "Mr", "Miss"}.isdisjoint(shown)
    assert person_words("eo") == ()
    plain, of = many()
    longer = Embedding(
        [*plain.keys, "duchess"], np.vstack([plain.vectors, np.ones(12)]), plain.geometry, "longer"
    )
    split = learn_calibrated(ConceptWords(of, longer))
    assert "duchess" in split.persons
    assert "duchess" in split.teachers
    other = of.model_copy(update={"category": "race"})
    assert learn_calibrated(ConceptWords(other, longer)).persons == ()
    assert learn_calibrated(ConceptWords(of, longer), shipped=False).persons == ()


# --- calibrated ---


LISTED, HIDDEN_CALIBRATED, OTHERS, COLUMNS = 100, 15, 900, 20


def planted(signal: float, seed: int = 0) -> tuple[list[str], FloatArray, Sides]:
    """Words of which the first have a direction in common, and names that tell nothing."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(LISTED + HIDDEN_CALIBRATED + OTHERS, COLUMNS))
    rows[: LISTED + HIDDEN_CALIBRATED, 0] += signal
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    letters = draw.choice([*"abcdefghij"], size=(len(rows), 6))
    keys = ["".join(word) for word in letters]
    return keys, units, np.arange(len(rows)) < LISTED


def test_hidden_words_are_found_with_the_precision_that_is_reported() -> None:
    wrong = marked = 0
    for seed in range(5):
        found = learn_specific_words(*planted(12.0, seed))
        places = np.flatnonzero(found.marked)
        assert (places >= LISTED).all(), "a listed word is not learnt"
        wrong += (places >= LISTED + HIDDEN_CALIBRATED).sum()
        marked += len(places)
        assert found.precision >= found.target
    assert marked >= 4 * HIDDEN_CALIBRATED
    assert wrong / marked <= 0.1


@pytest.mark.parametrize("seed", range(6))
def test_a_list_that_tells_nothing_teaches_nothing(seed: int) -> None:
    found = learn_specific_words(*planted(0.0, seed))
    assert not found.marked.any()
    assert found.found == 0
    assert "0 words learnt" in found.summary
    assert (
        f"at no threshold can a precision of 0.9 be expected (at best {found.precision:.2f})"
        in (found.summary)
    )


def test_spelling_teaches_where_vectors_do_not() -> None:
    keys, units, sides = planted(0.0)
    spelt = [
        f"{key}woman" if at < LISTED + HIDDEN_CALIBRATED else key for at, key in enumerate(keys)
    ]
    assert {*np.flatnonzero(learn_specific_words(spelt, units, sides).marked)} <= {
        *range(LISTED, LISTED + HIDDEN_CALIBRATED)
    }
    assert learn_specific_words(spelt, units, sides).marked.sum() >= HIDDEN_CALIBRATED - 3


def test_a_threshold_does_not_part_words_of_one_score() -> None:
    sides = np.arange(60) < 40
    scores = np.where(sides, 2.0, 0.0)
    scores[40:44] = 1.0
    ask = {"target": 0.5, "unlisted": 0.1}
    marked, found, precision = precise_threshold(scores, sides, **ask)
    assert np.flatnonzero(marked).tolist() == [40, 41, 42, 43]
    assert found == 40
    assert precision == pytest.approx(0.1 * 40 * lower_end(40, 40) / 4)
    # Among sixteen of one score the first seven alone would do, and nothing tells which these are.
    scores[40:56] = 1.0
    assert not precise_threshold(scores, sides, **ask)[0].any()


def test_the_lowest_good_threshold_is_taken() -> None:
    sides = np.array([True] * 10 + [False] + [True] * 10 + [False] * 9)
    marked, found, _ = precise_threshold(-np.arange(30.0), sides, target=0.5, unlisted=0.2)
    low = lower_end(20, 20)
    kept = int(0.2 * 20 * low / 0.5)
    assert (marked.sum(), found) == (kept, 20)


def test_more_is_learnt_where_more_is_taken_to_be_unlisted_or_less_is_asked() -> None:
    given = planted(2.5)
    few, more = (learn_specific_words(*given, unlisted=share) for share in (0.15, 0.6))
    loose = learn_specific_words(*given, target=0.3)
    assert few.marked.sum() < more.marked.sum()
    assert few.marked.sum() < loose.marked.sum()
    assert not (few.marked & ~more.marked).any()


def test_the_precision_is_the_formula() -> None:
    found = learn_specific_words(*planted(2.5), target=0.3)
    low = lower_end(found.found, LISTED)
    assert found.precision == pytest.approx(min(1, 0.15 * LISTED * low / found.marked.sum()))


def test_a_seed_decides_the_folds_and_nothing_else_does() -> None:
    one, again = (learn_specific_words(*planted(2.5), target=0.3, seed=3) for _ in range(2))
    assert one.marked.tolist() == again.marked.tolist()
    assert one.precision == again.precision


def test_lower_ends_are_those_of_one_share() -> None:
    counts = np.array([0, 1, 17, 50])
    assert wilson_low(counts, 50) == pytest.approx([lower_end(int(each), 50) for each in counts])


def test_what_was_learnt_is_reported() -> None:
    found = learn_specific_words(*planted(12.0))
    assert isinstance(found, LearntWords)
    assert found.summary.startswith(f"{found.marked.sum()} words learnt by a logistic regression")
    assert f"it recognises {found.found} of the listed ones unseen" in found.summary
    assert "from 100 listed and 915 other words" in found.summary

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry, Poincare
from fairvec.ground.errors import LexiconError, SettingError, UnknownNameError
from fairvec.lexicon import Concept, ConceptWords, parse_concepts
from fairvec.mitigation import LPSG, DoubleHard, HardDebiasing, LinearProjection, MultiClassHard
from fairvec.mitigation.words.specific import learn_specific, listed
from tests.mitigation.toys import SPECIFIC, TEXT, concept, embedding

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
    (said,) = details["specific_words"]
    assert said.startswith("8 words learnt by a linear SVM (C = 1) from a seed of 20, of which")
    assert "10-fold F-score 0." in said


def test_double_hard_keeps_the_concept_of_learnt_words() -> None:
    transform = DoubleHard(specific="svm", components=1).fit(model(), taught())
    assert {*HIDDEN, *SEED} <= transform.placed.keys()


def test_listed_words_say_nothing_about_learning() -> None:
    plain = embedding()
    split = listed(ConceptWords(concept(), plain))
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

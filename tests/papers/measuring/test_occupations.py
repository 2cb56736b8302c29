"""Words for jobs, planted on either side of an axis and of a line."""

import numpy as np
import pytest

from fairvec.core.errors import LexiconError
from fairvec.embedding import Embedding, from_arrays
from fairvec.geometry import FloatArray
from fairvec.languages.people import people_lists
from fairvec.lexicon import concept
from fairvec.papers.readings import job_axis_auc, job_svm_accuracy

OUR, PAIRS = concept("hi/gender:our"), concept("hi/gender:pairs")
LISTS = people_lists("hi")
MEN, WOMEN = (list(LISTS.persons[side]["job"]) for side in ("a", "b"))
NEUTRAL = [word for word in LISTS.occupations if " " not in word]
DEFINING = [word.word for one in (OUR, PAIRS) for word in one.definition.entries]
SEED = [word.word for word in PAIRS.specific]


def model(rows: dict[str, FloatArray]) -> Embedding:
    return from_arrays([*rows], np.array([*rows.values()]), name="planted")


def planted(ours: float, fathers: float, jobs: float, seed: int = 0) -> Embedding:
    """Gender lies on axis 0 in हमारा and हमारी, on axis 1 in the pairs, and in jobs on axis 0."""
    random = np.random.default_rng(seed)
    rows: dict[str, FloatArray] = {}
    sides = {
        **{pair[0].word: (ours, 0) for pair in OUR.definition.pairs},
        **{pair[1].word: (-ours, 0) for pair in OUR.definition.pairs},
        **{pair[0].word: (0, fathers) for pair in PAIRS.definition.pairs},
        **{pair[1].word: (0, -fathers) for pair in PAIRS.definition.pairs},
        **dict.fromkeys(MEN, (jobs, 0)),
        **dict.fromkeys(WOMEN, (-jobs, 0)),
        **dict.fromkeys(NEUTRAL, (0, 0)),
    }
    for word, side in sides.items():
        rows[word] = np.array([*side, *random.normal(size=6)])
    return model(rows)


def test_an_axis_that_has_gender_tells_jobs_apart_and_one_that_has_none_does_not() -> None:
    found = job_axis_auc(planted(ours=50, fathers=50, jobs=50), OUR)
    assert found.papers == 1
    assert 0.2 < found.default < 0.8
    assert "hi/gender:our, by default hi/gender:pairs" in found.note
    turned = job_axis_auc(planted(ours=-50, fathers=50, jobs=50), OUR)
    assert turned.papers == 0


def test_without_gender_in_jobs_the_share_is_chance() -> None:
    shares = [job_axis_auc(planted(50, 50, 0, seed), OUR).papers for seed in range(30)]
    assert np.mean(shares) == pytest.approx(0.5, abs=0.06)


def test_the_share_is_that_of_couples() -> None:
    one = planted(ours=3, fathers=2, jobs=0.3)
    a, b = (one.rows([pair.word])[0] for pair in OUR.definition.pairs[0])
    axis = a / np.linalg.norm(a) - b / np.linalg.norm(b)
    places = {
        word: one.rows([word])[0] @ axis / np.linalg.norm(one.rows([word])[0])
        for word in (*MEN, *WOMEN)
    }
    wins = [places[man] > places[woman] for man in MEN for woman in WOMEN]
    found = job_axis_auc(one, OUR).papers
    assert found == pytest.approx(np.mean(wins))
    assert 0.5 < found < 1


def lined(jobs: float) -> Embedding:
    """The seed on one side of a plane, other words on the other, gendered jobs at `jobs`."""
    random = np.random.default_rng(1)
    places = {
        **{f"word{n}": -1.0 for n in range(100)},
        **dict.fromkeys(NEUTRAL, -1.0),
        **dict.fromkeys([*MEN, *WOMEN], jobs),
        **dict.fromkeys([*SEED, *DEFINING], 1.0),
    }
    return model(
        {word: np.array([at, *random.normal(scale=0.05, size=5)]) for word, at in places.items()}
    )


def test_jobs_are_parted_by_what_the_seed_taught() -> None:
    seeded = sum(word in SEED for word in (*MEN, *WOMEN))
    assert seeded, "some of the words taught the SVM and must not be asked"
    right = job_svm_accuracy(lined(0.9), PAIRS)
    assert f"{len(WOMEN) - seeded} feminine" in right.note
    wrong = job_svm_accuracy(lined(-1.0), PAIRS)
    assert wrong.papers == 0.5
    assert "0.00 of the gendered and 1.00 of the neutral" in wrong.note
    assert wrong.papers < right.papers == right.default


def test_a_model_without_the_jobs_is_told_so() -> None:
    some = planted(50, 50, 50)
    few = model({word: some.rows([word])[0] for word in some.keys if word not in WOMEN[2:]})
    with pytest.raises(LexiconError, match="2 feminine and"):
        job_axis_auc(few, OUR)

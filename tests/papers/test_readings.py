"""Figures read off a concept's words and off occupations."""

import numpy as np
import pytest

from fairvec.core.errors import LexiconError
from fairvec.embedding import Embedding, from_arrays
from fairvec.geometry import FloatArray
from fairvec.languages.people import people_lists
from fairvec.lexicon import concept
from fairvec.papers.readings import (
    ConceptFigure,
    concept_figure,
    job_axis_auc,
    job_svm_auc,
    variance_of_pairs,
)
from fairvec.papers.schema import UnavailableError

# --- What is read off a concept's words, on planted embeddings ---


GENDER = concept("hi/gender:pairs")
PAIRS = [(a.word, b.word) for a, b in (*GENDER.definition.pairs, *GENDER.equalise)][:10]


def planted(differences: FloatArray, middle: FloatArray) -> ConceptFigure:
    """Ten pairs at `middle` plus and minus half their difference."""
    keys = [word for pair in PAIRS for word in pair]
    rows = np.stack([middle + differences / 2, middle - differences / 2], axis=1)
    return variance_of_pairs(from_arrays(keys, rows.reshape(20, -1)), GENDER)


def test_pairs_that_differ_in_one_direction_have_all_variance_there() -> None:
    middle = np.eye(12)[:10]
    one = np.tile(0.2 * np.eye(12)[11], (10, 1))
    found = planted(one, middle)
    assert (found.papers, found.default) == pytest.approx((1, 1))
    assert "Of 10 pairs" in found.note


def test_pairs_that_share_nothing_have_a_tenth_each() -> None:
    found = planted(0.5 * np.eye(20)[10:], np.eye(20)[:10])
    assert (found.papers, found.default) == pytest.approx((0.1, 0.1))


def test_differences_count_alike_in_the_thesis_and_by_their_length_by_default() -> None:
    lengths = np.array([1.0] + 9 * [0.1])[:, None]
    found = planted(lengths * np.eye(20)[10:], np.eye(20)[:10])
    assert found.papers == pytest.approx(0.1)
    assert found.default > 0.8


def test_a_plane_that_parts_the_words_is_found() -> None:
    seed = [word.word for word in GENDER.specific][:30]
    others = [f"word{n}" for n in range(30)]
    random = np.random.default_rng(0).normal(scale=0.05, size=(60, 5))
    random[:30, 0] += 1
    random[30:, 0] -= 1
    found = concept_figure(from_arrays([*seed, *others], random), "specific-words", "hi/gender")
    assert (found.papers, found.default, found.interval) == (1, 1, None)
    assert "5-fold AUC" in found.note


def test_few_specific_words_among_many_are_ranked_though_hardly_one_is_marked() -> None:
    """What the thesis' figure draws: the direction knows them, the threshold at C = 1 does not."""
    seed = [word.word for word in GENDER.specific][:40]
    others = [f"word{n}" for n in range(4000)]
    random = np.random.default_rng(0).normal(size=(4040, 20))
    random[:40, 0] += 2
    model = from_arrays([*seed, *others], random)
    found = concept_figure(model, "specific-words", "hi/gender")
    assert 0.8 < found.papers < 0.99
    assert found.interval is not None
    assert found.interval.low > 0.75
    assert "its threshold marks 0 and 0 of them unseen" in found.note


@pytest.mark.parametrize("reads", ["pair-variance", "specific-words"])
def test_a_model_without_the_words_gives_a_reason(reads: str) -> None:
    model = from_arrays(["a", "b"], np.eye(2), name="tiny")
    with pytest.raises(UnavailableError, match=r"^tiny: .*hi/gender"):
        concept_figure(model, reads, "hi/gender")  # type: ignore[arg-type]


# --- Words for jobs, planted on either side of an axis and of a line ---


OUR, PAIRS_OCCUPATIONS = concept("hi/gender:our"), concept("hi/gender:pairs")
LISTS = people_lists("hi")
MEN, WOMEN = (list(LISTS.persons[side]["job"]) for side in ("a", "b"))
NEUTRAL = [word for word in LISTS.occupations if " " not in word]
DEFINING = [word.word for one in (OUR, PAIRS_OCCUPATIONS) for word in one.definition.entries]
SEED = [word.word for word in PAIRS_OCCUPATIONS.specific]


def model(rows: dict[str, FloatArray]) -> Embedding:
    return from_arrays([*rows], np.array([*rows.values()]), name="planted")


def planted_occupations(ours: float, fathers: float, jobs: float, seed: int = 0) -> Embedding:
    """Gender lies on axis 0 in हमारा and हमारी, on axis 1 in the pairs, and in jobs on axis 0."""
    random = np.random.default_rng(seed)
    rows: dict[str, FloatArray] = {}
    sides = {
        **{pair[0].word: (ours, 0) for pair in OUR.definition.pairs},
        **{pair[1].word: (-ours, 0) for pair in OUR.definition.pairs},
        **{pair[0].word: (0, fathers) for pair in PAIRS_OCCUPATIONS.definition.pairs},
        **{pair[1].word: (0, -fathers) for pair in PAIRS_OCCUPATIONS.definition.pairs},
        **dict.fromkeys(MEN, (jobs, 0)),
        **dict.fromkeys(WOMEN, (-jobs, 0)),
        **dict.fromkeys(NEUTRAL, (0, 0)),
    }
    for word, side in sides.items():
        rows[word] = np.array([*side, *random.normal(size=6)])
    return model(rows)


def test_an_axis_that_has_gender_tells_jobs_apart_and_one_that_has_none_does_not() -> None:
    found = job_axis_auc(planted_occupations(ours=50, fathers=50, jobs=50), OUR)
    assert found.papers == 1
    assert 0.2 < found.default < 0.8
    assert "hi/gender:our, by default hi/gender:definitional" in found.note
    turned = job_axis_auc(planted_occupations(ours=-50, fathers=50, jobs=50), OUR)
    assert turned.papers == 0


def test_without_gender_in_jobs_the_share_is_chance() -> None:
    shares = [job_axis_auc(planted_occupations(50, 50, 0, seed), OUR).papers for seed in range(30)]
    assert np.mean(shares) == pytest.approx(0.5, abs=0.06)


def test_the_share_is_that_of_couples() -> None:
    one = planted_occupations(ours=3, fathers=2, jobs=0.3)
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


def lined(jobs: float, seed: int = 1) -> Embedding:
    """The seed on one side of a plane, other words on the other, gendered jobs at `jobs`."""
    random = np.random.default_rng(seed)
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
    right = job_svm_auc(lined(0.9), PAIRS_OCCUPATIONS)
    assert f"{len(WOMEN) - seeded} feminine" in right.note
    assert right.papers == right.default == 1
    none = [job_svm_auc(lined(-1.0, seed), PAIRS_OCCUPATIONS) for seed in range(8)]
    assert np.mean([found.papers for found in none]) == pytest.approx(0.5, abs=0.08)
    assert all("0.00 of the gendered and 0.00 of the neutral" in found.note for found in none)
    held = [found.interval for found in none if found.interval]
    assert sum(interval.low <= 0.5 <= interval.high for interval in held) >= 6


def test_a_model_without_the_jobs_is_reported() -> None:
    some = planted_occupations(50, 50, 50)
    few = model({word: some.rows([word])[0] for word in some.keys if word not in WOMEN[2:]})
    with pytest.raises(LexiconError, match="2 feminine and"):
        job_axis_auc(few, OUR)

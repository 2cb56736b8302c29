"""What is read off a concept's words, on planted embeddings."""

import numpy as np
import pytest

from fairvec.embedding import from_arrays
from fairvec.geometry import FloatArray
from fairvec.lexicon import concept
from fairvec.papers.readings import ConceptFigure, concept_figure, variance_of_pairs

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
    assert isinstance(found, ConceptFigure)
    assert (found.papers, found.default) == (1, 1)
    assert "F-score 1.000" in found.note


@pytest.mark.parametrize("reads", ["pair-variance", "specific-words"])
def test_a_model_without_the_words_gives_a_reason(reads: str) -> None:
    model = from_arrays(["a", "b"], np.eye(2), name="tiny")
    found = concept_figure(model, reads, "hi/gender")  # type: ignore[arg-type]
    assert isinstance(found, str)
    assert found.startswith("tiny: ")
    assert "hi/gender" in found

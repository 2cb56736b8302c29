from pathlib import Path

import numpy as np

import fairvec
from fairvec.geometry import COSINE
from fairvec.geometry.nearest import nearest
from tests.cli.conftest import Shell


def test_the_nearest_words_are_printed_with_their_similarities(shell: Shell) -> None:
    answer = shell("neighbours", "glove-en-small", "queen", "--count", 3)
    model = fairvec.load("glove-en-small")
    near = nearest(model.rows(["queen"]), model.vectors, 4, model.geometry, COSINE)
    lines = [line.split() for line in answer.out.splitlines()[1:]]
    assert [line[1] for line in lines] == [model.keys[row] for row in near.rows[0, 1:]]
    assert [line[2] for line in lines] == [f"{number:.4f}" for number in near.similarities[0, 1:]]
    assert "glove-en-small, by cosine" in answer.err


def test_in_the_ball_the_distance_is_natural_and_a_cosine_can_be_had(shell: Shell) -> None:
    answer = shell("neighbours", "poincare-glove-en-small", "queen")
    assert len(answer.out.splitlines()) == 11
    assert answer.out.split()[:3] == ["word", "neighbour", "distance"]
    assert "poincare-glove-en-small, by distance" in answer.err
    model = fairvec.load("poincare-glove-en-small")
    distances = [float(line.split()[2]) for line in answer.out.splitlines()[1:]]
    every = model.geometry.distances(model.rows(["queen"]), model.rows(model.keys))[0]
    np.testing.assert_allclose(distances, np.sort(every)[1:11], atol=1e-4)
    cosines = shell("neighbours", "poincare-glove-en-small", "queen", "--similarity", "cosine")
    assert "distance" not in cosines.out + cosines.err


def test_a_cut_is_said_to_be_one(shell: Shell, model_file: Path) -> None:
    cut = "glove-en-small is a cut of 10,799 words of a larger model; other words may be nearer."
    assert cut in shell("neighbours", "glove-en-small", "queen").err
    assert cut in shell("analogy", "glove-en-small", "man", "king", "woman").err
    assert "a cut of" not in shell("neighbours", model_file, "man").err


def test_how_a_word_was_found_is_said(shell: Shell) -> None:
    answer = shell("neighbours", "glove-en-small", "Queen", "king", "--count", 1)
    assert "Queen is queen here (case)." in answer.err
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == ["queen", "king"]


def test_an_unknown_word_gets_near_spellings(shell: Shell) -> None:
    answer = shell("neighbours", "glove-en-small", "kking")
    assert answer.code == 2
    assert "no word in glove-en-small named 'kking'; did you mean king" in answer.err
    assert shell("neighbours", "glove-en-small", "qqqqqqqqqq").err.count("did you mean") == 0


def test_an_unknown_similarity_gets_an_offer_before_the_model_is_read(shell: Shell) -> None:
    answer = shell("neighbours", "no-such-model", "queen", "--similarity", "cosin")
    assert answer.code == 2
    assert "did you mean cosine" in answer.err

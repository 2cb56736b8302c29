"""fairvec neighbours, analogy and biased-analogies print the words that the library finds."""

from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.geometry import COSINE
from fairvec.geometry.nearest import nearest
from fairvec.lexicon import concept
from tests.cli.conftest import Shell

# --- neighbours ---


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


def test_a_note_names_a_cut(shell: Shell, model_file: Path) -> None:
    cut = (
        "glove-en-small has only 10,799 words of a larger model, in which other words may be "
        "nearer."
    )
    assert cut in shell("neighbours", "glove-en-small", "queen").err
    assert cut in shell("analogy", "glove-en-small", "man", "king", "woman").err
    assert "a cut of" not in shell("neighbours", model_file, "man").err


def test_a_note_names_how_a_word_was_found(shell: Shell) -> None:
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


# --- analogy ---


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_a_famous_one(shell: Shell, method: str) -> None:
    answer = shell("analogy", "glove-en-small", "man", "king", "woman", "--method", method)
    lines = answer.out.splitlines()
    assert lines[1].split()[0] == "queen"
    assert len(lines) == 11
    assert f"glove-en-small, by {method}" in answer.err
    assert "man is to king as woman is to:" in answer.err


def test_in_the_ball_it_is_gyro_translation(shell: Shell) -> None:
    question = ("analogy", "poincare-glove-en-small", "man", "king", "Woman", "--count", 3)
    answer = shell(*question)
    assert "gyro-translation with t = 0.3" in answer.err
    assert "Woman is woman here (case)." in answer.err
    assert "queen" in answer.out
    assert answer.out.split()[:2] == ["answer", "distance"]
    assert "-" not in answer.out
    assert shell(*question, "--t", 1).out != answer.out
    assert "cosine" in shell(*question, "--similarity", "cosine").out


def test_an_impossible_question_is_refused(shell: Shell) -> None:
    unknown = shell("analogy", "glove-en-small", "man", "kking", "woman")
    assert unknown.code == 2
    assert "did you mean king" in unknown.err
    wrong = shell("analogy", "glove-en-small", "man", "king", "woman", "--method", "5cosadd")
    assert wrong.code == 2
    assert "did you mean 3cosadd?" in wrong.err


@pytest.mark.parametrize(
    ("model", "method", "where"),
    [
        ("glove-en-small", [], "in flat space"),
        ("glove-en-small", ["--method", "gyro-translation"], "in flat space"),
        ("poincare-glove-en-small", ["--method", "3cosmul"], "by 3cosmul"),
    ],
)
def test_a_t_that_means_nothing_is_refused(
    shell: Shell, model: str, method: list[str], where: str
) -> None:
    answer = shell("analogy", model, "man", "king", "woman", *method, "--t", 0.3)
    assert answer.code == 2
    assert f"The setting t has no meaning {where}" in answer.err


def test_words_of_several_parts_are_refused_with_their_parts(shell: Shell) -> None:
    answer = shell("analogy", "glove-en-small", "young man", "king", "woman")
    assert answer.code == 2
    assert "named 'young man'" in answer.err


# --- biased analogies ---


@pytest.mark.parametrize("manner", ["pairs", "answers"])
@pytest.mark.parametrize("model", ["glove-en-small", "poincare-glove-en-small"])
def test_analogies_are_printed_without_words_that_mean_gender(
    shell: Shell, model: str, manner: str
) -> None:
    answer = shell("biased-analogies", model, "--count", 6, "--manner", manner, "--words", 4000)
    assert answer.code == 0
    header, *lines = [line.split() for line in answer.out.splitlines()]
    assert header == ["he", "she", "score"]
    assert len(lines) == 6
    gender = concept("en/gender")
    meant = {word.word for word in (*gender.definition.entries, *gender.specific)}
    assert not meant & {word for line in lines for word in line[:2]}
    scores = [float(line[2]) for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_chosen_words_are_answered(shell: Shell) -> None:
    answer = shell("biased-analogies", "glove-en-small", "Doctor", "surgeon", "--manner", "answers")
    lines = {line.split()[0]: line.split()[1] for line in answer.out.splitlines()[1:]}
    assert lines.keys() == {"doctor", "surgeon"}
    assert lines["doctor"] == "nurse"
    assert "Doctor is doctor here (case)." in answer.err


def test_another_concept_has_another_pair(shell: Shell) -> None:
    answer = shell(
        "biased-analogies", "glove-hi-small", "--concept", "hi/gender:one-pair", "--words", 3000
    )
    assert answer.out.split()[:2] == ["नर", "नारी"]


def test_a_concept_without_pairs_is_refused(shell: Shell) -> None:
    answer = shell("biased-analogies", "glove-hi-small", "--concept", "hi/caste:list")
    assert answer.code == 2
    assert "defined by no pairs" in answer.err
    assert "choose hi/caste:one-pair or hi/caste:one-pair-desai." in answer.err
    answer = shell("biased-analogies", "glove-en-small", "--concept", "en/race")
    assert "choose another concept." in answer.err


def test_the_usual_pair_is_of_the_language_of_the_model(shell: Shell, model_file: Path) -> None:
    answer = shell("biased-analogies", "glove-hi-small", "--words", 3000, "--count", 3)
    assert answer.out.split()[:2] == ["नर", "नारी"]
    unknown = shell("biased-analogies", model_file)
    assert unknown.code == 2
    assert "en/gender:one-pair" in unknown.err


def test_a_language_without_pairs_of_gender_is_refused(shell: Shell, model_file: Path) -> None:
    answer = shell("biased-analogies", model_file, "--language", "fr")
    assert answer.code == 2
    assert "no pairs of gender in fr" in answer.err
    assert "--concept" in answer.err

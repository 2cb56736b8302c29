from pathlib import Path

import pytest

from fairvec.lexicon import concept
from tests.cli.conftest import Shell


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


def test_a_language_without_pairs_of_gender_is_said(shell: Shell, model_file: Path) -> None:
    answer = shell("biased-analogies", model_file, "--language", "fr")
    assert answer.code == 2
    assert "no pairs of gender in fr" in answer.err
    assert "--concept" in answer.err

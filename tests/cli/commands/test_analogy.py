import pytest

from tests.cli.conftest import Shell


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


def test_what_cannot_be_asked_is_refused(shell: Shell) -> None:
    unknown = shell("analogy", "glove-en-small", "man", "kking", "woman")
    assert unknown.code == 2
    assert "did you mean king" in unknown.err
    wrong = shell("analogy", "glove-en-small", "man", "king", "woman", "--method", "5cosadd")
    assert wrong.code == 2
    assert "3cosadd, 3cosmul, gyro-translation" in wrong.err


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

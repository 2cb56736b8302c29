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
    assert "negative-distance" in answer.out
    cosines = shell("neighbours", "poincare-glove-en-small", "queen", "--similarity", "cosine")
    assert "negative-distance" not in cosines.out + cosines.err


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

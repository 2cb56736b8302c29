import numpy as np
import pytest

from fairvec import audit, load
from fairvec.core.errors import LexiconError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.projections.axes import axis_named, axis_of_own_lists, offered_axes
from fairvec.geometry import Poincare
from fairvec.results import Result
from tests import toys


@pytest.fixture(scope="module")
def english() -> Embedding:
    return load("glove-en-small")


def test_a_leaning_between_two_lists_is_that_of_an_association_test(english: Embedding) -> None:
    lists = {"x": ["math", "algebra"], "y": ["poetry", "dance"], "a": ["he", "man"], "b": ["she"]}
    (outcome,) = audit(english, **lists, categories=False)  # type: ignore[arg-type]
    assert isinstance(outcome, Result)
    axis = axis_of_own_lists(lists["a"], lists["b"], english)
    for share in outcome.words:
        (leaning,) = axis.leaning(english.rows([share.key]))
        assert leaning == pytest.approx(share.score, abs=1e-12)


def test_in_the_ball_a_leaning_is_a_difference_of_distances() -> None:
    ball = toys.embedding(1.0, space=Poincare(2.0))
    a, b = toys.WORDS["a"], toys.WORDS["b"]
    axis = axis_of_own_lists(a, b, ball)
    word = ball.rows([toys.WORDS["x"][0]])
    to_a, to_b = (ball.geometry.distances(word, ball.rows(side)).mean() for side in (a, b))
    assert axis.leaning(word)[0] == pytest.approx(to_b - to_a, abs=1e-12)
    assert "negative-distance" in axis.formula


def test_the_axis_of_a_concept_is_the_direction_of_its_pairs(english: Embedding) -> None:
    axis = axis_named("en/gender:one-pair", english)
    one, other = english.rows(axis.words)
    g = one / np.linalg.norm(one) - other / np.linalg.norm(other)
    g /= np.linalg.norm(g)
    word = english["nurse"]
    expected = word @ g / np.linalg.norm(word)
    assert axis.leaning(word[None])[0] == pytest.approx(expected, abs=1e-12)
    assert (axis.towards, axis.away) == (axis.words[0], axis.words[1])


def test_the_ends_of_an_axis_stand_at_its_ends(english: Embedding) -> None:
    axis = axis_named("en/race", english)
    one, other = axis.towards.split(", "), axis.away.split(", ")
    middle = axis.leaning(english.rows([key for key in axis.words if key not in one + other]))
    assert axis.leaning(english.rows(one)).min() >= middle.max()
    assert axis.leaning(english.rows(other)).max() <= middle.min()


def test_each_category_of_a_language_has_one_usual_axis(english: Embedding) -> None:
    usual = {each.about: each.id for each in offered_axes(english) if each.usual}
    assert usual == {
        "gender": "caliskan2017/weat-7:ab",
        "race": "caliskan2017/weat-3:xy",
        "age": "caliskan2017/weat-10:xy",
        "health": "caliskan2017/weat-9:xy",
        "religion": "en/religion",
    }
    assert [each.about for each in offered_axes(english) if each.usual].count("gender") == 1


def test_an_axis_whose_words_a_model_lacks_says_so(english: Embedding) -> None:
    keys = [*dict.fromkeys(["he", "she", *english.keys[:50]])]
    few = Embedding(keys, english.rows(keys), name="few").speaking("en")
    troubles = {each.id: each.trouble for each in offered_axes(few)}
    assert "few lacks" in troubles["en/religion"]
    assert "few knows 0" in troubles["caliskan2017/weat-9:xy"]
    assert troubles["caliskan2017/weat-7:ab"] == ""
    with pytest.raises(LexiconError, match="few lacks"):
        axis_named("en/religion", few)


def test_a_model_of_no_known_language_is_offered_nothing() -> None:
    keys = [f"zq{place}" for place in range(9)]
    other = Embedding(keys, np.random.default_rng(0).normal(size=(9, 3)))
    assert offered_axes(other) == ()


@pytest.mark.parametrize("name", ["my.toml", "/etc/passwd", "../x.toml:pairs", "en/none", "x:xy"])
def test_a_name_opens_no_file(name: str, english: Embedding) -> None:
    with pytest.raises(UnknownNameError, match="axis"):
        axis_named(name, english)


def test_two_equal_lists_and_unknown_words_are_refused(english: Embedding) -> None:
    with pytest.raises(UndefinedError, match="the same words"):
        axis_of_own_lists(["he", "man"], ["man", "he"], english)
    with pytest.raises(UndefinedError, match="knows 0 of the words at one end"):
        axis_of_own_lists(["qqqq"], ["he"], english)
    with pytest.raises(LexiconError):
        axis_of_own_lists([], ["he"], english)

import numpy as np
import pytest

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.geometry import Poincare
from fairvec.lexicon import Group, Suite, coverage, parse_suite, resolve
from tests.lexicon.lists import SUITE, WORDS_TEST, changed, suite_text

KEYS = ["Aster", "lovely", "ant", "flea", "joy", "peace", "war", "pain"]


def embedding(keys: list[str] = KEYS, *, zero: tuple[str, ...] = ()) -> Embedding:
    rows = np.arange(1, 2 * len(keys) + 1, dtype=np.float32).reshape(-1, 2)
    rows[[keys.index(key) for key in zero]] = 0
    return Embedding(keys, rows, name="small")


def x_of(suite: Suite, points: Embedding) -> Group:
    return resolve(suite.tests[0], points)["x"]


def test_every_list_is_found_with_its_vectors() -> None:
    points = embedding()
    groups = resolve(parse_suite(SUITE).tests[0], points)
    assert list(groups.groups) == ["x", "y", "a", "b"]
    for role, group in groups.groups.items():
        assert (group.role, group.wordset) == (role, groups.test.sets[role])
        assert group.vectors.dtype == np.float64
        assert not group.missing
        assert not group.merged
        for found, vector in zip(group.found, group.vectors, strict=True):
            np.testing.assert_array_equal(vector, points.vectors[KEYS.index(found.key)])
    assert groups["x"].keys == ("Aster", "lovely")
    assert [found.how for found in groups["x"].found] == ["case", "exact"]


def test_missing_words_are_kept_with_the_reason() -> None:
    group = x_of(parse_suite(SUITE), embedding(KEYS[1:]))
    assert [(missing.word.word, missing.reason) for missing in group.missing] == [
        ("aster", "not in the vocabulary")
    ]
    assert group.keys == ("lovely",)
    assert group.vectors.shape == (1, 2)


def test_zero_vectors_count_as_missing() -> None:
    group = x_of(parse_suite(SUITE), embedding(zero=("lovely",)))
    assert [(missing.word.word, missing.reason) for missing in group.missing] == [
        ("lovely", "its vector is zero")
    ]
    assert group.keys == ("Aster",)


def test_entries_that_reach_one_key_count_once_within_a_list() -> None:
    text = changed('"aster", {', '"aster", "ASTER", {')
    group = x_of(parse_suite(text), embedding())
    assert group.keys == ("Aster", "lovely")
    assert [(found.word.word, found.key) for found in group.merged] == [("ASTER", "Aster")]
    assert len(group.vectors) == 2


def test_one_key_may_stand_in_two_lists() -> None:
    text = suite_text(x=["ant"], y=["flea"], a=["ant"], b=["joy"])
    groups = resolve(parse_suite(text).tests[0], embedding())
    assert groups["x"].keys == groups["a"].keys == ("ant",)


def test_a_list_of_which_nothing_is_found_has_no_rows() -> None:
    group = x_of(parse_suite(SUITE), embedding(["nothing"]))
    assert group.keys == ()
    assert group.vectors.shape == (0, 2)


def test_the_part_of_speech_reaches_the_look_up() -> None:
    points = embedding(["aster_VERB", "aster_NOUN", "lovely_NOUN", "lovely_ADJ"])
    assert x_of(parse_suite(SUITE), points).keys == ("aster_NOUN", "lovely_ADJ")


def test_the_language_of_the_test_rules_the_look_up_unless_one_is_given() -> None:
    suite = parse_suite(suite_text("ru", x=["тетя"], y=["дядя"], a=["он"], b=["она"]))
    points = embedding(["тётя", "дядя"])
    assert x_of(suite, points).keys == ("тётя",)
    other = Lookup(points.keys, "en")
    assert resolve(suite.tests[0], points, other)["x"].keys == ()


def test_coverage_is_the_share_of_distinct_entries() -> None:
    suite = parse_suite(suite_text(x=["ant", "flea"], y=["ant", "bee"], a=["joy"], b=["woe"]))
    assert coverage(suite, embedding()) == pytest.approx(3 / 5)
    assert coverage(suite.tests, embedding()) == pytest.approx(3 / 5)
    assert coverage([], embedding()) == 0


TWO_WORDS = changed('"aster", {', '"sea aster", {')


def test_an_entry_of_several_words_is_the_mean_of_its_parts() -> None:
    points = embedding(["sea", *KEYS])
    group = x_of(parse_suite(TWO_WORDS), points)
    assert group.keys == ("sea + Aster", "lovely")
    assert group.found[0].how == "case+mean of parts"
    assert group.found[0].keys == ("sea", "Aster")
    np.testing.assert_array_equal(group.vectors[0], (points.vectors[0] + points.vectors[1]) / 2)
    np.testing.assert_array_equal(group.vectors[1], points.vectors[2])
    assert coverage(parse_suite(TWO_WORDS), points) == 1


def test_an_entry_of_several_words_that_is_a_key_has_its_own_vector() -> None:
    points = embedding(["sea", "sea_aster", *KEYS])
    group = x_of(parse_suite(TWO_WORDS), points)
    assert (group.found[0].key, group.found[0].how) == ("sea_aster", "underscore")
    np.testing.assert_array_equal(group.vectors[0], points.vectors[1])


def test_an_entry_lacks_a_vector_when_one_of_its_parts_does() -> None:
    suite = parse_suite(TWO_WORDS)
    assert [each.reason for each in x_of(suite, embedding()).missing] == ["not in the vocabulary"]
    assert coverage(suite, embedding()) == 7 / 8
    group = x_of(suite, embedding(["sea", *KEYS], zero=("sea",)))
    assert [each.reason for each in group.missing] == ["its vector is zero"]
    opposite = Embedding(["sea", "aster"], np.array([[1.0, -2.0], [-1.0, 2.0]]))
    assert x_of(suite, opposite).missing[0].reason == "its vector is zero"


def test_the_mean_of_parts_stays_in_the_ball() -> None:
    rim = np.array([[0.999, 0.0], [0.0, 0.999]])
    group = x_of(parse_suite(TWO_WORDS), Embedding(["sea", "aster"], rim, Poincare()))
    np.testing.assert_array_equal(group.vectors, [[0.4995, 0.4995]])
    assert np.linalg.norm(group.vectors) < 1


GENDERED = ["she", "he", "king", "queen", "man", "woman", "nurse", "judge"]


def test_a_test_of_pairs_is_looked_up_like_any_other() -> None:
    points = embedding([key for key in GENDERED if key not in ("king", "she")])
    groups = resolve(parse_suite(WORDS_TEST).tests[0], points)
    assert "words" in groups
    assert "x" not in groups
    assert groups["words"].keys == ("nurse", "judge")
    assert groups["a"].keys == ("he", "man")
    assert groups["b"].keys == ("queen", "woman")
    assert [missing.word.word for missing in groups["a"].missing] == ["king"]
    assert [missing.word.word for missing in groups["b"].missing] == ["she"]

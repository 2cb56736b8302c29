"""Groups of words looked up in a model."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import UndefinedError
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Lookup
from fairvec.geometry import Poincare
from fairvec.lexicon import Group, Groups, Suite, coverage, parse_suite, resolve
from fairvec.lexicon.groups import Missing
from tests.lexicon.lists import PAIRS, SUITE, WORDS_TEST, changed, suite_text

# --- groups ---


KEYS = ["she", "he", "king", "queen", "man", "woman"]


def looked_up(
    keys: list[str] = KEYS, *, text: str = PAIRS, zero: tuple[str, ...] = ()
) -> tuple[Groups, Embedding]:
    rows = np.arange(1, 2 * len(keys) + 1, dtype=np.float64).reshape(-1, 2)
    rows[[keys.index(key) for key in zero]] = 0
    points = Embedding(keys, rows)
    return resolve(parse_suite(text).tests[0], points), points


def pairs(groups: Groups, points: Embedding) -> list[tuple[str, str]]:
    """The keys of the pairs; what was found and its vectors must be in the same order."""
    a, b = groups.pairs()
    for side in (a, b):
        np.testing.assert_array_equal(side.vectors, points.rows(side.keys))
    return list(zip(a.keys, b.keys, strict=True))


def test_pairs_come_in_the_order_of_the_lists() -> None:
    assert pairs(*looked_up()) == [("he", "she"), ("king", "queen"), ("man", "woman")]


def test_half_a_pair_is_left_out_of_the_pairs_and_stays_in_its_list() -> None:
    groups, points = looked_up([key for key in KEYS if key not in ("king", "she")])
    assert pairs(groups, points) == [("man", "woman")]
    assert groups["a"].keys == ("he", "man")
    groups, points = looked_up(zero=("man",))
    assert pairs(groups, points) == [("he", "she"), ("king", "queen")]
    assert groups["b"].keys == ("she", "queen", "woman")


def test_no_pair_at_all_leaves_no_rows() -> None:
    a, b = looked_up(["he", "queen"])[0].pairs()
    assert a.vectors.shape == b.vectors.shape == (0, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"he", "king", "man"', '"he", "He", "man"'), ('"she", "queen", ', '"she", "She", ')],
)
def test_a_pair_of_which_one_half_came_before_is_left_out(old: str, new: str) -> None:
    groups, points = looked_up(text=PAIRS.replace(old, new))
    assert pairs(groups, points) == [("he", "she"), ("man", "woman")]


def test_a_word_that_came_before_without_its_partner_makes_a_pair_with_a_later_one() -> None:
    text = PAIRS.replace('"he", "king", "man"', '"he", "He", "man"')
    groups, points = looked_up([key for key in KEYS if key != "she"], text=text)
    assert [found.word.word for found in groups["a"].merged] == ["He"]
    assert pairs(groups, points) == [("he", "queen"), ("man", "woman")]


def test_a_shorter_list_has_the_pairs_that_are_left() -> None:
    groups, points = looked_up()
    shorter = Groups(groups.test, {**groups.groups, "a": groups["a"].only([2, 0])}, points)
    assert pairs(shorter, points) == [("he", "she"), ("man", "woman")]


def test_lists_that_are_no_pairs_have_none() -> None:
    groups, _ = looked_up(["ant"], text=SUITE)
    with pytest.raises(UndefinedError, match="set paired = true in its suite"):
        groups.pairs()


def test_a_dropped_word_is_missing_with_what_merged_with_it() -> None:
    groups, points = looked_up()
    group = groups["a"]
    again = replace(group, merged=(group.found[0], group.found[1]))
    subset = again.keeping([1, 2], "no reason")
    assert subset.keys == group.keys[1:]
    assert subset.merged == (group.found[1],)
    np.testing.assert_array_equal(subset.vectors, points.rows(subset.keys))
    assert subset.missing == (Missing(group.found[0].word, "no reason"),) * 2


# --- resolving ---


KEYS_RESOLVING = ["Aster", "lovely", "ant", "flea", "joy", "peace", "war", "pain"]


def embedding(keys: list[str] = KEYS_RESOLVING, *, zero: tuple[str, ...] = ()) -> Embedding:
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
            np.testing.assert_array_equal(vector, points.vectors[KEYS_RESOLVING.index(found.key)])
    assert groups["x"].keys == ("Aster", "lovely")
    assert [found.how for found in groups["x"].found] == ["case", "exact"]


def test_missing_words_are_listed_with_the_reason() -> None:
    group = x_of(parse_suite(SUITE), embedding(KEYS_RESOLVING[1:]))
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


def test_one_key_may_be_in_two_lists() -> None:
    text = suite_text(x=["ant"], y=["flea"], a=["ant"], b=["joy"])
    groups = resolve(parse_suite(text).tests[0], embedding())
    assert groups["x"].keys == groups["a"].keys == ("ant",)


def test_a_list_without_any_found_word_has_no_rows() -> None:
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


@given(st.sets(st.sampled_from(KEYS_RESOLVING)))
def test_coverage_counts_what_resolve_finds(zero: set[str]) -> None:
    points = embedding(zero=tuple(zero))
    for suite in (parse_suite(SUITE), parse_suite(TWO_WORDS)):
        missing, every = set(), set()
        for test in suite.tests:
            for group in resolve(test, points).groups.values():
                every |= {word.spellings for word in group.wordset.words}
                missing |= {each.word.spellings for each in group.missing}
        assert coverage(suite, points) == pytest.approx(1 - len(missing) / len(every))


def test_coverage_is_the_share_of_distinct_entries() -> None:
    suite = parse_suite(suite_text(x=["ant", "flea"], y=["ant", "bee"], a=["joy"], b=["woe"]))
    assert coverage(suite, embedding()) == pytest.approx(3 / 5)
    assert coverage(suite.tests, embedding()) == pytest.approx(3 / 5)
    assert coverage([], embedding()) == 0


TWO_WORDS = changed('"aster", {', '"sea aster", {')


def test_an_entry_of_several_words_is_the_mean_of_its_parts() -> None:
    points = embedding(["sea", *KEYS_RESOLVING])
    group = x_of(parse_suite(TWO_WORDS), points)
    assert group.keys == ("sea + Aster", "lovely")
    assert group.found[0].how == "case+mean of parts"
    assert group.found[0].keys == ("sea", "Aster")
    np.testing.assert_array_equal(group.vectors[0], (points.vectors[0] + points.vectors[1]) / 2)
    np.testing.assert_array_equal(group.vectors[1], points.vectors[2])
    assert coverage(parse_suite(TWO_WORDS), points) == 1


def test_an_entry_of_several_words_that_is_a_key_has_its_own_vector() -> None:
    points = embedding(["sea", "sea_aster", *KEYS_RESOLVING])
    group = x_of(parse_suite(TWO_WORDS), points)
    assert (group.found[0].key, group.found[0].how) == ("sea_aster", "underscore")
    np.testing.assert_array_equal(group.vectors[0], points.vectors[1])


def test_an_entry_lacks_a_vector_when_one_of_its_parts_does() -> None:
    suite = parse_suite(TWO_WORDS)
    assert [each.reason for each in x_of(suite, embedding()).missing] == ["not in the vocabulary"]
    assert coverage(suite, embedding()) == 7 / 8
    group = x_of(suite, embedding(["sea", *KEYS_RESOLVING], zero=("sea",)))
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

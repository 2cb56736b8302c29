from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.embedding.embedding import Embedding
from fairvec.lexicon import Groups, parse_suite, resolve
from fairvec.lexicon.groups import Missing
from tests.lexicon.lists import PAIRS, SUITE

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


def test_a_word_that_is_not_kept_is_missing_with_what_merged_with_it() -> None:
    groups, points = looked_up()
    group = groups["a"]
    again = replace(group, merged=(group.found[0], group.found[1]))
    kept = again.keeping([1, 2], "no reason")
    assert kept.keys == group.keys[1:]
    assert kept.merged == (group.found[1],)
    np.testing.assert_array_equal(kept.vectors, points.rows(kept.keys))
    assert kept.missing == (Missing(group.found[0].word, "no reason"),) * 2

from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding import Embedding
from fairvec.experiments.frontier.choice import ENOUGH_FOLDS, Folds, folds_of
from fairvec.languages.words import WordSet
from fairvec.lexicon import Test

POOL = [f"w{i}" for i in range(14)]
KEYS = [*POOL[:10], "new_york"]
KNOWN = Embedding(KEYS, np.random.default_rng(0).normal(size=(len(KEYS), 4)), name="toy")
LISTS = st.lists(st.sampled_from(POOL), min_size=1, max_size=3, unique=True)
TESTS = st.lists(st.fixed_dictionaries(dict.fromkeys("xyab", LISTS)), min_size=1, max_size=7)


def a_test(id: str, lists: dict[str, list[Any]], language: str = "en") -> Test:
    sets = {
        role: WordSet(id=f"set-{role}", title=role, words=tuple(words))
        for role, words in lists.items()
    }
    return Test(
        id=f"toy/{id}", title=id, category="gender", kind="bias", language=language, sets=sets
    )


def of(lists: list[dict[str, list[Any]]]) -> Folds:
    return folds_of([a_test(f"t{i}", each) for i, each in enumerate(lists)], (), KNOWN)


def joined(apart: str, one: dict[str, list[str]], other: dict[str, list[str]]) -> bool:
    (x, a), (y, b) = (({*e["x"], *e["y"]}, {*e["a"], *e["b"]}) for e in (one, other))
    match apart:
        case "all-words":
            return bool((x | a) & (y | b))
        case "targets-anywhere":
            return bool(x & (y | b) or y & (x | a))
    return bool(x & y)


@given(TESTS)
def test_folds_share_nothing_and_cannot_be_split(lists: list[dict[str, list[str]]]) -> None:
    found = of(lists)
    named = {f"toy/t{i}": each for i, each in enumerate(lists)}
    assert sorted(test for fold in found.each for test in fold.tests) == sorted(named)
    for one, other in combinations(found.each, 2):
        assert not any(
            joined(found.apart, named[t], named[u]) for t in one.tests for u in other.tests
        )
    for fold in found.each:
        reached, waiting = {fold.tests[0]}, {*fold.tests[1:]}
        while near := {
            t for t in waiting if any(joined(found.apart, named[t], named[u]) for u in reached)
        }:
            reached, waiting = reached | near, waiting - near
        assert not waiting


@given(TESTS, st.randoms())
def test_the_order_of_tests_is_irrelevant(lists: list[dict[str, list[str]]], random: Any) -> None:
    tests = [a_test(f"t{i}", each) for i, each in enumerate(lists)]
    mixed = random.sample(tests, len(tests))
    one, other = folds_of(tests, (), KNOWN), folds_of(mixed, (), KNOWN)
    assert one.apart == other.apart
    assert {frozenset(fold.tests) for fold in one.each} == {
        frozenset(fold.tests) for fold in other.each
    }


@given(TESTS)
def test_the_strictest_way_that_gives_enough_is_taken(lists: list[dict[str, list[str]]]) -> None:
    found = of(lists)
    stricter = {"all-words": [], "targets-anywhere": ["all-words"]}.get(
        found.apart, ["all-words", "targets-anywhere"]
    )
    for way in stricter:
        groups = [{i} for i in range(len(lists))]
        for i, j in combinations(range(len(lists)), 2):
            if joined(way, lists[i], lists[j]):
                one, other = (next(g for g in groups if k in g) for k in (i, j))
                groups = [g for g in groups if g not in (one, other)] + [one | other]
        assert len(groups) < min(ENOUGH_FOLDS, len(found.each))


def test_shared_attributes_do_not_join_what_targets_keep_apart() -> None:
    shared: dict[str, list[Any]] = {"a": ["he"], "b": ["she"]}
    lists: list[dict[str, list[Any]]] = [
        {"x": [f"x{i}"], "y": [f"y{i}"], **shared} for i in range(4)
    ]
    found = of(lists)
    assert (found.apart, len(found.each)) == ("targets-anywhere", 4)
    # Names against careers, and careers against he and she, are about the same words.
    names = {"x": ["john"], "y": ["amy"], "a": ["x0"], "b": ["y0"]}
    assert of([*lists, names]).each[0].tests == ("toy/t0", "toy/t4")


def test_a_word_is_shared_under_any_of_its_spellings() -> None:
    rest: dict[str, list[Any]] = {"y": ["u"], "a": ["he"], "b": ["she"]}
    apart = {"x": ["v"], "y": ["w"], "a": ["he"], "b": ["she"]}

    def number(one: Any, other: Any, language: str = "en") -> int:
        lists = [{"x": [one], **rest}, {"x": [other], "y": ["t"], "a": ["he"], "b": ["she"]}, apart]
        tests = [a_test(f"t{i}", each, language) for i, each in enumerate(lists)]
        return len(folds_of(tests, (), KNOWN).each)

    assert number("nurse", "doctor") == 3
    assert number("nurse", "Nurse") == 2
    assert number("head nurse", "nurse") == 2
    assert number("new york", "new_york") == 2
    assert number({"word": "colour", "variants": ["color"]}, "color") == 2
    assert number({"word": "one", "variants": ["w1"]}, {"word": "two", "variants": ["w1"]}) == 2
    assert number("कमज़ोर", "कमजोर", "hi") == 2


def test_tests_of_other_concepts_are_hidden_with_the_fold_they_touch() -> None:
    lists = [{"x": [f"x{i}"], "y": [f"y{i}"], "a": ["he"], "b": ["she"]} for i in range(3)]
    tests = [a_test(f"t{i}", each) for i, each in enumerate(lists)]
    near = a_test("near", {"x": ["x1"], "y": ["z"], "a": ["good"], "b": ["bad"]})
    far = a_test("far", {"x": ["q"], "y": ["z"], "a": ["he"], "b": ["she"]})
    found = folds_of(tests, [near, far], KNOWN)
    assert [fold.near for fold in found.each] == [(), ("toy/near",), ()]

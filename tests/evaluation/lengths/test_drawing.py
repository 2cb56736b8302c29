from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fairvec.embedding import Embedding
from fairvec.experiments.sample_size import (
    Rows,
    SimilarityTable,
    drawn_lists,
    lists_differ,
    new_lists,
    similarity_table,
    sublists,
)
from fairvec.geometry import COSINE, FloatArray
from fairvec.lexicon import Groups, resolve
from fairvec.metrics import Weat
from fairvec.metrics.bias.weat import CALISKAN, POPULATION
from fairvec.stats import permutation_test
from tests import toys


def looked_up(embedding: Embedding) -> Groups:
    return resolve(toys.suite().tests[0], embedding)


def table_of(near: FloatArray, x: int, a: int) -> SimilarityTable:
    sizes = {"x": x, "y": len(near) - x, "a": a, "b": near.shape[1] - a}
    return SimilarityTable(near, sizes, CALISKAN)


@pytest.mark.parametrize("size", [CALISKAN, POPULATION], ids=lambda size: size.name)
def test_a_drawn_list_is_measured_as_the_metric_measures_it(size: object) -> None:
    metric = Weat(COSINE, size)  # type: ignore[arg-type]
    groups = looked_up(toys.embedding(0.4))
    table = similarity_table(groups, metric, groups.source.geometry)
    generator = np.random.default_rng(3)
    for words in (2, 3, 4):
        rows = sublists(table, "xyab", words, generator)
        assert {role: len(set(some.tolist())) for role, some in rows.items()} == dict.fromkeys(
            "xyab", words
        )
        shorter = {role: group.only(rows[role].tolist()) for role, group in groups.groups.items()}
        score = metric.measure(replace(groups, groups=shorter), groups.source.geometry)
        effect, x, y = table.effect_and_leanings(rows)
        assert effect == pytest.approx(score.value, rel=1e-12)
        assert [*x, *y] == pytest.approx([word.leaning for word in score.words], abs=1e-14)


def test_lists_that_do_not_vary_stay_whole_and_short_ones_give_all_they_have() -> None:
    table = table_of(np.zeros((7, 9)), 4, 5)
    generator = np.random.default_rng(0)
    rows = sublists(table, ("x", "y"), 4, generator)
    assert [len(rows[role]) for role in "xyab"] == [4, 3, 5, 4]
    assert new_lists(table, ("b",), 30, generator)["b"].shape == (30,)
    assert set(new_lists(table, ("b",), 300, generator)["b"]) == {0, 1, 2, 3}


@pytest.mark.parametrize("role", ["x", "y", "a", "b"])
def test_stretched_words_have_the_estimated_variance_and_the_same_mean(role: str) -> None:
    near = np.random.default_rng(1).normal(size=(5 + 4, 3 + 6))
    whole = table_of(near, 5, 3)
    part = {
        "x": (slice(0, 5), slice(None)),
        "y": (slice(5, 9), slice(None)),
        "a": (slice(None), slice(0, 3)),
        "b": (slice(None), slice(3, 9)),
    }[role]
    axis = 0 if role in "xy" else 1
    before, after = whole.near[part], whole.stretched(role).near[part]
    assert after.mean(axis) == pytest.approx(before.mean(axis))
    assert after.var(axis, ddof=0) == pytest.approx(before.var(axis, ddof=1))
    others = np.ones_like(near, dtype=bool)
    others[part] = False
    assert (whole.stretched(role).near[others] == near[others]).all()


def test_sublists_agree_more_than_new_lists_because_they_share_words() -> None:
    """The variance of a mean of k of n words is 1 - k/n of that of k new ones, about."""
    generator = np.random.default_rng(4)
    near = generator.normal(size=(60, 40))
    near[:30, :20] += 0.3
    table = table_of(near, 30, 20)
    new = table.stretched(("x", "y"))

    def drawn_new(words: int) -> Rows:
        return new_lists(new, ("x", "y"), words, generator)

    def drawn_sublist(words: int) -> Rows:
        return sublists(table, ("x", "y"), words, generator)

    for words in (6, 15, 24):
        apart = drawn_lists(
            new, partial(drawn_new, words), sign=1.0, draws=400, alpha=0.05, seed=0
        ).reach
        shared = drawn_lists(
            table, partial(drawn_sublist, words), sign=1.0, draws=400, alpha=0.05, seed=0
        ).reach
        assert apart is not None
        assert shared is not None
        assert shared / apart == pytest.approx(np.sqrt(1 - words / 30), rel=0.2)


def test_under_the_null_a_twentieth_of_lists_is_evident_however_long() -> None:
    generator = np.random.default_rng(2)
    for words in (8, 40):
        found = [
            lists_differ(
                generator.normal(size=words), generator.normal(size=words), alpha=0.05, seed=0
            )
            for _ in range(400)
        ]
        # Three standard errors of 400 tests.
        assert np.mean(found) == pytest.approx(0.05, abs=0.033)


@pytest.mark.parametrize("words", [8, 18])
def test_evidence_is_that_of_the_whole_test(words: int) -> None:
    generator = np.random.default_rng(words)
    for _ in range(25):
        x, y = generator.normal(0.6, size=words), generator.normal(size=words)
        p = permutation_test(x, y).value
        if abs(p - 0.05) > 0.005:
            assert lists_differ(x, y, alpha=0.05, seed=0) == (p <= 0.05)


def test_lists_that_all_lean_alike_have_no_effect_and_are_no_evidence() -> None:
    table = table_of(np.ones((6, 4)), 3, 2)
    found = drawn_lists(
        table,
        lambda: new_lists(table, ("x", "y"), 3, np.random.default_rng(0)),
        sign=1.0,
        draws=5,
        alpha=0.05,
        seed=0,
    )
    assert (found.significant, found.opposite, found.low, found.reach) == (0, 0, None, None)


def test_lists_that_are_sure_of_the_contrary_are_counted_apart() -> None:
    """One attribute of A in four disagrees: whichever is drawn decides the sign, and p is small."""
    generator = np.random.default_rng(5)
    near = generator.normal(size=(12, 6)) * 0.1
    near[:6, :3] += 5
    near[6:, 3] += 5
    table = table_of(near, 6, 4)

    def one_of_them() -> Rows:
        return sublists(table, ("a",), 1, generator)

    for sign, share in ((1.0, 0.75), (-1.0, 0.25)):
        found = drawn_lists(table, one_of_them, sign=sign, draws=200, alpha=0.05, seed=0)
        assert found.significant + found.opposite == 1
        assert found.significant == pytest.approx(share, abs=0.1)

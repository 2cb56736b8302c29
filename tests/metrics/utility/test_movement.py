"""How far a change moves the words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.embedding.lazy_matrix import RowSubset
from fairvec.geometry import Euclidean, Geometry, Poincare, nearest
from fairvec.metrics.utility import movement as change
from fairvec.metrics.utility.movement import PerWord, displacement, neighbourhoods


def embedding(
    vectors: NDArray[np.floating[Any]], space: Geometry | None = None, name: str = "toy"
) -> Embedding:
    return Embedding(
        [f"w{row}" for row in range(len(vectors))], vectors, space or Euclidean(), name
    )


def churned(before: Embedding, after: Embedding, *, count: int = 10, seed: int = 0) -> PerWord:
    (lost,) = neighbourhoods(before, count, seed=seed).churn(after, count)
    return lost


@pytest.fixture
def before() -> Embedding:
    return embedding(np.random.default_rng(0).normal(size=(60, 5)) * 0.2)


def test_displacement_in_flat_space_is_that_of_directions() -> None:
    was = embedding(np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0], [0.0, 0.0]]))
    is_now = embedding(np.array([[3.0, 0.0], [0.0, 2.0], [-1.0, 0.0], [0.0, 0.0]]))
    moved = displacement(was, is_now)
    # (.6, .8) becomes (1, 0), half as long: |(.4, -.8)|.
    np.testing.assert_allclose(moved.values, [np.sqrt(0.8), 0, 2, 0])
    assert moved.mean == pytest.approx((2 + np.sqrt(0.8)) / 4)
    assert moved.largest() == {"w2": 2.0, "w0": pytest.approx(np.sqrt(0.8))}
    again = displacement(was, embedding(0.1 * was.vectors))
    np.testing.assert_allclose(again.values, 0, atol=1e-15)
    assert list(moved.largest(1)) == ["w2"]


def test_displacement_in_the_ball_is_hyperbolic(before: Embedding) -> None:
    ball = Poincare(0.7)
    was, is_now = embedding(before.vectors, ball), embedding(before.vectors * 0.5, ball)
    expected = ball.distances(was.rows(was.keys), is_now.rows(is_now.keys)).diagonal()
    np.testing.assert_allclose(displacement(was, is_now).values, expected, rtol=1e-9)


def test_displacement_is_the_same_however_many_rows_are_taken(
    before: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = embedding(before.vectors + 0.1)
    whole = displacement(before, after).values
    monkeypatch.setattr(change, "BLOCK", 7)
    np.testing.assert_array_equal(displacement(before, after).values, whole)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(1.0)], ids=lambda space: space.name)
def test_churn_is_the_share_of_neighbours_lost(before: Embedding, space: Geometry) -> None:
    generator = np.random.default_rng(1)
    was = embedding(before.vectors, space)
    is_now = embedding(before.vectors + generator.normal(size=(60, 5)) * 0.05, space)

    def neighbours(of: Embedding) -> list[set[int]]:
        if space.curvature:
            alike = -space.distances(of.rows(of.keys), of.rows(of.keys))
        else:
            units = of.vectors / np.linalg.norm(of.vectors, axis=1, keepdims=True)
            alike = units @ units.T
        np.fill_diagonal(alike, -np.inf)
        return [set(np.argsort(-row)[:10].tolist()) for row in alike]

    both = zip(neighbours(was), neighbours(is_now), strict=True)
    expected = [1 - len(one & other) / 10 for one, other in both]
    churn = churned(was, is_now)
    assert churn.keys == tuple(was.keys)
    np.testing.assert_allclose(churn.values, expected)
    assert 0 < churn.mean < 1
    assert float(churn.samples.effect(churn.samples.rows)) == pytest.approx(churn.mean)


def test_nothing_moved_is_zero(before: Embedding) -> None:
    assert not displacement(before, before).values.any()
    assert not churned(before, before).values.any()
    assert displacement(before, before).largest() == {}


def test_turning_all_words_moves_them_and_keeps_their_neighbours(before: Embedding) -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))
    turned = embedding(before.vectors @ turn)
    assert displacement(before, turned).mean > 0.5
    assert not churned(before, turned).values.any()


def test_the_sample_is_seeded_and_of_frequent_words(
    before: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change, "COMMON", 20)
    monkeypatch.setattr(change, "SAMPLED", 8)
    first = churned(before, before, seed=3).keys
    assert len(first) == 8
    assert first == churned(before, before, seed=3).keys
    assert first != churned(before, before, seed=4).keys
    assert {int(key[1:]) for key in first} <= set(range(20))
    counted = Embedding(before.keys, before.vectors, counts=np.arange(60))
    assert {int(key[1:]) for key in churned(counted, counted).keys} <= {*range(40, 60)}


def test_a_word_without_a_direction_has_no_neighbours(before: Embedding) -> None:
    vectors = before.vectors.copy()
    vectors[5] = 0
    after = embedding(vectors)
    assert "w5" not in churned(before, after).keys
    gone = embedding(np.zeros((60, 5)))
    with pytest.raises(UndefinedError, match="length zero"):
        churned(before, gone)


def test_other_words_or_another_space_cannot_be_compared(before: Embedding) -> None:
    fewer = embedding(before.vectors[:-1])
    for after in (fewer, embedding(before.vectors, Poincare(1.0))):
        for compare in (displacement, churned):
            with pytest.raises(UndefinedError, match="same words in the same order"):
                compare(before, after)


def test_words_of_tests_move_and_have_no_neighbours(before: Embedding) -> None:
    tested = Step("subset", {"of": "big", "words": "those of tests"})
    part = before.with_vectors(before.vectors, tested)
    assert not displacement(part, part).values.any()
    with pytest.raises(UndefinedError, match="only those of tests are here"):
        churned(part, part)


def test_of_a_large_vocabulary_the_most_frequent_words_are_neighbours(
    before: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = embedding(before.vectors + np.random.default_rng(2).normal(size=(60, 5)) * 0.05)
    cut = [embedding(each.vectors[:40]) for each in (before, after)]
    monkeypatch.setattr(change, "COMMON", 40)
    whole = churned(before, after, count=5)
    monkeypatch.setattr(change, "AMONG", 40)
    found = churned(before, after, count=5)
    expected = churned(*cut, count=5)
    assert found.keys == expected.keys == whole.keys
    np.testing.assert_array_equal(found.values, expected.values)
    assert (found.values != whole.values).any()


@pytest.mark.parametrize("counted", [False, True], ids=["first", "counted"])
def test_vectors_that_are_made_on_demand_are_asked_for_in_blocks(
    before: Embedding, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large model the frequent words alone would fill the memory of a small machine."""
    asked: list[int] = []

    class Spy(RowSubset):
        def take(self, rows: Any) -> Any:
            asked.append(len(rows))
            return super().take(rows)

    counts = np.random.default_rng(3).permutation(60) if counted else None
    was = replace(before, counts=counts)
    moved = before.vectors + np.random.default_rng(2).normal(size=(60, 5)) * 0.05
    every = Spy(moved, np.arange(60), moved.dtype)
    whole, lazy = (replace(was, vectors=each) for each in (moved, cast(Any, every)))
    monkeypatch.setattr(change, "AMONG", 40)
    monkeypatch.setattr(change, "BLOCK", 8)
    monkeypatch.setattr(change, "SAMPLED", 6)
    for name in ("FIRST_POINTS", "POINTS_AT_A_TIME"):
        monkeypatch.setattr(nearest, name, 8)
    monkeypatch.setattr(nearest, "COMPARED_NUMBERS", 8 * 5)
    expected: Sequence[PerWord] = displacement(was, whole), churned(was, whole, count=3)
    found = displacement(was, lazy), churned(was, lazy, count=3)
    for one, other in zip(found, expected, strict=True):
        assert one.keys == other.keys
        np.testing.assert_array_equal(one.values, other.values)
    assert max(asked) <= 3 + nearest.SPARE


def test_a_model_beside_itself_is_not_looked_through_again(
    before: Embedding, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = neighbourhoods(before, 5)
    expected = near.churn(before.with_name("again"), 5, 2)
    monkeypatch.setattr(change, "nearest", None)
    for one, other in zip(near.churn(before, 5, 2), expected, strict=True):
        assert one.keys == other.keys
        assert not one.values.any()
        assert not other.values.any()

from itertools import product

import pytest

from fairvec.experiments.study.answers import AXES, BalancedTable, balanced_table
from fairvec.results import CellEffect, CellPlace
from tests.evaluation.studies.toy import cell, place

PLACES = [
    place(corpus, seed, window=window)
    for corpus, window, seed in product(("news", "books", "talk"), (3, 10), (1, 2, 3))
]


def effects(without: list[CellPlace]) -> dict[CellPlace, CellEffect]:
    return {
        one: cell(one, number / 10).effects[0]
        for number, one in enumerate(PLACES, 1)
        if one not in without
    }


def found(without: list[CellPlace]) -> BalancedTable | str:
    return balanced_table(PLACES, effects(without))


def test_every_effect_stands_at_its_place() -> None:
    table = found([])
    assert isinstance(table, BalancedTable)
    assert table.values.shape == (3, 1, 2, 1, 3)
    for one, effect in effects([]).items():
        at = tuple(table.levels[axis].index(one.level(axis)) for axis in AXES)
        assert table.values[at] == effect.effect
    assert table.left_out == ""


def test_one_missing_cell_costs_the_level_of_fewest_cells_and_is_said() -> None:
    table = found([place("books", 2, window=3)])
    assert isinstance(table, BalancedTable)
    assert table.values.size == 12
    assert "is left out: the cell (books, glove, window 3, dim 10, seed 2) is" in table.left_out


def test_a_corpus_that_failed_throughout_is_left_out_whole() -> None:
    table = found([one for one in PLACES if one.corpus == "talk"])
    assert isinstance(table, BalancedTable)
    assert table.levels["corpus"] == ("news", "books")
    assert table.left_out.startswith("corpus talk is left out")
    assert "and 5 more are" in table.left_out


def test_a_seed_that_failed_in_all_corpora_is_left_out() -> None:
    table = found([one for one in PLACES if one.seed == 2])
    assert isinstance(table, BalancedTable)
    assert table.levels["seed"] == ("1", "3")


def test_holes_without_a_common_level_are_refused_with_their_names() -> None:
    refused = found([place("news", 1, window=3), place("books", 2, window=10)])
    assert isinstance(refused, str)
    assert "news, glove, window 3, dim 10, seed 1) and 1 more are without" in refused


@pytest.mark.parametrize("seeds", [(1, 2)], ids=["two seeds"])
def test_two_seeds_are_the_fewest_that_stay(seeds: tuple[int, ...]) -> None:
    places = [place("news", seed, window=window) for window, seed in product((3, 10), seeds)]
    some = {one: cell(one, 0.1).effects[0] for one in places[1:]}
    # Leaving out the window leaves nothing that varies; leaving out the seed leaves one seed.
    assert isinstance(balanced_table(places, some), str)

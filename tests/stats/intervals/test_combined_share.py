from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import binomtest

from fairvec.stats.proportions import two_way_share_interval

TABLE = [(f"d{i}", f"s{j}") for i, j in product(range(5), range(7))]
AMONG = [(f"p{i}", f"p{j}") for i, j in permutations(range(6), 2)]


@given(
    some.sampled_from([TABLE, AMONG]),
    some.integers(0, 2**32),
    some.floats(0, 1),
    some.floats(0.5, 0.99),
)
def test_the_share_lies_between_the_ends(
    names: list[tuple[str, str]], seed: int, chance: float, level: float
) -> None:
    right = (np.random.default_rng(seed).random(len(names)) < chance).astype(float)
    ends = two_way_share_interval(right, names, level=level)
    assert ends is not None
    assert 0 <= ends[0] <= right.mean() <= ends[1] <= 1
    wrong = two_way_share_interval(1 - right, names, level=level)
    assert wrong == pytest.approx((1 - ends[1], 1 - ends[0]), abs=1e-9)


def test_one_thing_that_is_known_makes_its_items_one_witness() -> None:
    """The same number of right answers, of five things at once or spread over all."""
    first = np.array([float(one == "d0" or one == "d1") for one, _ in TABLE])
    draw = np.random.default_rng(0)
    spread = draw.permutation(first)
    together, apart = (two_way_share_interval(each, TABLE) for each in (first, spread))
    assert together is not None
    assert apart is not None
    assert together[1] - together[0] > 1.5 * (apart[1] - apart[0])


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_where_all_answers_agree_the_scarcer_things_count(right: float) -> None:
    expected = binomtest(int(5 * right), 5).proportion_ci(method="exact")
    found = two_way_share_interval(np.full(len(TABLE), right), TABLE)
    assert found == pytest.approx((expected.low, expected.high))


def test_two_things_say_nothing_of_others() -> None:
    names = [(f"d{i}", f"s{j}") for i, j in product(range(2), range(30))]
    assert two_way_share_interval(np.ones(60), names) is None

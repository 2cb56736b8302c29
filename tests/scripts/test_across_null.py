"""The simulated null of comparisons across geometries, in small."""

import numpy as np

from scripts.across_null import SHAPES, rejected


def rates(*, words: int, d: float, more: float, shape: str, studies: int = 150) -> list[float]:
    rng = np.random.default_rng(7)
    found = [rejected(rng, words, d, more, SHAPES[shape]) for _ in range(studies)]
    share: list[float] = np.mean(found, axis=0).tolist()
    return share


def test_ranks_keep_the_level_where_standardised_leanings_do_not() -> None:
    ranks, standardised = rates(words=25, d=2, more=0, shape="exp")
    assert ranks <= 0.05
    assert standardised > 0.25


def test_ranks_find_what_is_there_whatever_the_shape() -> None:
    for shape in ("as it is", "exp"):
        ranks, _ = rates(words=25, d=0, more=1, shape=shape, studies=60)
        assert ranks > 0.8
    no_more, _ = rates(words=8, d=0, more=0, shape="cube")
    assert no_more < 0.12

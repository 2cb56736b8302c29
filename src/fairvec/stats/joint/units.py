"""Which words move together: units, cells and the sizes that a joint regrouping keeps.

A unit is a word with all its places: in every test that lists it, it changes side at once. Where a
test lists a word twice, the second listing is a unit of its own, linked to second listings
elsewhere; where it lists a word on both sides, each side is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import NoSpreadError, SettingError
from fairvec.stats.arrays import FloatArray, IntArray
from fairvec.stats.regrouping.permutation import ROUNDING_BITS, checked_scores
from fairvec.stats.squares import check_squares


@dataclass(frozen=True)
class ScoredLists:
    """The two target lists of one test: what each word is known by, and how it leans."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    x_scores: FloatArray
    y_scores: FloatArray

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of words in each list."""
        return len(self.x), len(self.y)


Unit = tuple[str, str, int]
"""A key, the side it stands on where that tells two of its listings apart, and which listing."""


@dataclass(frozen=True, eq=False)
class UnitCell:
    """Units that stand in the same tests, and on the same side of one test whenever of another.

    A unit carries the label or not: with it, it is an X of the tests with sign 1 and a Y of those
    with sign -1. `coefficients` say what the label of each unit (a column) adds to the d of each
    test (a row); `marked` which units carry it as observed.
    """

    tests: IntArray
    signs: IntArray
    coefficients: FloatArray
    marked: NDArray[np.bool_]

    @property
    def units(self) -> int:
        """How many there are."""
        return len(self.marked)


def cells_of(tests: Sequence[ScoredLists]) -> list[UnitCell]:
    """Return the cells of all tests' units, those with the same tests and signs in one.

    With scores z of mean 0 and standard deviation 1 (ddof 1) in a test of nx + ny words,
    d = (1/nx + 1/ny) * (sum of z over X): linear in the labels.
    """
    two_sided = {word for test in tests for word in {*test.x} & {*test.y}}
    places: dict[Unit, list[tuple[int, int, float]]] = defaultdict(list)
    for at, test in enumerate(tests):
        for unit, side, share in _shares(test, two_sided, at):
            places[unit].append((at, side, share))
    cells: dict[tuple[tuple[int, int], ...], list[tuple[list[float], bool]]] = defaultdict(list)
    for own in places.values():
        first = own[0][1]
        pattern = tuple((at, first * side) for at, side, _ in own)
        cells[pattern].append(([first * side * share for _, side, share in own], first > 0))
    # Sorted, so that the order in which words are listed does not matter.
    return [
        UnitCell(
            np.array([at for at, _ in pattern]),
            np.array([sign for _, sign in pattern]),
            np.array([shares for shares, _ in sorted(cells[pattern])]).T,
            np.array([marked for _, marked in sorted(cells[pattern])]),
        )
        for pattern in sorted(cells)
    ]


def _shares(test: ScoredLists, two_sided: set[str], at: int) -> Iterator[tuple[Unit, int, float]]:
    """Yield each unit of a test, its side (1 is X, -1 is Y) and what it adds to d there."""
    x, y = checked_scores(test.x_scores), checked_scores(test.y_scores)
    if (len(x), len(y)) != test.sizes:
        raise SettingError(
            f"Test {at + 1} of those to pool has {test.sizes[0]} + {test.sizes[1]} words and "
            f"{len(x)} + {len(y)} scores; give one score a word."
        )
    pooled = np.concatenate([x, y])
    check_squares(pooled)
    if np.ptp(pooled) <= np.abs(pooled).max() * 2.0 ** (1 - ROUNDING_BITS):
        raise NoSpreadError(
            f"Test {at + 1} of those to pool has no effect size, because all its words lean alike; "
            "leave it out."
        )
    shares = (pooled - pooled.mean()) / pooled.std(ddof=1) * own_variance(*test.sizes)
    seen: Counter[tuple[str, str]] = Counter()
    sides = [*zip(test.x, "x" * len(x), strict=True), *zip(test.y, "y" * len(y), strict=True)]
    for (word, side), share in zip(sides, shares.tolist(), strict=True):
        apart = side if word in two_sided else ""
        yield (word, apart, seen[word, apart]), 1 if side == "x" else -1, share
        seen[word, apart] += 1


def own_variance(nx: int, ny: int) -> float:
    """Return the variance of d over all regroupings of one test's words alone: 1/nx + 1/ny."""
    return 1 / nx + 1 / ny

"""Which words move together when tests that share words are regrouped at once.

A unit is a word with all its places: in every test that lists it, it changes side at once. Where a
test lists a word twice, the second listing is a unit of its own, linked to second listings
elsewhere; where it lists a word on both sides, each side is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from fairvec.core.errors import NoSpreadError, SettingError
from fairvec.core.numeric import FloatArray, IntArray, check_squares
from fairvec.stats.permutation.two_sample import ROUNDING_BITS, checked_scores


@dataclass(frozen=True)
class ScoredLists:
    """The two target lists of one test: what each word is known by, and how it leans.

    `scale` is the test's effect for a d of 1 between words, where the metric divides by another
    spread than that of its words (SEAT: that of sentences). No regrouping changes it.
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    x_scores: FloatArray
    y_scores: FloatArray
    scale: float = 1.0

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
    """Yield each unit of a test, its side (1 is X, -1 is Y) and what it adds to the effect."""
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
    unit = test.scale / pooled.std(ddof=1)
    shares = (pooled - pooled.mean()) * unit * own_variance(*test.sizes)
    listings: Counter[tuple[str, str]] = Counter()
    sides = [*zip(test.x, "x" * len(x), strict=True), *zip(test.y, "y" * len(y), strict=True)]
    for (word, side), share in zip(sides, shares.tolist(), strict=True):
        apart = side if word in two_sided else ""
        yield (word, apart, listings[word, apart]), 1 if side == "x" else -1, share
        listings[word, apart] += 1


def own_variance(nx: int, ny: int) -> float:
    """Return the variance of d over all regroupings of one test's words alone: 1/nx + 1/ny."""
    return 1 / nx + 1 / ny


MOST_VECTORS = 2**17
"""So many vectors are listed; where there are more, the numbers of large cells move in steps."""

CHOICES = 16
"""So many times more may be looked at in one step."""


@dataclass(frozen=True, eq=False)
class CountVectors:
    """Every vector of counts (a row), with the logarithm of how many labellings have it.

    `coarse` is the number of cells whose counts move in steps of two or more, because there are too
    many vectors otherwise. What a count leaves after division by its step is then given, and a
    test given that is as valid.
    """

    counts: IntArray
    logs: FloatArray
    coarse: int

    @cached_property
    def log_labellings(self) -> float:
        """The logarithm of the number of labellings."""
        return float(np.logaddexp.reduce(self.logs))

    @cached_property
    def borders(self) -> FloatArray:
        """The chances of all vectors up to each one, of labellings that are equally likely."""
        return np.cumsum(np.exp(self.logs - self.log_labellings))

    @cached_property
    def means(self) -> FloatArray:
        """The mean count of each cell."""
        return self._chances @ self.counts.astype(np.float64)

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of the cells' counts."""
        away = self.counts - self.means
        return (self._chances * away.T) @ away

    @property
    def _chances(self) -> FloatArray:
        chances: FloatArray = np.exp(self.logs - self.log_labellings)
        return np.asarray(chances / chances.sum(), np.float64)


@dataclass(frozen=True, eq=False)
class CellComponent:
    """Cells that share a test, directly or through others; every other cell moves without them."""

    cells: tuple[UnitCell, ...]
    vectors: CountVectors


def components_of(cells: Sequence[UnitCell], most: int) -> list[CellComponent]:
    """Return the cells in components, each with its vectors of counts."""
    parts: list[tuple[set[int], list[UnitCell]]] = []
    for cell in cells:
        tests, own = {*cell.tests.tolist()}, [cell]
        for linked in [part for part in parts if part[0] & tests]:
            parts.remove(linked)
            tests, own = tests | linked[0], linked[1] + own
        parts.append((tests, own))
    return [_component(own, most) for _, own in sorted(parts, key=lambda part: min(part[0]))]


def _component(cells: list[UnitCell], most: int) -> CellComponent:
    fixed = _fixed_sums(cells)
    sizes = tuple(cell.units for cell in cells)
    observed = tuple(int(cell.marked.sum()) for cell in cells)
    return CellComponent(tuple(cells), _vectors(fixed.tobytes(), sizes, observed, most))


# Every model and metric asks for the same lists again.
@lru_cache(maxsize=16)
def _vectors(
    signs: bytes, units: tuple[int, ...], marked: tuple[int, ...], most: int
) -> CountVectors:
    """List the vectors of counts, in steps where there are too many.

    Steps only ever double, and finer ones are tried first: so every labelling with the same rests
    finds the same steps.
    """
    fixed = np.frombuffer(signs, np.int64).reshape(-1, len(units))
    sizes, observed = np.array(units), np.array(marked)
    shared = np.flatnonzero((fixed != 0).sum(axis=0) > 1)
    # Large cells first: what small ones add to them is soon known.
    order = shared[np.argsort(-sizes[shared], kind="stable")].tolist()
    steps = np.ones(len(units), np.int64)
    while (counts := _list_counts(fixed, sizes, observed, order, steps, most)) is None:
        steps[max(order, key=lambda at: sizes[at] // steps[at])] *= 2
    logs = (gammaln(sizes + 1) - gammaln(counts + 1) - gammaln(sizes - counts + 1)).sum(axis=1)
    return CountVectors(counts, logs, int((steps > 1).sum()))


def _fixed_sums(cells: Sequence[UnitCell]) -> IntArray:
    """Return the different sums of counts that stay, one a row, by the sign of each cell in it.

    Tests of the same units keep the same sum, whichever of their lists is called X.
    """
    tests = sorted({at for cell in cells for at in cell.tests.tolist()})
    rows = np.zeros((len(tests), len(cells)), np.int64)
    for column, cell in enumerate(cells):
        rows[np.searchsorted(tests, cell.tests), column] = cell.signs
    first = rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)]
    return np.unique(rows * first[:, None], axis=0)


def _list_counts(
    fixed: IntArray,
    sizes: IntArray,
    observed: IntArray,
    order: list[int],
    steps: IntArray,
    most: int,
) -> IntArray | None:
    """Return every vector of counts, or None as soon as there are more than so many."""
    counts = np.zeros((1, len(sizes)), np.int64)
    # What is still to be reached by the cells that are not yet decided.
    remaining = (fixed @ observed)[None, :]
    least, largest = np.minimum(fixed * sizes, 0), np.maximum(fixed * sizes, 0)
    low, high = least.sum(axis=1), largest.sum(axis=1)
    for at in order:
        choices = np.arange(observed[at] % steps[at], sizes[at] + 1, steps[at])
        low, high = low - least[:, at], high - largest[:, at]
        if len(counts) * len(choices) > CHOICES * most:
            return None
        possible: NDArray[np.bool_] = np.ones((len(counts), len(choices)), np.bool_)
        for row in np.flatnonzero(fixed[:, at]).tolist():
            left = remaining[:, row, None] - choices * fixed[row, at]
            possible &= (left >= low[row]) & (left <= high[row])
        rows, chosen = np.nonzero(possible)
        if len(rows) > most:
            return None
        counts, remaining = counts[rows], remaining[rows] - np.outer(choices[chosen], fixed[:, at])
        counts[:, at] = choices[chosen]
    for row, cell in np.argwhere(fixed).tolist():
        if cell not in order:  # known to this sum alone
            counts[:, cell] = remaining[:, row] * fixed[row, cell]
    return counts

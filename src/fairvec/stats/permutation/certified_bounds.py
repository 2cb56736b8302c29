"""The certified answer: two bounds between which the share of extreme subsets must lie.

Scores are rounded to a coarse grid, so that few different sums remain and dynamic programming can
count the subsets that reach each. A sum on the grid misses the true one by its remainders; the
least and the most that these can add up to say which subsets are surely extreme (the lower bound)
and which may be (the upper bound). The grid is refined until the bounds are tight or the work
grows too large. What the counts lose by floating-point rounding widens the bounds as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.numeric import FloatArray, IntArray
from fairvec.stats.permutation.subset_sums import TailQuestion

TIGHT = 0.01
"""Bounds that differ by less than this share of the upper one need no finer grid."""

FIRST_WORK, MOST_WORK = 2**21, 2**29
"""Additions on the first grid (some milliseconds) and on the finest (about a second)."""

MOST_CELLS = 2**25
"""Counts held at a time: a quarter of a gigabyte."""

MOST_WORDS = 1000
"""Beyond about this many the number of subsets overflows a float."""


class Bounds(NamedTuple):
    """Where the share of the subsets that lie in the tails must lie itself."""

    low: float
    high: float

    @property
    def tight(self) -> bool:
        """Whether a finer grid would tell nothing worth knowing."""
        return self.high - self.low <= TIGHT * self.high


RowCache = dict[int, tuple[int, list["SumCounts"], list["SumCounts"]]]
"""The rows of both halves by the step of their grid, for the next question of the same scores.

And how far from their ends they reach.
"""


def affordable(question: TailQuestion) -> bool:
    """Say whether the counts fit into floats."""
    return len(question.scores) <= MOST_WORDS


def bounds(question: TailQuestion, cached: RowCache | None = None) -> Bounds:
    """Return certified bounds on the share of the subsets that lie in the tails.

    `cached` are the rows that another question of the same scores and size has left.
    """
    if not affordable(question):
        raise SettingError(
            f"A certified p-value cannot be had for {len(question.scores)} words (at most "
            f"{MOST_WORDS}); choose the method auto or sampled."
        )
    reduced = question.of_the_smaller_side().in_lowest_terms()
    cells = _cells_on_the_unit_grid(reduced)
    # Each score adds to every row, and the rows are a third of their final length on the average.
    work = cells * len(reduced.scores) // 6
    finest = max(1, work // MOST_WORK, cells // MOST_CELLS)
    step = max(finest, work // FIRST_WORK)
    found = Bounds(0.0, 1.0)
    while True:
        low, high = _bounds_on_grid(reduced, step, cached)
        # The bounds of every grid hold, so the best of them do.
        found = Bounds(max(low, found.low), min(high, found.high))
        if found.tight or step == finest:
            return found
        # The width shrinks with the step: aim a little past the goal, but not from too far off.
        aim = 0.7 * TIGHT * found.high / (found.high - found.low)
        step = max(finest, int(step * min(0.5, max(1 / 32, aim))))


def _bounds_on_grid(question: TailQuestion, step: int, cached: RowCache | None = None) -> Bounds:
    """Count on one grid which subsets surely lie in the tails, and which may."""
    scores = np.sort(question.scores)
    cells = (scores + step // 2) // step
    remainders = np.sort(scores - cells * step)
    least = int(remainders[: question.size].sum())
    most = int(remainders[len(scores) - question.size :].sum())
    above, below = _limits(question, step, least, most)
    surely = possibly = 0.0
    longest = 0
    cached = {} if cached is None else cached
    reach = _reach(cells, question.size, above, below)
    if step not in cached or cached[step][0] < reach:
        # With some room for the next question, whose ties may be others.
        reach += reach // 16 + 16
        middle = len(cells) // 2
        rows = partial(count_sums, largest=question.size, reach=reach)
        cached[step] = (reach, rows(cells[:middle]), rows(cells[middle:]))
    for first, second in _pairs(*cached[step][1:], question.size):
        longest = max(longest, len(first.counts) + len(second.counts))
        if above:
            sure, possible = count_pairs_reaching(first, second, above)
            surely, possibly = surely + sure, possibly + possible
        if below:
            sure, possible = count_pairs_reaching(first.negated(), second.negated(), below)
            surely, possibly = surely + sure, possibly + possible
    # Only positive numbers are added and multiplied, so each of the operations behind a count adds
    # at most half an epsilon of relative error; a whole one is granted.
    slack = (longest + 2 * len(scores) + 16) * float(np.finfo(np.float64).eps)
    subsets = float(question.subsets)
    return Bounds(surely / subsets * (1 - slack), min(1.0, possibly / subsets * (1 + slack)))


def _limits(
    question: TailQuestion, step: int, least: int, most: int
) -> tuple[list[int], list[int]]:
    """Return from where on a sum of cells is surely above, and may be; and below, negated."""
    above = below = []
    if question.above is not None:
        above = [-((rest - question.above) // step) for rest in (least, most)]
    if question.below is not None:
        below = [-((question.below - rest) // step) for rest in (most, least)]
    return above, below


def _reach(cells: IntArray, size: int, above: list[int], below: list[int]) -> int:
    """Return how far from the ends of their rows sums may lie that reach a limit with any other."""
    middle = len(cells) // 2
    least, most = (
        [np.concatenate([[0], np.cumsum(half)]) for half in halves]
        for halves in (
            (cells[:middle], cells[middle:]),
            (cells[:middle][::-1], cells[middle:][::-1]),
        )
    )
    taken = np.arange(min(size, middle) + 1)
    reach = -1
    if above:
        reach = int((most[0][taken] + most[1][size - taken]).max()) - min(above)
    if below:
        reach = max(reach, -int((least[0][taken] + least[1][size - taken]).min()) - min(below))
    return max(reach, 0)


@dataclass(frozen=True)
class SumCounts:
    """How many subsets of one size have each sum: `counts[i]` of them sum to `start + i`."""

    start: int
    counts: FloatArray

    @cached_property
    def running(self) -> FloatArray:
        """How many subsets have the last sum, one of the last two, and so on."""
        return np.cumsum(self.counts[::-1])

    def negated(self, total: int = 0) -> "SumCounts":
        """Return the row of `total` minus each sum."""
        return SumCounts(total - self.start - len(self.counts) + 1, self.counts[::-1])


def _pairs(
    first: list[SumCounts], second: list[SumCounts], size: int
) -> Iterator[tuple[SumCounts, SumCounts]]:
    """Yield the rows of both halves for every way to take `size` scores from the two."""
    for taken, row in enumerate(first):
        yield row, second[size - taken]


def count_sums(cells: IntArray, largest: int, reach: int | None = None) -> list[SumCounts]:
    """Count the sums of each size, score by score: those without the new one, and those with it.

    The scores ascend, so a row always starts where it did and ends where the new score takes it:
    each has its room from the beginning, and nothing is copied. With `reach` only the sums so far
    from either end are counted, and what the row says of the others is not to be used: in a far
    tail these are few. A sum gets no nearer to an end than what it is the sum of, because the
    scores that are yet to come are no smaller.
    """
    listed = min(largest, len(cells) // 2)
    least = [0, *np.cumsum(cells[:listed]).tolist()]
    most = [0, *np.cumsum(cells[::-1][:listed]).tolist()]
    rows = [np.zeros(high - low + 1) for low, high in zip(least, most, strict=True)]
    rows[0][0] = 1
    filled = [1] + [0] * listed
    for number, cell in enumerate(cells.tolist(), 1):
        # The longest subsets first: a row is added to before the new score is added to it.
        for size in range(min(number, listed), 0, -1):
            start = least[size - 1] + cell - least[size]
            end = start + filled[size - 1]
            low = end if reach is None else max(start, min(end, reach + 1))
            high = max(low, end - 1 - (reach or 0))
            rows[size][start:low] += rows[size - 1][: low - start]
            rows[size][high:end] += rows[size - 1][high - start : end - start]
            filled[size] = end
    found = [SumCounts(low, counts) for low, counts in zip(least, rows, strict=True)]
    # Sizes past the middle are mirror images.
    total = int(cells.sum())
    for size in range(listed + 1, min(largest, len(cells)) + 1):
        found.append(found[len(cells) - size].negated(total))
    return found


def count_pairs_reaching(first: SumCounts, second: SumCounts, limits: list[int]) -> list[float]:
    """Return for each limit how many pairs of subsets, one of each row, sum to at least that."""
    ranges = _ranges(first, second, limits)
    # In a tail few of the sums of the second row matter.
    needs_all = any(every < len(first.counts) for _, every, _ in ranges)
    until = len(second.counts) if needs_all else max(every + shift for _, every, shift in ranges)
    return _count_in_ranges(first, np.cumsum(second.counts[::-1][: max(until, 1)]), ranges)


def reaching_again(first: SumCounts, second: SumCounts, limits: list[int]) -> list[float]:
    """Return what `count_pairs_reaching` does; running sums are kept for rows asked again."""
    return _count_in_ranges(first, second.running, _ranges(first, second, limits))


_Ranges = list[tuple[int, int, int]]


def _ranges(first: SumCounts, second: SumCounts, limits: list[int]) -> _Ranges:
    """Return for each limit where the first row reaches it with some of the second, or with all.

    And how far on the running sum of those begins.
    """
    rows, ranges = len(second.counts), []
    for limit in limits:
        needed = limit - first.start - second.start
        some = min(max(needed - rows + 1, 0), len(first.counts))
        every = min(max(needed, some), len(first.counts))
        ranges.append((some, every, rows - 1 - needed))
    return ranges


def _count_in_ranges(first: SumCounts, running: FloatArray, ranges: _Ranges) -> list[float]:
    """Return how many pairs each asks for; `running[i]` counts the last i + 1 of the second row."""
    found = []
    for some, every, shift in ranges:
        # Not a dot product: its threads cost more than they save where the machine is busy.
        partly = (first.counts[some:every] * running[some + shift : every + shift]).sum()
        found.append(float(partly + first.counts[every:].sum() * running[-1]))
    return found


def _cells_on_the_unit_grid(question: TailQuestion) -> int:
    """Return how many counts both halves would hold if the grid were as fine as the scores are."""
    scores = np.sort(question.scores)
    middle, cells = len(scores) // 2, 0
    for half in (scores[:middle], scores[middle:]):
        sizes = min(question.size, len(half) // 2)
        widths = np.cumsum((half[::-1] - half)[:sizes].astype(np.float64))
        cells += int(widths.sum())
    return cells

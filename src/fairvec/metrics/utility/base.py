"""What a utility metric gives back: a figure, the items behind it, and what could not be asked."""

from dataclasses import dataclass

from fairvec.metrics.base import OneSample


@dataclass(frozen=True, eq=False)
class UtilityScore:
    """One figure on one benchmark, or on a part of it.

    `samples` holds one row an item (a rated pair, a question, a row of choices) for statistics to
    resample; `items` are the places of those items in the benchmark, so that the same item can be
    found before and after a change. `missing` are the words for lack of which items were left out.
    `chance` is the value that needs no vectors, where there is one: that of guessing. `shared` has
    for each item the two things that it shares with other items, where items are combinations of
    such: they are then no independent witnesses.
    """

    part: str
    value: float
    samples: OneSample
    items: tuple[int, ...]
    wanted: int
    missing: tuple[str, ...]
    chance: float = 0.0
    shared: tuple[tuple[str, str], ...] = ()

    @property
    def coverage(self) -> float:
        """The share of the items that could be asked."""
        return len(self.items) / self.wanted

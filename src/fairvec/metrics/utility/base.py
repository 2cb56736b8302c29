"""What a metric of benchmarks gives back: a figure, the items behind it, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from fairvec.benchmarks import BenchmarkSet, text_vectors
from fairvec.encoders import Representation
from fairvec.geometry import FloatArray, Similarity, default_similarity
from fairvec.metrics.base import OneSample, column_mean


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


@dataclass(frozen=True, eq=False)
class PreferenceScore:
    """How much nearer a model puts one of two texts to a third: a bias, if the two should be equal.

    `differences` has a number for each of `labels`, similarity to the one text less that to the
    other: a model that prefers neither gives each sign as often as the other. `category` is what
    the two texts differ in, and `what` names the labels in a sentence.
    """

    part: str
    category: str
    what: str
    positive_means: str
    negative_means: str
    labels: tuple[str, ...]
    differences: FloatArray
    wanted: int
    missing: tuple[str, ...]

    @property
    def items(self) -> tuple[str, ...]:
        """What could be asked."""
        return self.labels

    @property
    def coverage(self) -> float:
        """The share of what could be asked."""
        return len(self.labels) / self.wanted

    @property
    def majority(self) -> float:
        """The share that puts the one text nearer, less the share that puts the other nearer."""
        return float(np.sign(self.differences).mean())


BenchmarkScore = UtilityScore | PreferenceScore


def share_of(
    part: str,
    rows: Mapping[int, float],
    wanted: int,
    missing: tuple[str, ...],
    *,
    chance: float = 0.5,
) -> UtilityScore:
    """Return the mean of a number from 0 to 1 over the items that have one."""
    values = np.array([*rows.values()])[:, None]
    samples = OneSample(values, column_mean)
    return UtilityScore(part, float(values.mean()), samples, (*rows,), wanted, missing, chance)


def chosen_first(one: float, other: float) -> float:
    """Return 1 if the one is more similar, 0 if the other is, and a half if they tie."""
    return float(one > other) + 0.5 * float(one == other)


class TextSimilarities:
    """The similarities of texts that a model reads, by one similarity."""

    def __init__(
        self, benchmark: BenchmarkSet, model: Representation, similarity: Similarity | None
    ) -> None:
        self._vectors = text_vectors(benchmark.texts, model, benchmark.language, benchmark.reads)
        self._geometry = model.geometry
        self._similarity = similarity or default_similarity(model.geometry)
        self._rounding = model.precision / sqrt(model.dimensions)
        self.missing = tuple(text for text in benchmark.texts if text not in self._vectors)

    def has(self, *texts: str) -> bool:
        """Whether all these texts have vectors."""
        return self._vectors.keys() >= {*texts}

    def between(self, one: str, other: str) -> float:
        """Return how similar two texts are."""
        points = self._vectors[one][None], self._vectors[other][None]
        return float(self._similarity.between(*points, self._geometry).item())

    def preference(self, text: str, one: str, other: str) -> float:
        """Return how much nearer a text is to the one than to the other.

        0 where that is no more than the rounding of the model's numbers.
        """
        near = self.between(text, one), self.between(text, other)
        difference = near[0] - near[1]
        return difference if abs(difference) > self._rounding * max(map(abs, near)) else 0.0

"""What a metric is: its traits, the score it gives, and the samples that statistics may regroup.

A metric maps the looked-up word lists of a test (`Groups`) to a `Score`: a value, each word's share
in it, and per-word numbers for a permutation test (`TwoSamples`) or a bootstrap (`OneSample`). It
knows nothing of files, p-values or reports. Its `Traits` hold whatever the model, and laws over all
metrics test them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np

from fairvec.geometry import FloatArray, Geometry, Similarity
from fairvec.lexicon import Found, Groups, Test
from fairvec.results.identities import Convention

EffectOfTwo = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class WordShare:
    """One word's share: how far it leans, and that lean in units of its own spread.

    `closeness` are its mean similarities to A and to B, of which the lean is the difference.
    """

    found: Found
    role: str
    leaning: float
    effect: float | None
    closeness: tuple[float, float] | None = None


def shift_leanings(rows: FloatArray, by: float) -> FloatArray:
    """Return rows of (similarity to A, similarity to B) pairs, shifted to A by `by`."""
    shifted = rows.copy()
    shifted[..., 0::2] += by / 2
    shifted[..., 1::2] -= by / 2
    return shifted


@dataclass(frozen=True)
class TwoSamples:
    """Per-word numbers of the two target groups, computed once, for statistics to regroup.

    `x` and `y` hold one row a word; `leanings` gives the numbers that a permutation regroups, one
    a word unless the metric says otherwise; `effect` maps batches of regrouped rows
    (..., words, columns) to effects (...); `more` shifts the leanings of rows to A by a number.
    `error` is a standard error of the difference of means that regrouping words cannot show, and
    `error_of` says whose it is.
    """

    x: FloatArray
    y: FloatArray
    leanings: Callable[[FloatArray], FloatArray]
    effect: EffectOfTwo
    more: Callable[[FloatArray, float], FloatArray] = shift_leanings
    error: float = 0.0
    error_of: str = ""

    @property
    def difference(self) -> float:
        """The mean leaning of X minus that of Y."""
        return float(self.leanings(self.x).mean() - self.leanings(self.y).mean())

    def effect_at(self, difference: float) -> float:
        """Return the effect if X leaned to A by so much that the lists differ by `difference`."""
        return float(self.effect(self.more(self.x, difference - self.difference), self.y))


@dataclass(frozen=True)
class OneSample:
    """Per-word numbers of one group, for a bootstrap to resample; no permutation applies.

    `rows` holds one row a word; `effect` maps batches of resampled rows (..., words, columns) to
    values (...).
    """

    rows: FloatArray
    effect: Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Score:
    """A metric's answer on one test; without samples nothing can be said about its certainty.

    `doubt` says in one sentence why the words may not be regrouped, or why the value decides
    nothing: the answer then gets no verdict. `near` has a row for each of the words, its similarity
    to every word of A and then of B; None where a metric does not compare word with word.
    """

    value: float
    words: tuple[WordShare, ...]
    samples: TwoSamples | OneSample | None = None
    doubt: str = ""
    # Two arrays have no single answer to whether they are equal.
    near: FloatArray | None = field(default=None, compare=False)


Sees = Literal["X to A, Y to B", "words to A", "words to A and B"]
Swapped = Literal["turned", "kept", "changed"]
Lengths = Literal["ignored", "common", "count"]


@dataclass(frozen=True)
class Traits:
    """Which bias a metric sees, what its signs say, and what must not matter to it.

    Lists that hold the bias it `sees` take the value to the side `shown` of the neutral one.
    `positive` says what a positive value says, and is empty if a value has no sign;
    `positive_words` is the list to which a word with a positive number leans, empty if the number
    says no such thing. Swapping A and B, or X and Y, `turned` the value about 0, `kept` it, or
    `changed` it in no such way. In flat space lengths are `ignored` (each word's own), matter but
    for a `common` unit, or `count`. A metric that is `flat_only` refuses the ball; one that looks
    at the `whole_vocabulary` also sees words that no list holds.
    """

    sees: Sees
    shown: Literal["above", "below"]
    positive: str = ""
    positive_words: Literal["a", "b", ""] = ""
    swapped_attributes: Swapped = "kept"
    swapped_targets: Swapped = "kept"
    lengths: Lengths = "ignored"
    flat_only: bool = False
    whole_vocabulary: bool = False


class Metric(Protocol):
    """A number over looked-up word groups; it knows nothing of files, p-values or reports.

    A metric is a frozen dataclass whose fields are its settings. fairvec's own are subclasses and
    say only in what they differ from what is usual; one of another package has these attributes,
    inherited or its own.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name under which the metric is registered."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles a test must fill: targets x and y, attributes a and b, or plain words."""
        return ("words", "a", "b")

    @property
    def neutral(self) -> float | None:
        """The value that says: no bias; None if no single value does."""
        return 0.0

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What large, small and neutral values say, in one sentence."""

    @property
    def similarity(self) -> Similarity | None:
        """How two points are compared; None if the metric does not compare points."""
        return None

    @property
    def convention(self) -> Convention | None:
        """How an effect size is scaled; None if the value is no effect size."""
        return None

    @property
    def traits(self) -> Traits:
        """Which bias it sees, what its signs say and what must not matter: laws test it."""
        return Traits(sees="X to A, Y to B", shown="above")

    @abstractmethod
    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the value and each word's share in it; raise UndefinedError if there is none."""


@runtime_checkable
class CorpusMetric(Protocol):
    """What a metric also has if it reads words in contexts, which not every word has."""

    def prepare(self, tests: Sequence[Test]) -> None:
        """Find the contexts of all words of several tests at once."""
        ...

    def usable(self, groups: Groups) -> Groups:
        """Return the lists with those words as missing that have no context."""
        ...


@dataclass(frozen=True, eq=False)
class TargetWords:
    """The words that a metric reads one by one, with the role and the vector of each."""

    found: tuple[Found, ...]
    roles: tuple[str, ...]
    vectors: FloatArray

    def shares(self, leanings: Sequence[float] | FloatArray) -> tuple[WordShare, ...]:
        """Return each word with its number."""
        return tuple(
            WordShare(found, role, float(leaning), None)
            for found, role, leaning in zip(self.found, self.roles, leanings, strict=True)
        )


def target_words(groups: Groups) -> TargetWords:
    """Return the words that a metric reads: the list `words`, or else x and y together."""
    lists = groups.filling("words")
    return TargetWords(
        found=tuple(found for group in lists for found in group.found),
        roles=tuple(group.role for group in lists for _ in group.found),
        vectors=np.concatenate([group.vectors for group in lists]),
    )


def column_mean(rows: FloatArray) -> FloatArray:
    """Return the mean of the only column, for one set of rows or for each of many resamples."""
    means: FloatArray = rows[..., 0].mean(axis=-1)
    return means


def overall_mean(rows: FloatArray) -> FloatArray:
    """Return the mean over all columns, for one set of rows or for each of many resamples."""
    means: FloatArray = rows.mean(axis=(-2, -1))
    return means

"""What a metric gives back: a number, each word's share in it, and what may be regrouped."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fairvec.geometry import FloatArray
from fairvec.lexicon import Found

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


def leaning_more(rows: FloatArray, by: float) -> FloatArray:
    """Return rows of pairs, closeness to A and to B, that lean to A by so much more."""
    moved = rows.copy()
    moved[..., 0::2] += by / 2
    moved[..., 1::2] -= by / 2
    return moved


@dataclass(frozen=True)
class TwoSamples:
    """Per-word numbers of the two target groups, computed once, for statistics to regroup.

    `x` and `y` hold one row a word; `leanings` gives the numbers that a permutation regroups, one
    a word unless the metric says otherwise; `effect` maps batches of regrouped rows
    (..., words, columns) to effects (...); `more` gives rows that lean to A by so much more.
    `error` is a standard error of the difference of means that regrouping words cannot show, and
    `error_of` says whose it is.
    """

    x: FloatArray
    y: FloatArray
    leanings: Callable[[FloatArray], FloatArray]
    effect: EffectOfTwo
    more: Callable[[FloatArray, float], FloatArray] = leaning_more
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

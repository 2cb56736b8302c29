"""What a metric gives back: a number, each word's share in it, and what may be regrouped."""

from collections.abc import Callable
from dataclasses import dataclass

from fairvec.geometry import FloatArray
from fairvec.lexicon import Found

Effect = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class WordShare:
    """One word's share: how far it leans, and that lean in units of its own spread."""

    found: Found
    role: str
    leaning: float
    effect: float | None


@dataclass(frozen=True)
class TwoSamples:
    """Per-word numbers of the two target groups, computed once, for statistics to regroup.

    `x` and `y` hold one row a word; `leanings` gives the numbers that a permutation regroups, one
    a word unless the metric says otherwise; `effect` maps batches of regrouped rows
    (..., words, columns) to effects (...).
    """

    x: FloatArray
    y: FloatArray
    leanings: Callable[[FloatArray], FloatArray]
    effect: Effect


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

    `doubt` says in one sentence why the words may not be regrouped: p then proves nothing, and the
    answer gets no verdict.
    """

    value: float
    words: tuple[WordShare, ...]
    samples: TwoSamples | OneSample | None = None
    doubt: str = ""

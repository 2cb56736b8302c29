"""One p-value for several tests whose lists share words, and one pooled effect."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.inversion import Ends
from fairvec.stats.regrouping.permutation import PermutationP


@dataclass(frozen=True)
class ScoredLists:
    """The two target lists of one test: what each word is known by, and how it leans."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    x_scores: FloatArray
    y_scores: FloatArray


@dataclass(frozen=True)
class Joint:
    """Several tests pooled.

    `effect` is the weighted mean of `effects` (each test's d), with shares `weights`; `between` is
    tau, the standard deviation of true effects between tests, `inconsistency` I squared.
    `interval` holds the common shifts that the joint regrouping does not reject; `prediction` is
    where one more test would lie, None of fewer than three tests.
    """

    effect: float
    effects: FloatArray
    weights: FloatArray
    between: float
    inconsistency: float
    interval: Ends | None
    prediction: Ends | None
    p: PermutationP


def joint_test(
    tests: Sequence[ScoredLists], *, level: float = 0.95, samples: int = 100_000, seed: int = 0
) -> Joint:
    """Pool the effects of several tests and regroup all their words together."""
    raise NotImplementedError

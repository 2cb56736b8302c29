"""Which figures can be pooled, and why the others cannot: decided here and nowhere else."""

from dataclasses import dataclass
from math import comb, isclose, log10

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.results import Convention, Description, Outcome, Result, Skipped
from fairvec.stats import ScoredLists
from fairvec.stats.regrouping.permutation import ROUNDING_BITS

CONVENTION = Convention(
    name="caliskan", ddof=1, denominator="word scores of X and Y, one number a word"
)
"""How the effects that are pooled are scaled, whatever the metric divides by."""

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""What rounding can feign, as a share of the largest similarity: a smaller spread is none."""


TRUSTED = 2.0 ** (1 - ROUNDING_BITS)
"""What rounding can feign, as a share of the largest score: a smaller range is none."""

LARGEST = 1e100
"""No similarity gives a larger score, and the square of such a one is no number any more."""


@dataclass(frozen=True, eq=False)
class Poolable:
    """One test that can be pooled: its result, and the leanings of its two lists of words."""

    result: Result
    lists: ScoredLists

    @property
    def effect(self) -> float:
        """Caliskan's d of the words' scores.

        d = (mean over X - mean over Y) / (standard deviation over X and Y, ddof 1): above 0 the
        words lean as `positive_means` says. A metric of that convention has the same figure.
        """
        x, y = self.lists.x_scores, self.lists.y_scores
        return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))


def poolable(outcome: Outcome) -> Poolable | str:
    """Return what of an outcome can be pooled, or in a few words why nothing can."""
    if isinstance(outcome, Skipped):
        return "all words lean alike" if outcome.cause == "no-spread" else "skipped"
    if isinstance(outcome, Description):
        return "described, not tested"
    if not isinstance(outcome, Result):
        return "no test"
    if outcome.verdict.kind == "no-verdict":
        return "in doubt"
    if not outcome.convention.standardised:
        return "its effect is no effect size"
    words = {role: [word for word in outcome.words if word.role == role] for role in ("x", "y")}
    if not (words["x"] and words["y"]) or len(outcome.words) != sum(map(len, words.values())):
        return "its words are not two lists"
    x, y = (np.array([word.score for word in some]) for some in words.values())
    if max(np.abs(x).max(), np.abs(y).max()) > LARGEST:
        return "its scores are beyond reckoning"
    if not _spread_out(np.concatenate([x, y]), outcome):
        return "all words lean alike"
    if not isclose(outcome.p.log10_partitions, log10(comb(len(x) + len(y), len(x))), abs_tol=1e-6):
        return "its p does not regroup words"
    of_x, of_y = (tuple(word.key for word in some) for some in words.values())
    if sorted(of_x) == sorted(of_y):
        return "its two lists are the same words"
    return Poolable(outcome, ScoredLists(of_x, of_y, x, y))


def _spread_out(scores: FloatArray, result: Result) -> bool:
    """Say whether the words lean apart by more than rounding, theirs and that of similarities."""
    near = [abs(side) for word in result.words for side in (word.to_a, word.to_b) if side]
    apart, size = float(np.ptp(scores)), float(np.abs(scores).max())
    return apart > TRUSTED * size and float(scores.std()) > ROUNDING * max([*near, size])

"""One p-value for several tests whose lists share words, and one pooled effect."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from fairvec.ground.errors import SettingError
from fairvec.ground.level import significant
from fairvec.stats.arrays import FloatArray
from fairvec.stats.intervals.inversion import Ends
from fairvec.stats.joint.deciding import decided, decided_alike
from fairvec.stats.joint.pooled_interval import effect_scale
from fairvec.stats.joint.pooling import Pooling, prediction
from fairvec.stats.joint.regroupings import JointRegroupings
from fairvec.stats.joint.units import ScoredLists
from fairvec.stats.regrouping.permutation import PermutationP

__all__ = ["Joint", "ScoredLists", "joint_test"]


ROUNDING = 1e-13
"""A share of the scores that went into a sum, below which the sum is zero."""


@dataclass(frozen=True)
class Joint:
    """Several tests pooled.

    `effect` is the weighted mean of `effects` (each test's d), with shares `weights`; `between` is
    tau, the standard deviation of true effects between tests, `inconsistency` I squared, `error`
    the standard error of `effect`, the choice of tests included. `interval` holds the common shifts
    that the joint regrouping does not reject, as effects; `prediction` is where one more test would
    lie, None of fewer than three tests. `coarse` is the number of groups of words (those that share
    their tests) of which not every number was tried on either side, but every second, fourth and so
    on, because too many ways to regroup had to be listed; p is as valid. 0 is the rule.
    """

    effect: float
    effects: FloatArray
    weights: FloatArray
    between: float
    inconsistency: float
    interval: Ends | None
    prediction: Ends | None
    p: PermutationP
    error: float
    coarse: int


def joint_test(
    tests: Sequence[ScoredLists],
    *,
    level: float = 0.95,
    samples: int = 100_000,
    seed: int = 0,
    interval: bool = True,
) -> Joint:
    """Pool the effects of several tests and regroup all their words together.

    A joint regrouping keeps the sizes of all lists, and a word that stands in several tests changes
    side in all of them or in none; p is the share of regroupings whose pooled effect is as far from
    zero as the observed one, its weights and tau computed again in each. A small p says that the
    grouping of words matters to at least one test, and to their mean; p = 1 that it does not.

    Exact where all tests regroup the same words (one test is such a case, and has the p of
    `permutation_test`) or where all regroupings can be listed (2^18), else sampled with its error.
    A test whose words all lean alike has no effect and is refused. An interval is sought only if it
    is asked for.
    """
    if not tests or samples < 1 or not 0 < level < 1:
        raise SettingError(
            "A joint test needs at least one test, one sample and a level between 0 and 1, not "
            f"{len(tests)}, {samples} and {level}."
        )
    regroupings = JointRegroupings(tests)
    pooling = Pooling(regroupings.variances, regroupings.covariance())
    effects = regroupings.observed()
    disagreement = pooling.disagreement(effects)
    between = float(pooling.between(disagreement))
    weights = pooling.weights(between)
    effect, error = float(weights @ effects), pooling.error(between)
    alike = _alike(tests, regroupings, weights)
    if alike is None:
        p, shifts = decided(
            regroupings, pooling, effect, level if interval else None, samples=samples, seed=seed
        )
    else:
        # Tests that take each other back have no effect, whatever is taken from X.
        moves = np.ptp(np.concatenate([alike.x, alike.y])) > 0
        asked = level if interval and moves else None
        p, shifts = decided_alike(*alike, asked, samples=samples, seed=seed)
    scale = effect_scale(
        effect,
        weights,
        np.array([test.sizes for test in tests]),
        regroupings.shared(),
        pooling,
    )
    ahead = None
    if len(tests) >= 3:
        low, high = prediction(effect, error, between, tests=len(tests), level=level)
        ahead = Ends(max(low, -scale.largest), min(high, scale.largest))
    return Joint(
        effect,
        effects,
        weights,
        sqrt(between),
        float(pooling.inconsistency(disagreement)),
        shifts and scale.effects(shifts).agreeing(effect, rejected=significant(p.value, 1 - level)),
        ahead,
        p,
        error,
        regroupings.coarse,
    )


class _Alike(NamedTuple):
    """Scores whose difference of means is the pooled effect, times a unit."""

    x: FloatArray
    y: FloatArray
    unit: float = 1.0


def _alike(
    tests: Sequence[ScoredLists], regroupings: JointRegroupings, weights: FloatArray
) -> _Alike | None:
    """Return one score a word, where all tests regroup the same words: then one test says it all.

    Their sizes are the same, and so are their weights whatever tau is.
    """
    if len(tests) == 1:
        x, y = tests[0].x_scores, tests[0].y_scores
        return _Alike(x, y, float(np.concatenate([x, y]).std(ddof=1)))
    cells = [cell for part in regroupings.components for cell in part.cells]
    if len(cells) > 1:
        return None
    (cell,) = cells
    shares = weights[:, None] * cell.coefficients / regroupings.variances[:, None]
    scores = shares.sum(axis=0)
    # Tests that take each other back leave rounding alone, which is no difference.
    scores[np.abs(scores) <= ROUNDING * np.abs(shares).max()] = 0.0
    return _Alike(scores[cell.marked], scores[~cell.marked])

"""The tests of one category taken together: the figures, before they are corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from fairvec.evaluation.categories.poolable import Poolable
from fairvec.ground.errors import UndefinedError
from fairvec.results import Interval, PValue
from fairvec.stats import Ends, Joint, joint_test

LEVEL = 0.95
SAME = 1e-9
"""Two effects that differ by less are one figure."""


@dataclass(frozen=True)
class Pooled:
    """The figures of one category: what `Joint` has, as records hold it."""

    effect: float
    effects: tuple[float, ...]
    weights: tuple[float, ...]
    between: float
    inconsistency: float
    interval: Interval | None
    prediction: Interval | None
    p: PValue


def pooled(tests: Sequence[Poolable], *, samples: int, interval: bool = True) -> Pooled:
    """Pool the effects of one category's tests and regroup all their words together.

    One test is its own answer: its p, and its interval if both are about the same figure.
    """
    level = next((one.result.interval.level for one in tests if one.result.interval), LEVEL)
    own = _of_one_test(tests[0], interval=interval) if len(tests) == 1 else None
    if own:
        return own
    seed = tests[0].result.seed
    found = joint_test(
        [one.lists for one in tests], level=level, samples=samples, seed=seed, interval=interval
    )
    return _as_records(found, level)


def _of_one_test(test: Poolable, *, interval: bool) -> Pooled | None:
    """Return the figures of a test that is alone; None if they answer another question.

    It counts one tail, is scaled apart, or has an interval of drawn words, which need not agree
    with p.
    """
    result = test.result
    if interval and result.interval and not result.interval.method.startswith("inverted"):
        return None
    if (result.p.sides, result.p.ties) != ("two", ">="):
        return None
    if abs(test.effect - result.effect) > SAME:
        return None
    return Pooled(
        effect=result.effect,
        effects=(result.effect,),
        weights=(1.0,),
        between=0.0,
        inconsistency=0.0,
        interval=result.interval if interval else None,
        prediction=None,
        p=result.p,
    )


def _as_records(found: Joint, level: float) -> Pooled:
    if not isfinite(found.effect):
        raise UndefinedError("The tests of this category have no pooled effect; read them singly.")
    p = PValue.model_validate(found.p, from_attributes=True)
    return Pooled(
        effect=float(found.effect),
        effects=tuple(map(float, found.effects)),
        weights=tuple(map(float, found.weights)),
        between=float(found.between),
        inconsistency=float(found.inconsistency),
        interval=_interval(found.interval, level, f"inverted joint regrouping, {p.method}", p),
        prediction=_interval(found.prediction, level, "Student's t of one more test"),
        p=p,
    )


def _interval(
    ends: Ends | None, level: float, how: str, p: PValue | None = None
) -> Interval | None:
    """Return the ends as a record; None where any effect is allowed."""
    if ends is None or not (isfinite(ends.low) and isfinite(ends.high)):
        return None
    drawn = {"resamples": p.samples, "seed": p.seed} if p else {}
    return Interval(low=float(ends.low), high=float(ends.high), level=level, method=how, **drawn)

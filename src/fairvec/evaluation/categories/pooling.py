"""The tests of one category taken together: the figures, before they are corrected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from fairvec.evaluation.categories.poolable import Poolable
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import shipped_suites
from fairvec.results import Interval, PValue, TestIdentity
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

    One test is its own answer: its p, and its interval if both are about the same figure. What is
    drawn does not depend on the order of the tests, which is whatever somebody asked them in.
    """
    own = _of_one_test(tests[0], interval=interval) if len(tests) == 1 else None
    if own:
        return own
    order = in_one_order([one.result.test for one in tests])
    ranked = [tests[place] for place in order]
    level = next((one.result.interval.level for one in ranked if one.result.interval), LEVEL)
    found = joint_test(
        [one.lists for one in ranked],
        level=level,
        samples=samples,
        seed=ranked[0].result.seed,
        interval=interval,
    )
    back = np.argsort(order)
    asked = replace(found, effects=found.effects[back], weights=found.weights[back])
    return _as_records(asked, level)


def in_one_order(tests: Sequence[TestIdentity]) -> list[int]:
    """Return the places of tests in the order of the shipped suites, and then by their ids."""
    shipped = {test.id: at for at, test in enumerate(t for s in shipped_suites() for t in s.tests)}

    def key(place: int) -> tuple[int, str, str, str]:
        test = tests[place]
        return shipped.get(test.id, len(shipped)), test.id, test.suite_version, test.title

    return sorted(range(len(tests)), key=key)


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

"""The answer for a category in words."""

from collections.abc import Sequence

import numpy as np

from fairvec.evaluation.categories.pooling import Pooled
from fairvec.ground.level import significant
from fairvec.ground.sizes import size_in_words
from fairvec.results import Interval, Result, Verdict, VerdictKind

WORTH_SAYING = 0.1
"""Tests whose true effects differ by a smaller deviation are said to agree."""

LONG = 1e-6
"""A smaller p is written as a power of ten."""

AS_STEREOTYPES, AGAINST = (
    "words lean as the stereotypes say",
    "words lean against the stereotypes of its tests",
)
"""What the signs of a pooled effect say where the tests ask for different things."""


def directions(tests: Sequence[Result]) -> tuple[str, str]:
    """Return what a positive and a negative pooled effect say.

    Tests that say the same of a sign lend their words; otherwise a sign can only say whether words
    lean as the authors of the tests expect.
    """
    said = {(one.test.positive_means, one.test.negative_means) for one in tests}
    return said.pop() if len(said) == 1 else (AS_STEREOTYPES, AGAINST)


def category_verdict(
    called: str,
    found: Pooled,
    tests: Sequence[Result],
    *,
    left_out: int,
    p_holm: float | None,
    family: int,
    asked: int,
) -> Verdict:
    """Say what a category's pooled effect means: two-sided, corrected over the model's categories.

    `called` is the category's name. `p_holm` is None where so few words cannot decide it among the
    categories `asked`; `family` counts those that can be decided. No evidence of a common effect is
    none of no bias: the sentence then names the effects that the interval rules out, and where
    single tests are biased the answer is mixed.
    """
    alpha, p = tests[0].verdict.alpha, found.p.value
    biased = sum(one.verdict.kind == "biased" for one in tests)
    over, alone = _over(len(tests)), _alone(biased, len(tests))
    ends = _differ(found) + _left_out(left_out)
    figures = f"(d {signed(found.effect)}{_span(found)}; p = {probability(p, alpha)}"
    kind: VerdictKind
    if p_holm is None:
        kind, said = "too-few-words", f"{_too_few(found, asked, alpha)}{alone}{_left_out(left_out)}"
    elif significant(p_holm, alpha):
        kind = "biased"
        meaning = directions(tests)[found.effect < 0]
        corrected = f", corrected {probability(p_holm, alpha)}" if family > 1 else ""
        said = (
            f"biased. {meaning[:1].upper()}{meaning[1:]}: a {size_in_words(found.effect)} effect "
            f"{figures}{corrected}) {over}{alone}{ends}"
        )
    elif significant(p, alpha):
        kind = "inconclusive"
        said = (
            f"inconclusive. Significant alone, not among the {family} categories "
            f"{figures}, corrected {probability(p_holm, alpha)}) {over}{alone}{ends}"
        )
    elif biased:
        kind = "mixed"
        said = (
            f"mixed. {biased} of {len(tests)} tests {'is' if biased == 1 else 'are'} biased alone, "
            f"and together they do not lean one way {figures}){ends}"
        )
    else:
        kind = "no-evidence"
        said = (
            f"no evidence (d {signed(found.effect)}; p = {probability(p, alpha)}) "
            f"{over}{_ruled_out(found)}{ends}"
        )
    return Verdict(kind=kind, sentence=f"{called}: {said}.", p=p, p_holm=p_holm, alpha=alpha)


def signed(value: float) -> str:
    """Return +1.23 or −0.40."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def probability(p: float, alpha: float) -> str:
    """Return a p with two telling digits, and more where they would cross the level."""
    rounded = (float(f"{p:.{digits}g}") for digits in range(2, 17))
    near = next((r for r in rounded if significant(r, alpha) == significant(p, alpha)), p)
    return np.format_float_positional(near, trim="-") if near >= LONG else f"{near:.2g}"


def _span(found: Pooled) -> str:
    if found.interval is None:
        return ""
    low, high = signed(found.interval.low), signed(found.interval.high)
    return f", {_level(found.interval)} {low} to {high}"


def _level(interval: Interval) -> str:
    return f"{100 * interval.level:.3g} %"


def _over(tests: int) -> str:
    return "in its one test" if tests == 1 else f"over {tests} tests"


def _alone(biased: int, tests: int) -> str:
    if tests == 1:
        return ""
    count = "none" if not biased else "all" if biased == tests else str(biased)
    return f", {count} of them biased alone"


def _differ(found: Pooled) -> str:
    return f"; the tests differ (tau {found.between:.2f})" if found.between >= WORTH_SAYING else ""


def _left_out(tests: int) -> str:
    if not tests:
        return ""
    return f"; {tests} more {'test' if tests == 1 else 'tests'} could not be pooled"


def _ruled_out(found: Pooled) -> str:
    if found.interval is None:
        return ""
    low, high = signed(found.interval.low), signed(found.interval.high)
    return f"; effects below {low} or above {high} are ruled out ({_level(found.interval)})"


def _too_few(found: Pooled, asked: int, alpha: float) -> str:
    limit = f"above {alpha:g}" if asked == 1 else f"too much for {asked} categories at {alpha:g}"
    return (
        f"too few words. Even the strongest association that they can show has "
        f"p = {probability(found.p.smallest, alpha)}, {limit}"
    )

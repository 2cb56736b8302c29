"""The answer for a category in words."""

from collections import Counter
from collections.abc import Sequence

from fairvec.evaluation.categories.pooling import SAME, Pooled
from fairvec.evaluation.runs.ruled_out import ruled_out
from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.ground.sizes import size_in_words
from fairvec.ground.text.capitals import titled
from fairvec.results import Holds, Interval, Result, Verdict, VerdictKind

WORTH_SAYING = 0.1
"""Tests whose true effects differ by a smaller deviation are said to agree."""

AS_STEREOTYPES, AGAINST = (
    "on average words lean as the stereotypes say",
    "on average words lean against the stereotypes of its tests",
)
"""What the signs of a pooled effect say where the tests ask for different things."""


HOLDING: dict[Holds, str] = {
    "firm": "firm",
    "thin": "thin",
    "fragile": "fragile",
    "frequency": "perhaps frequency",
}
"""How a claimed effect holds with other words, briefly."""


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
    over, alone = _over(tests), _alone(found, tests)
    ends = _differ(found) + _left_out(left_out)
    drawn = "sampled " if found.p.method == "sampled" else ""
    chance = f"{drawn}p = {p_value(p, level=alpha)}"
    pooled = f"{_scaled(found, tests)} {signed(found.effect)}"
    figures = f"({pooled}{_span(found)}; {chance}"
    kind: VerdictKind
    if p_holm is None:
        kind, said = "too-few-words", f"{_too_few(found, asked, alpha)}{alone}{_left_out(left_out)}"
    elif significant(p_holm, alpha):
        kind = "biased"
        meaning = directions(tests)[found.effect < 0]
        corrected = f", corrected {p_value(p_holm, level=alpha)}" if family > 1 else ""
        said = (
            f"biased. {titled(meaning)}: a {size_in_words(found.effect)} effect "
            f"{figures}{corrected}) {over}{alone}{ends}"
        )
    elif significant(p, alpha):
        kind = "inconclusive"
        said = (
            f"inconclusive. Significant alone, not among the {family} categories "
            f"{figures}, corrected {p_value(p_holm, level=alpha)}) {over}{alone}{ends}"
        )
    elif biased:
        kind = "mixed"
        said = (
            f"mixed. {biased} of {len(tests)} tests {'is' if biased == 1 else 'are'} biased alone, "
            f"and together they do not clearly lean one way {figures}){ends}"
        )
    else:
        kind = "no-evidence"
        said = f"no evidence ({pooled}; {chance}) {over}{_ruled_out(found)}{ends}"
    return Verdict(kind=kind, sentence=f"{called}: {said}.", p=p, p_holm=p_holm, alpha=alpha)


def _scaled(found: Pooled, tests: Sequence[Result]) -> str:
    """Name d so that nobody takes it for a figure of the tests that is scaled otherwise.

    What is pooled has one number a word; SEAT's d, for one, is over the spread of sentences.
    """
    same = all(
        abs(one.effect - effect) <= SAME for one, effect in zip(tests, found.effects, strict=True)
    )
    return "d" if same else "d between words"


def _span(found: Pooled) -> str:
    if found.interval is None:
        return ""
    low, high = signed(found.interval.low), signed(found.interval.high)
    return f", {_level(found.interval)} {low} to {high}"


def _level(interval: Interval) -> str:
    return f"{100 * interval.level:.3g} %"


def _over(tests: Sequence[Result]) -> str:
    return "in its one test" if len(tests) == 1 else f"over {len(tests)} tests"


def _alone(found: Pooled, tests: Sequence[Result]) -> str:
    """Say how many tests are biased by themselves, which way, and how that holds."""
    biased = [
        (one, effect * found.effect > 0)
        for one, effect in zip(tests, found.effects, strict=True)
        if one.verdict.kind == "biased"
    ]
    if len(tests) == 1:
        held = tests[0].robustness and tests[0].robustness.holds
        return f"; with other words {HOLDING[held]}" if held else ""
    along, against = (sum(same is way for _, same in biased) for way in (True, False))
    count = "none" if not along else "all" if along == len(tests) else str(along)
    other = f", {against} the other way" if against else ""
    return f", {count} of them biased alone{other}{_holding([one for one, _ in biased])}"


def _holding(biased: Sequence[Result]) -> str:
    """Say how claimed effects hold with other words, if that was tried."""
    tried = Counter(one.robustness.holds for one in biased if one.robustness)
    told = [f"{count} {HOLDING[holds]}" for holds, count in tried.items() if holds]
    return f"; with other words: {', '.join(told)}" if told else ""


def _differ(found: Pooled) -> str:
    return f"; the tests differ (tau {found.between:.2f})" if found.between >= WORTH_SAYING else ""


def _left_out(tests: int) -> str:
    if not tests:
        return ""
    return f"; {tests} more {'test' if tests == 1 else 'tests'} could not be pooled"


def _ruled_out(found: Pooled) -> str:
    said = ruled_out(found.interval)
    return f"; {said}" if said else ""


def _too_few(found: Pooled, asked: int, alpha: float) -> str:
    limit = f"above {alpha:g}" if asked == 1 else f"too much for {asked} categories at {alpha:g}"
    return (
        f"too few words. Even the strongest association that they can show has "
        f"p = {p_value(found.p.smallest, level=alpha)}, {limit}"
    )

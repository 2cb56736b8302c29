"""The sentence of a category's pooled answer, in full and as the label of its diamond."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_p,
    format_p_bound,
    format_p_bounds,
    format_p_relation,
    format_signed,
    group_by,
    is_significant,
    join_up_to,
    pluralize,
)
from fairvec.messages.figures import format_interval
from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    any_effect_fits,
    fitting_effects,
    interval_level,
    is_wide,
)
from fairvec.results import Interval, PValue, Result, Skipped
from fairvec.results.records import CategoryAnswer
from fairvec.results.verdicts import RobustnessKind, VerdictKind, effect_magnitude
from fairvec.stats.values import is_sampling_floor

FINDINGS = ("biased", "mixed", "inconclusive")
"""Kinds of verdict that always get a sentence of their own."""

MOST_NAMED = 12
"""Categories without a finding that are named; of more the rest is counted."""


@dataclass(frozen=True, eq=False)
class ModelAnswers:
    """What one model answered, a sentence a category; then what has no answer of its own."""

    label: str
    answers: tuple[CategoryAnswer, ...]
    others: tuple[str, ...]

    @property
    def findings(self) -> tuple[CategoryAnswer, ...]:
        """The answers that say more than that there is no evidence."""
        return tuple(answer for answer in self.answers if answer.verdict.kind in FINDINGS)

    @property
    def rest(self) -> list[str]:
        """The other answers, counted by verdict and named."""
        others = [answer for answer in self.answers if answer.verdict.kind not in FINDINGS]
        several_languages = len({answer.test.language for answer in self.answers}) > 1
        return [
            f"{verdict_label(kind)}: "
            f"{join_names([_category_name(answer, several_languages) for answer in members])}."
            for kind, members in group_by(others, lambda answer: answer.verdict.kind).items()
        ]


NOT_POOLED = {
    "no-spread": "all words have the same score",
    "skipped": "skipped",
    "described": "described, not tested",
    "no-test": "not tested",
    "doubt": "no verdict",
    "no-effect-size": "it has no effect size",
    "no-lists": "it does not compare two lists",
    "immense": "its scores are too large to compute with",
    "no-regrouping": "its p is not from regrouping words",
    "same-words": "its two lists are the same words",
    "not-of-words": "its effect is not computed from single words",
}
"""What keeps a test from being pooled, by the kind of error, in a few words."""

AS_STEREOTYPES, AGAINST = (
    "on average, associations follow the stereotype",
    "on average, associations go against the stereotype",
)
"""What the signs of a pooled effect mean where its tests have different meanings."""

NOTABLE_TAU = 0.1
"""From this standard deviation between the true effects of tests (tau) on, they differ."""

_ROBUSTNESS: dict[RobustnessKind, str] = {
    "firm": "firm",
    "thin": "thin",
    "fragile": "fragile",
    "frequency": "possibly word frequency",
}
_ROBUSTNESS_OF_ONE: dict[RobustnessKind, str] = {
    "firm": "the evidence is firm with other words",
    "thin": "the evidence is thin with other words",
    "fragile": "the effect is fragile with other words",
    "frequency": "word frequency may explain the effect",
}


def effect_meanings(tests: Sequence[Result]) -> tuple[str, str]:
    """Return what a positive and a negative pooled effect mean.

    If all tests give a sign the same meaning, that is it; otherwise a sign only says whether words
    lean as the authors of the tests expect.
    """
    meanings = {(result.test.positive_means, result.test.negative_means) for result in tests}
    return meanings.pop() if len(meanings) == 1 else (AS_STEREOTYPES, AGAINST)


def category_sentence(
    title: str,
    kind: VerdictKind,
    tests: Sequence[Result],
    effects: Sequence[float],
    *,
    effect: float,
    interval: Interval | None,
    p: PValue,
    between: float,
    left_out: int,
    p_holm: float | None,
    family: int,
    candidates: int,
) -> str:
    """Return what a category's pooled effect means.

    `effects` are those of the tests, and `between` is tau. Absence of evidence is not evidence of
    absence: the sentence then names the effects that fit the data.
    """
    alpha = tests[0].verdict.alpha
    test_count, single_verdicts = _test_count(tests), _single_verdicts(effect, tests, effects)
    varies = f"; the effect varies between tests (tau {between:.2f})"
    suffix = varies * (between >= NOTABLE_TAU) + _unpooled_count(left_out)
    sampled = "sampled " if p.method == "sampled" else ""
    floor = is_sampling_floor(p)
    p_text = f"{sampled}p {format_p_relation(p.value, floor, level=alpha)}"
    corrected_text = (
        "" if p_holm is None else f", corrected {format_p_bound(p_holm, floor, level=alpha)}"
    )
    effect_text = f"d {format_signed(effect)}"
    others = f"{family} categories" if len(tests) > 1 else f"the {tests[0].family_of}"
    summary = f"({effect_text}{_interval_clause(interval)}; {p_text}"
    match kind:
        case "too-few-words":
            sentence = (
                f"{_too_few(p, tests, candidates, alpha)}{single_verdicts}"
                f"{_unpooled_count(left_out)}"
            )
        case "biased":
            meaning = effect_meanings(tests)[effect < 0]
            sentence = (
                f"biased. {capitalize_first(meaning)}: a {effect_magnitude(effect)} effect "
                f"{summary}{corrected_text if family > 1 else ''}) "
                f"{test_count}{single_verdicts}{suffix}"
            )
        case "inconclusive":
            sentence = (
                f"inconclusive. Not significant after correcting for {others} "
                f"{summary}{corrected_text}) "
                f"{test_count}{single_verdicts}{suffix}"
            )
        case "mixed":
            biased = sum(result.verdict.kind == "biased" for result in tests)
            their = "its" if biased == 1 else "their"
            sentence = (
                f"mixed. {biased} of {pluralize(len(tests), 'test')} "
                f"{'is' if biased == 1 else 'are'} significant on {their} own, but together the "
                f"tests show no clear direction {summary}){suffix}"
            )
        case _:
            level = f", {interval_level(interval)} interval" if interval else ""
            sentence = (
                f"no evidence{_what_fits(interval)} ({effect_text}{level}; {p_text}) {test_count}"
                f"{suffix}"
            )
    return f"{title}: {sentence}."


def _what_fits(interval: Interval | None) -> str:
    if interval is None:
        return ""
    if is_wide(interval):
        return f". Too few words to tell: {any_effect_fits(interval)}"
    return f". {capitalize_first(fitting_effects(interval))}"


def _interval_clause(interval: Interval | None) -> str:
    if interval is None:
        return ""
    low, high = format_signed(interval.low), format_signed(interval.high)
    return f", {100 * interval.level:.3g} % {low} to {high}"


def _test_count(tests: Sequence[Result]) -> str:
    return "in its only test" if len(tests) == 1 else f"over {len(tests)} tests"


def _single_verdicts(pooled: float, tests: Sequence[Result], effects: Sequence[float]) -> str:
    """Say how many tests are significant on their own, in which direction, and how robustly."""
    biased = [
        (result, effect * pooled > 0)
        for result, effect in zip(tests, effects, strict=True)
        if result.verdict.kind == "biased"
    ]
    if len(tests) == 1:
        holds = tests[0].robustness and tests[0].robustness.holds
        return f"; {_ROBUSTNESS_OF_ONE[holds]}" if holds else ""
    agreeing, opposite = (
        sum(same_direction is direction for _, same_direction in biased)
        for direction in (True, False)
    )
    count = "none" if not agreeing else "each" if agreeing == len(tests) else str(agreeing)
    their = "their" if count not in ("each", "1") else "its"
    reversed_text = f", {opposite} in the opposite direction" if opposite else ""
    robust = _robustness_counts([result for result, _ in biased])
    return f", {count} significant on {their} own{reversed_text}{robust}"


def _robustness_counts(biased: Sequence[Result]) -> str:
    """Count the claimed effects by their robustness, if it was measured."""
    counts = Counter(result.robustness.holds for result in biased if result.robustness)
    parts = [f"{count} {_ROBUSTNESS[holds]}" for holds, count in counts.items() if holds]
    return f"; with other words: {', '.join(parts)}" if parts else ""


def _unpooled_count(tests: int) -> str:
    if not tests:
        return ""
    return f"; {tests} more {'test' if tests == 1 else 'tests'} could not be pooled"


def _too_few(p: PValue, tests: Sequence[Result], candidates: int, alpha: float) -> str:
    others = f"{candidates} categories" if len(tests) > 1 else f"the {tests[0].family_of}"
    limit = (
        f"too large to be significant at {alpha:g} among {others}"
        if is_significant(p.smallest, alpha)
        else f"above {alpha:g}"
    )
    they = "its only test" if len(tests) == 1 else f"its {len(tests)} tests together"
    return (
        f"too few words. The smallest p that {they} can give is "
        f"{format_p(p.smallest, level=alpha)}, {limit}"
    )


def no_answer_sentence(title: str, reasons: Sequence[str]) -> str:
    """Return why a category has no answer: the reason of each of its tests."""
    tests = f"none of its {len(reasons)} tests can" if len(reasons) > 1 else "its only test cannot"
    why = ", ".join(dict.fromkeys(reasons))
    return f"{title}: no answer, because {tests} be pooled (reason: {why})."


def failed_answer_sentence(failed: Skipped) -> str:
    """Return that a category has no answer, because a fault came up while its tests were pooled."""
    return f"{failed.test.title}: no answer. {failed.reason}"


def verdict_label(kind: str) -> str:
    """Return a kind of verdict as a word."""
    return VERDICT_LABELS.get(kind, capitalize_first(kind.replace("-", " ")))


def category_parts(answer: CategoryAnswer) -> tuple[str, str]:
    """Return the sentence in two: the category with its verdict in a word, and what follows."""
    opening = f"{answer.heading}: {answer.verdict.kind.replace('-', ' ')}" if answer.heading else ""
    return opening, answer.verdict.sentence[len(opening) :]


def diamond_label(answer: CategoryAnswer) -> str:
    """Return one pooled answer in one line, for its diamond."""
    floor = is_sampling_floor(answer.p)
    parts = [
        f"{answer.model.name}, {answer.test.category}: {pooled_label(answer, 'pooled')}",
        f"d = {format_signed(answer.effect)}, {answer.size}"
        + (f", interval {format_interval(answer.interval)}" if answer.interval else ""),
        f"p {format_p_relation(answer.p.value, floor)}, {_p_precision(answer.p)}",
        "" if answer.p_holm is None else f"corrected {format_p_bound(answer.p_holm, floor)}",
    ]
    if answer.prediction:
        parts.append(f"prediction for another such test {format_interval(answer.prediction)}")
    return " · ".join(part for part in parts if part)


def pooled_label(answer: CategoryAnswer, how: str = "together") -> str:
    """Return what a diamond stands for: 3 tests together, or its only test."""
    tests = len(answer.tests)
    return "its only test" if tests == 1 else f"{pluralize(tests, 'test')} {how}"


def join_names(names: Sequence[str]) -> str:
    """Return a, b and c, and of very many how many more there are."""
    return join_up_to(names, MOST_NAMED)


def _category_name(answer: CategoryAnswer, several_languages: bool) -> str:
    test = answer.test
    return f"{test.category} ({test.language})" if several_languages else test.category


def _p_precision(p: PValue) -> str:
    """Return how far a p is known: counted in full, certified, or drawn."""
    if p.method == "exact":
        return "exact"
    between = f"between {format_p_bounds(p.low, p.high)}"
    if p.method == "certified":
        return f"certified {between}"
    return (
        f"sampled with {format_count(p.samples or 0)} draws, 99\N{NO-BREAK SPACE}% sure {between}"
    )

"""The sentence of a category's pooled answer, in full and as the label of its diamond."""

from dataclasses import dataclass

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_p_bound,
    format_p_bounds,
    format_p_relation,
    format_signed,
    group_by,
    join_up_to,
    pluralize,
)
from fairvec.messages.figures import format_interval
from fairvec.messages.verdicts import VERDICT_LABELS
from fairvec.results import PValue
from fairvec.results.records import CategoryAnswer
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


def verdict_label(kind: str) -> str:
    """Return a kind of verdict as a word."""
    return VERDICT_LABELS.get(kind, capitalize_first(kind.replace("-", " ")))


def category_parts(answer: CategoryAnswer) -> tuple[str, str]:
    """Return the sentence in two: the category with its verdict in a word, and what follows."""
    sentence, kind = answer.verdict.sentence, answer.verdict.kind.replace("-", " ")
    category, language = answer.test.category, answer.test.language
    names = (category, capitalize_first(category))
    for heading in (*names, *(f"{name} ({language})" for name in names)):
        start = f"{heading}: {kind}"
        if sentence.startswith(start):
            return start, sentence[len(start) :]
    return "", sentence


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
        parts.append(f"one more such test: {format_interval(answer.prediction)}")
    return " · ".join(part for part in parts if part)


def pooled_label(answer: CategoryAnswer, how: str = "together") -> str:
    """Return what a diamond stands for: 3 tests together, or its one test."""
    tests = len(answer.tests)
    return "its one test" if tests == 1 else f"{pluralize(tests, 'test')} {how}"


def join_names(names: list[str]) -> str:
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

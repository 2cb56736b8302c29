"""What one model answered: a sentence a category, or the findings alone where there are many."""

from dataclasses import dataclass

from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_p,
    format_p_bounds,
    format_signed,
    group_by,
    join_up_to,
    pluralize,
)
from fairvec.messages.figures import span
from fairvec.messages.verdicts import VERDICTS
from fairvec.results import CategoryAnswer, PValue

FINDINGS = ("biased", "mixed", "inconclusive")
"""Kinds of verdict that are always told in a sentence."""

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
        return tuple(one for one in self.answers if one.verdict.kind in FINDINGS)

    @property
    def rest(self) -> list[str]:
        """The other answers, counted by verdict and named."""
        others = [one for one in self.answers if one.verdict.kind not in FINDINGS]
        several = len({one.test.language for one in self.answers}) > 1
        return [
            f"{verdict_word(kind)}: {some([_name(one, several) for one in members])}."
            for kind, members in group_by(others, lambda one: one.verdict.kind).items()
        ]


def verdict_word(kind: str) -> str:
    """Return a kind of verdict as a word."""
    return VERDICTS.get(kind, capitalize_first(kind.replace("-", " ")))


def lead_and_rest(answer: CategoryAnswer) -> tuple[str, str]:
    """Return the sentence in two: the category with its verdict in a word, and what follows."""
    sentence, kind = answer.verdict.sentence, answer.verdict.kind.replace("-", " ")
    name, language = capitalize_first(answer.test.category), answer.test.language
    for called in (name, f"{name} ({language})"):
        start = f"{called}: {kind}"
        if sentence.startswith(start):
            return start, sentence[len(start) :]
    return "", sentence


def about_answer(answer: CategoryAnswer) -> str:
    """Return one pooled answer in one line, for its diamond."""
    parts = [
        f"{answer.model.name}, {answer.test.category}: {pooled(answer, 'pooled')}",
        f"d = {format_signed(answer.effect)}, {answer.size}"
        + (f", interval {span(answer.interval)}" if answer.interval else ""),
        f"p = {format_p(answer.p.value)}, {_how(answer.p)}",
        "" if answer.p_holm is None else f"corrected {format_p(answer.p_holm)}",
    ]
    if answer.prediction:
        parts.append(f"one more such test: {span(answer.prediction)}")
    return " · ".join(part for part in parts if part)


def pooled(answer: CategoryAnswer, how: str = "together") -> str:
    """Return what a diamond stands for: 3 tests together, or its one test."""
    tests = len(answer.tests)
    return "its one test" if tests == 1 else f"{pluralize(tests, 'test')} {how}"


def some(names: list[str]) -> str:
    """Return a, b and c, and of very many how many more there are."""
    return join_up_to(names, MOST_NAMED)


def _name(answer: CategoryAnswer, several: bool) -> str:
    test = answer.test
    return f"{test.category} ({test.language})" if several else test.category


def _how(p: PValue) -> str:
    """Return how far a p is known: counted in full, certified, or drawn."""
    if p.method == "exact":
        return "exact"
    between = f"between {format_p_bounds(p.low, p.high)}"
    if p.method == "certified":
        return f"certified {between}"
    return (
        f"sampled with {format_count(p.samples or 0)} draws, 99\N{NO-BREAK SPACE}% sure {between}"
    )

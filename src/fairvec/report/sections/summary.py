"""The page in two: the question, the answer by category, one plot, and what was not measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairvec.report.sections.arrange import Series, grouped
from fairvec.report.sections.before_after import BeforeAfter
from fairvec.report.sections.blocks import CategoryBlock, blocks, by_heading
from fairvec.report.sections.gaps import Gap, gaps
from fairvec.report.words.effects import effect_of
from fairvec.report.words.numbers import counted, p_value, signed, span
from fairvec.report.words.wording import VERDICTS, listed, noun_for, summary, verdict_of
from fairvec.results import CategoryAnswer, ModelIdentity, Outcome

MOST_TESTS = 64
"""Tests of one model that a plot on two pages has room for, one row each."""

MOST_ROWS = 32
"""Rows of a plot that has one a model and category; a table takes the place of a longer one."""

Shape = Literal["tests", "rows", "table"]


@dataclass(frozen=True, eq=False)
class ModelAnswers:
    """What one model answered, a sentence a category; then what has no answer of its own."""

    label: str
    answers: tuple[CategoryAnswer, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Summary:
    """All that is printed."""

    question: str
    shape: Shape
    models: tuple[ModelAnswers, ...]
    blocks: tuple[CategoryBlock, ...]
    gaps: tuple[Gap, ...]

    @property
    def headings(self) -> list[tuple[bool, dict[str, list[CategoryBlock]]]]:
        """The blocks by category: effect sizes on one axis, plain differences on another.

        Where rows are whole categories, what is no bias is left out: nothing there is pooled.
        """
        shown = self.blocks
        if self.shape == "rows" and self.pooled:
            shown = tuple(block for block in shown if block.kind == "bias")
        parts = grouped(shown, lambda block: block.plain)
        found = [(plain, by_heading(some)) for plain, some in sorted(parts.items())]
        return [(plain, some) for plain, some in found if some]

    @property
    def shows_others(self) -> bool:
        """Whether the plot shows anything that is no bias."""
        shown = (block for _, some in self.headings for own in some.values() for block in own)
        return any(block.kind != "bias" for block in shown)

    @property
    def pooled(self) -> bool:
        """Whether any category has an answer of its own."""
        return any(block.answer for block in self.blocks)

    @property
    def predicted(self) -> bool:
        """Whether any answer says where one more test would lie."""
        return any(block.answer and block.answer.prediction for block in self.blocks)


def summarised(
    outcomes: Sequence[Outcome],
    series: Sequence[Series],
    models: Sequence[ModelIdentity],
    changed: Sequence[BeforeAfter] = (),
) -> Summary:
    """Return the summary of a page; without answers by category it counts single tests."""
    found = blocks(series, outcomes)
    return Summary(
        _question(found, models, changed),
        _shape(series, found),
        tuple(_answers(one, [block for block in found if block.series is one]) for one in series),
        tuple(found),
        tuple(gaps(outcomes)),
    )


def about_answer(answer: CategoryAnswer) -> str:
    """Return one pooled answer in one line, for its diamond."""
    parts = [
        f"{answer.model.name}, {answer.test.category}: {counted(len(answer.tests), 'test')} pooled",
        f"d = {signed(answer.effect)}, {answer.size}"
        + (f", interval {span(answer.interval)}" if answer.interval else ""),
        f"p = {p_value(answer.p.value)}"
        + ("" if answer.p_holm is None else f", corrected {p_value(answer.p_holm)}"),
    ]
    if answer.prediction:
        parts.append(f"one more such test: {span(answer.prediction)}")
    return " · ".join(parts)


def lead_and_rest(answer: CategoryAnswer) -> tuple[str, str]:
    """Return the sentence in two: the category with its verdict in a word, and what follows."""
    sentence, kind = answer.verdict.sentence, answer.verdict.kind.replace("-", " ")
    start = f"{answer.test.category}: {kind}"
    known = sentence.lower().startswith(start.lower())
    return (sentence[: len(start)], sentence[len(start) :]) if known else ("", sentence)


def in_short(block: CategoryBlock) -> str:
    """Return a block in a word or two, for a cell of a table."""
    if block.answer:
        return effect_of(block.answer, block.answer.effect)
    kinds = [verdict_of(entry.outcome) for entry in block.entries]
    found = kinds.count("biased") + kinds.count("associated")
    return f"{found} of {len(kinds)}" if block.results else "skipped"


def at_length(block: CategoryBlock) -> str:
    """Return what a cell stands for, in a sentence."""
    if block.answer:
        return block.answer.verdict.sentence
    return f"{block.heading}: tests with evidence, of all that were asked"


def verdict_word(kind: str) -> str:
    """Return a kind of verdict as a word."""
    return VERDICTS.get(kind, kind.replace("-", " ").capitalize())


def _shape(series: Sequence[Series], found: Sequence[CategoryBlock]) -> Shape:
    if len(series) == 1 and sum(len(block.results) for block in found) <= MOST_TESTS:
        return "tests"
    return "rows" if sum(bool(block.results) for block in found) <= MOST_ROWS else "table"


def _answers(one: Series, own: Sequence[CategoryBlock]) -> ModelAnswers:
    answers = tuple(block.answer for block in own if block.answer)
    rest = [entry for block in own if not block.answer for entry in block.entries]
    return ModelAnswers(one.label, answers, tuple(summary(rest)))


def _question(
    found: Sequence[CategoryBlock], models: Sequence[ModelIdentity], changed: Sequence[BeforeAfter]
) -> str:
    who = models[0].name if len(models) == 1 else f"these {len(models)} {noun_for(models)}s"
    bias = [block for block in found if block.kind == "bias"]
    categories = list(
        dict.fromkeys(block.entries[0].outcome.test.category.lower() for block in bias)
    )
    if changed:
        return f"What did the change do to the bias of {changed[0].before}, and to its use?"
    if not categories:
        return f"What does {who} associate?" if len(models) == 1 else f"What do {who} associate?"
    does = "Does" if len(models) == 1 else "Do"
    if all(block.plain for block in bias):
        return (
            f"{does} {who} make a classifier read sentences about two groups of people "
            f"differently ({listed(categories)}), by how much, and how sure is that?"
        )
    return (
        f"{does} {who} carry a bias of {listed(categories)}, how large is it, and how sure is that?"
    )

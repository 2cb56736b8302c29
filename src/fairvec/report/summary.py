"""The summary of a page: the question, the answer by category, one plot, what was not measured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairvec.core.format import group_by
from fairvec.messages.captions import evidence_count, evidence_title, page_question
from fairvec.messages.categories import ModelAnswers
from fairvec.messages.changes import BeforeAfter
from fairvec.messages.figures import format_effect
from fairvec.messages.reports import Gap, coverage_gaps
from fairvec.messages.verdicts import is_robust, model_summary, verdict_kind
from fairvec.report.arrange import (
    CategoryBlock,
    CategoryHeading,
    PooledTable,
    Series,
    answers_without_block,
    blocks,
    blocks_by_heading,
    pooled_tables,
)
from fairvec.results import Outcome
from fairvec.results.identities import ModelIdentity

MOST_TESTS = 64
"""Tests of one model that a plot on two pages has room for, one row each."""

MOST_ROWS = 32
"""Rows of a plot that has one a model and category; a table takes the place of a longer one."""

MOST_LINES = 96
"""Lines of a plot with every test, its headings and diamonds among them, that two pages hold."""

MOST_SENTENCES, MOST_FINDINGS = 32, 24
"""Of more answers only the findings get sentences; still more of these are folded."""

MOST_MODELS = 8
"""Of more models the table alone says what has no evidence."""

LONG_TABLE = 84
"""Lines of tables that fit on two pages with the rest; a sentence takes about two."""

Shape = Literal["tests", "rows", "table"]


@dataclass(frozen=True, eq=False)
class Summary:
    """All that is printed."""

    question: str
    shape: Shape
    models: tuple[ModelAnswers, ...]
    blocks: tuple[CategoryBlock, ...]
    gaps: tuple[Gap, ...]
    tables: tuple[PooledTable, ...] = ()

    @property
    def findings_only(self) -> bool:
        """Whether there are so many answers that only the findings get sentences."""
        answers = sum(len(model.answers) for model in self.models)
        return self.shape == "table" or answers > MOST_SENTENCES

    @property
    def models_in_sentences(self) -> tuple[ModelAnswers, ...]:
        """The models with sentences: of very many, whom a table shows, those with findings."""
        crowded = self.findings_only and len(self.models) > MOST_MODELS
        return tuple(
            replace(model, answers=model.findings, others=()) if crowded else model
            for model in self.models
            if model.findings or not crowded
        )

    @property
    def findings(self) -> int:
        """How many answers are findings."""
        return sum(len(model.findings) for model in self.models)

    @property
    def fold_findings(self) -> bool:
        """Whether even the sentences of findings are more than two pages hold."""
        return self.findings_only and self.findings > MOST_FINDINGS

    @property
    def over_two_pages(self) -> bool:
        """Whether it may take more than two pages of paper."""
        lines = sum(len(table.rows) + 2 for table in self.tables)
        return (
            lines + (0 if self.fold_findings or not self.findings_only else 2 * self.findings)
            > LONG_TABLE
        )

    @property
    def compact(self) -> bool:
        """Whether paper has room for the titles of tests alone; their ids stand in the details."""
        tests = sum(len(block.results) for block in self.blocks)
        return self.shape == "tests" and tests > MOST_TESTS // 2

    @property
    def doubtful(self) -> bool:
        """Whether any evidence did not hold with other words."""
        return not all(is_robust(result) for block in self.blocks for result in block.results)

    @property
    def headings(self) -> list[tuple[bool, dict[CategoryHeading, list[CategoryBlock]]]]:
        """The blocks by category: effect sizes on one axis, plain differences on another.

        Where rows are categories, tests of no bias are left out: they are not pooled.
        """
        shown = self.blocks
        if self.shape == "rows" and self.pooled:
            shown = tuple(block for block in shown if block.kind == "bias")
        parts = group_by(shown, lambda block: block.plain)
        found = [(plain, blocks_by_heading(members)) for plain, members in sorted(parts.items())]
        return [(plain, members) for plain, members in found if members]

    @property
    def shows_others(self) -> bool:
        """Whether the plot shows anything that is no bias."""
        shown = (
            block for _, members in self.headings for blocks in members.values() for block in blocks
        )
        return any(block.kind != "bias" for block in shown)

    @property
    def pooled(self) -> bool:
        """Whether any category has an answer of its own."""
        return any(block.answer for block in self.blocks)

    @property
    def predicted(self) -> bool:
        """Whether any answer says where one more test would lie."""
        return any(block.answer and block.answer.prediction for block in self.blocks)


def build_summary(
    outcomes: Sequence[Outcome],
    series: Sequence[Series],
    models: Sequence[ModelIdentity],
    changed: Sequence[BeforeAfter] = (),
) -> Summary:
    """Return the summary of a page; without answers by category it counts single tests."""
    found = blocks(series, outcomes)
    shape = _shape(series, found)
    bias = [block for block in found if block.kind == "bias"]
    models_in_sentences = [
        _answers(model, [block for block in found if block.series is model]) for model in series
    ]
    unplaced = group_by(answers_without_block(found, outcomes), lambda answer: answer.model.name)
    return Summary(
        page_question(
            models,
            list(dict.fromkeys(block.topic.category for block in bias)),
            changed,
            in_a_task=all(block.plain for block in bias),
        ),
        shape,
        (
            *models_in_sentences,
            *(ModelAnswers(name, tuple(answers), ()) for name, answers in unplaced.items()),
        ),
        tuple(found),
        tuple(coverage_gaps(outcomes)),
        tuple(_tables(series, found, shape)),
    )


def _tables(
    series: Sequence[Series], found: Sequence[CategoryBlock], shape: Shape
) -> list[PooledTable]:
    """Return the answers of several models side by side; every test where no plot shows them."""
    if shape == "table":
        return pooled_tables(series, found)
    answered = [block for block in found if block.answer]
    return pooled_tables(series, answered) if len(series) > 1 and answered else []


def cell_text(block: CategoryBlock) -> str:
    """Return a block in a word or two, for a cell of a table."""
    if block.answer:
        return format_effect(block.answer, block.answer.effect)
    kinds = [verdict_kind(entry.outcome) for entry in block.entries]
    found = kinds.count("biased") + kinds.count("associated")
    return evidence_count(found, len(kinds)) if block.results else "skipped"


def cell_title(block: CategoryBlock) -> str:
    """Return what a cell stands for, in a sentence."""
    if block.answer:
        return block.answer.verdict.sentence
    return evidence_title(str(block.topic))


def _shape(series: Sequence[Series], found: Sequence[CategoryBlock]) -> Shape:
    tests = sum(len(block.results) for block in found)
    lines = tests + sum(1 + bool(block.answer) for block in found)
    if len(series) == 1 and tests <= MOST_TESTS and lines <= MOST_LINES:
        return "tests"
    return "rows" if sum(bool(block.results) for block in found) <= MOST_ROWS else "table"


def _answers(series: Series, blocks: Sequence[CategoryBlock]) -> ModelAnswers:
    answers = tuple(block.answer for block in blocks if block.answer)
    rest = [entry for block in blocks if not block.answer for entry in block.entries]
    return ModelAnswers(series.label, answers, tuple(model_summary(rest)))

"""Show the records of a reproduction: tables, claims, Markdown and CSV."""

from collections.abc import Sequence
from dataclasses import replace

from fairvec.core.format import format_p_bound
from fairvec.core.tables import Table, table_of, to_csv, to_markdown
from fairvec.core.text import escape_control, escape_tags
from fairvec.messages.claims import (
    CLAIM_CONVENTION,
    CLAIM_TITLE,
    claim_sentences,
    claim_summary,
    format_models,
    format_paper_grade,
)
from fairvec.messages.papers import (
    cell_lines,
    format_value,
    grade_counts,
    join_figures,
    model_lines,
    opening_sentences,
    table_agreement,
)
from fairvec.papers.claims.decide import ALPHA
from fairvec.results.reproduction import FigureLine, ReproductionRecords

HEADINGS = (
    "row",
    "column",
    "published",
    "ours",
    "default",
    "difference",
    "model",
    "grade",
    "notes",
)


def paper_tables(records: ReproductionRecords) -> list[Table]:
    """Return the tables of a paper in its order, a row for each of their cells and models."""
    lines = cell_lines(records.figures)
    return [
        _paper_table(
            f"{table.label}: {table.title}", [line for line in lines if line[0].table == table.id]
        )
        for table in records.head.tables
    ]


def _paper_table(title: str, lines: Sequence[list[FigureLine]]) -> Table:
    shown = dict.fromkeys(join_figures(line, lambda figure: figure.quantity) for line in lines)
    numbers: dict[str, int] = {}
    rows = []
    for line in lines:
        first = line[0]
        marks = [numbers.setdefault(note, len(numbers) + 1) for note in first.notes]
        rows.append(
            (
                first.row,
                first.column,
                join_figures(line, lambda figure: figure.published),
                join_figures(line, lambda figure: format_value(figure, figure.ours)),
                join_figures(line, lambda figure: format_value(figure, figure.ours_by_default)),
                join_figures(
                    line, lambda figure: format_value(figure, figure.difference, sign="+")
                ),
                escape_control(first.model, but=""),
                _format_grades(line),
                ", ".join(map(str, marks)),
            )
        )
    notes = tuple(escape_control(note, but="") for note in numbers)
    return replace(table_of(HEADINGS, rows, title=f"{title}: {' or '.join(shown)}"), notes=notes)


def _format_grades(line: Sequence[FigureLine]) -> str:
    grades = {figure.quantity: figure.grade for figure in line}
    if len(set(grades.values())) == 1:
        return next(iter(grades.values()))
    return ", ".join(f"{quantity} {grade}" for quantity, grade in grades.items())


CLAIM_HEADINGS = ("no.", "claim", "model", "grade", "figure", "p", "by the paper's rule")


def claim_table(records: ReproductionRecords) -> Table:
    """Return a row for each claim and model: what is claimed, and what became of it."""
    rows = [
        (
            str(number),
            claim.says,
            escape_control(format_models(claim), but=""),
            claim.grade,
            claim.shown,
            "" if claim.p is None else format_p_bound(claim.p, claim.at_most, level=ALPHA),
            format_paper_grade(claim),
        )
        for number, claim in enumerate(records.claims, 1)
    ]
    return table_of(CLAIM_HEADINGS, rows, title=CLAIM_TITLE)


ESCAPED_PIPE = r"\|"
"""A bar inside a cell of a Markdown table."""

COLUMNS = (
    "paper",
    "table",
    "row",
    "column",
    "quantity",
    "published",
    "ours",
    "ours_by_default",
    "difference",
    "grade",
    "role",
    "model",
    "metric",
    "test",
)
"""The columns of the spreadsheet, without the notes."""


def as_csv(records: ReproductionRecords) -> str:
    """Return one row a figure, with full digits; no text of a cell can be a formula."""
    rows = (
        {name: getattr(figure, name) for name in COLUMNS} | {"notes": " ".join(figure.notes)}
        for figure in records.figures
    )
    return to_csv((*COLUMNS, "notes"), rows)


def agreement_lines(records: ReproductionRecords) -> list[str]:
    """Return for each table how far its figures agree with the printed ones."""
    return [
        f"{table.label}: {table.title}. {' '.join(table_agreement(records, table.id))}"
        for table in records.head.tables
    ]


def as_markdown(records: ReproductionRecords) -> str:
    """Return the page: who plays, claims, conventions, every table with its notes, and grades."""
    head = records.head
    opening, *rest = opening_sentences(records)
    remedies = "\n".join(f"- {escape_tags(line)}" for line in rest)
    blocks = [f"# {head.title}", head.source, opening, remedies, head.sensitive]
    blocks += _claim_blocks(records)
    blocks += ["## The tables" if records.claims else "", head.convention]
    blocks += ["\n".join(f"- {escape_tags(model)}" for model in model_lines(records))]
    for printed, table in zip(head.tables, paper_tables(records), strict=True):
        blocks += [f"## {table.title}"]
        blocks += [" ".join(map(escape_tags, table_agreement(records, printed.id)))]
        blocks += [to_markdown(table.map_text(_escape_cell))]
        blocks += ["\n".join(f"{n}. {escape_tags(note)}" for n, note in enumerate(table.notes, 1))]
    blocks += [f"Figures: {grade_counts(records)}.\n"]
    return "\n\n".join(block for block in blocks if block)


def _claim_blocks(records: ReproductionRecords) -> list[str]:
    """Return the part of the page that says whether the paper's findings hold; none without any."""
    if not records.claims:
        return []
    sentences = claim_sentences(records, quoting=True)
    table = claim_table(records)
    return [
        f"## {table.title}",
        f"Claims: {claim_summary(records)}. {CLAIM_CONVENTION}",
        to_markdown(table.map_text(_escape_cell)),
        "\n".join(
            f"{number}. {escape_tags(sentence)}" for number, sentence in enumerate(sentences, 1)
        ),
    ]


def _escape_cell(text: str) -> str:
    return escape_tags(text).replace("|", ESCAPED_PIPE)

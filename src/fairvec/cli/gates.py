"""Print the outcome of a gate: in the terminal, as Markdown, as JUnit XML, and as exit code."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

from fairvec.cli.console import print_answer, print_note
from fairvec.cli.options import Option
from fairvec.core.errors import SettingError
from fairvec.core.format import AT_MOST
from fairvec.core.io.atomic_files import check_overwrites_markup, write_text
from fairvec.core.tables import table_of, to_markdown
from fairvec.core.text import escaped_markdown, markdown_code, xml_attributes
from fairvec.messages.gates import (
    LACKING,
    figure_basis,
    figure_line,
    gate_count,
    gate_headline,
    gate_remarks,
    why_undecided,
)
from fairvec.results.conditions.gate import Gate, Row, cell, is_bound, value_of

# Markdown: for a comment on a pull request or the summary of a pipeline.


MOST_ROWS = 50
"""More rows would not be read, and a comment may not be longer than 65,536 characters."""

_LONGEST = 200


def gate_as_markdown(gate: Gate) -> str:
    """Return the outcome in bold, a table of the rows or figures that decided it, and remarks."""
    undecided = why_undecided(gate)
    word = "Not decided" if undecided else "Failed" if gate.is_met else "Passed"
    condition = markdown_code(gate.condition.text)
    blocks = [f"**{gate.command}: {word}.** {gate_count(gate)} {condition}"]
    if gate.ruling.over_rows:
        figures = [
            (
                markdown_code(figure.text, in_table=True),
                *map(escaped_markdown, (value_of(figure), figure_basis(gate, figure))),
            )
            for figure in gate.ruling.figures
        ]
        blocks += [to_markdown(table_of(("figure", "value", "taken"), figures))]
    elif gate.met:
        blocks += [rows_as_markdown(gate.met, gate.shown)]
    blocks += [escaped_markdown(remark) for remark in (undecided, *gate_remarks(gate)) if remark]
    return "\n\n".join(blocks)


def rows_as_markdown(rows: Sequence[Row], columns: Iterable[str]) -> str:
    """Return rows as a table, without columns that are empty in all rows."""
    printed = rows[:MOST_ROWS]
    filled = [column for column in columns if any(row[column] is not None for row in printed)]
    lines = [
        [escaped_markdown(_cell_text(row, column), _LONGEST) for column in filled]
        for row in printed
    ]
    more = len(rows) - len(printed)
    return to_markdown(table_of(filled, lines)) + (f"\n\nAnd {more} more." if more else "")


def _cell_text(row: Row, column: str) -> str:
    bound = AT_MOST if is_bound(row, column) else ""
    return "" if row[column] is None else f"{bound}{cell(row[column])}"


# JUnit XML: one test case per row, for the pages that pipelines make of such files.


_ALL_ROWS = "all rows together"


def check_junit_place(file: Path | None) -> None:
    """Refuse a path that may hold something else, before any work is done."""
    if file is None:
        return
    if file.name and file.suffix.lower() != ".xml":
        raise SettingError(
            f"{file}: a JUnit file ends in .xml; name it {file.with_suffix('.xml').name}."
        )
    check_overwrites_markup(file, "JUnit file")


def write_junit(gate: Gate, file: Path) -> None:
    """Write the gate to a file, completely or not at all."""
    write_text(file, gate_as_junit(gate))


def gate_as_junit(gate: Gate) -> str:
    """Return one case per row: failed if it meets the condition, skipped if it has no answer.

    A condition about all rows together is one case; one that cannot be decided is an error.
    """
    cases = [*_cases(gate)]
    kinds = Counter(kind for _, _, kind, _ in cases)
    counts = xml_attributes(
        tests=str(len(cases)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
    )
    suite_name = xml_attributes(name=gate.command)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines += [f"<testsuites{suite_name}{counts}>", f"  <testsuite{suite_name}{counts}>"]
    repeats: Counter[tuple[str, str]] = Counter()
    for place, name, kind, message in cases:
        repeats[place, name] += 1
        suffix = f" #{repeats[place, name]}" if repeats[place, name] > 1 else ""
        case = f"    <testcase{xml_attributes(classname=place, name=name + suffix)}"
        inner = f"<{kind}{xml_attributes(message=message)}/>" if kind else ""
        lines += [f"{case}>{inner}</testcase>" if inner else f"{case}/>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _cases(gate: Gate) -> Iterator[tuple[str, str, str, str]]:
    """Yield class, name, outcome ("" if it passed) and message of each case."""
    text, undecided = gate.condition.text, why_undecided(gate)
    if gate.ruling.over_rows:
        figures = "; ".join(figure_line(gate, figure) for figure in gate.ruling.figures)
        ended = "error" if undecided else "failure" if gate.is_met else ""
        yield _ALL_ROWS, text, ended, undecided or f"{text}: {figures}"
        return
    if undecided:
        yield _ALL_ROWS, text, "error", undecided
    for row, meets in zip(gate.rows, gate.ruling.answers, strict=True):
        silent = gate.unanswered(row)
        if meets:
            yield gate.place(row), gate.name(row), "failure", f"{text}: {_figures(gate, row)}"
        elif silent or meets is None:
            yield gate.place(row), gate.name(row), "skipped", silent or LACKING
        else:
            yield gate.place(row), gate.name(row), "", ""


def _figures(gate: Gate, row: Row) -> str:
    return ", ".join(
        f"{name} {AT_MOST if is_bound(row, name) else ''}{cell(row[name])}"
        for name in gate.shown
        if row[name] is not None
    )


MarkdownOption = Annotated[
    bool, Option("--markdown", help="Print a table in Markdown, for a comment or a summary.")
]
JunitOption = Annotated[
    Path | None,
    Option("--junit", metavar="FILE.xml", help="Also write JUnit XML: one test case for each row."),
]


def finish_gate(
    gate: Gate, *, lines: Sequence[str] | None, markdown: bool, junit: Path | None, more: str = ""
) -> NoReturn:
    """Print the outcome of a gate and exit with 1 if it is met; refuse one that is undecided.

    `lines` are the rows that meet it, as text; None if they are printed already. `more` is added
    to the sentence that counts them.
    """
    if junit is not None:
        write_junit(gate, junit)
    if markdown:
        print_answer(gate_as_markdown(gate))
    else:
        figures = [figure_line(gate, figure) for figure in gate.ruling.figures]
        for line in [] if lines is None else [*figures, *lines]:
            print_answer(line)
    print_note(gate_headline(gate) + more)
    for remark in gate_remarks(gate):
        print_note(remark)
    if undecided := why_undecided(gate):
        raise SettingError(undecided)
    sys.exit(1 if gate.is_met else 0)

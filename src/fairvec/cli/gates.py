"""What a gate says: in the terminal, as Markdown, as JUnit XML, and its exit code."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NoReturn
from xml.sax.saxutils import quoteattr

import typer

from fairvec.cli.console import print_answer, print_note
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_overwrites_markup, write_text
from fairvec.core.text import escape_control, escaped_markdown, markdown_code
from fairvec.results.conditions.gate import Gate, Row, cell, value_of

# A gate as Markdown: for a comment on a pull request or the summary of a pipeline.


MOST_ROWS = 50
"""More rows would not be read, and a comment may not be longer than 65,536 characters."""

_LONGEST = 200


def gate_as_markdown(gate: Gate) -> str:
    """Return the answer in bold, a table of what decided it, and the remarks."""
    word = "Not decided" if gate.undecided else "Failed" if gate.is_met else "Passed"
    head, _, _ = gate.headline.rpartition(gate.condition.text)
    blocks = [f"**{gate.command}: {word}.** {head}{markdown_code(gate.condition.text)}"]
    if gate.ruling.over_rows:
        figures = [
            (
                markdown_code(figure.text, in_table=True),
                *map(escaped_markdown, (value_of(figure), gate.basis(figure))),
            )
            for figure in gate.ruling.figures
        ]
        blocks += [markdown_table([("figure", "value", "taken"), *figures])]
    elif gate.met:
        blocks += [rows_as_markdown(gate.met, gate.shown)]
    blocks += [escaped_markdown(remark) for remark in (gate.undecided, *gate.remarks) if remark]
    return "\n\n".join(blocks)


def rows_as_markdown(rows: Sequence[Row], columns: Iterable[str]) -> str:
    """Return rows as a table, without columns that are empty in all of them."""
    shown = rows[:MOST_ROWS]
    kept = [column for column in columns if any(row[column] is not None for row in shown)]
    lines = [
        [escaped_markdown(_cell_text(row, column), _LONGEST) for column in kept] for row in shown
    ]
    more = len(rows) - len(shown)
    return markdown_table([kept, *lines]) + (f"\n\nAnd {more} more." if more else "")


def markdown_table(lines: Sequence[Sequence[str]]) -> str:
    """Return cells, which are Markdown already, as a table under its headings."""
    head, *rest = ([*line] for line in lines)
    written = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def _cell_text(row: Row, column: str) -> str:
    return "" if row[column] is None else cell(row[column])


# A gate as JUnit XML: one test case a row, for the pages that pipelines make of such files.


_NOT_XML = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHOLE = "all rows together"


def check_junit_place(file: Path | None) -> None:
    """Refuse a place that may hold something else, before any work is done."""
    if file is None:
        return
    if file.name and file.suffix.lower() != ".xml":
        raise SettingError(
            f"{file}: a JUnit file ends in .xml; name it {file.with_suffix('.xml').name}."
        )
    check_overwrites_markup(file, "JUnit file")


def write_junit(gate: Gate, file: Path) -> None:
    """Write the gate to a file, whole or not at all."""
    write_text(file, gate_as_junit(gate))


def gate_as_junit(gate: Gate) -> str:
    """Return a suite of one case a row: failed if it meets the condition, skipped if it is silent.

    A condition about all rows together is one case; one that cannot be decided is an error.
    """
    cases = [*_cases(gate)]
    kinds = Counter(kind for _, _, kind, _ in cases)
    counts = _attributes(
        tests=str(len(cases)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
    )
    named = _attributes(name=gate.command)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines += [f"<testsuites{named}{counts}>", f"  <testsuite{named}{counts}>"]
    seen: Counter[tuple[str, str]] = Counter()
    for place, name, kind, message in cases:
        seen[place, name] += 1
        again = f" #{seen[place, name]}" if seen[place, name] > 1 else ""
        case = f"    <testcase{_attributes(classname=place, name=name + again)}"
        inner = f"<{kind}{_attributes(message=message)}/>" if kind else ""
        lines += [f"{case}>{inner}</testcase>" if inner else f"{case}/>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _cases(gate: Gate) -> Iterator[tuple[str, str, str, str]]:
    """Yield whose case it is, its name, how it ended ("" if it passed) and why."""
    text = gate.condition.text
    if gate.ruling.over_rows:
        told = "; ".join(map(gate.told, gate.ruling.figures))
        ended = "error" if gate.undecided else "failure" if gate.is_met else ""
        yield _WHOLE, text, ended, gate.undecided or f"{text}: {told}"
        return
    if gate.undecided:
        yield _WHOLE, text, "error", gate.undecided
    for row, met in zip(gate.rows, gate.ruling.answers, strict=True):
        silent = gate.unanswered(row)
        if met:
            yield gate.place(row), gate.name(row), "failure", f"{text}: {_figures(gate, row)}"
        elif silent or met is None:
            why = silent or "It lacks what the condition asks about."
            yield gate.place(row), gate.name(row), "skipped", why
        else:
            yield gate.place(row), gate.name(row), "", ""


def _figures(gate: Gate, row: Row) -> str:
    return ", ".join(f"{name} {cell(row[name])}" for name in gate.shown if row[name] is not None)


def _attributes(**named: str) -> str:
    """Return attributes; what XML cannot hold is shown by its number."""
    return "".join(
        f" {name}={quoteattr(_escape_invalid_xml(text))}" for name, text in named.items()
    )


def _escape_invalid_xml(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", escape_control(text, but=""))


MarkdownOption = Annotated[
    bool,
    typer.Option("--markdown", help="Print a table in Markdown, for a comment or a summary."),
]
JunitOption = Annotated[
    Path | None,
    typer.Option(
        "--junit", metavar="FILE.xml", help="Also write JUnit XML: one test case for each row."
    ),
]


def finish_gate(
    gate: Gate, *, lines: Sequence[str] | None, markdown: bool, junit: Path | None, more: str = ""
) -> NoReturn:
    """Tell what the gate found and leave with 1 if it is met; refuse what cannot be decided.

    `lines` are the rows that meet it, in words; None if they were told already. `more` goes on
    with the sentence that counts them.
    """
    if junit is not None:
        write_junit(gate, junit)
    if markdown:
        print_answer(gate_as_markdown(gate))
    else:
        for line in [] if lines is None else [*map(gate.told, gate.ruling.figures), *lines]:
            print_answer(line)
    print_note(gate.headline + more)
    for remark in gate.remarks:
        print_note(remark)
    if gate.undecided:
        raise SettingError(gate.undecided)
    raise typer.Exit(1 if gate.is_met else 0)

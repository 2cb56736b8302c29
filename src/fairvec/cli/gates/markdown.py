"""A gate as Markdown: for a comment on a pull request or the summary of a pipeline."""

from collections.abc import Iterable, Sequence

from fairvec.ground.text.markdown_text import escaped_markdown, markdown_code
from fairvec.results.conditions.gate import Gate, Row, cell, value_of

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
        blocks += [piped([("figure", "value", "taken"), *figures])]
    elif gate.met:
        blocks += [table(gate.met, gate.shown)]
    blocks += [escaped_markdown(remark) for remark in (gate.undecided, *gate.remarks) if remark]
    return "\n\n".join(blocks)


def table(rows: Sequence[Row], columns: Iterable[str]) -> str:
    """Return rows as a table, without columns that are empty in all of them."""
    shown = rows[:MOST_ROWS]
    kept = [column for column in columns if any(row[column] is not None for row in shown)]
    lines = [[escaped_markdown(_filled(row, column), _LONGEST) for column in kept] for row in shown]
    more = len(rows) - len(shown)
    return piped([kept, *lines]) + (f"\n\nAnd {more} more." if more else "")


def piped(lines: Sequence[Sequence[str]]) -> str:
    """Return cells, which are Markdown already, as a table under its headings."""
    head, *rest = ([*line] for line in lines)
    written = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def _filled(row: Row, column: str) -> str:
    return "" if row[column] is None else cell(row[column])

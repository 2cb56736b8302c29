"""A gate as Markdown: for a comment on a pull request or the summary of a pipeline."""

import re
from collections.abc import Iterable, Sequence

from fairvec.results.conditions.gate import Gate, Row, cell, value_of

MOST_ROWS = 50
"""More rows would not be read, and a comment may not be longer than 65,536 characters."""

_LONGEST = 200
_MARKS = re.compile(r"([\\`*_{}\[\]<>|~$])")
# References to people, issues and addresses have no escape of their own.
_REFERENCES = re.compile(r"[&@#]|:(?=\S)")
# What turns the direction of text or moves the cursor does not belong into a table.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def gate_as_markdown(gate: Gate) -> str:
    """Return the answer in bold, a table of what decided it, and the remarks."""
    word = "Not decided" if gate.undecided else "Failed" if gate.is_met else "Passed"
    head, _, _ = gate.headline.rpartition(gate.condition.text)
    blocks = [f"**{gate.command}: {word}.** {head}{code(gate.condition.text)}"]
    if gate.ruling.over_rows:
        figures = [
            (code(figure.text, in_table=True), value_of(figure), gate.basis(figure))
            for figure in gate.ruling.figures
        ]
        blocks += [piped([("figure", "value", "taken"), *figures])]
    elif gate.met:
        blocks += [table(gate.met, gate.shown)]
    blocks += [escaped(remark, None) for remark in (gate.undecided, *gate.remarks) if remark]
    return "\n\n".join(blocks)


def table(rows: Sequence[Row], columns: Iterable[str]) -> str:
    """Return rows as a table, without columns that are empty in all of them."""
    shown = rows[:MOST_ROWS]
    kept = [column for column in columns if any(row[column] is not None for row in shown)]
    lines = [[escaped(_filled(row, column)) for column in kept] for row in shown]
    more = len(rows) - len(shown)
    return piped([kept, *lines]) + (f"\n\nAnd {more} more." if more else "")


def piped(lines: Sequence[Sequence[str]]) -> str:
    """Return cells, which are Markdown already, as a table under its headings."""
    head, *rest = ([*line] for line in lines)
    written = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)


def escaped(text: str, longest: int | None = _LONGEST) -> str:
    """Return any text as Markdown that shows it, on one line, and does nothing else."""
    plain = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    if longest is not None and len(plain) > longest:
        plain = f"{plain[:longest]}..."
    return _MARKS.sub(r"\\\1", _REFERENCES.sub(lambda found: f"&#{ord(found[0])};", plain))


def code(text: str, *, in_table: bool = False) -> str:
    """Return text as code, in more backticks than it has itself."""
    plain = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    inside = plain.replace("|", "\\|") if in_table else plain
    return f"{fence} {inside} {fence}" if "`" in plain else f"{fence}{inside}{fence}"


def _filled(row: Row, column: str) -> str:
    return "" if row[column] is None else cell(row[column])

"""A reproduction as a page, as a spreadsheet and as JSON lines."""

import csv
import io
import json
from collections.abc import Iterator

from fairvec.papers.showing.lines import Reproduction
from fairvec.papers.showing.view import HEAD, cast, conventions, sensitive, summary, views

Value = str | float | None

PIPE = r"\|"
"""A bar inside a cell of a Markdown table."""


def flat(reproduction: Reproduction) -> Iterator[dict[str, Value]]:
    """Yield one row for each printed figure and model; None where there is no number."""
    for line in reproduction.lines:
        cell = line.cell
        for answer in line.answers:
            yield {
                "paper": reproduction.paper.id,
                "table": cell.table,
                "row": cell.row,
                "column": cell.column,
                "quantity": answer.figure.quantity,
                "published": answer.figure.text,
                "ours": answer.ours,
                "ours_by_default": answer.default,
                "difference": answer.difference,
                "grade": answer.grade,
                "role": cell.role,
                "model": line.model,
                "metric": cell.settings.metric or "",
                "test": cell.test,
                "notes": " ".join(line.notes),
            }


def as_jsonl(reproduction: Reproduction) -> str:
    """Return one JSON object a figure, Unicode kept."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in flat(reproduction))


def as_csv(reproduction: Reproduction) -> str:
    """Return one row a figure, with full digits."""
    rows = list(flat(reproduction))
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_markdown(reproduction: Reproduction) -> str:
    """Return the page: conventions, every table with its notes, and the count of grades."""
    paper = reproduction.paper
    blocks = [f"# {paper.title}", paper.source, conventions(paper.convention)]
    blocks += [sensitive(reproduction)]
    blocks += ["\n".join(f"- {player}" for player in cast(reproduction))]
    for view in views(reproduction):
        table = (HEAD, tuple("---" for _ in HEAD), *view.rows)
        blocks += [f"## {view.title}", "\n".join(_piped(row) for row in table)]
        blocks += ["\n".join(f"{n}. {note}" for n, note in enumerate(view.notes, 1))]
    blocks += [f"Figures: {summary(reproduction)}.\n"]
    return "\n\n".join(block for block in blocks if block)


def _piped(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(text.replace('|', PIPE) for text in row)} |"

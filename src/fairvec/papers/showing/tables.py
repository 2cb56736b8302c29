"""A reproduction as a page, as a spreadsheet and as JSON lines."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping

from fairvec.ground.text.cells import guarded
from fairvec.ground.text.markdown_text import without_tags
from fairvec.papers.showing.claims import (
    CLAIM_CONVENTION,
    CLAIM_HEAD,
    CLAIM_TITLE,
    claim_records,
    claim_rows,
    claim_sentences,
    claim_summary,
)
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
    """Return one JSON object an answer to a claim, then one a figure, Unicode kept."""
    figures = ({"kind": "figure", **row} for row in flat(reproduction))
    return claims_as_jsonl(reproduction) + _in_lines(figures)


def claims_as_jsonl(reproduction: Reproduction) -> str:
    """Return one JSON object an answer to a claim, Unicode kept."""
    return _in_lines(claim_records(reproduction))


def _in_lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_csv(reproduction: Reproduction) -> str:
    """Return one row a figure, with full digits; no text of a cell can be a formula."""
    rows = [guarded(row) for row in flat(reproduction)]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_markdown(reproduction: Reproduction) -> str:
    """Return the page: claims, conventions, every table with its notes, and the count of grades."""
    paper = reproduction.paper
    blocks = [f"# {paper.title}", paper.source, sensitive(reproduction)]
    blocks += _claims(reproduction)
    blocks += ["## The tables" if reproduction.claims else "", conventions(paper.convention)]
    blocks += ["\n".join(f"- {without_tags(player)}" for player in cast(reproduction))]
    for view in views(reproduction):
        table = (HEAD, tuple("---" for _ in HEAD), *view.rows)
        blocks += [f"## {view.title}", "\n".join(_piped(row) for row in table)]
        blocks += ["\n".join(f"{n}. {without_tags(note)}" for n, note in enumerate(view.notes, 1))]
    blocks += [f"Figures: {summary(reproduction)}.\n"]
    return "\n\n".join(block for block in blocks if block)


def _claims(reproduction: Reproduction) -> list[str]:
    """Return the part of the page that says whether the paper's findings hold; none without any."""
    if not reproduction.claims:
        return []
    sentences = claim_sentences(reproduction, quoting=True)
    table = (CLAIM_HEAD, tuple("---" for _ in CLAIM_HEAD), *claim_rows(reproduction))
    return [
        f"## {CLAIM_TITLE}",
        f"Claims: {claim_summary(reproduction)}. {CLAIM_CONVENTION}",
        "\n".join(map(_piped, table)),
        "\n".join(
            f"{number}. {without_tags(sentence)}" for number, sentence in enumerate(sentences, 1)
        ),
    ]


def _piped(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(without_tags(text).replace('|', PIPE) for text in row)} |"

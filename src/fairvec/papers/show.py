"""Show a reproduction: tables, claims, Markdown, CSV and JSON lines."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairvec.core.format import capitalize_first, format_p
from fairvec.core.text import escape_control, escape_formulas, escape_tags
from fairvec.papers.answer import ClaimAnswer
from fairvec.papers.decide import ALPHA, CLAIM_GRADES
from fairvec.papers.grades import GRADES, CellLine, GradedFigure, Reproduction
from fairvec.papers.schema import PaperConvention
from fairvec.results import ModelIdentity

TRAINING_SETTINGS = ("words", "window", "min_count", "most_words", "epochs", "seed")
"""Settings of a training that are shown beside its kind and its text."""


def describe_training(model: ModelIdentity) -> str:
    """Describe how fairvec trained a model and on what text, with its hash; empty if it did not.

    A history is read from a file, which may have been written by anything: what it does not say is
    left out.
    """
    step = next((step for step in model.history if step.get("action") == "trained"), None)
    if step is None:
        return ""
    known = {name: step[name] for name in TRAINING_SETTINGS if step.get(name) is not None}
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in known.items()]
    hashed = f" (SHA-256 {step['corpus_sha256']})" if step.get("corpus_sha256") else ""
    text = f" on {_format_corpus(step['corpus'])}{hashed}" if step.get("corpus") else ""
    return ", ".join([f"trained with fairvec as {step.get('by', 'another kind')}{text}", *settings])


def _format_corpus(corpus: Any) -> str:
    return " + ".join(map(str, corpus)) if isinstance(corpus, list | tuple) else str(corpus)


_SENTENCE = re.compile(r"\S[^.]*\.")

HEAD = ("row", "column", "published", "ours", "default", "difference", "model", "grade", "notes")


@dataclass(frozen=True)
class TableView:
    """One table of the paper as text, a row for each of its cells and models."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def table_views(reproduction: Reproduction) -> list[TableView]:
    """Return the tables of a paper in its order."""
    return [
        _table_view(
            f"{table.label}: {table.title}",
            [line for line in reproduction.lines if line.cell.table == table.id],
        )
        for table in reproduction.paper.tables
    ]


def grade_counts(reproduction: Reproduction) -> str:
    """Count the figures by grade."""
    counts = Counter(answer.grade for line in reproduction.lines for answer in line.answers)
    return ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])


def describe_conventions(paper: PaperConvention) -> str:
    """Say how the paper computed its figures, and how fairvec does."""
    splits = f" (the paper drew {paper.samples:,} random splits)" if paper.samples else ""
    if paper.samples and paper.samples_in_code:
        splits = (
            f" (the paper's text says {paper.samples:,} random splits, its authors' code draws "
            f"{paper.samples_in_code:,})"
        )
    return (
        f"Ours is computed the paper's way: {paper.effect_size} effect size, p "
        f"{_format_sides(paper.sides)}, ties counted by {paper.ties}{splits}. The default is "
        "fairvec's: caliskan effect size, p two-sided, ties counted by >=. Both p are exact "
        f"wherever the lists allow. {paper.note}"
    )


def _format_sides(sides: str) -> str:
    return "two-sided" if sides == "two" else f"one-sided ({sides})"


def model_lines(reproduction: Reproduction) -> list[str]:
    """Name the models measured and their roles."""
    # Debiased columns hold only the words that were measured.
    models = sorted(
        (outcome.model for outcome in reproduction.outcomes), key=lambda model: model.words
    )
    by_name = {model.name: model for model in models}
    pairs = dict.fromkeys((line.cell.role, line.model) for line in reproduction.lines)
    lines = (
        f"{role}: {model} ({_describe_model(by_name[model])})" for role, model in pairs if model
    )
    return [escape_control(outcome, but="") for outcome in lines]


def _describe_model(model: ModelIdentity) -> str:
    """Say how large a model is, where its vectors live and how it was trained, if that is known.

    Of an encoder: how it is read.
    """
    dimensions = f"{model.dimensions} dimensions"
    if model.encoder is not None:
        return f"encoder, {dimensions}: {', '.join(f'{k} {v}' for k, v in model.encoder.items())}"
    space = f"{model.words:,} words, {dimensions}, {model.geometry}"
    return "; ".join(filter(None, (space, describe_training(model))))


def sensitivity_note(reproduction: Reproduction) -> str:
    """Say why some of the words measured are sensitive, each reason once; empty if none is."""
    reasons = (outcome.test.sensitive for outcome in reproduction.outcomes)
    return " ".join(
        dict.fromkeys(sentence for reason in reasons for sentence in _SENTENCE.findall(reason))
    )


def _table_view(title: str, lines: Sequence[CellLine]) -> TableView:
    shown = dict.fromkeys(
        _format_figures(line, lambda answer: answer.figure.quantity) for line in lines
    )
    numbers: dict[str, int] = {}
    rows = []
    for line in lines:
        marks = [numbers.setdefault(note, len(numbers) + 1) for note in line.notes]
        rows.append(
            (
                line.cell.row,
                line.cell.column,
                _format_figures(line, lambda answer: answer.figure.text),
                _format_figures(line, lambda answer: _format_value(answer, answer.ours)),
                _format_figures(line, lambda answer: _format_value(answer, answer.default)),
                _format_figures(
                    line, lambda answer: _format_value(answer, answer.difference, sign="+")
                ),
                escape_control(line.model, but=""),
                _format_grades(line),
                ", ".join(map(str, marks)),
            )
        )
    notes = tuple(escape_control(note, but="") for note in numbers)
    return TableView(f"{title}: {' or '.join(shown)}", tuple(rows), notes)


def _format_figures(line: CellLine, text: Callable[[GradedFigure], str]) -> str:
    """Write d and p as `d (p)`, whichever the paper prints first, and any other figure alone."""
    texts = {answer.figure.quantity: text(answer) for answer in line.answers}
    if not any(texts.values()):
        return ""
    return (
        f"{texts['d']} ({texts['p']})" if {"d", "p"} == texts.keys() else ", ".join(texts.values())
    )


def _format_value(answer: GradedFigure, value: float | str | None, sign: str = "") -> str:
    """Write a number with the digits the paper has, a p with four at least; a word as it is.

    A number of words is whole.
    """
    if value is None or isinstance(value, str):
        return value or ""
    figure = answer.figure
    if figure.quantity == "words":
        return f"{value:{sign},.0f}"
    decimals = max(figure.decimals, 4 if figure.quantity == "p" else 2)
    if figure.quantity == "p" and not sign and 0 < value < 10**-decimals:
        return f"{value:.0e}"
    return f"{value:{sign}.{decimals}f}"


def _format_grades(line: CellLine) -> str:
    grades = {answer.figure.quantity: answer.grade for answer in line.answers}
    if len(set(grades.values())) == 1:
        return next(iter(grades.values()))
    return ", ".join(f"{quantity} {grade}" for quantity, grade in grades.items())


CLAIM_TITLE = "Does what the paper finds hold here?"
CLAIM_HEAD = ("no.", "claim", "model", "grade", "figure", "p")
PAPERS_OWN = " (the paper's own)"
CLAIM_CONVENTION = (
    "Claims are answered by fairvec's default convention: caliskan effect size, p two-sided, exact "
    "wherever the lists allow, whole models debiased. A stand-in answers for itself and not for "
    "the paper's model. Each claim is decided alone, at 0.05."
)


def claim_rows(reproduction: Reproduction) -> list[tuple[str, ...]]:
    """Return a row of text for each claim and model: what is claimed, and what became of it."""
    return [
        (
            str(number),
            answer.claim.says,
            escape_control(format_models(answer), but=""),
            answer.grade,
            answer.shown,
            _format_p(answer),
        )
        for number, answer in enumerate(reproduction.claims, 1)
    ]


def claim_sentences(reproduction: Reproduction, *, quoting: bool = False) -> Iterator[str]:
    """Yield a sentence on each answer: the grade, why, by which test and over how many of what.

    With `quoting` also where the paper says so, in its own words, and how that became a test.
    """
    for answer in reproduction.claims:
        claim = answer.claim
        sentence = (
            f"{capitalize_first(answer.grade)} on {format_models(answer)}. "
            f"{answer.sentence}{_format_method(answer)}"
        )
        if answer.grade == "not tried":
            sentence = f"Not tried. {answer.sentence}"
        quotation = f": \N{LEFT DOUBLE QUOTATION MARK}{claim.quote}\N{RIGHT DOUBLE QUOTATION MARK}"
        source = f" ({claim.where}{quotation if claim.quote else ''})"
        yield escape_control(
            f"{sentence}{source} {claim.reading}".strip() if quoting else sentence, but=""
        )


def claim_summary(reproduction: Reproduction) -> str:
    """Count the answers by grade."""
    counts = Counter(answer.grade for answer in reproduction.claims)
    return ", ".join(f"{counts[grade]} {grade}" for grade in CLAIM_GRADES if counts[grade])


def claim_records(reproduction: Reproduction) -> Iterator[dict[str, Any]]:
    """Yield each answer as a plain record."""
    for answer in reproduction.claims:
        claim, method = answer.claim, answer.method
        yield {
            "kind": "claim",
            "paper": reproduction.paper.id,
            "claim": claim.id,
            "says": claim.says,
            "where": claim.where,
            "quote": claim.quote,
            "roles": list(claim.roles_needed),
            "models": list(answer.models),
            "papers_own_model": answer.is_the_papers,
            "grade": answer.grade,
            "sentence": answer.sentence,
            "test": claim.test.kind,
            "figures": dict(answer.figures),
            "p": answer.p,
            "how": method.how if method else "",
            "n": method.n if method else None,
            "unit": method.unit if method else "",
            "reading": claim.reading,
        }


def format_models(answer: ClaimAnswer) -> str:
    """Name the models that were asked, and say whether the paper measured them."""
    if not answer.models:
        return "no model"
    return f"{', '.join(answer.models)}{PAPERS_OWN if answer.is_the_papers else ''}"


def _format_p(answer: ClaimAnswer) -> str:
    return "" if answer.p is None else format_p(answer.p, level=ALPHA)


def _format_method(answer: ClaimAnswer) -> str:
    method = answer.method
    if method is None:
        return ""
    unit = method.unit if method.n != 1 else method.unit.removesuffix("s")
    return f" Test: {method.how}; {method.n:,} {unit}."


Value = str | float | None

ESCAPED_PIPE = r"\|"
"""A bar inside a cell of a Markdown table."""


def figure_rows(reproduction: Reproduction) -> Iterator[dict[str, Value]]:
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
    figures = ({"kind": "figure", **row} for row in figure_rows(reproduction))
    return claims_as_jsonl(reproduction) + _to_jsonl(figures)


def claims_as_jsonl(reproduction: Reproduction) -> str:
    """Return one JSON object an answer to a claim, Unicode kept."""
    return _to_jsonl(claim_records(reproduction))


def _to_jsonl(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_csv(reproduction: Reproduction) -> str:
    """Return one row a figure, with full digits; no text of a cell can be a formula."""
    rows = [escape_formulas(row) for row in figure_rows(reproduction)]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_markdown(reproduction: Reproduction) -> str:
    """Return the page: claims, conventions, every table with its notes, and the count of grades."""
    paper = reproduction.paper
    blocks = [f"# {paper.title}", paper.source, sensitivity_note(reproduction)]
    blocks += _claim_blocks(reproduction)
    blocks += [
        "## The tables" if reproduction.claims else "",
        describe_conventions(paper.convention),
    ]
    blocks += ["\n".join(f"- {escape_tags(player)}" for player in model_lines(reproduction))]
    for view in table_views(reproduction):
        table = (HEAD, tuple("---" for _ in HEAD), *view.rows)
        blocks += [f"## {view.title}", "\n".join(_table_row(row) for row in table)]
        blocks += ["\n".join(f"{n}. {escape_tags(note)}" for n, note in enumerate(view.notes, 1))]
    blocks += [f"Figures: {grade_counts(reproduction)}.\n"]
    return "\n\n".join(block for block in blocks if block)


def _claim_blocks(reproduction: Reproduction) -> list[str]:
    """Return the part of the page that says whether the paper's findings hold; none without any."""
    if not reproduction.claims:
        return []
    sentences = claim_sentences(reproduction, quoting=True)
    table = (CLAIM_HEAD, tuple("---" for _ in CLAIM_HEAD), *claim_rows(reproduction))
    return [
        f"## {CLAIM_TITLE}",
        f"Claims: {claim_summary(reproduction)}. {CLAIM_CONVENTION}",
        "\n".join(map(_table_row, table)),
        "\n".join(
            f"{number}. {escape_tags(sentence)}" for number, sentence in enumerate(sentences, 1)
        ),
    ]


def _table_row(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(escape_tags(text).replace('|', ESCAPED_PIPE) for text in row)} |"

"""A reproduction arranged for reading: one view a table, notes numbered beneath it."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairvec.ground.text.visible_text import visible
from fairvec.papers.grading.grade import GRADES
from fairvec.papers.printed.schema import PaperConvention
from fairvec.papers.showing.lines import PrintedAnswer, PrintedLine, Reproduction
from fairvec.papers.showing.taught import taught
from fairvec.results import ModelIdentity

_SENTENCE = re.compile(r"\S[^.]*\.")

HEAD = ("row", "column", "published", "ours", "default", "difference", "model", "grade", "notes")


@dataclass(frozen=True)
class View:
    """One table of the paper as text, a row for each of its cells and models."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def views(reproduction: Reproduction) -> list[View]:
    """Return the tables of a paper in its order."""
    return [
        _view(
            f"{table.label}: {table.title}",
            [line for line in reproduction.lines if line.cell.table == table.id],
        )
        for table in reproduction.paper.tables
    ]


def summary(reproduction: Reproduction) -> str:
    """Count the figures by grade."""
    found = Counter(answer.grade for line in reproduction.lines for answer in line.answers)
    return ", ".join(f"{found[grade]} {grade}" for grade in GRADES if found[grade])


def conventions(paper: PaperConvention) -> str:
    """Say how the paper computed its figures, and how fairvec does."""
    splits = f" (the paper drew {paper.samples:,} random splits)" if paper.samples else ""
    if paper.samples and paper.samples_in_code:
        splits = (
            f" (the paper's text says {paper.samples:,} random splits, its authors' code draws "
            f"{paper.samples_in_code:,})"
        )
    return (
        f"Ours is computed the paper's way: {paper.effect_size} effect size, p "
        f"{_sided(paper.sides)}, ties counted by {paper.ties}{splits}. The default is fairvec's: "
        f"caliskan effect size, p two-sided, ties counted by >=. Both p are exact wherever the "
        f"lists allow. {paper.note}"
    )


def _sided(sides: str) -> str:
    return "two-sided" if sides == "two" else f"one-sided ({sides})"


def cast(reproduction: Reproduction) -> list[str]:
    """Name the models measured and their roles."""
    # Debiased columns hold only the words that were measured.
    models = sorted((one.model for one in reproduction.outcomes), key=lambda model: model.words)
    known = {model.name: model for model in models}
    pairs = dict.fromkeys((line.cell.role, line.model) for line in reproduction.lines)
    said = (f"{role}: {model} ({_size(known[model])})" for role, model in pairs if model)
    return [visible(one, but="") for one in said]


def _size(model: ModelIdentity) -> str:
    """Say how large a model is, where its vectors live and how it was trained, if that is known.

    Of an encoder: how it is read.
    """
    dimensions = f"{model.dimensions} dimensions"
    if model.encoder is not None:
        return f"encoder, {dimensions}: {', '.join(f'{k} {v}' for k, v in model.encoder.items())}"
    space = f"{model.words:,} words, {dimensions}, {model.geometry}"
    return "; ".join(filter(None, (space, taught(model))))


def sensitive(reproduction: Reproduction) -> str:
    """Say why some of the words measured are sensitive, each reason once; empty if none is."""
    reasons = (one.test.sensitive for one in reproduction.outcomes)
    return " ".join(dict.fromkeys(part for why in reasons for part in _SENTENCE.findall(why)))


def _view(title: str, lines: Sequence[PrintedLine]) -> View:
    shown = dict.fromkeys(_joined(line, lambda answer: answer.figure.quantity) for line in lines)
    numbers: dict[str, int] = {}
    rows = []
    for line in lines:
        marks = [numbers.setdefault(note, len(numbers) + 1) for note in line.notes]
        rows.append(
            (
                line.cell.row,
                line.cell.column,
                _joined(line, lambda answer: answer.figure.text),
                _joined(line, lambda answer: _shown(answer, answer.ours)),
                _joined(line, lambda answer: _shown(answer, answer.default)),
                _joined(line, lambda answer: _shown(answer, answer.difference, sign="+")),
                visible(line.model, but=""),
                _grades(line),
                ", ".join(map(str, marks)),
            )
        )
    notes = tuple(visible(note, but="") for note in numbers)
    return View(f"{title}: {' or '.join(shown)}", tuple(rows), notes)


def _joined(line: PrintedLine, text: Callable[[PrintedAnswer], str]) -> str:
    """Write d and p as `d (p)`, whichever the paper prints first, and any other figure alone."""
    texts = {answer.figure.quantity: text(answer) for answer in line.answers}
    if not any(texts.values()):
        return ""
    return (
        f"{texts['d']} ({texts['p']})" if {"d", "p"} == texts.keys() else ", ".join(texts.values())
    )


def _shown(answer: PrintedAnswer, value: float | str | None, sign: str = "") -> str:
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


def _grades(line: PrintedLine) -> str:
    grades = {answer.figure.quantity: answer.grade for answer in line.answers}
    if len(set(grades.values())) == 1:
        return next(iter(grades.values()))
    return ", ".join(f"{quantity} {grade}" for quantity, grade in grades.items())

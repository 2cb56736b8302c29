"""Show the records of a reproduction: tables, claims, Markdown and CSV."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fairvec.core.format import capitalize_first, format_p_bound
from fairvec.core.tables import Table, table_of, to_csv, to_markdown
from fairvec.core.text import escape_control, escape_tags
from fairvec.papers.decide import ALPHA, CLAIM_GRADES
from fairvec.papers.grades import GRADES
from fairvec.papers.paper_rules import OUR_RULE
from fairvec.results.identities import ModelIdentity
from fairvec.results.reproduction import ClaimLine, FigureLine, ReproductionRecords

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
    lines = _cell_lines(records.figures)
    return [
        _paper_table(
            f"{table.label}: {table.title}", [line for line in lines if line[0].table == table.id]
        )
        for table in records.head.tables
    ]


def _cell_lines(figures: Iterable[FigureLine]) -> list[list[FigureLine]]:
    """Return the figures of each cell on each model: d and p stand in one row."""
    lines: list[list[FigureLine]] = []
    key: tuple[str, ...] = ()
    for figure in figures:
        own_key = (figure.table, figure.row, figure.column, figure.model)
        if own_key == key and all(figure.quantity != other.quantity for other in lines[-1]):
            lines[-1].append(figure)
        else:
            lines.append([figure])
        key = own_key
    return lines


def grade_counts(records: ReproductionRecords) -> str:
    """Count the figures by grade."""
    counts = Counter(figure.grade for figure in records.figures)
    return ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade])


def model_lines(records: ReproductionRecords) -> list[str]:
    """Name the models measured and their roles."""
    pairs = dict.fromkeys((figure.role, figure.model) for figure in records.figures)
    # Figures that are no test (readings of a table, completed analogies) leave no identity.
    described = {model.name: f" ({_describe_model(model)})" for model in records.head.models}
    lines = (f"{role}: {model}{described.get(model, '')}" for role, model in pairs if model)
    return [escape_control(line, but="") for line in lines]


def _describe_model(model: ModelIdentity) -> str:
    """Say how large a model is, where its vectors live and how it was trained, if that is known.

    Of an encoder: how it is read.
    """
    dimensions = f"{model.dimensions} dimensions"
    if model.encoder is not None:
        return f"encoder, {dimensions}: {', '.join(f'{k} {v}' for k, v in model.encoder.items())}"
    space = f"{model.words:,} words, {dimensions}, {model.geometry}"
    return "; ".join(filter(None, (space, describe_training(model))))


def _paper_table(title: str, lines: Sequence[list[FigureLine]]) -> Table:
    shown = dict.fromkeys(_join_figures(line, lambda figure: figure.quantity) for line in lines)
    numbers: dict[str, int] = {}
    rows = []
    for line in lines:
        first = line[0]
        marks = [numbers.setdefault(note, len(numbers) + 1) for note in first.notes]
        rows.append(
            (
                first.row,
                first.column,
                _join_figures(line, lambda figure: figure.published),
                _join_figures(line, lambda figure: _format_value(figure, figure.ours)),
                _join_figures(line, lambda figure: _format_value(figure, figure.ours_by_default)),
                _join_figures(
                    line, lambda figure: _format_value(figure, figure.difference, sign="+")
                ),
                escape_control(first.model, but=""),
                _format_grades(line),
                ", ".join(map(str, marks)),
            )
        )
    notes = tuple(escape_control(note, but="") for note in numbers)
    return replace(table_of(HEADINGS, rows, title=f"{title}: {' or '.join(shown)}"), notes=notes)


def _join_figures(line: Sequence[FigureLine], text: Callable[[FigureLine], str]) -> str:
    """Write d and p as `d (p)`, whichever the paper prints first, and any other figure alone."""
    texts = {figure.quantity: text(figure) for figure in line}
    if not any(texts.values()):
        return ""
    return (
        f"{texts['d']} ({texts['p']})" if {"d", "p"} == texts.keys() else ", ".join(texts.values())
    )


def _format_value(figure: FigureLine, value: float | str | None, sign: str = "") -> str:
    """Write a number with the digits the paper has, a p with four at least; a word as it is.

    A number of words is whole.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if figure.quantity == "words":
        return f"{value:{sign},.0f}"
    decimals = max(figure.decimals, 4 if figure.quantity == "p" else 2)
    if figure.quantity == "p" and not sign and 0 < value < 10**-decimals:
        return f"{value:.0e}"
    return f"{value:{sign}.{decimals}f}"


def _format_grades(line: Sequence[FigureLine]) -> str:
    grades = {figure.quantity: figure.grade for figure in line}
    if len(set(grades.values())) == 1:
        return next(iter(grades.values()))
    return ", ".join(f"{quantity} {grade}" for quantity, grade in grades.items())


CLAIM_TITLE = "Does what the paper finds hold here?"
CLAIM_HEADINGS = ("no.", "claim", "model", "grade", "figure", "p", "by the paper's rule")
PAPERS_OWN = " (the paper's own)"
CLAIM_CONVENTION = (
    "Claims are answered by fairvec's default convention: caliskan effect size, p two-sided, exact "
    "wherever the lists allow, whole models debiased. A stand-in answers for itself and not for "
    "the paper's model. Each claim is decided alone, at 0.05. The paper's own rule is its own "
    "convention without correction or interval: signs, its p, and figures as they are."
)


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
            claim.by_paper.grade,
        )
        for number, claim in enumerate(records.claims, 1)
    ]
    return table_of(CLAIM_HEADINGS, rows, title=CLAIM_TITLE)


def claim_sentences(records: ReproductionRecords, *, quoting: bool = False) -> Iterator[str]:
    """Yield a sentence on each answer: the grade, why, by which test and over how many of what.

    With `quoting` also where the paper says so, in its own words, and how that became a test.
    """
    for claim in records.claims:
        sentence = (
            f"{capitalize_first(claim.grade)} on {format_models(claim)}. "
            f"{claim.sentence}{_format_method(claim)}{_format_paper_rule(claim)}"
        )
        if claim.grade == "not tried":
            sentence = f"Not tried. {claim.sentence}"
        quotation = f": \N{LEFT DOUBLE QUOTATION MARK}{claim.quote}\N{RIGHT DOUBLE QUOTATION MARK}"
        source = f" ({claim.where}{quotation if claim.quote else ''})"
        yield escape_control(
            f"{sentence}{source} {claim.reading}".strip() if quoting else sentence, but=""
        )


def _format_paper_rule(claim: ClaimLine) -> str:
    """Say what the paper's rule makes of it, and, where the two differ, why."""
    by_paper = claim.by_paper
    if by_paper.grade == "not tried":
        return f" By the paper's rule: not tried. {by_paper.sentence}"
    reason = f"; {OUR_RULE[claim.test]}" if by_paper.grade != claim.grade else ""
    sentence = f" By the paper's rule it {_VERBS[by_paper.grade]}{reason}: {by_paper.sentence}"
    if claim.printed and claim.printed.grade == "fails":
        sentence += f" The printed figures do not show it: {claim.printed.sentence}"
    return sentence


_VERBS = {"holds": "holds", "fails": "fails", "undecided": "is undecided"}


def claim_summary(records: ReproductionRecords) -> str:
    """Count the answers by grade."""
    ours, papers = (
        ", ".join(f"{counts[grade]} {grade}" for grade in CLAIM_GRADES if counts[grade])
        for counts in (
            Counter(claim.grade for claim in records.claims),
            Counter(claim.by_paper.grade for claim in records.claims),
        )
    )
    return f"{ours}; by the paper's own rule {papers}"


def format_models(claim: ClaimLine) -> str:
    """Name the models that answer, and say whether the paper measured them."""
    if not claim.models:
        return "no model"
    return f"{', '.join(claim.models)}{PAPERS_OWN if claim.papers_own_model else ''}"


def _format_method(claim: ClaimLine) -> str:
    if claim.n is None:
        return ""
    unit = claim.unit if claim.n != 1 else claim.unit.removesuffix("s")
    return f" Test: {claim.how}; {claim.n:,} {unit}."


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


def as_markdown(records: ReproductionRecords) -> str:
    """Return the page: claims, conventions, every table with its notes, and the count of grades."""
    head = records.head
    blocks = [f"# {head.title}", head.source, head.sensitive]
    blocks += _claim_blocks(records)
    blocks += ["## The tables" if records.claims else "", head.convention]
    blocks += ["\n".join(f"- {escape_tags(model)}" for model in model_lines(records))]
    for table in paper_tables(records):
        blocks += [f"## {table.title}", to_markdown(table.map_text(_escape_cell))]
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

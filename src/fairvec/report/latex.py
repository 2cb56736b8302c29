"""Results as a LaTeX table for a paper: escaped text, numbers as mathematics, a caption."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from unicodedata import category, name

from fairvec.core.format import (
    AT_MOST,
    FROM_SUPERSCRIPTS,
    MINUS,
    group_by,
)
from fairvec.core.tables import Row, Table, plain_text, table_of
from fairvec.core.text import one_line
from fairvec.messages.captions import pooled_row_title, table_caption
from fairvec.messages.figures import effect_symbol
from fairvec.report.arrange import Series, all_series, blocks
from fairvec.report.tables import figure_cells
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, Description

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # By number, because not every encoding of a font has a name for them.
    "`": r"\symbol{96}",
    '"': r"\symbol{34}",
    # Two of them would become one long one.
    "-": "-{}",
    "'": "'{}",
    ",": ",{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_LIGATURES = ("-", "'", ",")
_LATIN_NAMES = {"LATIN", "MODIFIER", "FEMININE", "MASCULINE"}


def escape_latex(text: str) -> str:
    """Return text that LaTeX sets as it is: one line, no sign with a meaning of its own."""
    line = one_line(text)
    return "".join(
        sign if sign in _LIGATURES and line[at + 1 : at + 2] != sign else _ESCAPES.get(sign, sign)
        for at, sign in enumerate(line)
    )


def protect_row_start(text: str) -> str:
    r"""Return text that may begin a row: after \\ a [ would begin an option, and a * be one."""
    return f"{{}}{text}" if text[:1] in ("[", "*") else text


def to_math(text: str) -> str:
    """Return a number as mathematics, so that any LaTeX can set its signs and powers."""
    if not text:
        return ""
    plain = text.replace(MINUS, "-").replace(AT_MOST, r"\le ").replace("\N{NO-BREAK SPACE}", "")
    mantissa, times, power = plain.partition("×10")
    power = power.translate(FROM_SUPERSCRIPTS)
    return rf"${mantissa}\times10^{{{power}}}$" if times else f"${plain}$"


def non_latin_scripts(text: str) -> list[str]:
    """Return the scripts off the Latin one in a text, as in Devanagari, in their order."""
    letters = (sign for sign in text if not sign.isascii() and category(sign)[0] == "L")
    found = (name(sign, "other").split()[0] for sign in letters)
    return [script.capitalize() for script in dict.fromkeys(found) if script not in _LATIN_NAMES]


def engine_comment(text: str) -> str:
    """Return which LaTeX can set a text, as a comment; empty if any of today can."""
    found = non_latin_scripts(text)
    if not found:
        return ""
    if found == ["Cyrillic"]:
        return r"% Cyrillic: XeLaTeX or LuaLaTeX, or pdfLaTeX with \usepackage[T2A]{fontenc}."
    return (
        rf"% {' and '.join(found)}: XeLaTeX or LuaLaTeX, \usepackage{{fontspec}} and a "
        r"\setmainfont that has the letters; pdfLaTeX has none."
    )


_PERCENT = r"\,\%"

Judged = Result | CategoryAnswer
Heading = tuple[str, str, str]

LONGEST = 48
"""Longer titles are cut at a comma or a word; a comment behind every row has the test's id."""

MEANT = ("meaningful-encoding", "baseline")
COLUMNS = 5


def as_latex(outcomes: Sequence[Outcome]) -> str:
    """Return a table with booktabs: a heading for every metric, and a rule for what is bold.

    Category answers stand at the foot of the tests that they pool.
    """
    series = [model for model in all_series(outcomes) if model.entries]
    metrics = group_by(series, _column_heading)
    tables = [
        _metric_table(heading, members, outcomes, alone=len(metrics) == 1)
        for heading, members in metrics.items()
    ]
    body = "\n\\midrule\n".join(map(_body, tables))
    reported = [entry.outcome for model in series for entry in model.entries]
    reported += [block.answer for block in blocks(series, outcomes) if block.answer]
    caption = table_caption(reported, escape=escape_latex, p="$p$", percent=_PERCENT)
    head = [r"% In the preamble: \usepackage{booktabs}", *filter(None, [engine_comment(body)])]
    return "\n".join(
        [
            *head,
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{_label(reported)}}}",
            r"\begin{tabular}{lrrrr}",
            r"\toprule",
            *([body] if body else []),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def is_bold(outcome: Outcome) -> bool:
    """Say whether an effect is printed bold, by the rule in the caption."""
    return isinstance(outcome, Judged) and outcome.verdict.kind in ("biased", "associated")


def _column_heading(series: Series) -> Heading:
    """Return the metric, what its figures are, and which tail p counts; no p of a description."""
    outcomes = [entry.outcome for entry in series.entries]
    judged = [outcome for outcome in outcomes if isinstance(outcome, Judged)]
    described = any(isinstance(outcome, Description) for outcome in outcomes)
    symbols = dict.fromkeys(
        "$d$" if effect_symbol(outcome) == "d" else "Difference" for outcome in judged
    )
    sides = sorted({outcome.p.sides for outcome in judged if isinstance(outcome, Result)} - {"two"})
    p = f"$p$ ({' or '.join(sides)})" if sides else "$p$"
    first = " or ".join(symbols) or ("Value" if described else "$d$")
    return outcomes[0].metric, first, "" if described and not judged else p


def _metric_table(
    heading: Heading, series: Sequence[Series], outcomes: Sequence[Outcome], *, alone: bool
) -> Table:
    """Return a table whose cells are LaTeX: models one after another, each under its name."""
    metric, value, p = heading
    first = "Test" if alone else rf"Test, by \texttt{{{escape_latex(metric)}}}"
    columns = [p, p.replace("$p$", r"$p_\mathrm{Holm}$")] if p else ["", ""]
    rows = [
        row
        for model in series
        for row in (
            Row((rf"\textit{{{escape_latex(model.label)}}}",), "section"),
            *_rows(model, outcomes),
        )
    ]
    return table_of([first, value, "Interval", *columns], rows)


def _body(table: Table) -> str:
    """Write headings and rows, with space between models and round the answers of categories."""
    lines = [" & ".join(column.heading for column in table.columns) + r" \\", r"\midrule"]
    for place, row in enumerate(table.rows):
        lines += [r"\addlinespace"] * (row.kind == "section" and place > 0)
        lines += [rf"\cmidrule{{1-{COLUMNS}}}"] * (row.kind == "pooled")
        lines.append(_line(row))
        lines += [r"\addlinespace"] * (row.kind == "pooled")
    return "\n".join(lines)


def _line(row: Row) -> str:
    *cells, last = map(plain_text, row.cells)
    left = COLUMNS - len(cells)
    cells.append(rf"\multicolumn{{{left}}}{{l}}{{{last}}}" if left > 1 else last)
    comment = f" % {one_line(row.source)}" if row.source else ""
    return protect_row_start(" & ".join(cells)) + r" \\" + comment


def _rows(series: Series, outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """Give the rows of a model, tests of a category together and its answer below them."""
    tests = [entry.outcome for entry in series.entries]
    titles = dict(zip(map(id, tests), _short_titles(tests), strict=True))
    answers = group_by(
        (block.answer for block in blocks([series], outcomes) if block.answer), _category
    )
    for key, members in group_by(tests, _category).items():
        for test in members:
            yield _row(titles[id(test)], test)
        for answer in answers.get(key, ()):
            title = rf"\textit{{{escape_latex(pooled_row_title(answer))}}}"
            yield _row(title, answer)._replace(kind="pooled")


def _category(outcome: Outcome) -> tuple[str, str]:
    """Return what an answer pools: the bias tests of a category, no meant associations."""
    kind = outcome.test.kind
    return outcome.test.category, kind if kind in MEANT else "bias"


def _row(title: str, outcome: Outcome) -> Row:
    if isinstance(outcome, Skipped):
        return Row((title, "skipped"), source=outcome.test.id)
    signed, *others = figure_cells(outcome)
    effect = to_math(signed.removeprefix("+"))
    if is_bold(outcome):
        effect = rf"$\mathbf{{{effect.strip('$')}}}$"
    return Row((title, effect, *map(to_math, others)), source=outcome.test.id)


def _short_titles(tests: Sequence[Outcome]) -> list[str]:
    """Return titles that fit a column; where two are alike, with as much of the id as it takes."""
    shortened = [_shorten_title(test.test.title) for test in tests]
    tails = [test.test.id.rpartition("/")[2] for test in tests]
    pairs = [*zip(shortened, tails, strict=True)]
    titles = []
    for test, pair in zip(tests, pairs, strict=True):
        title, tail = pair
        if Counter(shortened)[title] == 1:
            titles.append(title)
        else:
            suffix = tail if Counter(pairs)[pair] == 1 else test.test.id
            titles.append(rf"{title} (\texttt{{{escape_latex(suffix)}}})")
    return titles


def _shorten_title(title: str) -> str:
    line = " ".join(title.split())
    if len(line) <= LONGEST:
        return escape_latex(line)
    start = line[: LONGEST + 1]
    short = start.rpartition(",")[0] or start.rpartition(" ")[0] or line[:LONGEST]
    return escape_latex(short.rstrip(" ,;:")) + r"~\dots"


def _label(outcomes: Sequence[Outcome]) -> str:
    """Return a key for references of plain letters only."""
    names = dict.fromkeys(outcome.model.name for outcome in outcomes)
    slugs = (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") for name in names)
    return "-".join(["fairvec", *filter(None, slugs)][:4])

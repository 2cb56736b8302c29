"""Results within the page of a notebook or site: answers, a table and a plot in its colours."""

from collections.abc import Sequence

from fairvec.core.format import capitalize_first, format_number
from fairvec.core.tables import Cell, Column, Row, Span, Table, table_of
from fairvec.core.text import escape_control
from fairvec.messages.captions import omitted_note, records_caption
from fairvec.messages.changes import change_label, format_paired_p, format_value
from fairvec.messages.figures import effect_symbol, format_effect_interval, format_interval
from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    direction,
    verdict_kind,
)
from fairvec.report.page import environment
from fairvec.report.palette import ROOT, theme
from fairvec.report.pictures import categories_picture, forest_picture, replace_invalid_xml
from fairvec.report.tables import figure_cells
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, Change, ConceptView, Description

MOST_ANSWERS, MOST_ROWS = 24, 40
"""The most answers of categories, and rows of a table or plot, shown; a note counts the rest."""


def to_html(outcomes: Sequence[Outcome]) -> str:
    """Return the records as a piece of HTML that needs nothing, and that changes nothing round it.

    Every rule is about what lies within it; colours follow the notebook or site that shows it.
    """
    answers = [outcome for outcome in outcomes if isinstance(outcome, CategoryAnswer)]
    changes = [outcome for outcome in outcomes if isinstance(outcome, Change)]
    tests = [outcome for outcome in outcomes if isinstance(outcome, Result | Description | Skipped)]
    views = [outcome for outcome in outcomes if isinstance(outcome, ConceptView)]
    several = len({outcome.model.name for outcome in outcomes}) > 1
    page = (
        environment()
        .get_template("notebook.html")
        .render(
            root=ROOT,
            theme=theme(),
            about=records_caption(outcomes),
            sensitive=any(outcome.test.sensitive for outcome in outcomes),
            answers=answers[:MOST_ANSWERS],
            several=several,
            direction=direction,
            tables=[table for table in (_test_table(tests), _change_table(changes)) if table.rows],
            views=views[:MOST_ROWS],
            rest=omitted_note(
                len(answers) - MOST_ANSWERS, "answer of a category", "answers of categories"
            )
            + omitted_note(len(tests) - MOST_ROWS, "test", "tests")
            + omitted_note(len(changes) - MOST_ROWS, "change", "changes"),
            picture=_picture(outcomes),
        )
    )
    return escape_control(replace_invalid_xml(page))


def _test_table(outcomes: Sequence[Result | Description | Skipped]) -> Table:
    figures = (_effect_heading(outcomes), "Interval", "p", "p, Holm")
    rows = [_test_row(outcome, outcomes) for outcome in outcomes[:MOST_ROWS]]
    return table_of(("Verdict", "Test", *(Column(each, "right") for each in figures)), rows)


def _test_row(
    outcome: Result | Description | Skipped, outcomes: Sequence[Result | Description | Skipped]
) -> Row:
    """Return verdict, test and figures; a reason in their place where there are none."""
    kind = verdict_kind(outcome)
    origin = [outcome.model.name] * (len({other.model.name for other in outcomes}) > 1)
    origin += [outcome.metric] * (len({other.metric for other in outcomes}) > 1)
    verdict = VERDICT_LABELS.get(kind, kind.replace("-", " ").capitalize())
    style = f"{kind} {direction(outcome.effect)}" if isinstance(outcome, Result) else kind
    head = (verdict, _title(outcome, origin))
    if isinstance(outcome, Skipped):
        return Row((*head, outcome.reason), style)
    if isinstance(outcome, Description):
        ends = format_interval(outcome.interval, 3) if outcome.interval else ""
        return Row((*head, format_number(outcome.value, 3), ends, "", ""), style)
    effect, _, *p = figure_cells(outcome)
    ends = format_effect_interval(outcome, outcome.interval) if outcome.interval else ""
    return Row((*head, effect, ends, *p), style)


def _change_table(changes: Sequence[Change]) -> Table:
    figures = (Column(heading, "right") for heading in ("Before", "After", "Paired p"))
    return table_of(("Change", "Test", *figures), map(_change_row, changes[:MOST_ROWS]))


def _change_row(change: Change) -> Row:
    models = dict.fromkeys([change.before.name, change.model.name])
    cells = (
        capitalize_first(change_label(change)),
        _title(change, [" → ".join(models)]),
        format_value(change, change.value_before),
        format_value(change, change.value_after),
        format_paired_p(change.paired, change.alpha),
    )
    return Row(cells, change.kind)


def _title(outcome: Outcome, origin: Sequence[str]) -> Cell:
    """Return the title of a test, and behind it its id and where the figure comes from."""
    small = [outcome.test.id, *([", ".join(origin)] if origin else [])]
    return (Span(outcome.test.title), *(Span(text, "faint") for text in small))


def _effect_heading(outcomes: Sequence[Outcome]) -> str:
    names = dict.fromkeys(
        effect_symbol(outcome) for outcome in outcomes if isinstance(outcome, Result)
    )
    others = ["value"] * any(isinstance(outcome, Description) for outcome in outcomes)
    return " or ".join([*names, *others]) or "value"


def _picture(outcomes: Sequence[Outcome]) -> str:
    """Return the plot of the tests, of categories that stand alone, or nothing."""
    if any(isinstance(outcome, Result) for outcome in outcomes):
        return forest_picture(outcomes, most=MOST_ROWS).inline()
    if any(isinstance(outcome, CategoryAnswer) for outcome in outcomes):
        return categories_picture(outcomes, most=MOST_ROWS).inline()
    return ""

"""Results within the page of a notebook or site: answers, a table and a plot in its colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.core.format import capitalize_first, format_number, pluralize
from fairvec.core.text import escape_control
from fairvec.messages.changes import change_label, format_paired_p, format_value
from fairvec.messages.figures import effect_digits, effect_symbol, format_effect, format_interval
from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    direction,
    format_corrected_p,
    format_own_p,
    verdict_kind,
)
from fairvec.report.page import environment
from fairvec.report.palette import ROOT, theme
from fairvec.report.pictures import categories_picture, forest_picture, replace_invalid_xml
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CategoryAnswer, Change, ConceptView, Description

MOST_ANSWERS, MOST_ROWS = 24, 40
"""The most answers of categories, and rows of a table or plot, shown; a note counts the rest."""


@dataclass(frozen=True)
class NotebookRow:
    """One line of the table; `reason` goes over all figures where there are none."""

    verdict: str
    style: str
    title: str
    id: str
    of: str
    figures: tuple[str, ...]
    reason: str = ""


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
            about=_caption(outcomes),
            sensitive=any(outcome.test.sensitive for outcome in outcomes),
            answers=answers[:MOST_ANSWERS],
            several=several,
            direction=direction,
            tests=[_row(outcome, tests) for outcome in tests[:MOST_ROWS]],
            effect=_effect_heading(tests),
            changes=[_change_row(outcome) for outcome in changes[:MOST_ROWS]],
            views=views[:MOST_ROWS],
            rest=_omitted_note(
                len(answers) - MOST_ANSWERS, "answer of a category", "answers of categories"
            )
            + _omitted_note(len(tests) - MOST_ROWS, "test", "tests")
            + _omitted_note(len(changes) - MOST_ROWS, "change", "changes"),
            picture=_picture(outcomes),
        )
    )
    return escape_control(replace_invalid_xml(page))


def _caption(outcomes: Sequence[Outcome]) -> str:
    models = list(dict.fromkeys(outcome.model.name for outcome in outcomes))
    origin = f" of {models[0]}" if len(models) == 1 else f" of {len(models)} models"
    return f"{pluralize(len(outcomes), 'record')}{origin}" if outcomes else "No records"


def _row(outcome: Result | Description | Skipped, outcomes: Sequence[Outcome]) -> NotebookRow:
    kind = verdict_kind(outcome)
    origin = [outcome.model.name] * (len({other.model.name for other in outcomes}) > 1)
    origin += [outcome.metric] * (len({other.metric for other in outcomes}) > 1)
    verdict = VERDICT_LABELS.get(kind, kind.replace("-", " ").capitalize())
    style = f"{kind} {direction(outcome.effect)}" if isinstance(outcome, Result) else kind
    head = (verdict, style, outcome.test.title, outcome.test.id, ", ".join(origin))
    if isinstance(outcome, Skipped):
        return NotebookRow(*head, (), outcome.reason)
    if isinstance(outcome, Description):
        ends = format_interval(outcome.interval, 3) if outcome.interval else ""
        return NotebookRow(*head, (format_number(outcome.value, 3), ends, "", ""))
    return NotebookRow(
        *head,
        (
            format_effect(outcome, outcome.effect),
            format_interval(outcome.interval, effect_digits(outcome)) if outcome.interval else "",
            format_own_p(outcome),
            format_corrected_p(outcome, outcome.p_holm),
        ),
    )


def _change_row(change: Change) -> NotebookRow:
    models = dict.fromkeys([change.before.name, change.model.name])
    figures = (
        format_value(change, change.value_before),
        format_value(change, change.value_after),
        format_paired_p(change.paired, change.alpha),
    )
    head = (change.test.title, change.test.id, " → ".join(models))
    label = change_label(change)
    return NotebookRow(capitalize_first(label), change.kind, *head, figures)


def _effect_heading(outcomes: Sequence[Outcome]) -> str:
    names = dict.fromkeys(
        effect_symbol(outcome) for outcome in outcomes if isinstance(outcome, Result)
    )
    others = ["value"] * any(isinstance(outcome, Description) for outcome in outcomes)
    return " or ".join([*names, *others]) or "value"


def _omitted_note(number: int, singular: str, plural: str) -> str:
    return f"{pluralize(number, singular, plural)} more not shown here. " if number > 0 else ""


def _picture(outcomes: Sequence[Outcome]) -> str:
    """Return the plot of the tests, of categories that stand alone, or nothing."""
    if any(isinstance(outcome, Result) for outcome in outcomes):
        return forest_picture(outcomes, most=MOST_ROWS).inline()
    if any(isinstance(outcome, CategoryAnswer) for outcome in outcomes):
        return categories_picture(outcomes, most=MOST_ROWS).inline()
    return ""

"""Results within the page of somebody else: the answers, a table and a plot, in its colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.core.format import capitalize_first, format_number, format_p, pluralize
from fairvec.core.text import escape_control
from fairvec.messages.changes import in_words, shown
from fairvec.messages.figures import digits, effect_of, span, symbol
from fairvec.messages.verdicts import VERDICTS, direction, verdict_of
from fairvec.report.page import environment
from fairvec.report.palette import ROOT, theme
from fairvec.report.pictures import categories_picture, fit_for_xml, forest_picture
from fairvec.results import (
    CategoryAnswer,
    Change,
    ConceptView,
    Description,
    Outcome,
    Result,
    Skipped,
    lacking,
)

MOST_ANSWERS, MOST_ROWS = 24, 40
"""So many answers of categories and rows of a table or plot are shown; what is left out is said."""


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


def as_html(outcomes: Sequence[Outcome]) -> str:
    """Return the records as a piece of HTML that needs nothing, and that changes nothing round it.

    Every rule is about what lies within it; colours follow the notebook or site that shows it.
    """
    answers = [one for one in outcomes if isinstance(one, CategoryAnswer)]
    changes = [one for one in outcomes if isinstance(one, Change)]
    tests = [one for one in outcomes if isinstance(one, Result | Description | Skipped)]
    views = [one for one in outcomes if isinstance(one, ConceptView)]
    several = len({one.model.name for one in outcomes}) > 1
    page = (
        environment()
        .get_template("notebook.html")
        .render(
            root=ROOT,
            theme=theme(),
            about=_about(outcomes),
            lacking=lacking(outcomes),
            sensitive=any(one.test.sensitive for one in outcomes),
            answers=answers[:MOST_ANSWERS],
            several=several,
            direction=direction,
            tests=[_row(one, tests) for one in tests[:MOST_ROWS]],
            effect=_name_of_effects(tests),
            changes=[_changed(one) for one in changes[:MOST_ROWS]],
            views=views[:MOST_ROWS],
            rest=_rest(len(answers) - MOST_ANSWERS, "answer of a category", "answers of categories")
            + _rest(len(tests) - MOST_ROWS, "test", "tests")
            + _rest(len(changes) - MOST_ROWS, "change", "changes"),
            picture=_picture(outcomes),
        )
    )
    return escape_control(fit_for_xml(page))


def _about(outcomes: Sequence[Outcome]) -> str:
    models = list(dict.fromkeys(one.model.name for one in outcomes))
    named = f" of {models[0]}" if len(models) == 1 else f" of {len(models)} models"
    return f"{pluralize(len(outcomes), 'record')}{named}" if outcomes else "No records"


def _row(one: Result | Description | Skipped, others: Sequence[Outcome]) -> NotebookRow:
    kind = verdict_of(one)
    parts = [one.model.name] * (len({other.model.name for other in others}) > 1)
    parts += [one.metric] * (len({other.metric for other in others}) > 1)
    verdict = VERDICTS.get(kind, kind.replace("-", " ").capitalize())
    style = f"{kind} {direction(one.effect)}" if isinstance(one, Result) else kind
    told = (verdict, style, one.test.title, one.test.id, ", ".join(parts))
    if isinstance(one, Skipped):
        return NotebookRow(*told, (), one.reason)
    if isinstance(one, Description):
        ends = span(one.interval, 3) if one.interval else ""
        return NotebookRow(*told, (format_number(one.value, 3), ends, "", ""))
    return NotebookRow(
        *told,
        (
            effect_of(one, one.effect),
            span(one.interval, digits(one)) if one.interval else "",
            format_p(one.p.value),
            "" if one.p_holm is None else format_p(one.p_holm),
        ),
    )


def _changed(change: Change) -> NotebookRow:
    models = dict.fromkeys([change.before.name, change.model.name])
    figures = (
        shown(change, change.value_before),
        shown(change, change.value_after),
        format_p(change.paired.value) if change.paired else "",
    )
    told = (change.test.title, change.test.id, " → ".join(models))
    said = in_words(change)
    return NotebookRow(capitalize_first(said), change.kind, *told, figures)


def _name_of_effects(outcomes: Sequence[Outcome]) -> str:
    names = dict.fromkeys(symbol(one) for one in outcomes if isinstance(one, Result))
    others = ["value"] * any(isinstance(one, Description) for one in outcomes)
    return " or ".join([*names, *others]) or "value"


def _rest(number: int, one: str, several: str) -> str:
    return f"{pluralize(number, one, several)} more not shown here. " if number > 0 else ""


def _picture(outcomes: Sequence[Outcome]) -> str:
    """Return the plot of the tests, of categories that stand alone, or nothing."""
    if any(isinstance(one, Result) for one in outcomes):
        return forest_picture(outcomes, most=MOST_ROWS).inline()
    if any(isinstance(one, CategoryAnswer) for one in outcomes):
        return categories_picture(outcomes, most=MOST_ROWS).inline()
    return ""

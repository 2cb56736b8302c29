"""The report: one self-contained HTML file that needs no network and no library."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fairvec.ground import numbers
from fairvec.ground.disk.places import named_path
from fairvec.ground.disk.together import write_alone
from fairvec.ground.errors import SettingError
from fairvec.ground.sizes import size_in_words
from fairvec.ground.text import capitals, enumerations
from fairvec.ground.text.visible_text import visible
from fairvec.report import plots
from fairvec.report.sections import (
    agreement,
    arrange,
    axes,
    before_after,
    beside,
    close_up,
    concept_view,
    opening,
    provenance,
    ranking,
    similarities,
    steadiness,
    summary,
    told,
)
from fairvec.report.words import display, effects, fitting, shortened, wording
from fairvec.report.words.numbers import span
from fairvec.results import (
    CATEGORY,
    Change,
    ConceptView,
    Description,
    ModelIdentity,
    Outcome,
    Result,
)
from fairvec.results.record import records_in

if TYPE_CHECKING:
    from jinja2 import Environment


def render(outcomes: Iterable[Outcome], *, title: str = "") -> str:
    """Return the page about these outcomes; the same outcomes give the same page."""
    outcomes = records_in(outcomes, "A report is made of records, not of")
    if not outcomes:
        raise SettingError("There are no outcomes to report; run an audit first.")
    # What was put to a test has an answer; what is only described has its own section.
    asked = [outcome for outcome in outcomes if not _descriptive(outcome)]
    series = arrange.all_series(asked)
    models = provenance.models(outcomes)
    changed = before_after.before_and_after(outcomes)
    page = (
        environment()
        .get_template("page.html")
        .render(
            title=title or _title(models, changed),
            outcomes=outcomes,
            asked=asked,
            changed=changed,
            views=concept_view.views(outcomes),
            agreements=agreement.agreements(outcomes),
            results=[outcome for outcome in outcomes if isinstance(outcome, Result)],
            measures=arrange.measures(outcomes),
            series=series,
            opening=opening.opening(outcomes, series),
            summary=summary.summarised(outcomes, series, models, changed),
            panels=arrange.panels(series),
            models=models,
            suites=provenance.suites(outcomes),
            settings=provenance.settings(outcomes),
            scale=axes.shared_scale(outcomes),
            difference_scale=axes.scale_of_differences(outcomes),
        )
    )
    # A name that turns the direction would turn the figures behind it too: 0.86 into 68.0.
    return visible(page)


def write_report(outcomes: Iterable[Outcome], path: Path | str, *, title: str = "") -> Path:
    """Write the page to `path`, whole or not at all."""
    place = named_path(path, "say write_report(records, 'report.html')")
    write_alone(place, render(outcomes, title=title))
    return place


def _descriptive(outcome: Outcome) -> bool:
    """Return whether a figure answers no test: described, compared, viewed or pooled."""
    return (
        isinstance(outcome, Description | Change | ConceptView)
        or outcome.test.kind == CATEGORY
        or outcome.convention is None
    )


def _title(models: Sequence[ModelIdentity], changed: Sequence[before_after.BeforeAfter]) -> str:
    if len(changed) == 1:
        return f"{changed[0].before} before and after a change"
    names = [model.name for model in models]
    return (
        f"What {names[0]} associates"
        if len(names) == 1
        else f"What {len(names)} {wording.noun_for(models)}s associate"
    )


@cache
def environment() -> "Environment":
    """Return what the templates of a page may use."""
    # Here, because reading results or printing a table needs no page.
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("fairvec.report"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        before_after=before_after,
        beside=beside,
        close_up=close_up,
        concept_view=concept_view,
        effects=effects,
        fitting=fitting,
        plots=plots,
        provenance=provenance,
        ranking=ranking,
        shortened=shortened,
        similarities=similarities,
        steadiness=steadiness,
        size_in_words=size_in_words,
        summaries=summary,
        told=told,
        wording=wording,
    )
    environment.filters.update(
        {
            name: getattr(numbers, name)
            for name in ("number", "signed", "p_value", "whole", "percent", "counted")
        }
        | {
            "span": span,
            "linked": provenance.linked,
            "listed": enumerations.listed,
            "some": shortened.some,
        }
        | {"titled": capitals.titled, "unbroken": display.unbroken}
    )
    return environment

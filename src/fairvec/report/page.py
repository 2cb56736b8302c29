"""The report: one self-contained HTML file that needs no network and no library."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fairvec.core.errors import SettingError
from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_number,
    format_p,
    format_percent,
    format_signed,
    group_by,
    join_words,
    pluralize,
)
from fairvec.core.io.atomic_files import write_alone
from fairvec.core.io.read_files import as_path
from fairvec.core.text import escape_control
from fairvec.core.validation import records_in
from fairvec.messages import categories as told
from fairvec.messages import changes as before_after
from fairvec.messages import figures as display
from fairvec.messages import figures as effects
from fairvec.messages import figures as shortened
from fairvec.messages import reports as provenance
from fairvec.messages import test_details as close_up
from fairvec.messages import test_details as fitting
from fairvec.messages import verdicts as wording
from fairvec.messages.figures import is_difference, span
from fairvec.messages.verdicts import Shown
from fairvec.report import arrange, plots, summary
from fairvec.report import test_view as agreement
from fairvec.report import test_view as beside
from fairvec.report import test_view as concept_view
from fairvec.report import test_view as ranking
from fairvec.report import test_view as similarities
from fairvec.report import test_view as steadiness
from fairvec.report.arrange import Series
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.results import (
    CATEGORY,
    CategoryAnswer,
    Change,
    ConceptView,
    Description,
    ModelIdentity,
    Outcome,
    Result,
    Skipped,
)
from fairvec.results.verdicts import effect_magnitude

if TYPE_CHECKING:
    from jinja2 import Environment


# The axes that all effects of a page share.


def shared_scale(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every effect of the page; d lies within ±2 for lists of equal size."""
    return scale_of([-2.0, 2.0, *_drawn(outcomes, differences=False)])


def scale_of_differences(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every difference of probabilities, which are far smaller than d."""
    return scale_of([0.0, *_drawn(outcomes, differences=True)])


def _drawn(outcomes: Sequence[Outcome], *, differences: bool) -> list[float]:
    """Return the effects of one kind, and the ends of their intervals."""
    results = [
        one
        for one in outcomes
        if isinstance(one, Result | CategoryAnswer) and is_difference(one) is differences
    ]
    ends = [end for r in results if r.interval for end in (r.interval.low, r.interval.high)]
    return [*(result.effect for result in results), *ends]


# Which models open the page.


def opening(outcomes: Sequence[Outcome], series: Sequence[Series]) -> tuple[Series, ...]:
    """Return the series, and one for each further model that was described and put to no test."""
    tested = {_content(entry.outcome) for one in series for entry in one.entries}
    known = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Description | Skipped)
        and outcome.test.kind != CATEGORY
        and _content(outcome) not in tested
    ]
    described = {(_content(one), one.test) for one in known if isinstance(one, Description)}
    further = group_by(
        # A test that one measure skipped and another described was not skipped.
        (
            one
            for one in known
            if isinstance(one, Description) or (_content(one), one.test) not in described
        ),
        _content,
    )
    names = Counter(name for name, _ in further)
    return *series, *(
        Series(
            name if names[name] == 1 else f"{name}, {content[:8]}",
            tuple(Shown("measures", outcome) for outcome in members),
        )
        for (name, content), members in further.items()
    )


def _content(outcome: Outcome) -> tuple[str, str]:
    return outcome.model.name, outcome.model.sha256


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
            opening=opening(outcomes, series),
            summary=summary.summarised(outcomes, series, models, changed),
            panels=arrange.panels(series),
            models=models,
            suites=provenance.suites(outcomes),
            settings=provenance.settings(outcomes),
            scale=shared_scale(outcomes),
            difference_scale=scale_of_differences(outcomes),
        )
    )
    # A name that turns the direction would turn the figures behind it too: 0.86 into 68.0.
    return escape_control(page)


def write_report(outcomes: Iterable[Outcome], path: Path | str, *, title: str = "") -> Path:
    """Write the page to `path`, whole or not at all."""
    place = as_path(path, "say write_report(records, 'report.html')")
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
        size_in_words=effect_magnitude,
        summaries=summary,
        told=told,
        wording=wording,
    )
    environment.filters.update(
        {
            "number": format_number,
            "signed": format_signed,
            "p_value": format_p,
            "whole": format_count,
            "percent": format_percent,
            "counted": pluralize,
            "listed": join_words,
            "titled": capitalize_first,
            "span": span,
            "linked": provenance.linked,
            "some": shortened.some,
            "unbroken": display.unbroken,
        }
    )
    return environment

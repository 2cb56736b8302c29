"""The report: one self-contained HTML file that needs no network and no other file."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from fairvec.core.io.atomic_files import write_text
from fairvec.core.io.read_files import as_path
from fairvec.core.text import escape_control
from fairvec.core.validation import records_in
from fairvec.messages import captions, categories, changes, figures, reports, test_details, verdicts
from fairvec.messages.figures import format_interval, is_difference
from fairvec.messages.verdicts import PageEntry
from fairvec.report import arrange, plots, summary, test_view
from fairvec.report.arrange import Series
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.results import Outcome, Result, Skipped, derived
from fairvec.results.records import CATEGORY, CategoryAnswer, Change, ConceptView, Description
from fairvec.results.verdicts import effect_magnitude

if TYPE_CHECKING:
    from jinja2 import Environment


def effect_scale(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every effect of the page; d lies within ±2 for lists of equal size."""
    return scale_of([-2.0, 2.0, *_effects_and_ends(outcomes, differences=False)])


def difference_scale(outcomes: Sequence[Outcome]) -> Scale:
    """Return one axis for every difference of probabilities, which are far smaller than d."""
    return scale_of([0.0, *_effects_and_ends(outcomes, differences=True)])


def _effects_and_ends(outcomes: Sequence[Outcome], *, differences: bool) -> list[float]:
    """Return the effects of one kind, and the ends of their intervals."""
    results = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Result | CategoryAnswer) and is_difference(outcome) is differences
    ]
    ends = [
        end
        for result in results
        if result.interval
        for end in (result.interval.low, result.interval.high)
    ]
    return [*(result.effect for result in results), *ends]


def series_with_described(
    outcomes: Sequence[Outcome], series: Sequence[Series]
) -> tuple[Series, ...]:
    """Return the series, and one for each further model that was described and put to no test."""
    tested = {_model_key(entry.outcome) for model in series for entry in model.entries}
    known = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Description | Skipped)
        and outcome.test.kind != CATEGORY
        and _model_key(outcome) not in tested
    ]
    described = {
        (_model_key(model), model.test) for model in known if isinstance(model, Description)
    }
    further = group_by(
        # A test that one measure skipped and another described was not skipped.
        (
            model
            for model in known
            if isinstance(model, Description) or (_model_key(model), model.test) not in described
        ),
        _model_key,
    )
    names = Counter(name for name, _ in further)
    return *series, *(
        Series(
            name if names[name] == 1 else f"{name}, {content[:8]}",
            tuple(PageEntry("measures", outcome) for outcome in members),
        )
        for (name, content), members in further.items()
    )


def _model_key(outcome: Outcome) -> tuple[str, str]:
    return outcome.model.name, outcome.model.sha256


def render(outcomes: Iterable[Outcome], *, title: str = "") -> str:
    """Return the page about these outcomes; the same outcomes give the same page."""
    outcomes = records_in(outcomes, "A report is made of records, not of")
    if not outcomes:
        raise SettingError("There are no outcomes to report; run an audit first.")
    # What was put to a test has an answer; what is only described has its own section.
    tested = [outcome for outcome in outcomes if not _is_descriptive(outcome)]
    series = arrange.all_series(tested)
    models = reports.distinct_models(outcomes)
    changed = changes.before_and_after(outcomes)
    return render_page(
        "page.html",
        title=title or captions.page_title(models, changed),
        outcomes=outcomes,
        asked=tested,
        changed=changed,
        views=test_view.views(outcomes),
        agreements=derived.agreements(outcomes),
        results=[outcome for outcome in outcomes if isinstance(outcome, Result)],
        measures=arrange.descriptions_by_metric(outcomes),
        series=series,
        opening=series_with_described(outcomes, series),
        summary=summary.build_summary(outcomes, series, models, changed),
        panels=arrange.panels(series),
        models=models,
        suites=reports.suites_used(outcomes),
        settings=reports.settings_used(outcomes),
        scale=effect_scale(outcomes),
        difference_scale=difference_scale(outcomes),
    )


def write_report(outcomes: Iterable[Outcome], path: Path | str, *, title: str = "") -> Path:
    """Write the page to `path` atomically."""
    place = as_path(path, "say write_report(records, 'report.html')")
    write_text(place, render(outcomes, title=title))
    return place


def _is_descriptive(outcome: Outcome) -> bool:
    """Return whether a figure answers no test: described, compared, viewed or pooled."""
    return (
        isinstance(outcome, Description | Change | ConceptView)
        or outcome.test.kind == CATEGORY
        or outcome.convention is None
    )


def render_page(template: str, **values: Any) -> str:
    """Return a page from its template, without characters that change how its text reads."""
    # A name that turns the direction would turn the figures behind it too: 0.86 into 68.0.
    return escape_control(environment().get_template(template).render(values))


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
        bias_vs_encoding=derived.bias_vs_encoding,
        caption_text=captions,
        category_text=categories,
        change_text=changes,
        figure_text=figures,
        plots=plots,
        report_text=reports,
        size_in_words=effect_magnitude,
        summary_text=summary,
        test_text=test_details,
        test_view=test_view,
        verdicts=verdicts,
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
            "span": format_interval,
            "linked": reports.link_addresses,
            "some": figures.shorten_list,
            "unbroken": figures.keep_together,
        }
    )
    return environment

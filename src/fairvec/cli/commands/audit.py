"""fairvec audit: measure embeddings and leave results and a report."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from fairvec.api.measure import audit as audit_models
from fairvec.api.results import write_with_page
from fairvec.cli import options
from fairvec.cli.console import (
    ReadingProgress,
    out,
    print_answer,
    print_note,
    print_table,
    progress_bar,
)
from fairvec.cli.models import model_sources
from fairvec.cli.options import Argument, Option, Without
from fairvec.cli.plugin_names import metric_names, resolve_metrics
from fairvec.cli.startup import BAD_INPUT, FAULT
from fairvec.cli.tables import print_categories
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.encoders import Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.experiments.audit.languages import SuiteCoverage
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, Statistics
from fairvec.experiments.remarks import other_languages
from fairvec.geometry import SIMILARITIES
from fairvec.messages.remarks import (
    NOTHING_MEASURED,
    faults_note,
    same_lists_note,
    suites_chosen_note,
)
from fairvec.messages.reports import distinct_models, endpoint_paragraph
from fairvec.metrics import EFFECT_SIZES, METRICS
from fairvec.report.tables import as_csv, audit_table
from fairvec.results import Outcome, Skipped, write_results
from fairvec.results.store import FILE_NAME, PAGE, as_jsonl

_METRIC = ", ".join(metric.name for metric in METRICS)
_SIMILARITY = ", ".join(similarity.name for similarity in SIMILARITIES)
_CONVENTION = ", ".join(size.name for size in EFFECT_SIZES)


def audit(
    models: Annotated[
        list[str],
        Argument(
            help="Files, names from 'fairvec models list', folders of encoders, addresses of "
            "endpoints (https://host/v1 with --model), or python:module:function."
        ),
    ],
    suite: Annotated[
        list[str] | None,
        Option(
            "-s",
            help="Suite, test, language or TOML file; may be repeated. "
            "Default: every shipped suite in the model's language that fits it.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        Option(
            "-m",
            help=lambda: (
                f"One of: {_METRIC}, {metric_names()}; may be repeated. "
                "Default: weat; seat with an encoder."
            ),
        ),
    ] = None,
    similarity: Annotated[
        str | None,
        Option(
            help=f"One of: {_SIMILARITY}. Default: cosine in flat space, negative-distance in "
            "the ball (where a cosine would not see the curvature)."
        ),
    ] = None,
    convention: Annotated[str, Option(help=f"Effect size: {_CONVENTION}.")] = "caliskan",
    permute: Annotated[
        Literal["words", "sentences"],
        Option(help="What SEAT regroups; sentences is the papers' way, and too optimistic."),
    ] = "words",
    contexts: options.ContextFiles = None,
    answer_of_ceat: Annotated[
        Literal["words", "as-published"],
        Option("--answer", help="Of CEAT; as published it finds bias where there is none."),
    ] = "words",
    statistics: Annotated[Statistics, Without("resamples", "level", "alpha")] = DEFAULT_STATISTICS,
    reading: LoadOptions = LOAD_DEFAULTS,
    encoding: EncoderOptions = AS_USUAL,
    as_json: options.PrintJson = False,
    csv: Annotated[bool, Option(help="Print a CSV table.")] = False,
    latex: Annotated[bool, Option(help="Print a LaTeX table.")] = False,
    output: options.ResultsFolder = None,
) -> None:
    """Measure one or several embeddings or encoders; several give one comparison.

    One sentence answers for each category (gender, race ...), all of its bias tests together;
    the table below has the tests one by one.
    """
    print_outcomes = _printer(as_json=as_json, csv=csv, latex=latex)
    if output:
        check_writable_folder(output, FILE_NAME, PAGE)
    with progress_bar("measuring") as bar:
        progress = ReadingProgress(bar)
        outcomes = audit_models(
            *model_sources(models, reading, bar, encoding, progress.draw_sentences),
            suites=suite,
            metrics=resolve_metrics(metric),
            similarity=similarity,
            convention=convention,
            permute=permute,
            contexts=options.corpus_of(contexts),
            answer=answer_of_ceat,
            **vars(statistics),
            language=reading.language,
            progress=progress.draw_tests,
            on_choice=_note_choice,
        )
    _note_duplicates(outcomes)
    for paragraph in filter(None, map(endpoint_paragraph, distinct_models(outcomes))):
        print_note(paragraph)
    if output:
        from fairvec.report import render  # here, because only a folder holds a page

        results = write_with_page(write_results, outcomes, output, render)
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    print_outcomes(outcomes)
    skipped = [one for one in outcomes if isinstance(one, Skipped)]
    for cause, code in (("error", FAULT), ("foreign", BAD_INPUT)):
        if faults := [one for one in skipped if one.cause == cause]:
            first = faults[0]
            print_note(faults_note(len(faults), len(outcomes), first.test.id, first.reason))
            sys.exit(code)
    if all(isinstance(outcome, Skipped) for outcome in outcomes):
        print_note(NOTHING_MEASURED)
        sys.exit(BAD_INPUT)


def _printer(*, as_json: bool, csv: bool, latex: bool) -> Callable[[Sequence[Outcome]], None]:
    """Return the function that prints the outcomes in the chosen format."""
    if as_json + csv + latex > 1:
        raise SettingError("Choose one of --json, --csv and --latex; -o keeps all results.")
    if as_json:
        return lambda outcomes: print_answer(as_jsonl(outcomes))
    if csv:
        return lambda outcomes: print_answer(as_csv(outcomes))
    if latex:
        from fairvec.report import as_latex

        return lambda outcomes: print_answer(as_latex(outcomes))
    return _print_tables


def _print_tables(outcomes: Sequence[Outcome]) -> None:
    """Print the answer for each category, then the table of tests."""
    print_categories(outcomes)
    print_table(audit_table(outcomes, width=out.width))


def _note_choice(embedding: Representation, fits: list[SuiteCoverage]) -> None:
    coverage = {fit.suite.id: fit.coverage for fit in fits}
    print_note(suites_chosen_note(embedding.name, coverage))
    if remark := other_languages(embedding):
        print_note(remark)


def _note_duplicates(outcomes: Sequence[Outcome]) -> None:
    """Name the tests that were left out because another one has the same lists."""
    for test, others in {one.test.id: one.test.also for one in outcomes if one.test.also}.items():
        print_note(same_lists_note(test, others))

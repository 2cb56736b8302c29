"""fairvec audit: measure embeddings and leave results and a report."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from fairvec.cli import options
from fairvec.cli.console import (
    ProgressCallback,
    out,
    print_answer,
    print_note,
    print_table,
    progress_bar,
)
from fairvec.cli.models import load_models, note_other_languages
from fairvec.cli.options import reads_a_model, reads_an_encoder
from fairvec.cli.plugin_names import OTHERS, metrics_named
from fairvec.cli.runs import write_with_page
from fairvec.cli.startup import BAD_INPUT, FAULT
from fairvec.cli.tables import print_categories
from fairvec.core.errors import SettingError
from fairvec.core.format import format_percent_floor
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.experiments.audit.audit import audit as run_audit
from fairvec.experiments.audit.languages import SuiteCoverage
from fairvec.experiments.audit.test_words import composed_note, oov_test_words
from fairvec.experiments.remarks import unknown_language_note
from fairvec.geometry import SIMILARITIES
from fairvec.metrics import EFFECT_SIZES, METRICS
from fairvec.report.tables import as_csv, as_rich_table
from fairvec.results import PAGE, Outcome, Skipped, as_jsonl, write_results
from fairvec.results.store import FILE_NAME

_METRIC = ", ".join(metric.name for metric in METRICS)
_SIMILARITY = ", ".join(similarity.name for similarity in SIMILARITIES)
_CONVENTION = ", ".join(size.name for size in EFFECT_SIZES)


@reads_a_model()
@reads_an_encoder()
def audit(
    models: Annotated[
        list[str],
        typer.Argument(
            help="Files, names from 'fairvec models list', folders of encoders, or "
            "python:module:function."
        ),
    ],
    suite: Annotated[
        list[str] | None,
        typer.Option(
            "--suite",
            "-s",
            help="Suite, test, language or TOML file; may be repeated. "
            "Default: every shipped suite in the model's language that fits it.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            help=f"One of: {_METRIC}, {OTHERS}; may be repeated. Default: weat; seat with an "
            "encoder.",
        ),
    ] = None,
    similarity: Annotated[
        str | None,
        typer.Option(
            help=f"One of: {_SIMILARITY}. Default: cosine in flat space, negative-distance in "
            "the ball (where a cosine would not see the curvature)."
        ),
    ] = None,
    convention: Annotated[str, typer.Option(help=f"Effect size: {_CONVENTION}.")] = "caliskan",
    permute: Annotated[
        Literal["words", "sentences"],
        typer.Option(help="What SEAT regroups; sentences is the papers' way, and too optimistic."),
    ] = "words",
    contexts: options.ContextFiles = None,
    answer_of_ceat: Annotated[
        Literal["words", "as-published"],
        typer.Option("--answer", help="Of CEAT; as published it finds bias where there is none."),
    ] = "words",
    sides: Annotated[
        Literal["two", "greater", "less"],
        typer.Option(help="Tails that p counts; verdicts stay two-sided."),
    ] = "two",
    ties: Annotated[
        Literal[">=", ">"], typer.Option(help="Whether equal statistics count as extreme.")
    ] = ">=",
    method: Annotated[
        Literal["auto", "exact", "certified", "sampled"],
        typer.Option(help="How p is computed; auto is exact wherever that is possible."),
    ] = "auto",
    samples: Annotated[int, typer.Option(help="Regroupings drawn when p is sampled.")] = 100_000,
    interval: Annotated[
        Literal["permutation", "bootstrap", "none"],
        typer.Option(help="Interval of an effect: what its p allows, or words drawn again."),
    ] = "permutation",
    min_coverage: options.MinCoverage = 0.5,
    robust: Annotated[
        bool, typer.Option("--robust", help="Also try other words, lists and equal frequency.")
    ] = False,
    seed: options.Seed = 0,
    reading: Reading = AS_FOUND,
    encoding: EncoderOptions = AS_USUAL,
    as_json: Annotated[bool, typer.Option("--json", help="Print results as JSON lines.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a CSV table.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for results.jsonl and report.html."),
    ] = None,
) -> None:
    """Measure one or several embeddings or encoders; several give one comparison.

    One sentence answers for each category (gender, race ...), all of its bias tests together;
    the table below has the tests one by one.
    """
    printed = _printer(as_json=as_json, csv=csv, latex=latex)
    if output:
        check_writable_folder(output, FILE_NAME, PAGE)
    opened = load_models(models, reading, encoding, oov_test_words(suite, reading.language))
    if remark := unknown_language_note(reading.language, suite):
        print_note(remark)
    for model in opened:
        if isinstance(model, Embedding) and (note := composed_note(model)):
            print_note(note)
    with progress_bar("measuring") as progress:
        opened = [_telling(each, progress) for each in opened]
        outcomes = run_audit(
            *opened,
            suites=suite,
            metrics=metrics_named(metric),
            similarity=similarity,
            convention=convention,
            permute=permute,
            contexts=options.corpus_of(contexts),
            answer=answer_of_ceat,
            on_choice=_say_choice,
            progress=progress,
            sides=sides,
            ties=ties,
            method=method,
            samples=samples,
            interval=interval,
            smallest_coverage=min_coverage,
            robust=robust,
            seed=seed,
        )
    _say_what_stands_for_what(outcomes)
    if output:
        from fairvec.report import render  # here, because only a folder holds a page

        results = write_with_page(write_results, outcomes, output, render)
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    printed(outcomes)
    skipped = [one for one in outcomes if isinstance(one, Skipped)]
    for cause, code in (("error", FAULT), ("foreign", BAD_INPUT)):
        if faults := [one for one in skipped if one.cause == cause]:
            many = f"{len(faults)} of {len(outcomes)} results met a fault"
            print_note(f"error: {many}, the first {faults[0].test.id}: {faults[0].reason}")
            raise typer.Exit(code)
    if all(isinstance(outcome, Skipped) for outcome in outcomes):
        print_note("Nothing was measured: each test says above why it was skipped.")
        raise typer.Exit(BAD_INPUT)


def _telling(model: Representation, progress: ProgressCallback) -> Representation:
    """Let an encoder tell how far it is."""
    if not isinstance(model, Encoder):
        return model
    return model.telling(lambda done, every: progress(done, every, f"{model.name}: sentences"))


def _printer(*, as_json: bool, csv: bool, latex: bool) -> Callable[[Sequence[Outcome]], None]:
    """Return how the answer is to be printed."""
    if as_json + csv + latex > 1:
        raise SettingError("Choose one of --json, --csv and --latex; -o keeps all results.")
    if as_json:
        return lambda outcomes: print_answer(as_jsonl(outcomes))
    if csv:
        return lambda outcomes: print_answer(as_csv(outcomes))
    if latex:
        from fairvec.report import as_latex

        return lambda outcomes: print_answer(as_latex(outcomes))
    return _lay_out_all


def _lay_out_all(outcomes: Sequence[Outcome]) -> None:
    """Print the answer for each category first, then the tests."""
    print_categories(outcomes)
    print_table(as_rich_table(outcomes, width=out.width))


def _say_choice(embedding: Representation, fits: list[SuiteCoverage]) -> None:
    chosen = ", ".join(
        f"{fit.suite.id} ({format_percent_floor(fit.coverage)} of its words)" for fit in fits
    )
    print_note(f"{embedding.name} fits {chosen}")
    note_other_languages(embedding)


def _say_what_stands_for_what(outcomes: Sequence[Outcome]) -> None:
    """Say which tests were left out because another one has the same lists."""
    for test, others in {one.test.id: one.test.also for one in outcomes if one.test.also}.items():
        print_note(f"{test} stands for {', '.join(others)}: the lists are the same.")

"""fairvec benchmarks: list, fetch and ask the data sets that measure what a model is good for."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fairvec import catalogue
from fairvec.api.compare import benchmark
from fairvec.api.lists import list_benchmarks as benchmarks_in
from fairvec.api.results import write_with_page
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import entry_lines
from fairvec.cli.models import model_first, model_source
from fairvec.cli.options import Argument, Option, Without
from fairvec.cli.startup import BAD_INPUT
from fairvec.core.errors import DownloadError
from fairvec.core.format import format_count, format_number
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.settings import PositiveInt, Share
from fairvec.core.tables import Table, table_of
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.experiments.utility import USUAL
from fairvec.geometry import SIMILARITIES
from fairvec.messages.captions import benchmarks_title
from fairvec.messages.figures import (
    effect_symbol,
    format_effect,
    format_effect_interval,
    format_interval,
)
from fairvec.messages.reports import distinct_models, endpoint_paragraph
from fairvec.metrics.utility.analogy import AnalogyMethod
from fairvec.metrics.utility.sembias import SemBiasDefinition
from fairvec.report import render
from fairvec.results import Outcome, Result, Skipped, write_results
from fairvec.results.records import Description
from fairvec.results.store import FILE_NAME, PAGE, as_jsonl

_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


def ask(
    source: options.Model,
    names: Annotated[
        list[str] | None,
        Argument(
            help="Names from 'fairvec benchmarks list', fetched if they are not here. Default: "
            "those of the model's languages that are here."
        ),
    ] = None,
    by: Annotated[
        str | None,
        Option(
            "--similarity",
            help=f"One of: {_SIMILARITY}. Of words, sentences, documents and gyro-translation. "
            "Default: cosine in flat space, negative-distance in the ball and of analogies.",
        ),
    ] = None,
    method: Annotated[
        AnalogyMethod | None,
        Option(help="Of analogies. Default: 3cosadd, and gyro-translation in the ball."),
    ] = None,
    t: Annotated[
        float | None,
        Option(
            help="Of gyro-translation, from 0 to 1. Default: 0.3 of analogies, chosen by "
            "cross-validation of SemBias."
        ),
    ] = None,
    definition: Annotated[
        SemBiasDefinition | None,
        Option(help="Of SemBias. Default: offset-angle, and in the ball both."),
    ] = None,
    restrict: Annotated[
        PositiveInt | None, Option(help="Of analogies: only so many of the commonest words.")
    ] = None,
    min_coverage: Annotated[
        Share, Option(help="Skip a figure when less than this share of its items is found.")
    ] = USUAL.min_coverage,
    seed: options.Seed = 0,
    reading: Annotated[LoadOptions, Without("invalid_utf8")] = LOAD_DEFAULTS,
    encoding: EncoderOptions = AS_USUAL,
    as_json: options.PrintJson = False,
    output: options.ResultsFolder = None,
) -> None:
    """Ask a model benchmarks; print how well it answers, and whom it prefers."""
    if output:
        check_writable_folder(output, FILE_NAME, PAGE)
    with progress_bar("asking") as bar, model_first(source, names or ()):
        outcomes = benchmark(
            model_source(source, reading, bar, encoding),
            names,
            similarity=by,
            method=method,
            t=t,
            definition=definition,
            restrict=restrict,
            min_coverage=min_coverage,
            language=reading.language,
            seed=seed,
            progress=bar,
            on_remark=print_note,
        )
    for paragraph in filter(None, map(endpoint_paragraph, distinct_models(outcomes))):
        print_note(paragraph)
    if output:
        title = benchmarks_title(outcomes[0].model.name)
        results = write_with_page(write_results, outcomes, output, partial(render, title=title))
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        print_answer(as_jsonl(outcomes))
    else:
        print_table(_figures_table(outcomes))
        for outcome in outcomes:
            if isinstance(outcome, Result):
                print_answer(f"{outcome.test.id}: {outcome.verdict.sentence}")
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    for reason in dict.fromkeys(outcome.reason for outcome in skipped):
        print_note(f"Skipped: {reason}")
    if len(skipped) == len(outcomes):
        sys.exit(BAD_INPUT)


def _figures_table(outcomes: Sequence[Outcome]) -> Table:
    rows = [(*_row(outcome), _describe_metric(outcome)) for outcome in outcomes]
    return table_of(("benchmark", "figure", "interval", "asked", "by"), rows)


def _describe_metric(outcome: Outcome) -> str:
    """Return the method and similarity of a metric: gyro-translation, t = 0.3, cosine."""
    settings = outcome.described.settings if outcome.described else {}
    method = settings.get("method") or settings.get("definition")
    if method != "gyro-translation":
        return str(method or outcome.similarity)
    t, is_curved = settings.get("t"), outcome.model.geometry != "euclidean"
    turn = f"t = {t:g}, " if is_curved and t is not None else ""
    return f"gyro-translation, {turn}{outcome.similarity}"


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    """Return the cells of a figure: benchmark, value, interval and items found."""
    (items,) = outcome.coverage
    items_found = f"{format_count(items.found)} of {format_count(items.wanted)}"
    if isinstance(outcome, Result):
        between = format_effect_interval(outcome, outcome.interval) if outcome.interval else ""
        figure = f"{effect_symbol(outcome)} = {format_effect(outcome, outcome.effect)}"
        return outcome.test.id, figure, between, items_found
    if not isinstance(outcome, Description):
        return outcome.test.id, "skipped", "", items_found
    between = format_interval(outcome.interval, 3) if outcome.interval else ""
    return outcome.test.id, format_number(outcome.value, 3), between, items_found


Name = Annotated[str, Argument(help="A name from 'fairvec benchmarks list'.")]


def list_benchmarks(
    language: Annotated[str | None, Option(help="Only this language, e.g. ru.")] = None,
) -> None:
    """List the benchmarks: what each asks, under which licence, and if it is here."""
    columns = ("name", "language", "kind", "items", "here", "licence")
    rows = [
        (
            dataset.name,
            dataset.language,
            dataset.kind,
            f"{dataset.rows:,}",
            "yes" if catalogue.has_dataset(dataset.name) else "no",
            dataset.licence,
        )
        for dataset in benchmarks_in(language)
    ]
    print_table(table_of(columns, rows))


def show_benchmark(name: Name) -> None:
    """Print all that the catalogue knows of a benchmark: origin, licence, checksum, source."""
    for line in entry_lines(catalogue.dataset(name)):
        print_answer(line)


def get(name: Name) -> None:
    """Fetch a benchmark into the cache folder (FAIRVEC_HOME) unless it is here; print its path.

    One in that folder that is not the published file is fetched again.
    """
    dataset = catalogue.dataset(name)
    print_note(f"{dataset.title}; licence: {dataset.licence}; {dataset.origin}")
    with progress_bar(f"fetching {name}") as progress:
        path = catalogue.dataset_path(name, progress, tell=print_note)
    print_answer(str(path))


def path(name: Name) -> None:
    """Print the path of a benchmark that is already here; exit with 2 if it is not."""
    if catalogue.dataset(name).source and not catalogue.has_dataset(name):
        raise DownloadError(
            f"{name} is not here; fetch it with 'fairvec benchmarks get {name}', or point "
            "FAIRVEC_DATA to a folder that has it."
        )
    print_answer(str(catalogue.dataset_path(name)))


benchmarks = {"list": list_benchmarks, "show": show_benchmark, "get": get, "path": path, "ask": ask}
"""The commands below `fairvec benchmarks`."""

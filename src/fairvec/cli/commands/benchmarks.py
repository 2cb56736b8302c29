"""fairvec benchmarks: list, fetch and ask the data sets that measure what a model is good for."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fairvec import catalogue
from fairvec.benchmarks import AnalogySet, BenchmarkSet, SemBiasSet, benchmarks_for_language
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import entry_lines
from fairvec.cli.models import load_model_first, note_other_languages
from fairvec.cli.options import Argument, Option, Without
from fairvec.cli.runs import write_with_page
from fairvec.cli.startup import BAD_INPUT
from fairvec.core.errors import DownloadError, SettingError, UndefinedError
from fairvec.core.format import format_count, format_number
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.settings import PositiveInt, Share
from fairvec.core.tables import table_of
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.utility import USUAL, ask_benchmark, select_benchmarks
from fairvec.geometry import SIMILARITIES, Geometry, similarity
from fairvec.messages.figures import format_interval
from fairvec.metrics.utility import (
    Analogies,
    SemBias,
    UtilityMetric,
    WordSimilarity,
    metrics_for,
    similarity_name,
)
from fairvec.metrics.utility.analogy import AnalogyMethod
from fairvec.metrics.utility.sembias import SemBiasDefinition
from fairvec.report import render
from fairvec.results import Outcome, Skipped, write_results
from fairvec.results.records import Description
from fairvec.results.store import FILE_NAME, PAGE, as_jsonl

# Which metrics answer a benchmark, and which settings each of them takes.


Metric = Analogies | SemBias | WordSimilarity


def benchmark_plan(
    sets: Sequence[BenchmarkSet], embedding: Embedding, settings: Mapping[str, Any]
) -> list[tuple[BenchmarkSet, Metric]]:
    """Return each benchmark with its metrics, each with those of the settings that it takes.

    A setting that is None was not chosen; one that no metric takes is refused.
    """
    chosen = {name: value for name, value in settings.items() if value is not None}
    plan = [
        (benchmark, metric)
        for benchmark in sets
        for metric in _metrics_of(benchmark, embedding, chosen)
    ]
    for name, value in chosen.items():
        if not any(name in _settings_of(metric, embedding.geometry) for _, metric in plan):
            value = getattr(value, "name", value)
            names = ", ".join(benchmark.name for benchmark in sets)
            raise SettingError(
                f"--{name} {value} fits no way in which {names} would be asked; leave it out, or "
                "see 'fairvec benchmarks ask --help' for what takes it."
            )
    return [
        (benchmark, replace(metric, **{name: chosen[name] for name in fitting if name in chosen}))
        for benchmark, metric in plan
        for fitting in (_settings_of(metric, embedding.geometry),)
    ]


def with_chosen_t(way: Metric, benchmark: BenchmarkSet, embedding: Embedding) -> UtilityMetric:
    """Return SemBias with its t chosen, so that records state it; any other metric as it is."""
    if isinstance(way, SemBias) and isinstance(benchmark, SemBiasSet):
        with suppress(UndefinedError):
            return way.with_chosen_t(benchmark, embedding)
    return way


def describe_metric(metric: UtilityMetric, geometry: Geometry) -> str:
    """Return the method and similarity of a metric: gyro-translation, t = 0.3, cosine."""
    similarity_used = similarity_name(metric, geometry)
    match metric:
        case Analogies(method="gyro-translation") | SemBias(definition="gyro-translation"):
            t = "" if metric.t is None or not geometry.curvature else f"t = {metric.t:g}, "
            return f"gyro-translation, {t}{similarity_used}"
        case Analogies():
            return metric.method
        case SemBias():
            return metric.definition
        case _:
            return similarity_used


def _metrics_of(
    benchmark: BenchmarkSet, embedding: Embedding, settings: Mapping[str, Any]
) -> list[Metric]:
    """Return the metrics of a benchmark, by the chosen method or definition."""
    if isinstance(benchmark, SemBiasSet):
        both = embedding.geometry.curvature and "definition" not in settings
        first = SemBias(settings.get("definition", "offset-angle"))
        return [first, SemBias("gyro-translation")] if both else [first]
    if isinstance(benchmark, AnalogySet):
        if "method" in settings:
            return [Analogies(settings["method"])]
        return [each for each in metrics_for(benchmark, embedding) if isinstance(each, Analogies)]
    return [WordSimilarity()]


def _settings_of(metric: Metric, geometry: Geometry) -> tuple[str, ...]:
    """Return the settings that change a metric's figure; t has no meaning in flat space."""
    turn = ("t",) if geometry.curvature else ()
    match metric:
        case Analogies(method="gyro-translation"):
            return "method", "similarity", *turn, "restrict"
        case Analogies():
            return "method", "restrict"
        case SemBias(definition="gyro-translation"):
            return "definition", "similarity", *turn
        case SemBias():
            return ("definition",)
        case WordSimilarity():
            return ("similarity",)


_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


def ask(
    model: options.Model,
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
            help=f"One of: {_SIMILARITY}. Of word similarity and gyro-translation. Default: "
            "cosine in flat space, negative-distance in the ball and of analogies.",
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
    as_json: options.PrintJson = False,
    output: options.ResultsFolder = None,
) -> None:
    """Ask a model benchmarks of similarity, analogy and SemBias; print how well it answers."""
    statistics = replace(USUAL, min_coverage=min_coverage, seed=seed)
    settings: dict[str, Any] = {
        "similarity": None if by is None else similarity(by),
        "method": method,
        "t": t,
        "definition": definition,
        "restrict": restrict,
    }
    if output:
        check_writable_folder(output, FILE_NAME, PAGE)
    embedding = load_model_first(model, names or (), reading)
    plan = benchmark_plan(_sets(embedding, names), embedding, settings)
    rows: list[tuple[str, ...]] = []
    outcomes: list[Outcome] = []
    with progress_bar("asking") as progress:
        for done, (benchmark, usual) in enumerate(plan):
            progress(done, len(plan), benchmark.name)
            metric = with_chosen_t(usual, benchmark, embedding)
            answers = [
                each.outcome for each in ask_benchmark(metric, benchmark, embedding, statistics)
            ]
            for outcome in answers:
                rows.append((*_row(outcome), describe_metric(metric, embedding.geometry)))
            outcomes += answers
    if output:
        title = f"What {embedding.name} is good for"
        results = write_with_page(write_results, outcomes, output, partial(render, title=title))
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        print_answer(as_jsonl(outcomes))
    else:
        print_table(table_of(("benchmark", "figure", "interval", "asked", "by"), rows))
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    for reason in dict.fromkeys(outcome.reason for outcome in skipped):
        print_note(f"Skipped: {reason}")
    if len(skipped) == len(outcomes):
        sys.exit(BAD_INPUT)


def _sets(embedding: Embedding, names: Sequence[str] | None) -> list[BenchmarkSet]:
    """Return the named benchmarks, or all that are on this machine; note which others exist."""
    if names:
        return select_benchmarks(embedding, names)
    note_other_languages(embedding)
    languages = languages_of(embedding)
    absent = [name for each in languages for name in benchmarks_for_language(each, at_hand=False)]
    remedy = "'fairvec benchmarks get NAME', or point FAIRVEC_DATA to a folder that has it"
    sets = select_benchmarks(embedding, None)
    if not sets:
        raise SettingError(
            f"No benchmark in a language of {embedding.name} is here; fetch one with {remedy}."
            if absent
            else f"There is no benchmark in {', '.join(languages)}; name one to ask all the same."
            if languages
            else f"The language of {embedding.name} is not known; say --language, or name the "
            "benchmarks to ask it."
        )
    if absent:
        print_note(f"Not here: {', '.join(absent)}; fetch one with {remedy}.")
    return sets


def _row(outcome: Outcome) -> tuple[str, str, str, str]:
    """Return the cells of a figure: benchmark, value, interval and items found."""
    (items,) = outcome.coverage
    items_found = f"{format_count(items.found)} of {format_count(items.wanted)}"
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
        for dataset in catalogue.datasets()
        if language in (None, dataset.language)
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

"""fairvec benchmarks: the data sets on which usefulness is measured."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fairvec import catalogue
from fairvec.benchmarks import AnalogySet, BenchmarkSet, SemBiasSet, benchmarks_for_language
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import entry_lines
from fairvec.cli.models import load_model_first, note_other_languages
from fairvec.cli.options import reads_a_model
from fairvec.cli.runs import write_with_page
from fairvec.core.errors import DownloadError, SettingError, UndefinedError
from fairvec.core.format import format_count, format_number
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.embedding import AS_FOUND, Embedding, Reading
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
from fairvec.results import PAGE, Description, Outcome, Skipped, as_jsonl, write_results
from fairvec.results.store import FILE_NAME

# In which ways benchmarks are asked: what settings fit which metric of usefulness.


Way = Analogies | SemBias | WordSimilarity


def benchmark_plan(
    sets: Sequence[BenchmarkSet], embedding: Embedding, settings: Mapping[str, Any]
) -> list[tuple[BenchmarkSet, Way]]:
    """Return each benchmark with the metrics that ask it, each with the settings that fit it.

    A setting that is None was not made; one that fits no metric is refused.
    """
    made = {name: value for name, value in settings.items() if value is not None}
    ways = [(asked, way) for asked in sets for way in _ways(asked, embedding, made)]
    for name, value in made.items():
        if not any(name in _fitting(way, embedding.geometry) for _, way in ways):
            value = getattr(value, "name", value)
            chosen = ", ".join(asked.name for asked in sets)
            raise SettingError(
                f"--{name} {value} fits no way in which {chosen} would be asked; leave it out, or "
                "see 'fairvec benchmarks ask --help' for what takes it."
            )
    return [
        (asked, replace(way, **{name: made[name] for name in fitting if name in made}))
        for asked, way in ways
        for fitting in (_fitting(way, embedding.geometry),)
    ]


def with_chosen_t(way: Way, asked: BenchmarkSet, embedding: Embedding) -> UtilityMetric:
    """Return SemBias with its t chosen, so that records name it; where it has none, it says why."""
    if isinstance(way, SemBias) and isinstance(asked, SemBiasSet):
        with suppress(UndefinedError):
            return way.with_chosen_t(asked, embedding)
    return way


def in_words(metric: UtilityMetric, geometry: Geometry) -> str:
    """Return how words are asked for and compared: gyro-translation, t = 0.3, cosine."""
    alike = similarity_name(metric, geometry)
    match metric:
        case Analogies(method="gyro-translation") | SemBias(definition="gyro-translation"):
            t = "" if metric.t is None or not geometry.curvature else f"t = {metric.t:g}, "
            return f"gyro-translation, {t}{alike}"
        case Analogies():
            return metric.method
        case SemBias():
            return metric.definition
        case _:
            return alike


def _ways(asked: BenchmarkSet, embedding: Embedding, made: Mapping[str, Any]) -> list[Way]:
    """Return the metrics of a benchmark, by the method or definition of choice."""
    if isinstance(asked, SemBiasSet):
        both = embedding.geometry.curvature and "definition" not in made
        first = SemBias(made.get("definition", "offset-angle"))
        return [first, SemBias("gyro-translation")] if both else [first]
    if isinstance(asked, AnalogySet):
        if "method" in made:
            return [Analogies(made["method"])]
        return [way for way in metrics_for(asked, embedding) if isinstance(way, Analogies)]
    return [WordSimilarity()]


def _fitting(way: Way, geometry: Geometry) -> tuple[str, ...]:
    """Name the settings that change what the metric says; t has no meaning in flat space."""
    turn = ("t",) if geometry.curvature else ()
    match way:
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


# fairvec benchmarks ask: what one model is good for, in a way of one's own choice.


_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


@reads_a_model(without=("invalid_utf8",))
def ask(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names from 'fairvec benchmarks list', fetched if they are not here. Default: "
            "those of the model's languages that are here."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--similarity",
            help=f"One of: {_SIMILARITY}. Of word similarity and gyro-translation. Default: "
            "cosine in flat space, negative-distance in the ball and of analogies.",
        ),
    ] = None,
    method: Annotated[
        AnalogyMethod | None,
        typer.Option(help="Of analogies. Default: 3cosadd, and gyro-translation in the ball."),
    ] = None,
    t: Annotated[
        float | None,
        typer.Option(
            help="Of gyro-translation, from 0 to 1. Default: 0.3 of analogies, chosen by "
            "cross-validation of SemBias."
        ),
    ] = None,
    definition: Annotated[
        SemBiasDefinition | None,
        typer.Option(help="Of SemBias. Default: offset-angle, and in the ball both."),
    ] = None,
    restrict: Annotated[
        int | None, typer.Option(min=1, help="Of analogies: only so many of the commonest words.")
    ] = None,
    min_coverage: Annotated[
        float, typer.Option(help="Skip a figure when less than this share of its items is found.")
    ] = USUAL.smallest_coverage,
    seed: options.Seed = 0,
    reading: Reading = AS_FOUND,
    as_json: Annotated[bool, typer.Option("--json", help="Print results as JSON lines.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for results.jsonl and report.html."),
    ] = None,
) -> None:
    """Ask a model benchmarks of similarity, analogy and SemBias; print how well it answers."""
    statistics = replace(USUAL, smallest_coverage=min_coverage, seed=seed)
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
    ways = benchmark_plan(_sets(embedding, names), embedding, settings)
    table = Table("benchmark", "figure", "interval", "asked", "by", box=None, header_style="bold")
    outcomes: list[Outcome] = []
    with progress_bar("asking") as progress:
        for done, (asked, way) in enumerate(ways):
            progress(done, len(ways), asked.name)
            metric = with_chosen_t(way, asked, embedding)
            found = [each.outcome for each in ask_benchmark(metric, asked, embedding, statistics)]
            for outcome in found:
                table.add_row(*_row(outcome), in_words(metric, embedding.geometry))
            outcomes += found
    if output:
        title = f"What {embedding.name} is good for"
        results = write_with_page(write_results, outcomes, output, partial(render, title=title))
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        print_answer(as_jsonl(outcomes))
    else:
        print_table(table)
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    for reason in dict.fromkeys(outcome.reason for outcome in skipped):
        print_note(f"Skipped: {reason}")
    if len(skipped) == len(outcomes):
        raise typer.Exit(2)


def _sets(embedding: Embedding, names: Sequence[str] | None) -> list[BenchmarkSet]:
    """Return the benchmarks that are named, or those at hand; say which others there are."""
    if names:
        return select_benchmarks(embedding, names)
    note_other_languages(embedding)
    languages = languages_of(embedding)
    absent = [name for each in languages for name in benchmarks_for_language(each, at_hand=False)]
    how = "'fairvec benchmarks get NAME', or point FAIRVEC_DATA to a folder that has it"
    sets = select_benchmarks(embedding, None)
    if not sets:
        raise SettingError(
            f"No benchmark in a language of {embedding.name} is here; fetch one with {how}."
            if absent
            else f"There is no benchmark in {', '.join(languages)}; name one to ask all the same."
            if languages
            else f"The language of {embedding.name} is not known; say --language, or name the "
            "benchmarks to ask it."
        )
    if absent:
        print_note(f"Not here: {', '.join(absent)}; fetch one with {how}.")
    return sets


def _row(outcome: Outcome) -> tuple[Text, str, str, str]:
    """Return what is said of a figure: the benchmark, the value, its interval and its items."""
    (items,) = outcome.coverage
    asked = f"{format_count(items.found)} of {format_count(items.wanted)}"
    if not isinstance(outcome, Description):
        return Text(outcome.test.id), "skipped", "", asked
    between = format_interval(outcome.interval, 3) if outcome.interval else ""
    return Text(outcome.test.id), format_number(outcome.value, 3), between, asked


app = typer.Typer(
    help="Benchmarks by name: list them, fetch one, find its file, ask a model.",
    no_args_is_help=True,
)
app.command()(ask)

Name = Annotated[str, typer.Argument(help="A name from 'fairvec benchmarks list'.")]


@app.command("list")
def list_benchmarks(
    language: Annotated[str | None, typer.Option(help="Only this language, e.g. ru.")] = None,
) -> None:
    """List the benchmarks: what each asks, under which licence, and if it is here."""
    columns = ("name", "language", "kind", "items", "here", "licence")
    table = Table(*columns, box=None, header_style="bold")
    for known in catalogue.datasets():
        if language in (None, known.language):
            here = "yes" if catalogue.has_dataset(known.name) else "no"
            items = f"{known.rows:,}"
            table.add_row(known.name, known.language, known.kind, items, here, known.licence)
    print_table(table)


@app.command("show")
def show_benchmark(name: Name) -> None:
    """Print all that the catalogue knows of a benchmark: origin, licence, checksum, source."""
    for line in entry_lines(catalogue.dataset(name)):
        print_answer(line)


@app.command()
def get(name: Name) -> None:
    """Fetch a benchmark into the cache folder (FAIRVEC_HOME) unless it is here; print its path.

    One in that folder that is not the published file is fetched again.
    """
    known = catalogue.dataset(name)
    print_note(f"{known.title}; licence: {known.licence}; {known.origin}")
    with progress_bar(f"fetching {name}") as progress:
        path = catalogue.dataset_path(name, progress, tell=print_note)
    print_answer(str(path))


@app.command()
def path(name: Name) -> None:
    """Print the path of a benchmark that is already here; exit with 2 if it is not."""
    if catalogue.dataset(name).source and not catalogue.has_dataset(name):
        raise DownloadError(
            f"{name} is not here; fetch it with 'fairvec benchmarks get {name}', or point "
            "FAIRVEC_DATA to a folder that has it."
        )
    print_answer(str(catalogue.dataset_path(name)))

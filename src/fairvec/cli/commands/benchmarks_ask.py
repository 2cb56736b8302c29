"""fairvec benchmarks ask: what one model is good for, in a way of one's own choice."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fairvec.benchmarks import BenchmarkSet, benchmarks_of
from fairvec.cli import options
from fairvec.cli.benchmarks_ways import in_words, settled, ways_to_ask
from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.cli.opening import opened_before, say_other_languages
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.runs import write_with_page
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.evaluation import languages_of
from fairvec.evaluation.changes.usefulness import USUAL, answers_by, chosen_sets
from fairvec.geometry import SIMILARITIES, similarity
from fairvec.ground.disk.places import refuse_folder
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import number, whole
from fairvec.metrics.utility.analogy import AnalogyMethod
from fairvec.metrics.utility.sembias import SemBiasDefinition
from fairvec.report import render
from fairvec.report.words.numbers import span
from fairvec.results import PAGE, Description, Outcome, Skipped, as_jsonl, write_results
from fairvec.results.store import FILE_NAME

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
        refuse_folder(output, FILE_NAME, PAGE)
    embedding = opened_before(model, names or (), reading)
    ways = ways_to_ask(_sets(embedding, names), embedding, settings)
    table = Table("benchmark", "figure", "interval", "asked", "by", box=None, header_style="bold")
    outcomes: list[Outcome] = []
    with progress_bar("asking") as progress:
        for done, (asked, way) in enumerate(ways):
            progress(done, len(ways), asked.name)
            metric = settled(way, asked, embedding)
            found = [each.outcome for each in answers_by(metric, asked, embedding, statistics)]
            for outcome in found:
                table.add_row(*_row(outcome), in_words(metric, embedding.geometry))
            outcomes += found
    if output:
        title = f"What {embedding.name} is good for"
        results = write_with_page(write_results, outcomes, output, partial(render, title=title))
        say(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        answer(as_jsonl(outcomes))
    else:
        lay_out(table)
    skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    for reason in dict.fromkeys(outcome.reason for outcome in skipped):
        say(f"Skipped: {reason}")
    if len(skipped) == len(outcomes):
        raise typer.Exit(2)


def _sets(embedding: Embedding, names: Sequence[str] | None) -> list[BenchmarkSet]:
    """Return the benchmarks that are named, or those at hand; say which others there are."""
    if names:
        return chosen_sets(embedding, names)
    say_other_languages(embedding)
    languages = languages_of(embedding)
    absent = [name for each in languages for name in benchmarks_of(each, at_hand=False)]
    how = "'fairvec benchmarks get NAME', or point FAIRVEC_DATA to a folder that has it"
    sets = chosen_sets(embedding, None)
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
        say(f"Not here: {', '.join(absent)}; fetch one with {how}.")
    return sets


def _row(outcome: Outcome) -> tuple[Text, str, str, str]:
    """Return what is said of a figure: the benchmark, the value, its interval and its items."""
    (items,) = outcome.coverage
    asked = f"{whole(items.found)} of {whole(items.wanted)}"
    if not isinstance(outcome, Description):
        return Text(outcome.test.id), "skipped", "", asked
    between = span(outcome.interval, 3) if outcome.interval else ""
    return Text(outcome.test.id), number(outcome.value, 3), between, asked

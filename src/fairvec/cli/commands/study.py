"""fairvec study and fairvec task."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text

from fairvec.benchmarks import ReviewColumns, load_reviews
from fairvec.benchmarks.reviews import parse_labels
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import write_new_file
from fairvec.cli.models import load_model
from fairvec.cli.options import reads_a_model
from fairvec.cli.plugin_names import OTHERS, methods_named
from fairvec.cli.runs import interrupted, write_with_page
from fairvec.core.errors import SettingError
from fairvec.core.format import format_number, format_p, format_signed
from fairvec.core.io.atomic_files import check_writable_folder, is_empty_folder
from fairvec.core.processes import map_processes
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.encoders.open import names_an_encoder
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.sentiment.equity import EquityFound
from fairvec.experiments.sentiment.reviews import SentimentFound, sentiment_task
from fairvec.experiments.study.plan import read_study, study_scaffold
from fairvec.experiments.study.study import CellMapping, Study
from fairvec.experiments.study.study import study as run_study
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon import shipped_concepts
from fairvec.messages.changes import change_label
from fairvec.messages.figures import format_interval
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.report import render, render_study
from fairvec.report.study import TOGETHER, term_name, variance_parts
from fairvec.results import (
    PAGE,
    STUDY_FILE,
    Change,
    Description,
    FailedCell,
    Outcome,
    RefusedAnswer,
    Result,
    Skipped,
    StudyAnswer,
    as_jsonl,
    write_results,
    write_study,
)
from fairvec.results.store import FILE_NAME
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork, Network
from fairvec.tasks.sentiment.task import SentimentTask

NEW = "new"


def study(
    plan: Annotated[
        list[str],
        typer.Argument(
            metavar="[new] PLAN.toml", help="The plan; 'new PLAN.toml' writes one to fill in."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for cells, study.jsonl and report.html."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, max=1024, help="Cells to train beside one another.")
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Train cells on the Dask cluster of this scheduler, as in tcp://host:8786."
        ),
    ] = None,
    keep_models: Annotated[
        bool, typer.Option("--keep-models", help="Keep every trained model in FOLDER/models.")
    ] = False,
    language: Annotated[str, typer.Option(help="Of a new plan: ISO 639-1 code.")] = "en",
) -> None:
    """Train a grid of corpora and models, audit each, and say which factor explains bias.

    Cells are kept in the folder as they are found: an interrupted study goes on where it was, and
    the same study again trains nothing. Everything in the plan is checked before.
    """
    if plan[0] == NEW and len(plan) == 2:
        _write_new(Path(plan[1]), language)
        return
    if plan == [NEW] and not Path(NEW).exists():
        raise SettingError(
            "A new plan needs a place; name a file for the new plan, as in 'fairvec study new "
            "PLAN.toml'."
        )
    if len(plan) != 1:
        raise SettingError(
            f"A study has one plan, and {len(plan)} words are given; say 'fairvec study PLAN.toml "
            "-o FOLDER' or 'fairvec study new PLAN.toml'."
        )
    if output is None:
        raise SettingError("A study needs a folder for what it finds; say -o FOLDER.")
    _refuse_taken(output)
    checked = read_study(Path(plan[0]))
    mapping = _mapping(jobs, scheduler)
    try:
        with progress_bar("reading") as progress:
            found = run_study(
                checked,
                output,
                keep_models=keep_models,
                mapping=mapping,
                progress=progress,
                told=print_note,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            interrupted(output / "cells", "cell", "a cell was finished")
        ) from error
    lines = write_with_page(write_study, found.lines, output, render_study)
    _show(found)
    print_note(f"Records: {lines}", f"Report: {output / PAGE}")


def _write_new(file: Path, language: str) -> None:
    then = f"  fairvec study {file} -o FOLDER"
    write_new_file(file, "study", lambda: study_scaffold(language), then)


def _refuse_taken(folder: Path) -> None:
    ours = any((folder / name).exists() for name in (STUDY_FILE, "cells", "texts"))
    if folder.exists() and not ours and not is_empty_folder(folder):
        raise SettingError(f"{folder} holds something else; choose another folder.")
    check_writable_folder(folder, STUDY_FILE, PAGE)


def _mapping(jobs: int, scheduler: str | None) -> CellMapping:
    """Return what runs the cells: this process, several, or a cluster that answers."""
    if scheduler is None:
        return map if jobs == 1 else partial(map_processes, jobs)
    if jobs > 1:
        raise SettingError(
            "--jobs says how many cells this machine trains, and --scheduler that others do; leave "
            "one of them out."
        )
    from fairvec.experiments.study.cluster import dask_mapping

    return dask_mapping(scheduler)


def _show(found: Study) -> None:
    asked = [one for one in found.answers if isinstance(one, StudyAnswer)]
    if asked:
        print_table(_levels(asked))
        print_table(_shares(asked))
        if any(map(_clipped, asked)):
            print_answer(
                "* What came out below 0 is given as 0, so that a line can add up to more than "
                "100 %."
            )
    for one in asked:
        print_answer(f"{one.test.id}: {one.sentence}")
        if one.trend:
            print_answer(f"{one.test.id}: {one.trend.sentence}")
        if one.left_out:
            print_note(f"{one.test.id}: {one.left_out}")
    for refused in found.answers:
        if isinstance(refused, RefusedAnswer):
            print_note(f"Refused: {refused.test.id} ({refused.metric}): {refused.reason}")
    for cell in found.cells:
        if isinstance(cell, FailedCell):
            print_note(f"Failed: {cell.place}: {cell.reason}")
    for remark in found.head.remarks:
        print_note(remark)


def _levels(asked: Sequence[StudyAnswer]) -> Table:
    """Return the mean effects: a line for each test, a column for each level."""
    names = dict.fromkeys((one.factor, one.level) for answer in asked for one in answer.levels)
    headings = ("mean effect", *(f"{factor} {level}" for factor, level in names))
    table = Table(*headings, "seeds", "words", box=None, header_style="bold")
    for one in asked:
        means = {(level.factor, level.level): format_signed(level.mean) for level in one.levels}
        words = "" if one.word_spread is None else f"±{one.word_spread:.2f}"
        cells = (means.get(name, "") for name in names)
        table.add_row(one.test.id, *cells, f"{one.seed_spread:.2f}", words)
    return table


def _shares(asked: Sequence[StudyAnswer]) -> Table:
    """Return the shares of the variance: a line for each test, a column for each source."""
    names = dict.fromkeys(part.name for answer in asked for part in variance_parts(answer))
    table = Table("explained", *names, box=None, header_style="bold")
    for one in asked:
        p = {
            part.name: f" (p {format_p(term.p_holm)})"
            for part, term in zip(variance_parts(one), one.explained, strict=False)
            if term.p_holm is not None
        }
        stars = dict.fromkeys(_clipped(one), "*")
        shares = {
            part.name: f"{part.share:.0%}{stars.get(part.name, '')}{p.get(part.name, '')}"
            for part in variance_parts(one)
        }
        table.add_row(one.test.id, *(shares.get(name, "") for name in names))
    return table


def _clipped(one: StudyAnswer) -> set[str]:
    """Return the columns of which a share came out below 0."""
    return {
        term_name(term) if len(term.factors) == 1 else TOGETHER
        for term in one.explained
        if term.share_was_negative
    }


# The sentiment task as tables of a terminal.


HEADINGS = ("figure", "model", "value", "interval", "against", "difference", "p", "change")
BESIDE = "p over reviews alone"


def tables_of(found: SentimentFound) -> Iterator[Table]:
    """Give one table a network: every figure of every model, and what became of it."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in found.changes}
    for metric in dict.fromkeys(each.task.name for each in found.learnt):
        own = [each for each in found.learnt if each.task.name == metric]
        headings = (*HEADINGS, BESIDE) if changes else HEADINGS[:4]
        table = Table(*headings, box=None, header_style="bold")
        table.title = Text(f"{metric}, {found.reviews.title}")
        table.title_justify = "left"
        for part in own[0].outcomes:
            for place, each in enumerate(own):
                one = each.outcomes[part]
                change = changes.get((metric, one.test.id, one.model.name))
                table.add_row("" if place else part, *_figure(one), *_change(change))
        yield table


def equity_table_of(found: EquityFound) -> Table:
    """Return one table of the sentences that differ in the group alone, by network and model."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in found.changes}
    headings = ("sentences", "by", "model", "P(positive), a less b", "p", "answer", "change")
    table = Table(*headings, box=None, header_style="bold")
    table.title = Text("The same sentence about two groups")
    table.title_justify = "left"
    for one in found.differences:
        change = changes.get((one.metric, one.test.id, one.model.name))
        by = one.metric.rpartition("-by-")[2]
        table.add_row(
            one.test.title,
            by,
            Text(one.model.name),
            *_difference(one),
            Text(f"{change_label(change)}, was {format_signed(change.value_before, 3)}")
            if change and change.value_before is not None
            else "",
        )
    return table


def _difference(one: Outcome) -> tuple[str | Text, ...]:
    if not isinstance(one, Result):
        return "", "", Text(one.reason if isinstance(one, Skipped) else "")
    ends = one.interval
    between = f" ({format_signed(ends.low, 3)} to {format_signed(ends.high, 3)})" if ends else ""
    p = format_p(one.verdict.p if one.p_holm is None else one.p_holm)
    return format_signed(one.effect, 3) + between, p, Text(one.verdict.sentence)


def _figure(one: Description) -> tuple[Text, str, str]:
    between = format_interval(one.interval, 3) if one.interval else ""
    return Text(one.model.name), format_number(one.value, 3), between


def _change(one: Change | None) -> tuple[str | Text, ...]:
    if one is None or one.value_after is None or one.value_before is None:
        return ()
    ends = one.difference
    between = f" ({format_signed(ends.low, 3)} to {format_signed(ends.high, 3)})" if ends else ""
    return (
        Text(one.before.name),
        format_signed(one.value_after - one.value_before, 3) + between,
        format_p(one.paired.value) if one.paired else "",
        Text(change_label(one)),
        format_p(one.over_items.value) if one.over_items else "",
    )


# fairvec task: what embeddings do in a task that is learnt from them.


_METHODS = ", ".join(method.name for method in DEBIASERS)
_CONCEPTS = ", ".join(concept.id for concept in shipped_concepts())
TRAININGS = "trainings"
"""The folder within a run that keeps what each training said."""

app = typer.Typer(
    help="Learn a task from embeddings, and compare them by it: sentiment.", no_args_is_help=True
)


@app.command()
@reads_a_model()
def sentiment(
    data: Annotated[
        str,
        typer.Option(
            help="CSV or TSV with columns text and label, or a name of 'fairvec benchmarks list'."
        ),
    ],
    model: Annotated[
        list[str],
        typer.Option(
            help="A file, or a name of 'fairvec models list'; may be repeated: later ones are "
            "compared with the first."
        ),
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Debias every model by it and compare: one of {_METHODS}, {OTHERS}; may be "
            "repeated."
        ),
    ] = None,
    concept: Annotated[
        str | None, typer.Option(help=f"What the methods take out: {_CONCEPTS}, or a TOML file.")
    ] = None,
    network: Annotated[
        Literal["both", "lstm", "means"],
        typer.Option(help="LSTM, logistic regression on the mean of the word vectors, or both."),
    ] = "both",
    seeds: Annotated[
        int, typer.Option(min=1, help="Passes: trainings from other folds and other weights.")
    ] = 5,
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the reviews, each predicted from the others.")
    ] = 5,
    length: Annotated[
        int | None,
        typer.Option(min=1, help="Of the LSTM: words of a review that are read, the last ones."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, max=100_000, help="Of the LSTM.")] = 25,
    text_column: Annotated[str, typer.Option(help="Column of the texts. Default: text.")] = "",
    label_column: Annotated[str, typer.Option(help="Column of the labels. Default: label.")] = "",
    split_column: Annotated[
        str,
        typer.Option(help="Column that says train, valid or test: no folds, only test is asked."),
    ] = "",
    labels: Annotated[
        str | None,
        typer.Option(
            help="What labels mean, as in 0=negative,1=neutral,2=positive. Default: positive, pos "
            "and 1; negative, neg and 0. Others are dropped."
        ),
    ] = None,
    equity: Annotated[
        bool,
        typer.Option(
            help="Whether the networks are also asked the same sentences about two groups."
        ),
    ] = True,
    reading: Reading = AS_FOUND,
    seed: options.Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print results as JSON lines.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Folder for results.jsonl, report.html and finished trainings: the same run goes "
            "on there.",
        ),
    ] = None,
) -> None:
    """Train classifiers of reviews on frozen word vectors; say what each model is worth in them.

    Every figure is a mean over passes, with an interval over reviews and trainings, and so is every
    difference: one run's 0.67 against 0.68 proves nothing. Lost, gained or kept is said after
    Holm's correction over the figures of two models. Bias in the task itself: the networks are also
    asked sentences that differ in a person's group alone.
    """
    chosen = concept_named(concept) if concept else None
    methods = [debiaser(name) for name in methods_named(method) or ()]
    columns = ReviewColumns(
        text_column, label_column, split_column, parse_labels(labels) if labels else {}
    )
    nets: list[Network] = [LstmNetwork(epochs=epochs, length=length), MeansNetwork()]
    tasks = [
        SentimentTask(each, seeds, folds, seed) for each in nets if network in ("both", each.name)
    ]
    if output:
        check_writable_folder(output, FILE_NAME, PAGE)
    models = _opened(model, reading)
    language, *_ = (*languages_of(models[0]), "mul")
    reviews = load_reviews(data, language, columns=columns)
    try:
        with progress_bar("training") as progress:
            found = sentiment_task(
                models,
                reviews,
                tasks,
                concept=chosen,
                methods=methods,
                equity=equity,
                folder=output / TRAININGS if output else None,
                progress=progress,
                on_remark=print_note,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(_interrupted(output)) from error
    if output:
        page = partial(render, title=_title(found.reviews.title))
        results = write_with_page(write_results, found.outcomes, output, page)
        print_note(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        print_answer(as_jsonl(found.outcomes))
        return
    for table in tables_of(found):
        print_table(table)
    if found.equity:
        print_table(equity_table_of(found.equity))


def _interrupted(output: Path | None) -> str:
    if output is None:
        return "Interrupted; nothing is kept: with -o FOLDER it could go on."
    kept = len([*(output / TRAININGS).glob("*.json")])
    if not kept:
        return "Interrupted before a training was finished; the same command begins again."
    trainings = "1 training is" if kept == 1 else f"{kept:,} trainings are"
    return (
        f"Interrupted; {trainings} kept in {output}: run the same command again, and it goes on "
        "with the others."
    )


def _opened(names: Sequence[str], how: Reading) -> list[Embedding]:
    for name in names:
        if names_an_encoder(name):
            raise SettingError(
                f"{name} is an encoder, and the task is learnt from word vectors: make some of it "
                f"with 'fairvec distil {name} ...'."
            )
    return [load_model(name, how) for name in names]


def _title(reviews: str) -> str:
    return f"What embeddings are worth in {reviews}"

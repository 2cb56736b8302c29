"""fairvec task: what embeddings do in a task that is learnt from them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from fairvec.benchmarks import ReviewColumns, reviews_of
from fairvec.benchmarks.reviews import labels_in
from fairvec.cli import options
from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.cli.from_outside import OTHERS, methods_named
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.runs import write_with_page
from fairvec.cli.sentiment_tables import equity_table_of, tables_of
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.encoders.naming import names_an_encoder
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.reviews.workflow import sentiment_task
from fairvec.ground.disk.places import refuse_folder
from fairvec.ground.errors import SettingError
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon import concepts
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.report import render
from fairvec.results import PAGE, as_jsonl, write_results
from fairvec.results.store import FILE_NAME
from fairvec.tasks.sentiment.networks import LstmNetwork, MeansNetwork, Network
from fairvec.tasks.sentiment.task import SentimentTask

_METHODS = ", ".join(method.name for method in DEBIASERS)
_CONCEPTS = ", ".join(concept.id for concept in concepts())
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
        text_column, label_column, split_column, labels_in(labels) if labels else {}
    )
    nets: list[Network] = [LstmNetwork(epochs=epochs, length=length), MeansNetwork()]
    tasks = [
        SentimentTask(each, seeds, folds, seed) for each in nets if network in ("both", each.name)
    ]
    if output:
        refuse_folder(output, FILE_NAME, PAGE)
    models = _opened(model, reading)
    language, *_ = (*languages_of(models[0]), "mul")
    reviews = reviews_of(data, language, columns=columns)
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
                on_remark=say,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(_interrupted(output)) from error
    if output:
        page = partial(render, title=_title(found.reviews.title))
        results = write_with_page(write_results, found.outcomes, output, page)
        say(f"Results: {results}", f"Report:  {output / PAGE}")
    if as_json:
        answer(as_jsonl(found.outcomes))
        return
    for table in tables_of(found):
        lay_out(table)
    if found.equity:
        lay_out(equity_table_of(found.equity))


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
    return [opened(name, how) for name in names]


def _title(reviews: str) -> str:
    return f"What embeddings are worth in {reviews}"

"""fairvec study and fairvec task: a grid of trained models, and what models do in sentiment."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from fairvec.api.create import TRAININGS, Equity, Jobs, Networks, sentiment_task
from fairvec.api.create import study as run_study
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import write_new_file
from fairvec.cli.models import model_source
from fairvec.cli.options import Argument, Option
from fairvec.cli.plugin_names import method_names, resolve_methods
from fairvec.cli.runs import interruption_note
from fairvec.core.errors import SettingError
from fairvec.core.format import format_number, format_signed
from fairvec.core.tables import Table, table_of
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.encoders.open import is_encoder_name
from fairvec.experiments.sentiment.equity import EquityResults
from fairvec.experiments.sentiment.reviews import SentimentResults
from fairvec.experiments.study.plan import study_scaffold
from fairvec.experiments.study.study import KeepModels, Study
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.lexicon import shipped_concepts
from fairvec.messages.changes import change_label, earlier_value, format_paired_p
from fairvec.messages.figures import format_interval
from fairvec.messages.sentiment import SAME_SENTENCE_TITLE, reviews_table_title
from fairvec.messages.studies import CLIPPED_NOTE, failure_note, refusal_note
from fairvec.messages.verdicts import format_corrected_p
from fairvec.mitigation import DEBIASERS
from fairvec.report.study import clipped_terms, levels_table, shares_table
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Change, Description
from fairvec.results.store import FILE_NAME, PAGE, as_jsonl
from fairvec.results.study import STUDY_FILE, FailedCell, IncompleteAnswer, StudyAnswer
from fairvec.tasks.sentiment.classifiers import LstmEpochs, ReviewLength
from fairvec.tasks.sentiment.task import Folds, Passes


def study(
    plan: Annotated[
        Path,
        Argument(metavar="PLAN.toml", help="The plan; 'fairvec study new' writes one to fill in."),
    ],
    output: Annotated[
        Path | None, Option("-o", help="Folder for cells, study.jsonl and report.html.")
    ] = None,
    jobs: Jobs = 1,
    scheduler: Annotated[
        str | None,
        Option(help="Train cells on the Dask cluster of this scheduler, as in tcp://host:8786."),
    ] = None,
    keep_models: KeepModels = False,
) -> None:
    """Train a grid of corpora and models, audit each, and say which factor explains bias.

    Cells are kept in the folder as they are found: an interrupted study goes on where it was, and
    the same study again trains nothing. Everything in the plan is checked before.
    """
    if output is None:
        raise SettingError("A study needs a folder for what it finds; say -o FOLDER.")
    try:
        with progress_bar("reading") as progress:
            result = run_study(
                plan,
                output,
                jobs=jobs,
                scheduler=scheduler,
                keep_models=keep_models,
                progress=progress,
                on_remark=print_note,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            interruption_note(output / "cells", "cell", "a cell was finished")
        ) from error
    _show(result)
    print_note(f"Records: {output / STUDY_FILE}", f"Report: {output / PAGE}")


def study_new(
    plan: Annotated[Path, Argument(metavar="PLAN.toml", help="The file to write.")],
    language: Annotated[str, Option(help="ISO 639-1 code of the texts.")] = DEFAULT_LANGUAGE,
) -> None:
    """Write a commented plan of a study to fill in."""
    then = f"  fairvec study {plan} -o FOLDER"
    write_new_file(plan, "study", lambda: study_scaffold(language), then)


def _show(result: Study) -> None:
    answers = [one for one in result.answers if isinstance(one, StudyAnswer)]
    for remark in result.head.remarks:
        print_answer(remark)
    if answers:
        print_table(levels_table(answers))
        print_table(shares_table(answers))
        if any(map(clipped_terms, answers)):
            print_answer(CLIPPED_NOTE)
    for one in answers:
        print_answer(f"{one.test.id}: {one.sentence}")
        if one.trend:
            print_answer(f"{one.test.id}: {one.trend.sentence}")
        if one.left_out:
            print_note(f"{one.test.id}: {one.left_out}")
    for refused in result.answers:
        if isinstance(refused, IncompleteAnswer):
            print_note(refusal_note(refused))
    for cell in result.cells:
        if isinstance(cell, FailedCell):
            print_note(failure_note(cell))


# fairvec task sentiment: its tables, then the command.


HEADINGS = ("figure", "model", "value", "interval", "against", "difference", "p", "change")
OVER_REVIEWS = "p over reviews alone"


def tables_of(run: SentimentResults) -> Iterator[Table]:
    """Yield one table per network: every figure of every model, and its change."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in run.changes}
    for metric in dict.fromkeys(each.task.name for each in run.results):
        own = [each for each in run.results if each.task.name == metric]
        headings = (*HEADINGS, OVER_REVIEWS) if changes else HEADINGS[:4]
        rows = []
        for part in own[0].outcomes:
            for place, each in enumerate(own):
                one = each.outcomes[part]
                change = changes.get((metric, one.test.id, one.model.name))
                rows.append(("" if place else part, *_figure(one), *_change(change)))
        yield table_of(headings, rows, title=reviews_table_title(metric, run.reviews.title))


def equity_table_of(equity: EquityResults) -> Table:
    """Return the table of sentences that differ in the group alone, by network and model."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in equity.changes}
    headings = ("sentences", "by", "model", "P(positive), a less b", "p", "answer", "change")
    rows = []
    for one in equity.differences:
        change = changes.get((one.metric, one.test.id, one.model.name))
        by = str(one.described.settings.get("network", "")) if one.described else ""
        was = earlier_value(change) if change else ""
        rows.append((one.test.title, by, one.model.name, *_difference(one), was))
    return table_of(headings, rows, title=SAME_SENTENCE_TITLE)


def _difference(one: Outcome) -> tuple[str, ...]:
    if not isinstance(one, Result):
        return "", "", one.reason if isinstance(one, Skipped) else ""
    ends = one.interval
    between = f" ({format_signed(ends.low, 3)} to {format_signed(ends.high, 3)})" if ends else ""
    p = format_corrected_p(one, one.verdict.p if one.p_holm is None else one.p_holm)
    return format_signed(one.effect, 3) + between, p, one.verdict.sentence


def _figure(one: Description) -> tuple[str, str, str]:
    between = format_interval(one.interval, 3) if one.interval else ""
    return one.model.name, format_number(one.value, 3), between


def _change(one: Change | None) -> tuple[str, ...]:
    if one is None or one.value_after is None or one.value_before is None:
        return ()
    ends = one.difference
    between = f" ({format_signed(ends.low, 3)} to {format_signed(ends.high, 3)})" if ends else ""
    return (
        one.before.name,
        format_signed(one.value_after - one.value_before, 3) + between,
        format_paired_p(one.paired, one.alpha),
        change_label(one),
        format_paired_p(one.over_items, one.alpha),
    )


_METHODS = ", ".join(method.name for method in DEBIASERS)
_CONCEPTS = ", ".join(concept.id for concept in shipped_concepts())


def sentiment(
    data: Annotated[
        str,
        Option(
            help="CSV or TSV with columns text and label, or a name of 'fairvec benchmarks list'."
        ),
    ],
    model: Annotated[
        list[str],
        Option(
            help="A file, or a name of 'fairvec models list'; may be repeated: later ones are "
            "compared with the first."
        ),
    ],
    method: Annotated[
        list[str] | None,
        Option(
            help=lambda: (
                f"Debias every model by it and compare: one of {_METHODS}, {method_names()}; "
                "may be repeated."
            )
        ),
    ] = None,
    concept: Annotated[
        str | None, Option(help=f"What the methods take out: {_CONCEPTS}, or a TOML file.")
    ] = None,
    network: Networks = "both",
    seeds: Passes = 5,
    folds: Folds = 5,
    length: ReviewLength | None = None,
    epochs: LstmEpochs = 25,
    text_column: Annotated[str, Option(help="Column of the texts. Default: text.")] = "",
    label_column: Annotated[str, Option(help="Column of the labels. Default: label.")] = "",
    split_column: Annotated[
        str, Option(help="Column that says train, valid or test: no folds, only test is asked.")
    ] = "",
    labels: Annotated[
        str | None,
        Option(
            help="What labels mean, as in 0=negative,1=neutral,2=positive. Default: positive, pos "
            "and 1; negative, neg and 0. Others are dropped."
        ),
    ] = None,
    equity: Equity = True,
    reading: LoadOptions = LOAD_DEFAULTS,
    seed: options.Seed = 0,
    as_json: options.PrintJson = False,
    output: Annotated[
        Path | None,
        Option(
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
    _refuse_encoders(model)
    columns = {"text": text_column, "label": label_column, "split": split_column}
    try:
        with progress_bar("training") as progress:
            run = sentiment_task(
                [model_source(name, reading, progress) for name in model],
                data,
                methods=resolve_methods(method) or (),
                concept=concept,
                network=network,
                seeds=seeds,
                folds=folds,
                length=length,
                epochs=epochs,
                columns=columns,
                labels=labels,
                equity=equity,
                folder=output,
                language=reading.language,
                seed=seed,
                progress=progress,
                on_remark=print_note,
            )
    except KeyboardInterrupt as error:
        if output is None:
            note = "Interrupted; nothing is kept: with -o FOLDER it could go on."
        else:
            note = interruption_note(output / TRAININGS, "training", "a training was finished")
        raise KeyboardInterrupt(note) from error
    if output:
        print_note(f"Results: {output / FILE_NAME}", f"Report:  {output / PAGE}")
    if as_json:
        print_answer(as_jsonl(run.outcomes))
        return
    for table in tables_of(run):
        print_table(table)
    if run.equity:
        print_table(equity_table_of(run.equity))


def _refuse_encoders(names: Sequence[str]) -> None:
    for name in names:
        if is_encoder_name(name):
            raise SettingError(
                f"{name} is an encoder, and the task is learnt from word vectors: make some of it "
                f"with 'fairvec distil {name} ...'."
            )


task = {"sentiment": sentiment}
"""The commands below `fairvec task`."""

"""fairvec study: where bias comes from, by training a grid and taking its effects apart."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.cli.new_files import write_new_file
from fairvec.cli.processes import beside_one_another
from fairvec.cli.runs import interrupted, write_with_page
from fairvec.evaluation.studies.running import CellMapping, Study
from fairvec.evaluation.studies.running import study as run_study
from fairvec.evaluation.studies.study_draft import study_scaffold
from fairvec.evaluation.studies.study_plan import read_study
from fairvec.ground.disk.places import empty, refuse_folder
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import p_value, signed
from fairvec.report import render_study
from fairvec.report.sections.study import TOGETHER, called, parts_of
from fairvec.results import (
    PAGE,
    STUDY_FILE,
    FailedCell,
    RefusedAnswer,
    StudyAnswer,
    write_study,
)

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
                told=say,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            interrupted(output / "cells", "cell", "a cell was finished")
        ) from error
    lines = write_with_page(write_study, found.lines, output, render_study)
    _show(found)
    say(f"Records: {lines}", f"Report: {output / PAGE}")


def _write_new(file: Path, language: str) -> None:
    then = f"  fairvec study {file} -o FOLDER"
    write_new_file(file, "study", lambda: study_scaffold(language), then)


def _refuse_taken(folder: Path) -> None:
    ours = any((folder / name).exists() for name in (STUDY_FILE, "cells", "texts"))
    if folder.exists() and not ours and not empty(folder):
        raise SettingError(f"{folder} holds something else; choose another folder.")
    refuse_folder(folder, STUDY_FILE, PAGE)


def _mapping(jobs: int, scheduler: str | None) -> CellMapping:
    """Return what runs the cells: this process, several, or a cluster that answers."""
    if scheduler is None:
        return map if jobs == 1 else partial(beside_one_another, jobs)
    if jobs > 1:
        raise SettingError(
            "--jobs says how many cells this machine trains, and --scheduler that others do; leave "
            "one of them out."
        )
    from fairvec.evaluation.studies.cells_on_cluster import on_cluster

    return on_cluster(scheduler)


def _show(found: Study) -> None:
    asked = [one for one in found.answers if isinstance(one, StudyAnswer)]
    if asked:
        lay_out(_levels(asked))
        lay_out(_shares(asked))
        if any(map(_clipped, asked)):
            answer(
                "* What came out below 0 is given as 0, so that a line can add up to more than "
                "100 %."
            )
    for one in asked:
        answer(f"{one.test.id}: {one.sentence}")
        if one.trend:
            answer(f"{one.test.id}: {one.trend.sentence}")
        if one.left_out:
            say(f"{one.test.id}: {one.left_out}")
    for refused in found.answers:
        if isinstance(refused, RefusedAnswer):
            say(f"Refused: {refused.test.id} ({refused.metric}): {refused.reason}")
    for cell in found.cells:
        if isinstance(cell, FailedCell):
            say(f"Failed: {cell.place}: {cell.reason}")
    for remark in found.head.remarks:
        say(remark)


def _levels(asked: Sequence[StudyAnswer]) -> Table:
    """Return the mean effects: a line for each test, a column for each level."""
    names = dict.fromkeys((one.factor, one.level) for answer in asked for one in answer.levels)
    headings = ("mean effect", *(f"{factor} {level}" for factor, level in names))
    table = Table(*headings, "seeds", "words", box=None, header_style="bold")
    for one in asked:
        means = {(level.factor, level.level): signed(level.mean) for level in one.levels}
        words = "" if one.word_spread is None else f"±{one.word_spread:.2f}"
        cells = (means.get(name, "") for name in names)
        table.add_row(one.test.id, *cells, f"{one.seed_spread:.2f}", words)
    return table


def _shares(asked: Sequence[StudyAnswer]) -> Table:
    """Return the shares of the variance: a line for each test, a column for each source."""
    names = dict.fromkeys(part.name for answer in asked for part in parts_of(answer))
    table = Table("explained", *names, box=None, header_style="bold")
    for one in asked:
        p = {
            part.name: f" (p {p_value(term.p_holm)})"
            for part, term in zip(parts_of(one), one.explained, strict=False)
            if term.p_holm is not None
        }
        stars = dict.fromkeys(_clipped(one), "*")
        shares = {
            part.name: f"{part.share:.0%}{stars.get(part.name, '')}{p.get(part.name, '')}"
            for part in parts_of(one)
        }
        table.add_row(one.test.id, *(shares.get(name, "") for name in names))
    return table


def _clipped(one: StudyAnswer) -> set[str]:
    """Return the columns of which a share came out below 0."""
    return {
        called(term) if len(term.factors) == 1 else TOGETHER
        for term in one.explained
        if term.share_was_negative
    }

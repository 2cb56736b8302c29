"""A study run: every cell once, kept as it is found, and then the answers."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec.evaluation.runs.describe import versions
from fairvec.evaluation.runs.run import Progress
from fairvec.evaluation.studies.answers import answers_of
from fairvec.evaluation.studies.cells import CellTask, measured
from fairvec.evaluation.studies.coverage import unanswerable
from fairvec.evaluation.studies.grid import StudyGrid, grid_of, rough_seconds
from fairvec.evaluation.studies.study_plan import CheckedStudy
from fairvec.ground.disk.files import write_text
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.results import (
    CellPlace,
    CellRecord,
    FailedCell,
    RefusedAnswer,
    StudyAnswer,
    StudyCell,
    StudyHead,
    StudyLine,
    read_cell,
)
from fairvec.results.record_file import as_json

CellMapping = Callable[[Callable[[CellTask], CellRecord], Sequence[CellTask]], Iterable[CellRecord]]
"""Applies a function to tasks and gives one record of each, in any order, as they are found."""

UNEQUAL = 1.25
"""Corpora of which one is so many times longer than another differ in size too."""


@dataclass(frozen=True)
class Study:
    """What was asked, the answer of every test, and every cell."""

    head: StudyHead
    answers: tuple[StudyAnswer | RefusedAnswer, ...]
    cells: tuple[CellRecord, ...]

    @property
    def lines(self) -> list[StudyLine]:
        """Everything, as study.jsonl holds it."""
        return [self.head, *self.answers, *self.cells]


def study(
    checked: CheckedStudy,
    folder: Path | str,
    *,
    keep_models: bool = False,
    mapping: CellMapping = map,
    progress: Progress | None = None,
    told: Callable[[str], None] | None = None,
) -> Study:
    """Train and audit every cell of a plan, and say what each factor explains.

    Every measured cell is kept in `folder`/cells by a hash of all that decides it, so that an
    interrupted study goes on and the same one again trains nothing; a cell that failed is tried
    again. Trained models are kept only if asked for. `mapping` runs the cells: each is a picklable
    function of its description, and independent of the others. `on_cluster(address)` is one for
    the workers of a Dask cluster.
    """
    place = Path(folder)
    grid = grid_of(checked, place, keep_models=keep_models, progress=progress)
    for sentence in unanswerable(checked, grid.tasks[0].words):
        if told:
            told(sentence)
    kept = {task.key: found for task in grid.tasks if (found := _kept(task, place))}
    missing = [task for task in grid.tasks if task.key not in kept]
    if told:
        told(_what_comes(grid, missing))
    records: dict[str, CellRecord] = dict(kept)
    if progress:
        progress(len(kept), len(grid.tasks), "training")
    waiting = {task.place: task for task in missing}
    coming = mapping(measured, missing)
    try:
        for record in coming:
            task = _asked(record, waiting)
            if isinstance(record, StudyCell):
                write_text(_file(task, place), as_json(record))
            records[task.key] = record
            if progress:
                progress(len(records), len(grid.tasks), str(task.place))
    finally:
        # Processes that still run should hear at once that nobody waits for them.
        if isinstance(coming, Generator):
            coming.close()
    if waiting:
        raise SettingError(
            f"The mapping gave no record of {next(iter(waiting))}; it must give one of each task."
        )
    # A name of the plan may have changed since a cell was kept; its place is that of the plan.
    cells = tuple(records[task.key].model_copy(update={"place": task.place}) for task in grid.tasks)
    return Study(
        _head(checked, grid, cells), answers_of(cells, checked.tests, checked.plan.when), cells
    )


def _asked(record: CellRecord, waiting: dict[CellPlace, CellTask]) -> CellTask:
    """Return the task of a record, which waits no longer: the order of arrival means nothing."""
    try:
        return waiting.pop(record.place)
    except KeyError:
        raise SettingError(
            f"The mapping gave a record of {record.place} that was not asked for, or a second one; "
            "it must give one of each task."
        ) from None


def _file(task: CellTask, folder: Path) -> Path:
    return folder / "cells" / f"{task.key}.json"


def _kept(task: CellTask, folder: Path) -> StudyCell | None:
    file = _file(task, folder)
    if not file.is_file() or (task.keep and not task.keep.is_file()):
        return None
    return read_cell(file)


def _what_comes(grid: StudyGrid, missing: Sequence[CellTask]) -> str:
    kept = len(grid.tasks) - len(missing)
    said = counted(len(grid.tasks), "cell") + (f", {kept} of them kept already" if kept else "")
    if not missing:
        return f"{said}: nothing is left to train."
    tokens = {corpus.name: corpus.tokens for corpus in grid.corpora}
    seconds = sum(rough_seconds(task, tokens[task.place.corpus]) for task in missing)
    time = f"{seconds / 60:.0f} min" if seconds > 60 else "a minute or less"
    return f"{said}; very roughly {time} on one core."


def _head(checked: CheckedStudy, grid: StudyGrid, cells: Sequence[CellRecord]) -> StudyHead:
    plan = checked.plan
    varied = [factor for factor, levels in plan.levels.items() if len(levels) > 1]
    return StudyHead(
        title=plan.title or f"What bias owes to {', '.join(varied)}",
        plan=plan.model_dump(mode="json"),
        factors={factor: tuple(map(str, levels)) for factor, levels in plan.levels.items()},
        corpora=grid.corpora,
        shared_words=grid.shared,
        remarks=tuple(_remarks(checked, grid, cells)),
        versions=versions(),
    )


def _remarks(checked: CheckedStudy, grid: StudyGrid, cells: Sequence[CellRecord]) -> Iterable[str]:
    failed = [cell for cell in cells if isinstance(cell, FailedCell)]
    if failed:
        yield (
            f"{len(failed)} of {len(cells)} cells failed; tests that need them are refused, or "
            "asked without that level, and say so."
        )
    sizes = [corpus.tokens for corpus in grid.corpora]
    if max(sizes) > UNEQUAL * min(sizes):
        said = ", ".join(f"{corpus.name} {corpus.tokens:,}" for corpus in grid.corpora)
        remedy = "set tokens in the plan"
        if checked.plan.tokens:
            remedy = f"lower tokens to {min(sizes)}, or give more text,"
        yield (
            f"The corpora differ in length ({said} words), so that what the corpus explains may be "
            f"its size; {remedy} to make them equal."
        )
    known: dict[str, set[int]] = {}
    for cell in cells:
        for effect in cell.effects if isinstance(cell, StudyCell) else ():
            known.setdefault(effect.test, set()).add(effect.words)
    uneven = [test for test, counts in known.items() if len(counts) > 1]
    if uneven:
        yield (
            f"Not every cell knew the same words of {', '.join(uneven)}, so that cells differ by "
            "that too."
        )

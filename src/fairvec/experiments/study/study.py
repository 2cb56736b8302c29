"""Run a study: build its grid of cells, train and audit each, cache it, and analyse the effects."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.format import pluralize
from fairvec.core.io.atomic_files import write_text
from fairvec.embedding import Embedding
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.test_words import coverage_shortfall
from fairvec.experiments.study.answers import answer_tests, without_remedy
from fairvec.experiments.study.cells import CellTask, identity_of, run_cell, test_identities
from fairvec.experiments.study.plan import CheckedStudy
from fairvec.experiments.study.texts import PreparedText, prepare_text, shared_words, vocabulary
from fairvec.languages.text_files import sha256_of
from fairvec.lexicon import resolve
from fairvec.results import (
    CellPlace,
    CellRecord,
    CorpusOfStudy,
    FailedCell,
    RefusedAnswer,
    StudyAnswer,
    StudyCell,
    StudyHead,
    StudyLine,
    read_cell,
)
from fairvec.results.store import as_json
from fairvec.training.encode import Cut
from fairvec.training.train import TrainingText

FEWEST_SHARED = 2
"""Words that all corpora must share."""

WORDS_PER_SECOND = {
    "glove": 2_000_000.0,
    "poincare-glove": 600_000.0,
    "skipgram": 250_000.0,
    "cbow": 600_000.0,
    "fasttext": 90_000.0,
}
"""What one core roughly learns in an epoch at window 5 and 100 dimensions, start-up left out."""


@dataclass(frozen=True)
class StudyGrid:
    """All cells of a study, and the corpora they learn from."""

    tasks: tuple[CellTask, ...]
    corpora: tuple[CorpusOfStudy, ...]
    shared: int


def build_grid(
    checked: CheckedStudy,
    folder: Path,
    *,
    keep_models: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> StudyGrid:
    """Find the words of every corpus and describe every cell."""
    plan = checked.plan
    cut = Cut(plan.min_count, plan.max_words)
    texts: dict[str, PreparedText] = {}
    vocabularies: dict[str, dict[str, int]] = {}
    for index, (name, files) in enumerate(checked.files.items()):
        if progress:
            progress(index, len(checked.files), f"reading {name}")
        text = TrainingText(files, plan.language, plan.words, cut)
        texts[name] = prepare_text(text, plan.tokens, folder / "texts")
        vocabularies[name] = vocabulary(texts[name].path, cut)
    _refuse_equal_texts(texts)
    shared = shared_words(list(vocabularies.values()))
    if len(shared) < FEWEST_SHARED:
        raise SettingError(
            f"The corpora {', '.join(vocabularies)} share "
            f"{pluralize(len(shared), 'word that occurs', 'words that occur')} "
            f"{pluralize(plan.min_count, 'time')} in each; give more text, or lower min_count."
        )
    shared_text = "\n".join(shared)
    words = folder / "texts" / f"{sha256(shared_text.encode()).hexdigest()}.words"
    write_text(words, shared_text)
    corpora = tuple(
        CorpusOfStudy(
            name=name,
            files=tuple(file.name for file in checked.files[name]),
            sha256=text.sha256,
            when=plan.when.get(name),
            tokens=text.tokens,
            tokens_in_all=text.tokens_in_all,
            words=len(vocabularies[name]),
        )
        for name, text in texts.items()
    )
    builder = _GridBuilder(checked, texts, words, cut, folder, keep_models)
    return StudyGrid(builder.tasks(), corpora, len(shared))


def _refuse_equal_texts(texts: dict[str, PreparedText]) -> None:
    """Raise if two corpora teach the same: as levels they would differ by nothing at all."""
    by_hash: dict[str, str] = {}
    for name, text in texts.items():
        first = by_hash.setdefault(sha256_of(text.path), name)
        if first != name:
            raise SettingError(
                f"The corpora {first} and {name} hold the same text; leave one of them out."
            )


@dataclass(frozen=True)
class _GridBuilder:
    checked: CheckedStudy
    texts: dict[str, PreparedText]
    words: Path
    cut: Cut
    folder: Path
    keep_models: bool

    def tasks(self) -> tuple[CellTask, ...]:
        plan = self.checked.plan
        combinations = product(plan.corpora, plan.models, plan.windows, plan.dims, plan.seeds)
        return tuple(
            self._task(CellPlace(corpus=corpus, model=model, window=window, dim=dim, seed=seed))
            for corpus, model, window, dim, seed in combinations
        )

    def _task(self, place: CellPlace) -> CellTask:
        plan = self.checked.plan
        kind = plan.kind(place.model, place.dim)
        text = self.texts[place.corpus]
        task = CellTask(
            place=place,
            kind=kind,
            text=text.path,
            words=self.words,
            language=plan.language,
            cut=self.cut,
            suites=self.checked.suites,
            metrics=plan.metrics,
            similarity=plan.similarity,
            convention=plan.convention,
            corpus=tuple(file.name for file in self.checked.files[place.corpus]),
            identity=identity_of(self._shared_identity(text), place, kind),
        )
        if not self.keep_models:
            return task
        return CellTask(**vars(task) | {"keep": self.folder / "models" / f"{task.key}.fairvec"})

    def _shared_identity(self, text: PreparedText) -> dict[str, Any]:
        plan, tests = self.checked.plan, self.checked.tests
        return {
            "text": text.sha256,
            "shared": self.words.stem,
            "cut": [self.cut.min_count, self.cut.most_words],
            "language": plan.language,
            "tests": test_identities(tests),
            "metrics": [plan.metrics, plan.similarity, plan.convention],
        }


def rough_seconds(task: CellTask, tokens: int) -> float:
    """Return about how long a cell takes on one core; a guess before any was measured."""
    work = tokens * task.kind.epochs * task.kind.dimensions / 100
    per_word = task.place.window / 5 if task.kind.name != "cbow" else 1.0
    return 3 + work * per_word / WORDS_PER_SECOND[task.kind.name]


def unanswerable_tests(checked: CheckedStudy, words: Path) -> list[str]:
    """Say of each test and metric that lacks words why it will have no answer.

    Raises if there is none left: no model would tell anything.
    """
    keys = words.read_text(encoding="utf-8").split("\n")
    # Only its keys are looked at: what was learnt of them decides nothing here.
    embedding = Embedding(keys, np.ones((len(keys), 1)), languages=(checked.plan.language,))
    smallest_coverage = Statistics().smallest_coverage
    total, notes = 0, []
    for selected in checked.tests:
        groups = resolve(selected.test, embedding)
        for metric in checked.plan.configured_metrics:
            total += 1
            if shortfall := coverage_shortfall(groups, metric, smallest_coverage):
                notes.append(
                    f"{selected.test.id} ({metric.name}) cannot be asked: "
                    f"{without_remedy(shortfall)}"
                )
    if len(notes) == total:
        raise SettingError(
            f"The corpora share too few words of every test; {notes[0]} Give more text, lower "
            "min_count, or choose other suites."
        )
    return notes


CellMapping = Callable[[Callable[[CellTask], CellRecord], Sequence[CellTask]], Iterable[CellRecord]]
"""Applies a function to tasks and gives one record of each, in any order, as they are found."""

UNEQUAL_LENGTHS = 1.25
"""Corpora of which one is so many times longer than another differ in size too."""


@dataclass(frozen=True)
class Study:
    """The head of a study, the answer of every test, and every cell."""

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
    function of its description, and independent of the others. `dask_mapping(address)` is one
    for the workers of a Dask cluster.
    """
    root = Path(folder)
    grid = build_grid(checked, root, keep_models=keep_models, progress=progress)
    for sentence in unanswerable_tests(checked, grid.tasks[0].words):
        if told:
            told(sentence)
    cached = {task.key: found for task in grid.tasks if (found := _cached_cell(task, root))}
    missing = [task for task in grid.tasks if task.key not in cached]
    if told:
        told(_work_estimate(grid, missing))
    records: dict[str, CellRecord] = dict(cached)
    if progress:
        progress(len(cached), len(grid.tasks), "training")
    waiting = {task.place: task for task in missing}
    results = mapping(run_cell, missing)
    try:
        for record in results:
            task = _task_of_record(record, waiting)
            if isinstance(record, StudyCell):
                write_text(_file(task, root), as_json(record))
            records[task.key] = record
            if progress:
                progress(len(records), len(grid.tasks), str(task.place))
    finally:
        # Processes that still run should hear at once that nobody waits for them.
        if isinstance(results, Generator):
            results.close()
    if waiting:
        raise SettingError(
            f"The mapping gave no record of {next(iter(waiting))}; it must give one of each task."
        )
    # A name of the plan may have changed since a cell was kept; its place is that of the plan.
    cells = tuple(records[task.key].model_copy(update={"place": task.place}) for task in grid.tasks)
    return Study(
        _head(checked, grid, cells), answer_tests(cells, checked.tests, checked.plan.when), cells
    )


def _task_of_record(record: CellRecord, waiting: dict[CellPlace, CellTask]) -> CellTask:
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


def _cached_cell(task: CellTask, folder: Path) -> StudyCell | None:
    file = _file(task, folder)
    if not file.is_file() or (task.keep and not task.keep.is_file()):
        return None
    return read_cell(file)


def _work_estimate(grid: StudyGrid, missing: Sequence[CellTask]) -> str:
    cached = len(grid.tasks) - len(missing)
    count_text = pluralize(len(grid.tasks), "cell") + (
        (f", {cached} of them kept already") if cached else ""
    )
    if not missing:
        return f"{count_text}: nothing is left to train."
    tokens = {corpus.name: corpus.tokens for corpus in grid.corpora}
    seconds = sum(rough_seconds(task, tokens[task.place.corpus]) for task in missing)
    time = f"{seconds / 60:.0f} min" if seconds > 60 else "a minute or less"
    return f"{count_text}; very roughly {time} on one core."


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
    if max(sizes) > UNEQUAL_LENGTHS * min(sizes):
        lengths = ", ".join(f"{corpus.name} {corpus.tokens:,}" for corpus in grid.corpora)
        remedy = "set tokens in the plan"
        if checked.plan.tokens:
            remedy = f"lower tokens to {min(sizes)}, or give more text,"
        yield (
            f"The corpora differ in length ({lengths} words), so that what the corpus explains may "
            f"be its size; {remedy} to make them equal."
        )
    word_counts: dict[str, set[int]] = {}
    for cell in cells:
        for effect in cell.effects if isinstance(cell, StudyCell) else ():
            word_counts.setdefault(effect.test, set()).add(effect.words)
    uneven = [test for test, counts in word_counts.items() if len(counts) > 1]
    if uneven:
        yield (
            f"Not every cell knew the same words of {', '.join(uneven)}, so that cells differ by "
            "that too."
        )

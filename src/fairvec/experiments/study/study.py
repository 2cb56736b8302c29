"""Run a study: build its grid of cells, train and audit each, cache it, and analyse the effects."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import SettingError, UnanswerableError
from fairvec.core.format import is_significant, pluralize
from fairvec.core.io.atomic_files import write_text
from fairvec.core.io.cache import entry_path
from fairvec.core.io.text_files import sha256_of
from fairvec.embedding import Embedding
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.test_words import require_coverage
from fairvec.experiments.study.answers import (
    answer_tests,
    seeds_needed,
    smallest_possible_p,
    tested_terms,
)
from fairvec.experiments.study.cells import (
    CellTask,
    identity_of,
    read_words,
    run_cell,
    test_identities,
)
from fairvec.experiments.study.plan import CheckedStudy
from fairvec.experiments.study.texts import PreparedText, prepare_text, shared_words, vocabulary
from fairvec.lexicon import resolve
from fairvec.messages.studies import (
    study_remarks,
    study_title,
    unanswerable_note,
    undecided_note,
    work_estimate,
)
from fairvec.results.study import (
    ALPHA,
    CellKey,
    CellRecord,
    FailedCell,
    IncompleteAnswer,
    StudyAnswer,
    StudyCell,
    StudyCorpus,
    StudyHeader,
    StudyLine,
    read_cell,
    write_cell,
)
from fairvec.training.encode import VocabularyLimits
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
"""Rough speed of one core in an epoch at window 5 and 100 dimensions, without start-up."""

KeepModels = Annotated[bool, Field(description="Keep every trained model in FOLDER/models.")]


def prepare_cells(
    checked: CheckedStudy,
    folder: Path,
    *,
    keep_models: bool = False,
    progress: Progress | None = None,
) -> tuple[list[CellTask], list[StudyCorpus]]:
    """Prepare the text of every corpus, and describe every cell."""
    plan = checked.plan
    cut = VocabularyLimits(plan.min_count, plan.max_words)
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
    corpora = [
        StudyCorpus(
            name=name,
            files=tuple(file.name for file in checked.files[name]),
            sha256=text.sha256,
            when=plan.when.get(name),
            tokens=text.tokens,
            tokens_in_all=text.tokens_in_all,
            words=len(vocabularies[name]),
        )
        for name, text in texts.items()
    ]
    places = [
        CellKey(corpus=corpus, model=model, window=window, dim=dim, seed=seed)
        for corpus, model, window, dim, seed in product(
            plan.corpora, plan.models, plan.windows, plan.dims, plan.seeds
        )
    ]
    tasks = [
        _cell_task(place, checked, texts[place.corpus], words, cut, folder) for place in places
    ]
    if keep_models:
        models = folder / "models"
        tasks = [replace(task, keep=models / f"{task.cache.stem}.fairvec") for task in tasks]
    return tasks, corpora


def _refuse_equal_texts(texts: dict[str, PreparedText]) -> None:
    """Raise if two corpora have the same text: as levels they would not differ."""
    by_hash: dict[str, str] = {}
    for name, text in texts.items():
        first = by_hash.setdefault(sha256_of(text.path), name)
        if first != name:
            raise SettingError(
                f"The corpora {first} and {name} hold the same text; leave one of them out."
            )


def _cell_task(
    place: CellKey,
    checked: CheckedStudy,
    text: PreparedText,
    words: Path,
    cut: VocabularyLimits,
    folder: Path,
) -> CellTask:
    plan = checked.plan
    kind = plan.kind(place.model, place.dim)
    shared = {
        "text": text.sha256,
        "shared": words.stem,
        "cut": [cut.min_count, cut.most_words],
        "language": plan.language,
        "tests": test_identities(checked.tests),
        "metrics": [plan.metrics, plan.similarity, plan.convention],
    }
    identity = identity_of(shared, place, kind)
    return CellTask(
        place=place,
        kind=kind,
        text=text.path,
        words=words,
        language=plan.language,
        cut=cut,
        suites=checked.suites,
        metrics=plan.metrics,
        similarity=plan.similarity,
        convention=plan.convention,
        corpus=tuple(file.name for file in checked.files[place.corpus]),
        identity=identity,
        cache=entry_path(folder / "cells", identity),
    )


def rough_seconds(task: CellTask, tokens: int) -> float:
    """Return a rough estimate of the time of a cell on one core."""
    work = tokens * task.kind.epochs * task.kind.dimensions / 100
    per_word = task.place.window / 5 if task.kind.name != "cbow" else 1.0
    return 3 + work * per_word / WORDS_PER_SECOND[task.kind.name]


def unanswerable_tests(checked: CheckedStudy, keys: Sequence[str]) -> list[str]:
    """Return why each test and metric that lacks words will have no answer.

    Raises if there is no other: the study would have no answer at all.
    """
    # Only its keys matter here, not their vectors.
    embedding = Embedding(keys, np.ones((len(keys), 1)), languages=(checked.plan.language,))
    min_coverage = Statistics().min_coverage
    total, notes = 0, []
    for selected in checked.tests:
        groups = resolve(selected.test, embedding)
        for metric in checked.plan.configured_metrics:
            total += 1
            try:
                require_coverage(groups, metric, min_coverage)
            except UnanswerableError as error:
                notes.append(unanswerable_note(selected.test.id, metric.name, error.finding))
    if len(notes) == total:
        raise SettingError(
            f"The corpora share too few words of every test; {notes[0]} Give more text, lower "
            "min_count, or choose other suites."
        )
    return notes


CellMapping = Callable[[Callable[[CellTask], CellRecord], Sequence[CellTask]], Iterable[CellRecord]]
"""Applies a function to tasks and yields one record of each, in any order."""

UNEQUAL_LENGTHS = 1.25
"""Ratio of lengths from which on corpora are noted to differ in size too."""


@dataclass(frozen=True)
class Study:
    """The head of a study, the answer of every test, and every cell."""

    head: StudyHeader
    answers: tuple[StudyAnswer | IncompleteAnswer, ...]
    cells: tuple[CellRecord, ...]

    @property
    def lines(self) -> list[StudyLine]:
        """Everything, as study.jsonl holds it."""
        return [self.head, *self.answers, *self.cells]


def study(
    checked: CheckedStudy,
    folder: Path | str,
    *,
    keep_models: KeepModels = False,
    mapping: CellMapping = map,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> Study:
    """Train and audit every cell of a plan, and analyse what each factor explains.

    Every measured cell is cached in `folder`/cells by a hash of its inputs, so that an interrupted
    study goes on and the same one again trains nothing; a cell that failed is tried again. Trained
    models are saved only with `keep_models`. `mapping` runs the cells: each is a picklable function
    of its description, and independent of the others. `dask_mapping(address)` is one for the
    workers of a Dask cluster.
    """
    root = Path(folder)
    tasks, corpora = prepare_cells(checked, root, keep_models=keep_models, progress=progress)
    shared = read_words(tasks[0].words)
    for sentence in unanswerable_tests(checked, shared):
        if on_remark:
            on_remark(sentence)
    records: dict[CellKey, CellRecord] = {
        task.place: cell for task in tasks if (cell := _cached_cell(task))
    }
    missing = [task for task in tasks if task.place not in records]
    if on_remark:
        on_remark(_work_estimate(tasks, missing, corpora))
    if progress:
        progress(len(records), len(tasks), "training")
    waiting = {task.place: task for task in missing}
    results = mapping(run_cell, missing)
    try:
        for record in results:
            task = _task_of_record(record, waiting)
            if isinstance(record, StudyCell):
                write_cell(task.cache, record)
            records[task.place] = record
            if progress:
                progress(len(records), len(tasks), str(task.place))
    finally:
        # Stop the processes that still run.
        if isinstance(results, Generator):
            results.close()
    if waiting:
        raise SettingError(
            f"The mapping gave no record of {next(iter(waiting))}; it must give one of each task."
        )
    # A name of the plan may have changed since a cell was cached; its place is that of the plan.
    cells = tuple(records[task.place].model_copy(update={"place": task.place}) for task in tasks)
    answers = answer_tests(cells, checked.tests, checked.plan.when)
    least = smallest_possible_p(answers)
    plan = checked.plan
    varied = [factor for factor, levels in plan.levels.items() if len(levels) > 1]
    undecided = []
    if not is_significant(least, ALPHA):
        counts = [len(plan.levels[factor]) for factor in varied]
        enough = seeds_needed(counts, len(tested_terms(answers)))
        undecided = [undecided_note(least, len(plan.seeds), enough)]
    head = StudyHeader(
        title=plan.title or study_title(varied),
        plan=plan.model_dump(mode="json"),
        factors={factor: tuple(map(str, levels)) for factor, levels in plan.levels.items()},
        corpora=tuple(corpora),
        shared_words=len(shared),
        remarks=(*undecided, *_remarks(checked, corpora, cells)),
        versions=versions(),
    )
    return Study(head, answers, cells)


def _task_of_record(record: CellRecord, waiting: dict[CellKey, CellTask]) -> CellTask:
    """Remove the task of a record from those that wait, and return it; order does not matter."""
    try:
        return waiting.pop(record.place)
    except KeyError:
        raise SettingError(
            f"The mapping gave a record of {record.place} that was not asked for, or a second one; "
            "it must give one of each task."
        ) from None


def _cached_cell(task: CellTask) -> StudyCell | None:
    if not task.cache.is_file() or (task.keep and not task.keep.is_file()):
        return None
    return read_cell(task.cache)


def _work_estimate(
    tasks: Sequence[CellTask], missing: Sequence[CellTask], corpora: Sequence[StudyCorpus]
) -> str:
    tokens = {corpus.name: corpus.tokens for corpus in corpora}
    seconds = sum(rough_seconds(task, tokens[task.place.corpus]) for task in missing)
    return work_estimate(len(tasks), len(tasks) - len(missing), seconds)


def _remarks(
    checked: CheckedStudy, corpora: Sequence[StudyCorpus], cells: Sequence[CellRecord]
) -> Iterable[str]:
    failed = sum(isinstance(cell, FailedCell) for cell in cells)
    sizes = {corpus.name: corpus.tokens for corpus in corpora}
    unequal = max(sizes.values()) > UNEQUAL_LENGTHS * min(sizes.values())
    word_counts: dict[str, set[int]] = {}
    for cell in cells:
        for effect in cell.effects if isinstance(cell, StudyCell) else ():
            word_counts.setdefault(effect.test, set()).add(effect.words)
    uneven = [test for test, counts in word_counts.items() if len(counts) > 1]
    return study_remarks(failed, len(cells), sizes if unequal else {}, checked.plan.tokens, uneven)

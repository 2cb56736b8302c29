"""From a plan to its cells: the texts, the words they share, and one task a cell."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from fairvec.encoders.corpus.lines import sha256_of
from fairvec.evaluation.studies.cells import CellTask, asked_of, identity_of
from fairvec.evaluation.studies.study_plan import CheckedStudy
from fairvec.evaluation.studies.texts import PreparedText, prepared, shared_words, vocabulary
from fairvec.ground.disk.files import write_text
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.results import CellPlace, CorpusOfStudy
from fairvec.training.corpus.encoded import Cut
from fairvec.training.workflow import Text

FEWEST_SHARED = 2
"""Words that all corpora must share."""

WORDS_A_SECOND = {
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


def grid_of(
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
    known: dict[str, dict[str, int]] = {}
    for done, (name, files) in enumerate(checked.files.items()):
        if progress:
            progress(done, len(checked.files), f"reading {name}")
        text = Text(files, plan.language, plan.words, cut)
        texts[name] = prepared(text, plan.tokens, folder / "texts")
        known[name] = vocabulary(texts[name].path, cut)
    _refuse_equal(texts)
    shared = shared_words(list(known.values()))
    if len(shared) < FEWEST_SHARED:
        raise SettingError(
            f"The corpora {', '.join(known)} share "
            f"{counted(len(shared), 'word that occurs', 'words that occur')} "
            f"{counted(plan.min_count, 'time')} in each; give more text, or lower min_count."
        )
    listed = "\n".join(shared)
    words = folder / "texts" / f"{sha256(listed.encode()).hexdigest()}.words"
    write_text(words, listed)
    corpora = tuple(
        CorpusOfStudy(
            name=name,
            files=tuple(file.name for file in checked.files[name]),
            sha256=text.sha256,
            when=plan.when.get(name),
            tokens=text.tokens,
            tokens_in_all=text.tokens_in_all,
            words=len(known[name]),
        )
        for name, text in texts.items()
    )
    shape = _Cells(checked, texts, words, cut, folder, keep_models)
    return StudyGrid(shape.tasks(), corpora, len(shared))


def _refuse_equal(texts: dict[str, PreparedText]) -> None:
    """Raise if two corpora teach the same: as levels they would differ by nothing at all."""
    seen: dict[str, str] = {}
    for name, text in texts.items():
        first = seen.setdefault(sha256_of(text.path), name)
        if first != name:
            raise SettingError(
                f"The corpora {first} and {name} hold the same text; leave one of them out."
            )


@dataclass(frozen=True)
class _Cells:
    checked: CheckedStudy
    texts: dict[str, PreparedText]
    words: Path
    cut: Cut
    folder: Path
    keep_models: bool

    def tasks(self) -> tuple[CellTask, ...]:
        plan = self.checked.plan
        ways = product(plan.corpora, plan.models, plan.windows, plan.dims, plan.seeds)
        return tuple(
            self._task(CellPlace(corpus=corpus, model=model, window=window, dim=dim, seed=seed))
            for corpus, model, window, dim, seed in ways
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
            identity=identity_of(self._decides(text), place, kind),
        )
        if not self.keep_models:
            return task
        return CellTask(**vars(task) | {"keep": self.folder / "models" / f"{task.key}.fairvec"})

    def _decides(self, text: PreparedText) -> dict[str, Any]:
        plan, tests = self.checked.plan, self.checked.tests
        return {
            "text": text.sha256,
            "shared": self.words.stem,
            "cut": [self.cut.min_count, self.cut.most_words],
            "language": plan.language,
            "tests": asked_of(tests),
            "metrics": [plan.metrics, plan.similarity, plan.convention],
        }


def rough_seconds(task: CellTask, tokens: int) -> float:
    """Return about how long a cell takes on one core; a guess before any was measured."""
    work = tokens * task.kind.epochs * task.kind.dimensions / 100
    per_word = task.place.window / 5 if task.kind.name != "cbow" else 1.0
    return 3 + work * per_word / WORDS_A_SECOND[task.kind.name]

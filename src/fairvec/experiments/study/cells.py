"""One cell of a study: a model trained and audited, as a pure function of its description."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.core.io.cache import key_text
from fairvec.embedding import Embedding, save
from fairvec.embedding.embedding import Step
from fairvec.experiments.audit.audit import audit
from fairvec.lexicon import SelectedTest
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Description
from fairvec.results.study import (
    CellEffect,
    CellKey,
    CellRecord,
    FailedCell,
    MissingEffect,
    StudyCell,
)
from fairvec.training.encode import VocabularyLimits
from fairvec.training.gensim_training import GensimModel
from fairvec.training.train import Kind, TrainingText, train_embedding
from fairvec.version import __version__

CELL_VERSION = 2
"""Increased whenever a cell is trained or measured in another way."""


@dataclass(frozen=True)
class CellTask:
    """The inputs of a cell; they can be sent to another process or machine that has its files.

    `identity` has the same by content: hashes of the files, not their paths. The record is cached
    in the file `cache`; `keep` is the path of the trained model, if it is to be saved.
    """

    place: CellKey
    kind: Kind
    text: Path
    words: Path
    language: str
    cut: VocabularyLimits
    suites: tuple[str, ...]
    metrics: tuple[str, ...]
    similarity: str | None
    convention: str | None
    corpus: tuple[str, ...]
    identity: str
    cache: Path
    keep: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it reads: the text, the shared words, and own suites."""
        own = (Path(suite) for suite in self.suites if suite.endswith(".toml"))
        return (self.text, self.words, *own)


def identity_of(shared: dict[str, Any], place: CellKey, kind: Kind) -> str:
    """Return the inputs of a cell as text: those that cells share, its place and its model."""
    cell = {
        # Not the name of a corpus or model: renaming it changes no figure.
        "window": place.window,
        "seed": place.seed,
        "kind": [kind.name, asdict(kind)],
        # Otherwise a seed added after an upgrade would differ by more than chance.
        "by": _training_package(kind),
        "fairvec": [__version__, CELL_VERSION],
    }
    return key_text(shared | cell)


def _training_package(kind: Kind) -> tuple[str, str]:
    name = "gensim" if isinstance(kind, GensimModel) else "numba"
    return name, version_of_package(name)


def version_of_package(name: str) -> str:
    """Return the version of an installed package, or "absent"."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def test_identities(tests: Iterable[SelectedTest]) -> list[list[Any]]:
    """Return the tests for an identity: the version of the suite, and all lists."""
    return [[selected.suite.version, selected.test.model_dump(mode="json")] for selected in tests]


def read_words(path: Path) -> list[str]:
    """Return the words that all corpora share, one a line."""
    return path.read_text(encoding="utf-8").split("\n")


def run_cell(task: CellTask) -> CellRecord:
    """Train and audit one cell; an error of fairvec becomes a record with the reason.

    Only words that every corpus of the study has are audited, so that cells differ by what was
    learnt of these words and not by which words were found.
    """
    start = perf_counter()
    try:
        embedding = _train(task)
        if task.keep:
            save(embedding, task.keep, force=True)
        outcomes = audit(
            _restrict_to(embedding, read_words(task.words)),
            suites=task.suites,
            metrics=task.metrics,
            similarity=task.similarity,
            convention=task.convention,
            categories=False,
        )
    except FairvecError as error:
        return FailedCell(place=task.place, reason=str(error))
    effects = [effect for outcome in outcomes if (effect := effect_of(outcome))]
    gaps = [_gap(outcome) for outcome in outcomes if not effect_of(outcome)]
    return StudyCell(
        place=task.place,
        effects=tuple(effects),
        gaps=tuple(gaps),
        sha256=embedding.content_hash,
        words=len(embedding),
        seconds=round(perf_counter() - start, 2),
    )


def effect_of(outcome: Outcome) -> CellEffect | None:
    """Return the figure of an outcome; None if it has none."""
    if not isinstance(outcome, Result | Description):
        return None
    ends = outcome.interval
    return CellEffect(
        test=outcome.test.id,
        metric=outcome.metric,
        effect=outcome.effect if isinstance(outcome, Result) else outcome.value,
        low=ends.low if ends else None,
        high=ends.high if ends else None,
        p=outcome.verdict.p if isinstance(outcome, Result) else None,
        words=sum(group.found for group in outcome.coverage),
    )


def _gap(outcome: Outcome) -> MissingEffect:
    reason = "It has no value here."
    if isinstance(outcome, Skipped):
        reason = outcome.finding or outcome.reason  # the remedy is for those who ask an audit
    return MissingEffect(test=outcome.test.id, metric=outcome.metric, reason=reason)


def _train(task: CellTask) -> Embedding:
    text = TrainingText((task.text,), task.language, "separated", task.cut, task.place.window)
    # One thread: otherwise gensim's models are not reproducible, and cells run in parallel.
    embedding = train_embedding(
        text, task.kind, seed=task.place.seed, threads=1, name=str(task.place)
    )
    if not np.isfinite(embedding.vectors).all():
        raise UndefinedError(
            f"{task.place}: the training ran away and left no finite vectors; lower its rate."
        )
    (step,) = embedding.history
    with_corpus = Step(step.action, {**step.details, "corpus": list(task.corpus)})
    return replace(embedding, history=(with_corpus,))


def _restrict_to(embedding: Embedding, words: Sequence[str]) -> Embedding:
    """Return the embedding of these words alone."""
    keys = [key for key in words if key in embedding]
    rows = [embedding.positions[key] for key in keys]
    counts = None if embedding.counts is None else embedding.counts[rows]
    history = embedding.history
    if len(keys) < len(embedding):
        cut = Step("subset", {"of": embedding.name, "words": "those of all corpora"})
        history = (*history, cut)
    return replace(
        embedding, keys=keys, vectors=embedding.vectors[rows], counts=counts, history=history
    )

"""One cell of a study: a model trained and audited, as a pure function of its description."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.embedding import Embedding, save
from fairvec.embedding.embedding import Step
from fairvec.experiments.audit.audit import audit
from fairvec.lexicon import SelectedTest
from fairvec.results import (
    CellEffect,
    CellGap,
    CellPlace,
    CellRecord,
    Description,
    FailedCell,
    Outcome,
    Result,
    StudyCell,
)
from fairvec.training.encode import Cut
from fairvec.training.gensim_training import GensimModel
from fairvec.training.train import Kind, TrainingText, train_embedding
from fairvec.version import __version__

CELL_VERSION = 1
"""Increased whenever a cell is trained or measured in another way."""


@dataclass(frozen=True)
class CellTask:
    """All that decides a cell; it can be sent to another process or machine that sees its files.

    `identity` says the same by content: what the files hold, not where they lie. `keep` is where
    the trained model goes, if anywhere.
    """

    place: CellPlace
    kind: Kind
    text: Path
    words: Path
    language: str
    cut: Cut
    suites: tuple[str, ...]
    metrics: tuple[str, ...]
    similarity: str | None
    convention: str | None
    corpus: tuple[str, ...]
    identity: str
    keep: Path | None = None

    @property
    def key(self) -> str:
        """The hash of all that decides the cell."""
        return sha256(self.identity.encode()).hexdigest()

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it reads: the text, the shared words, and suites of one's own."""
        own = (Path(suite) for suite in self.suites if suite.endswith(".toml"))
        return (self.text, self.words, *own)


def identity_of(shared: dict[str, Any], place: CellPlace, kind: Kind) -> str:
    """Return what decides a cell, as text: what cells share, its place, and its kind of model."""
    cell = {
        # The name of a corpus or model decides nothing, only what it stands for.
        "window": place.window,
        "seed": place.seed,
        "kind": [kind.name, asdict(kind)],
        # Else a seed that is added after an upgrade would differ by more than its luck.
        "by": _training_package(kind),
        "fairvec": [__version__, CELL_VERSION],
    }
    return json.dumps(shared | cell, sort_keys=True, ensure_ascii=False, default=repr)


def _training_package(kind: Kind) -> tuple[str, str]:
    name = "gensim" if isinstance(kind, GensimModel) else "numba"
    return name, version_of_package(name)


def version_of_package(name: str) -> str:
    """Return the version of a package that is installed; one that is not is named so."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def test_identities(tests: Iterable[SelectedTest]) -> list[list[Any]]:
    """Return what tests ask, as identities hold it: the version of the suite, and all lists."""
    return [[selected.suite.version, selected.test.model_dump(mode="json")] for selected in tests]


def run_cell(task: CellTask) -> CellRecord:
    """Train and audit one cell; what fairvec itself refuses becomes a record with the reason.

    The audit sees only words that every corpus of the study has, so that cells differ by what was
    learnt of these words and not by which words were found.
    """
    start = perf_counter()
    try:
        embedding = _train(task)
        if task.keep:
            save(embedding, task.keep)
        shared_words = task.words.read_text(encoding="utf-8").split("\n")
        outcomes = audit(
            _restrict_to(embedding, shared_words),
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


def _gap(outcome: Outcome) -> CellGap:
    reason = getattr(outcome, "reason", "It has no value here.")
    return CellGap(test=outcome.test.id, metric=outcome.metric, reason=reason)


def _train(task: CellTask) -> Embedding:
    text = TrainingText((task.text,), task.language, "separated", task.cut, task.place.window)
    # One thread: gensim's models are the same again only so, and cells run beside one another.
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
    """Return the embedding of those words alone that it shares with all corpora."""
    keys = [key for key in words if key in embedding]
    rows = [embedding.positions[key] for key in keys]
    counts = None if embedding.counts is None else embedding.counts[rows]
    return replace(embedding, keys=keys, vectors=embedding.vectors[rows], counts=counts)

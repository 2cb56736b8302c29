"""What fairvec keeps between runs: epochs of a training, vectors, contexts."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from fairvec.embedding import save
from fairvec.encoders.base import WordPieces
from fairvec.encoders.contexts import ContextStore, FoundContexts
from fairvec.encoders.store import VectorStore
from fairvec.languages.sentences import Sentence
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.crafted.making import with_metadata
from fuzz.honest import REVIEWS, corpus, files_in, model
from fuzz.shell import ran_in, run_commands

TRAIN = (
    *("train", "kind.txt", "-o", "new.vec", "--language", "en", "--min-count", "1"),
    *("--threads", "1", "--dim", "4", "--epochs", "2", "--checkpoint", "epochs"),
)
EPOCHS, VECTORS, CONTEXTS = "epochs/checkpoint.safetensors", "vectors.db", "contexts.db"
TASK = (
    *("task", "sentiment", "--data", "reviews.csv", "--model", "small.vec", "--network", "means"),
    *("--seeds", "1", "--folds", "2", "--no-equity", "-o", "out"),
)


def kept(folder: Path) -> Iterator[Target]:
    """Give a target for each kind of file."""
    yield _one("checkpoint", _trained, _epochs(folder), EPOCHS, frozenset(("kind.txt",)))
    yield _one("vectors", _vectors, _stored(folder), VECTORS)
    yield _one("contexts", _contexts, _found(folder), CONTEXTS)
    task = _answers(folder)
    fixed = frozenset(("small.vec", "reviews.csv", "out/results.jsonl", "out/report.html"))
    yield _one("answers", _learnt, task, next(name for name in task if "trainings" in name), fixed)


def _one(
    name: str,
    run: Callable[[Path], None],
    honest: Files,
    main: str,
    fixed: frozenset[str] = frozenset(),
) -> Target:
    return Target(
        name=f"kept-{name}",
        run=run,
        honest=[honest],
        crafted=crafted_for(f"kept-{name}", honest, main),
        covers=[f"kept {name}"],
        fixed=fixed,
        # They are there to be written to.
        writes=True,
        seconds=20,
    )


def _epochs(folder: Path) -> Files:
    """Return a training that was interrupted after the first of two epochs."""
    (folder / "kind.txt").write_bytes(corpus(1))
    answer = ran_in(folder, *TRAIN)
    if answer.code:
        raise SystemExit(answer.err)
    epochs = (folder / EPOCHS).read_bytes()
    return {"kind.txt": corpus(1), EPOCHS: with_metadata(epochs, losses=[0.05])}


def _trained(_: Path) -> None:
    run_commands(*TRAIN)


def _answers(folder: Path) -> Files:
    """Return a task whose trainings are all done."""
    save(model(), folder / "small.vec", force=True)
    (folder / "reviews.csv").write_bytes(REVIEWS)
    answer = ran_in(folder, *TASK)
    if answer.code:
        raise SystemExit(answer.err)
    made = {f"out/{name}": data for name, data in files_in(folder / "out").items()}
    return {"small.vec": (folder / "small.vec").read_bytes(), "reviews.csv": REVIEWS, **made}


def _learnt(_: Path) -> None:
    run_commands(*TASK)


def _stored(folder: Path) -> Files:
    store = VectorStore(folder / VECTORS)
    store.keep(_sentences(), np.arange(8.0).reshape(2, 4))
    store.keep_pieces({"king": WordPieces(2, 1)})
    return {VECTORS: (folder / VECTORS).read_bytes()}


def _vectors(folder: Path) -> None:
    store = VectorStore(folder / VECTORS)
    store.vectors(_sentences())
    store.pieces(["king", "queen"])


def _found(folder: Path) -> Files:
    ContextStore(folder / CONTEXTS).keep({"king": FoundContexts(tuple(_sentences()), 2, 0)})
    return {CONTEXTS: (folder / CONTEXTS).read_bytes()}


def _contexts(folder: Path) -> None:
    ContextStore(folder / CONTEXTS).load(["king", "queen"])


def _sentences() -> list[Sentence]:
    return [Sentence("the ", "king", " reigns"), Sentence("a ", "king", "")]

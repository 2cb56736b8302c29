"""Learning GloVe vectors from co-occurrence counts: epochs, checkpoints and a warm start."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, SettingError, TrainingError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.core.parsing import parse_json
from fairvec.training.counting.counts import Cooccurrences, Rows, row_spans, write_rows
from fairvec.training.engines import Engine
from fairvec.training.glove.tiles import TiledPairs, tile_pairs
from fairvec.training.models import Arrays, GloveKind, PoincareGlove
from fairvec.training.progress import EpochProgress

RUNAWAY = 100.0
"""A loss so many times the first is no setback but a divergence."""


def train(
    pairs: TiledPairs,
    model: GloveKind,
    words: int,
    *,
    engine: Engine,
    seed: int = 0,
    start: Arrays | None = None,
    checkpoint: Path | None = None,
    identity: str = "",
    progress: Callable[[EpochProgress], None] | None = None,
) -> tuple[Arrays, list[float]]:
    """Return the trained arrays, row by slot, and the mean loss of each epoch.

    The same seed gives the same numbers with any number of threads. With `checkpoint` the state
    after each epoch is saved there, and training resumes from a state that is there already;
    `identity` says what it must be of, beside the model, the seed and how the pairs are tiled,
    which differs between engines. `start` are arrays to begin with.
    """
    about = json.dumps([model.name, asdict(model), words, pairs.blocks, seed, identity])
    arrays, losses = _resume(checkpoint, about, model, words)
    if not arrays:
        arrays = start or model.start(words, np.random.default_rng([seed, 1]))
    with closing(engine.trainer(pairs, model, arrays)) as trainer:
        for number in range(len(losses), model.epochs):
            began = perf_counter()
            loss = trainer.epoch(np.random.default_rng([seed, 2, number]))
            seconds = perf_counter() - began
            if not isfinite(loss) or loss > RUNAWAY * max(losses[:1] or [loss]):
                raise TrainingError(
                    _divergence_message(number + 1, loss, model, losses, checkpoint)
                )
            losses.append(loss)
            if checkpoint:
                metadata = {"about": about, "losses": json.dumps(losses)}
                write_tensors(checkpoint, trainer.state(), metadata)
            if progress:
                progress(
                    EpochProgress(
                        "training",
                        number + 1,
                        model.epochs,
                        loss=loss,
                        words=words,
                        pairs=pairs.pairs,
                        seconds=seconds,
                    )
                )
        return trainer.state(), losses


def _resume(
    checkpoint: Path | None, about: str, model: GloveKind, words: int
) -> tuple[Arrays, list[float]]:
    """Return the arrays and losses of a checkpoint; empty if there is none."""
    if checkpoint is None or not checkpoint.exists():
        return {}, []
    try:
        file = open_tensors(checkpoint)
        arrays = {name: np.array(file.tensor(name)) for name in file.entries}
        losses = [float(loss) for loss in parse_json(file.metadata["losses"])]
    except (FileFormatError, KeyError, ValueError, TypeError):
        raise FileFormatError(f"{checkpoint} is damaged; remove it to begin again.") from None
    if file.metadata.get("about") != about:
        raise FileFormatError(
            f"{checkpoint} is the checkpoint of another training (other settings, seed, engine or "
            "text); remove it, or name another folder."
        )
    # Machine code goes through these arrays without looking where they end.
    if (
        not _fits(arrays, model, words)
        or len(losses) > model.epochs
        or not all(map(isfinite, losses))
    ):
        raise FileFormatError(f"{checkpoint} is damaged; remove it to begin again.")
    return arrays, losses


def _fits(arrays: Arrays, model: GloveKind, words: int) -> bool:
    """Say whether these are the arrays of so many words."""
    one_word = model.start(1, np.random.default_rng(0))
    return {name: (array.dtype, array.shape) for name, array in arrays.items()} == {
        name: (array.dtype, (words, *array.shape[1:])) for name, array in one_word.items()
    }


def _divergence_message(
    number: int, loss: float, model: GloveKind, losses: list[float], checkpoint: Path | None
) -> str:
    note = f" What was learnt up to epoch {number - 1} is in {checkpoint}." if losses else ""
    return (
        f"Training diverged in epoch {number} (mean loss {loss:.3g}): lower the rate of "
        f"{model.rate:g}.{note if checkpoint else ''}"
    )


ENTRIES_AT_A_TIME = 2**22


def restrict_counts(counted: Cooccurrences, words: int, folder: Path) -> Cooccurrences:
    """Return the counts of the first words with one another; rows are written to `folder`."""

    def rows() -> Iterator[Rows]:
        for first, last in row_spans(np.diff(counted.starts[: words + 1]), ENTRIES_AT_A_TIME):
            part = slice(int(counted.starts[first]), int(counted.starts[last]))
            inside = counted.columns[part] < words
            counts_so_far = np.concatenate([[0], np.cumsum(inside)])
            ends = counts_so_far[counted.starts[first + 1 : last + 1] - part.start]
            yield Rows(first, ends, counted.columns[part][inside], counted.counts[part][inside])

    return write_rows(rows(), words, folder).open(counted.unit)


def warm_start(
    learnt: Arrays,
    slots: NDArray[np.int64],
    kind: PoincareGlove,
    all_slots: NDArray[np.int64],
    seed: int,
) -> Arrays:
    """Return what was learnt of the first words, with all others near the origin.

    The sums of squares go with the points: without them the first step of each would be as long
    as the rate, and what was learnt would be lost.
    """
    arrays = kind.start(len(all_slots), np.random.default_rng([seed, 1]))
    for name, numbers in learnt.items():
        arrays[name][all_slots[: len(slots)]] = numbers[slots]
    return arrays


def learn_vectors(
    counted: Cooccurrences,
    model: GloveKind,
    *,
    engine: Engine,
    seed: int,
    work: Path,
    checkpoints: Path | None = None,
    identity: str = "",
    progress: Callable[[EpochProgress], None] | None = None,
) -> NDArray[Any]:
    """Return the vectors of the words, in the order of the vocabulary.

    Tiled pairs are written to `work`, and the state after each epoch to the folder `checkpoints`.
    """

    def tile(counted: Cooccurrences, name: str) -> TiledPairs:
        if not counted.pairs:
            raise SettingError(
                f"No two of the {len(counted):,} words that are trained first stand in one line; "
                "take more of them, or leave it out."
            )
        return tile_pairs(
            counted,
            work / name,
            blocks=engine.blocks(len(counted), counted.pairs, model),
            largest=model.x_max,
            power=model.alpha,
            seed=seed,
        )

    def learn(
        pairs: TiledPairs, model: GloveKind, name: str, start: Arrays | None = None
    ) -> Arrays:
        arrays, _ = train(
            pairs,
            model,
            len(pairs.slots),
            engine=engine,
            seed=seed,
            start=start,
            checkpoint=checkpoints / f"{name}.safetensors" if checkpoints else None,
            identity=identity,
            progress=progress,
        )
        return arrays

    start = None
    pairs = tile(counted, "pairs")
    if isinstance(model, PoincareGlove) and model.init_words:
        few = restrict_counts(counted, model.init_words, work / "first-counts")
        first = tile(few, "first-pairs")
        learnt = learn(first, replace(model, init_words=None), "first-words")
        start = warm_start(learnt, first.slots, model, pairs.slots, seed)
    vectors: NDArray[Any] = model.vectors(learn(pairs, model, "checkpoint", start))[pairs.slots]
    return vectors

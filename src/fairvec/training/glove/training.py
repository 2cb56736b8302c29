"""Training GloVe: epochs, progress, checkpoints, and an end when it diverges."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from math import isfinite
from os import cpu_count
from pathlib import Path
from time import perf_counter

import numpy as np

from fairvec.ground.errors import FileFormatError, TrainingError
from fairvec.ground.safetensors_layout import open_tensors, write_tensors
from fairvec.ground.text.json_text import json_of
from fairvec.training.glove.arranging import ArrangedPairs
from fairvec.training.glove.engines import Engine, rounds_on
from fairvec.training.glove.models import Arrays, GloveKind

RUNAWAY = 100.0
"""A loss so many times the first is no setback but a divergence."""


@dataclass(frozen=True)
class EpochDone:
    """How far training is, and how it goes."""

    epoch: int
    epochs: int
    loss: float
    words: int
    pairs: int
    seconds: float

    @property
    def pairs_a_second(self) -> float:
        """How fast it goes."""
        return self.pairs / self.seconds

    @property
    def seconds_left(self) -> float:
        """How long the rest takes if it goes on like this."""
        return self.seconds * (self.epochs - self.epoch)


def train(
    pairs: ArrangedPairs,
    model: GloveKind,
    words: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    engine: Engine = "cpu",
    start: Arrays | None = None,
    checkpoint: Path | None = None,
    identity: str = "",
    told: Callable[[EpochDone], None] | None = None,
) -> tuple[Arrays, list[float]]:
    """Return what was learnt, row by slot, and the mean loss of each epoch.

    The same seed gives the same numbers with any number of threads. With `checkpoint` every epoch
    is kept there, and training goes on from one that is there already; `identity` says what it must
    be of, beside the model, the seed and how the pairs are arranged, which differs between
    engines. `start` are arrays to begin with.
    """
    threads = threads or cpu_count() or 1
    about = json.dumps([model.name, asdict(model), words, pairs.blocks, seed, identity])
    arrays, losses = _resumed(checkpoint, about, model, words)
    if not arrays:
        arrays = start or model.start(words, np.random.default_rng([seed, 1]))
    with closing(rounds_on(engine, pairs, model, arrays, threads)) as rounds:
        for number in range(len(losses), model.epochs):
            began = perf_counter()
            loss = rounds.epoch(np.random.default_rng([seed, 2, number]))
            taken = perf_counter() - began
            if not isfinite(loss) or loss > RUNAWAY * max(losses[:1] or [loss]):
                raise TrainingError(_diverged(number + 1, loss, model, losses, checkpoint))
            losses.append(loss)
            if checkpoint:
                kept = {"about": about, "losses": json.dumps(losses)}
                write_tensors(checkpoint, rounds.arrays(), kept)
            if told:
                told(EpochDone(number + 1, model.epochs, loss, words, pairs.pairs, taken))
        return rounds.arrays(), losses


def _resumed(
    checkpoint: Path | None, about: str, model: GloveKind, words: int
) -> tuple[Arrays, list[float]]:
    """Return what a checkpoint holds; nothing if there is none."""
    if checkpoint is None or not checkpoint.exists():
        return {}, []
    try:
        file = open_tensors(checkpoint)
        found = {name: np.array(file.tensor(name)) for name in file.entries}
        losses = [float(loss) for loss in json_of(file.metadata["losses"])]
    except (FileFormatError, KeyError, ValueError, TypeError):
        raise FileFormatError(f"{checkpoint} is damaged; remove it to begin again.") from None
    if file.metadata.get("about") != about:
        raise FileFormatError(
            f"{checkpoint} is the checkpoint of another training (other settings, seed, engine or "
            "text); remove it, or name another folder."
        )
    # Machine code goes through these arrays without looking where they end.
    if (
        not _fits(found, model, words)
        or len(losses) > model.epochs
        or not all(map(isfinite, losses))
    ):
        raise FileFormatError(f"{checkpoint} is damaged; remove it to begin again.")
    return found, losses


def _fits(found: Arrays, model: GloveKind, words: int) -> bool:
    """Say whether these are the arrays of so many words."""
    of_one = model.start(1, np.random.default_rng(0))
    return {name: (one.dtype, one.shape) for name, one in found.items()} == {
        name: (one.dtype, (words, *one.shape[1:])) for name, one in of_one.items()
    }


def _diverged(
    number: int, loss: float, model: GloveKind, losses: list[float], checkpoint: Path | None
) -> str:
    kept = f" What was learnt up to epoch {number - 1} is in {checkpoint}." if losses else ""
    return (
        f"Training diverged in epoch {number} (mean loss {loss:.3g}): lower the rate of "
        f"{model.rate:g}.{kept if checkpoint else ''}"
    )

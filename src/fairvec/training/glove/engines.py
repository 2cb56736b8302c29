"""Engines of GloVe: one epoch over the tiles of pairs, on threads of the processor or on a GPU.

An epoch goes through the rounds in a random order. The tiles of a round share no vector: threads
take them in any order, a GPU takes them all at once, each by a program of its own.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise
from math import isqrt
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import MissingExtraError, SettingError
from fairvec.core.settings import check_choice
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.training.glove.tiles import TiledPairs
from fairvec.training.models import ROOM, Arrays, Glove, GloveKind, blocks_for

Engine = Literal["cpu", "gpu"]
EngineChoice = Literal["auto", "cpu", "gpu"]


def choose_engine(choice: str = "auto") -> Engine:
    """Return the engine of a choice; auto is the GPU where torch and triton can use one."""
    check_choice("engine", choice, EngineChoice)
    if choice == "cpu":
        return "cpu"
    missing = [name for name in ("torch", "triton") if find_spec(name) is None]
    if not missing and has_gpu():
        return "gpu"
    if choice == "auto":
        return "cpu"
    if missing:
        raise MissingExtraError("Training on a GPU", "train")
    raise SettingError(
        "torch finds no GPU with CUDA on this machine; take the processor (--engine cpu)."
    )


def block_count(engine: Engine, words: int, pairs: int, kind: GloveKind) -> int:
    """Return the number of blocks of words that suits an engine."""
    if engine == "cpu":
        return blocks_for(words, kind.bytes_a_word)
    return blocks_on_gpu(words, pairs)


class Trainer(Protocol):
    """Goes through all pairs epoch by epoch, and holds the trained arrays."""

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        ...

    def arrays(self) -> Arrays:
        """Return the trained arrays as they are now."""
        ...

    def close(self) -> None:
        """Release threads and memory."""
        ...


def make_trainer(
    engine: Engine, pairs: TiledPairs, model: GloveKind, arrays: Arrays, threads: int
) -> Trainer:
    """Return the trainer of an engine that starts from these arrays."""
    if engine == "cpu":
        return CpuTrainer(pairs, model, arrays, threads)
    return GpuTrainer(pairs, model, arrays)


class CpuTrainer:
    """The pairs and the trained arrays, in threads of the processor."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays, threads: int) -> None:
        self._pairs, self._arrays, self._threads = pairs, arrays, threads
        self._train_tiles = model.tile_trainer(pairs, arrays)
        self._pool = ThreadPoolExecutor(threads)

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss.

        The tiles of a round share no vector, so that the result does not depend on the threads.
        """
        pairs = self._pairs
        losses = np.zeros(len(pairs.ends))
        sizes = np.diff(pairs.ends, prepend=0).reshape(pairs.blocks, pairs.blocks)
        for number in generator.permutation(pairs.blocks):
            tiles = number * pairs.blocks + np.arange(pairs.blocks)
            shares = [tiles[part] for part in split_evenly(sizes[number], self._threads)]
            list(self._pool.map(lambda share: self._train_tiles(share, losses), shares))
        return float(losses.sum() / pairs.pairs)

    def arrays(self) -> Arrays:
        """Return the trained arrays as they are now."""
        return self._arrays

    def close(self) -> None:
        """End the threads when their work is done."""
        self._pool.shutdown()


def split_evenly(sizes: NDArray[np.int64], threads: int) -> list[slice]:
    """Cut tiles into as many spans as there are threads, with about as many pairs in each."""
    ends = np.cumsum(sizes)
    borders = np.searchsorted(ends, ends[-1] * np.arange(1, threads) / threads)
    cuts = [0, *(int(border) for border in borders), len(sizes)]
    return [slice(first, last) for first, last in pairwise(cuts) if last > first]


PAIRS_A_TILE = 64
"""So few that thousands of tiles, and programs, run at once."""


def blocks_on_gpu(words: int, pairs: int) -> int:
    """Return the number of blocks of words for a GPU."""
    return max(1, min(words, isqrt(pairs // PAIRS_A_TILE)))


class GpuTrainer:
    """The pairs and the trained arrays, in the memory of a GPU."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> None:
        import torch

        self._torch = torch
        self._pairs = pairs
        self._model = model

        def on_gpu(numbers: Any) -> Any:
            # torch hardly converts unsigned numbers; signed ones of that size have the same bits.
            kind = {np.dtype(np.uint16): np.int16}.get(numbers.dtype)
            return torch.from_numpy(
                np.array(numbers if kind is None else numbers.view(kind))
            ).cuda()

        self._ends, self._borders = on_gpu(pairs.ends), on_gpu(pairs.borders)
        signed = (on_gpu(pairs.rows), on_gpu(pairs.columns))
        self._rows, self._columns = (numbers.view(torch.uint16) for numbers in signed)
        self._logs, self._weights = on_gpu(pairs.logs), on_gpu(pairs.weights)
        self._arrays = {name: on_gpu(numbers) for name, numbers in arrays.items()}
        self._losses = torch.zeros(len(pairs.ends), dtype=torch.float64, device="cuda")

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        launch = self._launcher()
        for number in generator.permutation(self._pairs.blocks).tolist():
            launch(number * self._pairs.blocks)
        return float(self._losses.sum().item() / self._pairs.pairs)

    def arrays(self) -> Arrays:
        """Return the trained arrays as they are now."""
        return {name: numbers.cpu().numpy() for name, numbers in self._arrays.items()}

    def close(self) -> None:
        """Release the memory of the GPU."""
        self._arrays = {}
        self._rows = self._columns = self._logs = self._weights = None

    def _launcher(self) -> Callable[[int], None]:
        from fairvec.training.glove.triton_kernels import train_ball_round, train_flat_round

        pairs, arrays, model = self._pairs, self._arrays, self._model
        tiles = self._ends, self._borders, self._rows, self._columns, self._logs, self._weights
        grid = (pairs.blocks,)
        if isinstance(model, Glove):
            names = "targets", "contexts", "targets_squares", "contexts_squares"
            state = [arrays[name] for name in names]
            size = model.dimensions + 1
            settings: dict[str, Any] = {
                "size": size,
                "width": _next_power_of_two(size),
                "num_warps": 1,
            }
            numbers: tuple[float, ...] = (model.rate,)
            kernel = train_flat_round
        else:
            endings = "", "_biases", "_squares"
            state = [arrays[f"{n}{e}"] for e in endings for n in ("targets", "contexts")]
            size = model.dimensions // model.balls
            settings = {
                "balls": model.balls,
                "size": size,
                "ball_width": _next_power_of_two(model.balls),
                "width": _next_power_of_two(size),
                "squared": model.likeness == "squared",
                "num_warps": 1,
            }
            numbers = (model.rate, ROOM)
            kernel = train_ball_round

        def launch(first: int) -> None:
            kernel[grid](first, *tiles, *state, self._losses, *numbers, pairs.blocks, **settings)

        return launch


def _next_power_of_two(number: int) -> int:
    return 1 << (number - 1).bit_length()

"""Engines of GloVe: what counts the pairs of a text and trains vectors on them.

CpuEngine   counts and trains in threads of the processor
GpuEngine   counts in threads, trains on a GPU
OnCluster   lets the workers of a Dask cluster count, and trains as another engine does

All of them count the same whole numbers. An epoch goes through the rounds of tiles in a random
order. The tiles of a round share no vector: threads take them in any order, a GPU takes them all at
once, each by a program of its own.
"""

from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from math import isqrt
from os import cpu_count
from typing import Annotated, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import MissingExtraError, SettingError
from fairvec.core.settings import check_choice
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.training.cluster import check_cluster, count_on_cluster
from fairvec.training.counting.blocks import count_blocks
from fairvec.training.counting.counts import MemoryPlan, Rows, Weighting, plan_memory
from fairvec.training.glove.tiles import TiledPairs
from fairvec.training.models import Arrays, GloveKind

EngineName = Literal["cpu", "gpu"]
EngineChoice = Annotated[
    Literal["auto", "cpu", "gpu"],
    Field(
        description="Of glove and poincare-glove; auto: the GPU if there is one, which ends at "
        "other vectors of the same quality."
    ),
]

DEFAULT_ENGINE: EngineChoice = "cpu"
"""The same seed gives the same file on every machine, with a GPU or without."""


class Trainer(Protocol):
    """Goes through all pairs epoch by epoch, and holds the state of the model."""

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        ...

    def state(self) -> Arrays:
        """Return the trained arrays as they are now."""
        ...

    def close(self) -> None:
        """Release threads and memory."""
        ...


class Engine(Protocol):
    """Counts the pairs of a text, and trains vectors on them."""

    @property
    def name(self) -> EngineName:
        """What trains: different engines end at different vectors of the same loss."""
        ...

    @property
    def threads(self) -> int:
        """How many threads of this machine work at once."""
        ...

    def plan(self, memory: int, vocabulary: int, window: int) -> MemoryPlan:
        """Share out the memory of this machine for counting and merging."""
        ...

    def count(
        self, tokens: NDArray[np.int32], vocabulary: int, weighting: Weighting, memory: int
    ) -> Generator[tuple[int, Iterable[Rows]]]:
        """Yield the number of places and the rows of each block of a text.

        The rows of a block must be read before those of the next one are asked for.
        """
        ...

    def blocks(self, words: int, pairs: int, model: GloveKind) -> int:
        """Return into how many blocks of words the pairs should be tiled."""
        ...

    def trainer(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> Trainer:
        """Return a trainer that starts from these arrays."""
        ...


def engine_for(
    name: str = "auto", *, threads: int | None = None, scheduler: str | None = None
) -> Engine:
    """Return the engine of a name; auto is the GPU where torch and triton can use one.

    `scheduler` is the address of a Dask cluster that counts; that it answers is checked at once.
    """
    check_choice("engine", name, EngineChoice)
    threads = threads or cpu_count() or 1
    engine = GpuEngine(threads) if _takes_gpu(name) else CpuEngine(threads)
    if scheduler is None:
        return engine
    check_cluster(scheduler)
    return OnCluster(engine, scheduler)


def _takes_gpu(name: str) -> bool:
    """Say whether a choice comes to the GPU; raise an error if it was asked for and is missing."""
    if name == "cpu":
        return False
    missing = [package for package in ("torch", "triton") if find_spec(package) is None]
    if not missing and has_gpu():
        return True
    if name == "auto":
        return False
    if missing:
        raise MissingExtraError("Training on a GPU", "train")
    raise SettingError(
        "torch finds no GPU with CUDA on this machine; take the processor (--engine cpu)."
    )


CACHE_BYTES = 2**22
"""What the vectors of a tile should take: they stay in the processor's cache, where each is used
several times before it leaves."""

FEWEST_BLOCKS = 16
"""Of words: so many threads have work in every round."""


@dataclass(frozen=True)
class CpuEngine:
    """Counts and trains in threads of the processor; their number changes nothing."""

    threads: int

    @property
    def name(self) -> EngineName:
        """What trains."""
        return "cpu"

    def plan(self, memory: int, vocabulary: int, window: int) -> MemoryPlan:
        """Share out the memory of this machine."""
        return plan_memory(memory, vocabulary, window, self.threads)

    def count(
        self, tokens: NDArray[np.int32], vocabulary: int, weighting: Weighting, memory: int
    ) -> Generator[tuple[int, Iterable[Rows]]]:
        """Yield the blocks of a text in their order."""
        plan = self.plan(memory, vocabulary, weighting.window)
        return count_blocks(tokens, vocabulary, weighting, plan)

    def blocks(self, words: int, pairs: int, model: GloveKind) -> int:
        """Return the number of blocks with which the vectors of a tile fit into the cache."""
        return min(words, max(FEWEST_BLOCKS, -(-2 * words * model.bytes_a_word // CACHE_BYTES)))

    def trainer(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> Trainer:
        """Return a trainer in threads."""
        return CpuTrainer(pairs, model, arrays, self.threads)


PAIRS_A_TILE = 64
"""So few that thousands of tiles, and programs, run at once."""


class GpuEngine(CpuEngine):
    """Counts in threads of the processor, and trains on a GPU."""

    @property
    def name(self) -> EngineName:
        """What trains."""
        return "gpu"

    def blocks(self, words: int, pairs: int, model: GloveKind) -> int:
        """Return the number of blocks with which a tile has few pairs."""
        return max(1, min(words, isqrt(pairs // PAIRS_A_TILE)))

    def trainer(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> Trainer:
        """Return a trainer on the GPU."""
        return GpuTrainer(pairs, model, arrays)


@dataclass(frozen=True)
class OnCluster:
    """Lets the workers of a Dask cluster count, and trains as another engine does."""

    engine: Engine
    address: str

    @property
    def name(self) -> EngineName:
        """What trains."""
        return self.engine.name

    @property
    def threads(self) -> int:
        """How many threads of this machine work at once."""
        return self.engine.threads

    def plan(self, memory: int, vocabulary: int, window: int) -> MemoryPlan:
        """Share out the memory of this machine, beside what the connection takes."""
        return self.engine.plan(memory, vocabulary, window).with_cluster_connection

    def count(
        self, tokens: NDArray[np.int32], vocabulary: int, weighting: Weighting, memory: int
    ) -> Generator[tuple[int, Iterable[Rows]]]:
        """Yield the blocks of a text in the order in which workers finish them."""
        return count_on_cluster(self.address, tokens, vocabulary, weighting, memory)

    def blocks(self, words: int, pairs: int, model: GloveKind) -> int:
        """Return the number of blocks that suits what trains."""
        return self.engine.blocks(words, pairs, model)

    def trainer(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> Trainer:
        """Return the trainer of what trains."""
        return self.engine.trainer(pairs, model, arrays)


class CpuTrainer:
    """The pairs and the state of a model, in threads of the processor."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays, threads: int) -> None:
        from fairvec.training.glove.kernels import TILE_KERNELS

        self._pairs, self._threads = pairs, threads
        self._kernel, self._settings = TILE_KERNELS[model.name], model.kernel_settings
        self._state = {name: arrays[name] for name in model.state}
        self._pool = ThreadPoolExecutor(threads)

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss.

        The tiles of a round share no vector, so that the result does not depend on the threads.
        """
        pairs = self._pairs
        losses = np.zeros(len(pairs.ends))
        arrays = (*pairs.kernel_arrays, *self._state.values(), losses)
        sizes = np.diff(pairs.ends, prepend=0).reshape(pairs.blocks, pairs.blocks)

        def train(tiles: NDArray[np.int64]) -> None:
            self._kernel(tiles, *arrays, **self._settings)

        for number in generator.permutation(pairs.blocks):
            tiles = number * pairs.blocks + np.arange(pairs.blocks)
            shares = [tiles[part] for part in split_evenly(sizes[number], self._threads)]
            list(
                self._pool.map(lambda share: self._kernel(share, *arrays, **self._settings), shares)
            )
        return float(losses.sum() / pairs.pairs)

    def state(self) -> Arrays:
        """Return the trained arrays as they are now."""
        return self._state

    def close(self) -> None:
        """End the threads when their work is done."""
        self._pool.shutdown()


def split_evenly(sizes: NDArray[np.int64], threads: int) -> list[slice]:
    """Cut tiles into as many spans as there are threads, with about as many pairs in each."""
    ends = np.cumsum(sizes)
    borders = np.searchsorted(ends, ends[-1] * np.arange(1, threads) / threads)
    cuts = [0, *(int(border) for border in borders), len(sizes)]
    return [slice(first, last) for first, last in pairwise(cuts) if last > first]


class GpuTrainer:
    """The pairs and the state of a model, in the memory of a GPU."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> None:
        from fairvec.training.glove.triton_kernels import ROUND_KERNELS

        self._pairs, self._kernel = pairs, ROUND_KERNELS[model.name]
        self._tiles = [_on_gpu(numbers) for numbers in pairs.kernel_arrays]
        self._state = {name: _on_gpu(arrays[name]) for name in model.state}
        self._losses = _on_gpu(np.zeros(len(pairs.ends)))
        self._settings = {**model.kernel_settings, "blocks": pairs.blocks, "num_warps": 1}
        # A block of Triton is as long as a power of two.
        for setting, width in (("size", "width"), ("balls", "ball_width")):
            if setting in model.kernel_settings:
                self._settings[width] = 1 << (model.kernel_settings[setting] - 1).bit_length()

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        blocks = self._pairs.blocks
        launch = self._kernel[(blocks,)]
        arrays = (*self._tiles, *self._state.values(), self._losses)
        for number in generator.permutation(blocks).tolist():
            launch(number * blocks, *arrays, **self._settings)
        return float(self._losses.sum().item() / self._pairs.pairs)

    def state(self) -> Arrays:
        """Return the trained arrays as they are now."""
        return {name: numbers.cpu().numpy() for name, numbers in self._state.items()}

    def close(self) -> None:
        """Release the memory of the GPU."""
        self._tiles, self._state, self._losses = [], {}, None


def _on_gpu(numbers: NDArray[Any]) -> Any:
    import torch

    if numbers.dtype != np.uint16:
        return torch.from_numpy(np.array(numbers)).cuda()
    # torch hardly converts unsigned numbers; signed ones of that size have the same bits.
    return torch.from_numpy(np.array(numbers.view(np.int16))).cuda().view(torch.uint16)

"""What goes through the pairs: the processor's threads, or a GPU."""

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

# One epoch: round after round of tiles, the tiles of a round shared out to threads.


class CpuTrainer:
    """The pairs and all that is learnt, in threads of the processor."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays, threads: int) -> None:
        self._pairs, self._arrays, self._threads = pairs, arrays, threads
        self._go = model.passing(pairs, arrays)
        self._pool = ThreadPoolExecutor(threads)

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss.

        The tiles of a round share no vector, so that the end does not depend on the threads.
        """
        pairs = self._pairs
        losses = np.zeros(len(pairs.ends))
        sizes = np.diff(pairs.ends, prepend=0).reshape(pairs.blocks, pairs.blocks)
        for one in generator.permutation(pairs.blocks):
            tiles = one * pairs.blocks + np.arange(pairs.blocks)
            shares = [tiles[part] for part in shared_out(sizes[one], self._threads)]
            list(self._pool.map(lambda some: self._go(some, losses), shares))
        return float(losses.sum() / pairs.pairs)

    def arrays(self) -> Arrays:
        """Return what was learnt so far."""
        return self._arrays

    def close(self) -> None:
        """End the threads, when what they are at is done."""
        self._pool.shutdown()


def shared_out(sizes: NDArray[np.int64], threads: int) -> list[slice]:
    """Cut tiles into as many spans as there are threads, with about as many pairs in each."""
    ends = np.cumsum(sizes)
    borders = np.searchsorted(ends, ends[-1] * np.arange(1, threads) / threads)
    cuts = [0, *(int(border) for border in borders), len(sizes)]
    return [slice(first, last) for first, last in pairwise(cuts) if last > first]


Engine = Literal["cpu", "gpu"]
EngineChoice = Literal["auto", "cpu", "gpu"]


class Trainer(Protocol):
    """Goes through all pairs, again and again, and holds what is learnt."""

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        ...

    def arrays(self) -> Arrays:
        """Return what was learnt so far."""
        ...

    def close(self) -> None:
        """Let threads and memory go."""
        ...


def engine_of(asked: str = "auto") -> Engine:
    """Return the engine that is asked for; auto is the GPU where torch and triton can use one."""
    check_choice("engine", asked, EngineChoice)
    if asked == "cpu":
        return "cpu"
    lacking = [name for name in ("torch", "triton") if find_spec(name) is None]
    if not lacking and has_gpu():
        return "gpu"
    if asked == "auto":
        return "cpu"
    if lacking:
        raise MissingExtraError("Training on a GPU", "train")
    raise SettingError(
        "torch finds no GPU with CUDA on this machine; take the processor (--engine cpu)."
    )


def blocks_of_words(engine: Engine, words: int, pairs: int, kind: GloveKind) -> int:
    """Return into how many blocks an engine wants the words dealt."""
    if engine == "cpu":
        return blocks_for(words, kind.bytes_a_word)
    return blocks_on_gpu(words, pairs)


def rounds_on(
    engine: Engine, pairs: TiledPairs, model: GloveKind, arrays: Arrays, threads: int
) -> Trainer:
    """Return an engine that is ready to go through the pairs, from these arrays."""
    if engine == "cpu":
        return CpuTrainer(pairs, model, arrays, threads)
    return GpuTrainer(pairs, model, arrays)


# The same rounds on a GPU: all tiles of a round at once, each by a program of its own.


PAIRS_A_TILE = 64
"""So few that thousands of tiles, and programs, are under way at once."""


def blocks_on_gpu(words: int, pairs: int) -> int:
    """Return into how many blocks words are dealt for a GPU."""
    return max(1, min(words, isqrt(pairs // PAIRS_A_TILE)))


class GpuTrainer:
    """The pairs and all that is learnt, in the memory of a GPU."""

    def __init__(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> None:
        import torch

        self._torch = torch
        self._pairs = pairs
        self._model = model

        def there(numbers: Any) -> Any:
            # Of unsigned numbers torch knows little; their bits are the same.
            kind = {np.dtype(np.uint16): np.int16}.get(numbers.dtype)
            return torch.from_numpy(
                np.array(numbers if kind is None else numbers.view(kind))
            ).cuda()

        self._ends, self._borders = there(pairs.ends), there(pairs.borders)
        unsigned = (there(pairs.rows), there(pairs.columns))
        self._rows, self._columns = (one.view(torch.uint16) for one in unsigned)
        self._logs, self._trust = there(pairs.logs), there(pairs.trust)
        self._arrays = {name: there(numbers) for name, numbers in arrays.items()}
        self._losses = torch.zeros(len(pairs.ends), dtype=torch.float64, device="cuda")

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        launch = self._launcher()
        for one in generator.permutation(self._pairs.blocks).tolist():
            launch(one * self._pairs.blocks)
        return float(self._losses.sum().item() / self._pairs.pairs)

    def arrays(self) -> Arrays:
        """Return what was learnt so far."""
        return {name: numbers.cpu().numpy() for name, numbers in self._arrays.items()}

    def close(self) -> None:
        """Let the memory of the GPU go."""
        self._arrays = {}
        self._rows = self._columns = self._logs = self._trust = None

    def _launcher(self) -> Callable[[int], None]:
        from fairvec.training.glove.triton_kernels import train_ball_round, train_flat_round

        pairs, arrays, model = self._pairs, self._arrays, self._model
        places = self._ends, self._borders, self._rows, self._columns, self._logs, self._trust
        grid = (pairs.blocks,)
        if isinstance(model, Glove):
            names = "targets", "contexts", "targets_squares", "contexts_squares"
            state = [arrays[name] for name in names]
            size = model.dimensions + 1
            settings: dict[str, Any] = {"size": size, "width": _power(size), "num_warps": 1}
            numbers: tuple[float, ...] = (model.rate,)
            kernel = train_flat_round
        else:
            kinds = "", "_biases", "_squares"
            state = [arrays[f"{n}{k}"] for k in kinds for n in ("targets", "contexts")]
            size = model.dimensions // model.balls
            settings = {
                "balls": model.balls,
                "size": size,
                "ball_width": _power(model.balls),
                "width": _power(size),
                "squared": model.likeness == "squared",
                "num_warps": 1,
            }
            numbers = (model.rate, ROOM)
            kernel = train_ball_round

        def launch(first: int) -> None:
            kernel[grid](first, *places, *state, self._losses, *numbers, pairs.blocks, **settings)

        return launch


def _power(number: int) -> int:
    return 1 << (number - 1).bit_length()

"""The same rounds on a GPU: all tiles of a round at once, each by a program of its own."""

from collections.abc import Callable
from math import isqrt
from typing import Any

import numpy as np

from fairvec.training.glove.arranging import ArrangedPairs
from fairvec.training.glove.models import ROOM, Arrays, Glove, GloveKind

PAIRS_A_TILE = 64
"""So few that thousands of tiles, and programs, are under way at once."""


def blocks_on_gpu(words: int, pairs: int) -> int:
    """Return into how many blocks words are dealt for a GPU."""
    return max(1, min(words, isqrt(pairs // PAIRS_A_TILE)))


class RoundsOnGpu:
    """The pairs and all that is learnt, in the memory of a GPU."""

    def __init__(self, pairs: ArrangedPairs, model: GloveKind, arrays: Arrays) -> None:
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
        pairs, arrays, model = self._pairs, self._arrays, self._model
        places = self._ends, self._borders, self._rows, self._columns, self._logs, self._trust
        grid = (pairs.blocks,)
        if isinstance(model, Glove):
            from fairvec.training.glove.flat_triton import train_round

            names = "targets", "contexts", "targets_squares", "contexts_squares"
            state = [arrays[name] for name in names]
            size = model.dimensions + 1
            settings: dict[str, Any] = {"size": size, "width": _power(size), "num_warps": 1}
            numbers: tuple[float, ...] = (model.rate,)
        else:
            from fairvec.training.glove.ball_triton import train_round

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

        def launch(first: int) -> None:
            train_round[grid](
                first, *places, *state, self._losses, *numbers, pairs.blocks, **settings
            )

        return launch


def _power(number: int) -> int:
    return 1 << (number - 1).bit_length()

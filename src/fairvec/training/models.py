"""GloVe in flat space and in the Poincaré ball: settings, start, training of tiles, and vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError
from fairvec.core.settings import (
    Dimensions,
    Epochs,
    Positive,
    PositiveInt,
    Range,
    Share,
    check_settings,
)
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, midpoint_between
from fairvec.training.counting.counts import ByDistance
from fairvec.training.glove.tiles import TiledPairs

Arrays = dict[str, NDArray[Any]]
"""What training changes, by name: vectors, biases, sums of squared gradients."""

TrainTiles = Callable[[NDArray[np.int64], NDArray[np.float64]], None]
"""Trains on the pairs of some tiles, and writes the loss of each tile."""

CACHE = 2**22
"""Bytes that the vectors of a tile should take: they stay in the processor's cache, where each is
used several times before it leaves."""

MOST_UNSEEN = 1000
"""More pairs that never occur would outweigh those that do."""

FEWEST_BLOCKS = 16
"""Of words: so many threads have work in every round."""


def blocks_for(words: int, bytes_a_word: int) -> int:
    """Return the number of blocks of words with which the vectors of a tile fit into the cache."""
    return min(words, max(FEWEST_BLOCKS, -(-2 * words * bytes_a_word // CACHE)))


@dataclass(frozen=True)
class Glove:
    """Vectors whose products are the logarithms of co-occurrence counts.

    J = sum f(X) (w.c + b + b' - log X)^2 / 2 with f(X) = min(1, (X / x_max)^alpha), by AdaGrad; a
    word's vector is w + c. X is counted `by_distance`, after `thinning` of the most frequent words,
    and with so many `unseen` pairs beside each that occurs; as published harmonic, with none.
    Pennington, Socher and Manning (2014), doi:10.3115/v1/D14-1162.
    """

    name: ClassVar[str] = "glove"
    dimensions: Dimensions = 100
    epochs: Epochs = 25
    rate: Positive = 0.05
    x_max: Positive = 100.0
    alpha: Positive = 0.75
    by_distance: ByDistance = "harmonic"
    thinning: Share = 0.0
    unseen: Annotated[float, Range(0, MOST_UNSEEN)] = 0.0

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def bytes_a_word(self) -> int:
        """What training holds of a word: its vector and sums."""
        return 8 * (self.dimensions + 1)

    def start(self, words: int, generator: np.random.Generator) -> Arrays:
        """Return small random vectors, the bias in the last column, and sums of one."""
        shape = words, self.dimensions + 1
        names = "targets", "contexts"
        vectors = {
            name: ((generator.random(shape) - 0.5) / shape[1]).astype(np.float32) for name in names
        }
        return vectors | {f"{name}_squares": np.ones(shape, np.float32) for name in names}

    def tile_trainer(self, pairs: TiledPairs, arrays: Arrays) -> TrainTiles:
        """Return the function that trains on tiles of these pairs."""
        from fairvec.training.glove.kernels import train_flat_tiles

        def train_tiles(tiles: NDArray[np.int64], losses: NDArray[np.float64]) -> None:
            train_flat_tiles(
                tiles,
                pairs.ends,
                pairs.borders,
                pairs.rows,
                pairs.columns,
                pairs.logs,
                pairs.weights,
                arrays["targets"],
                arrays["contexts"],
                arrays["targets_squares"],
                arrays["contexts_squares"],
                self.rate,
                losses,
            )

        return train_tiles

    def vectors(self, arrays: Arrays) -> NDArray[np.float32]:
        """Return w + c."""
        sums = arrays["targets"][:, :-1] + arrays["contexts"][:, :-1]
        return np.asarray(sums, np.float32)

    @property
    def geometry(self) -> Geometry:
        """Where its vectors live."""
        return Euclidean()


@dataclass(frozen=True)
class PoincareGlove:
    """Points of the ball whose distances are the logarithms of co-occurrence counts.

    J = sum f(X) (b + b' - h(d(w, c)) - log X)^2 / 2 with h = cosh^2 (or the square), in one ball or
    in a product of `balls` of them, over which h is summed; by Riemannian AdaGrad with the exact
    exponential map, from near the origin, or from where the `init_words` most frequent words came
    to lie when they were trained alone. A word's `point` is that of the target, or lies halfway
    between its target and its context.

    Tifrea, Bécigneul and Ganea (2019), Poincaré GloVe: Hyperbolic Word Embeddings, ICLR;
    Bécigneul and Ganea (2019), Riemannian Adaptive Optimization Methods, ICLR.
    """

    name: ClassVar[str] = "poincare-glove"
    dimensions: Dimensions = 100
    epochs: Epochs = 50
    rate: Positive = 0.3
    x_max: Positive = 100.0
    alpha: Positive = 0.75
    by_distance: ByDistance = "harmonic"
    thinning: Share = 0.0
    unseen: Annotated[float, Range(0, MOST_UNSEEN)] = 0.0
    balls: PositiveInt = 1
    likeness: Literal["cosh-squared", "squared"] = "cosh-squared"
    init_words: Annotated[int, Range(2)] | None = None
    point: Literal["target", "halfway"] = "target"

    def __post_init__(self) -> None:
        check_settings(self)
        if self.dimensions % self.balls:
            raise SettingError(
                f"{self.dimensions} dimensions cannot be shared by {self.balls} balls; take a "
                "number of balls that divides them."
            )

    @property
    def bytes_a_word(self) -> int:
        """What training holds of a word: its point, bias and sums."""
        return 8 * (self.dimensions + self.balls + 2)

    def start(self, words: int, generator: np.random.Generator) -> Arrays:
        """Return points near the origin, and biases with which h(0) is taken off."""
        arrays: Arrays = {}
        bias = self.balls / 2 if self.likeness == "cosh-squared" else 0.0
        for name in ("targets", "contexts"):
            arrays[name] = (generator.random((words, self.dimensions)) - 0.5) * 2 * NEAR
            arrays[f"{name}_biases"] = np.full(words, bias)
            arrays[f"{name}_squares"] = np.zeros((words, self.balls + 1))
        return arrays

    def tile_trainer(self, pairs: TiledPairs, arrays: Arrays) -> TrainTiles:
        """Return the function that trains on tiles of these pairs."""
        from fairvec.training.glove.kernels import train_ball_tiles

        def train_tiles(tiles: NDArray[np.int64], losses: NDArray[np.float64]) -> None:
            train_ball_tiles(
                tiles,
                pairs.ends,
                pairs.borders,
                pairs.rows,
                pairs.columns,
                pairs.logs,
                pairs.weights,
                arrays["targets"],
                arrays["contexts"],
                arrays["targets_biases"],
                arrays["contexts_biases"],
                arrays["targets_squares"],
                arrays["contexts_squares"],
                self.dimensions // self.balls,
                self.likeness == "squared",
                self.rate,
                losses,
            )

        return train_tiles

    def vectors(self, arrays: Arrays) -> NDArray[np.float64]:
        """Return the points of the targets, or those halfway to the contexts."""
        targets = np.asarray(arrays["targets"], np.float64)
        if self.point == "target":
            return targets
        return midpoint_between(self.geometry, targets, np.asarray(arrays["contexts"], np.float64))

    @property
    def geometry(self) -> Geometry:
        """Where its points live."""
        return Poincare(1.0) if self.balls == 1 else ProductOfBalls(self.balls, 1.0)


ROOM = 1e-12
"""How far from the border, in 1 - |x|^2, a point stays at the least: rounding alone is larger."""

NEAR = 0.001
"""How far from the origin a coordinate starts at the most."""

GloveKind = Glove | PoincareGlove

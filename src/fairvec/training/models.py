"""GloVe in flat space and in the Poincaré ball: settings, state, and vectors."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.settings import (
    Dimensions,
    Epochs,
    Positive,
    PositiveInt,
    Share,
    settings,
)
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls, midpoint_between
from fairvec.training.counting.counts import ByDistance

Arrays = dict[str, NDArray[Any]]
"""What training changes, by name: vectors, biases, sums of squared gradients."""

VectorLength = Annotated[Dimensions, Field(description="Numbers of a vector.")]
Passes = Annotated[Epochs, Field(description="Passes over the text.")]
Rate = Annotated[Positive, Field(description="Pace of learning.")]

UnseenPairs = Annotated[float, Field(ge=0, le=1000)]
"""More pairs that never occur would outweigh those that do."""

ROOM = 1e-12
"""How far from the border, in 1 - |x|^2, a point stays at the least: rounding alone is larger."""

NEAR = 0.001
"""How far from the origin a coordinate starts at the most."""


@dataclass(frozen=True)
class CountSettings:
    """What both models share: their length and pace, and how pairs are counted and weighted.

    X is counted `by_distance`, after `thinning` of the most frequent words, and with so many
    `unseen` pairs beside each that occurs; as published harmonic, with none. A pair has the weight
    f(X) = min(1, (X / x_max)^alpha).
    """

    dimensions: VectorLength = 100
    epochs: Passes = 25
    rate: Rate = 0.05
    x_max: Annotated[Positive, Field(description="A count of full weight.")] = 100.0
    alpha: Annotated[Positive, Field(description="How weights grow with counts: a power.")] = 0.75
    by_distance: Annotated[
        ByDistance, Field(description="How a neighbour counts less with its distance.")
    ] = "harmonic"
    thinning: Annotated[
        Share,
        Field(
            description="Drop words at random that are more frequent than this share of the text, "
            "as in 1e-4."
        ),
    ] = 0.0
    unseen: Annotated[
        UnseenPairs,
        Field(
            description="For each pair that occurs draw so many, as in 1, of which those that "
            "never occur are learnt too.",
        ),
    ] = 0.0


@settings
class Glove(CountSettings):
    """Vectors whose products are the logarithms of co-occurrence counts.

    J = sum f(X) (w.c + b + b' - log X)^2 / 2, by AdaGrad; a word's vector is w + c.
    Pennington, Socher and Manning (2014), doi:10.3115/v1/D14-1162.
    """

    name: ClassVar[str] = "glove"
    state: ClassVar[tuple[str, ...]] = (
        "targets",
        "contexts",
        "targets_squares",
        "contexts_squares",
    )
    """What training changes, in the order in which the kernels take it."""

    @property
    def bytes_a_word(self) -> int:
        """What training holds of a word: its vector and sums."""
        return 8 * (self.dimensions + 1)

    def start(self, words: int, generator: np.random.Generator) -> Arrays:
        """Return small random vectors, the bias in the last column, and sums of one."""
        shape = words, self.dimensions + 1
        vectors = [
            ((generator.random(shape) - 0.5) / shape[1]).astype(np.float32) for _ in range(2)
        ]
        squares = [np.ones(shape, np.float32) for _ in range(2)]
        return dict(zip(self.state, (*vectors, *squares), strict=True))

    @property
    def kernel_settings(self) -> dict[str, Any]:
        """What the kernels take beside pairs and state, by the names of their arguments."""
        return {"size": self.dimensions + 1, "rate": self.rate}

    def vectors(self, arrays: Arrays) -> NDArray[np.float32]:
        """Return w + c."""
        sums = arrays["targets"][:, :-1] + arrays["contexts"][:, :-1]
        return np.asarray(sums, np.float32)

    @property
    def geometry(self) -> Geometry:
        """Where its vectors live."""
        return Euclidean()


@settings
class PoincareGlove(CountSettings):
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
    state: ClassVar[tuple[str, ...]] = (
        "targets",
        "contexts",
        "targets_biases",
        "contexts_biases",
        "targets_squares",
        "contexts_squares",
    )
    """What training changes, in the order in which the kernels take it."""
    epochs: Passes = 50
    rate: Rate = 0.3
    balls: Annotated[PositiveInt, Field(description="How many share the dimensions.")] = 1
    likeness: Annotated[
        Literal["cosh-squared", "squared"],
        Field(description="The function h of distances: cosh-squared or squared."),
    ] = "cosh-squared"
    init_words: Annotated[
        Annotated[int, Field(ge=2)] | None,
        Field(
            description="Train so many of the most frequent words first, and start from their "
            "points."
        ),
    ] = None
    point: Annotated[
        Literal["target", "halfway"],
        Field(
            description="A word's point is that of the target, or lies halfway between target and "
            "context."
        ),
    ] = "target"

    def __post_init__(self) -> None:
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
        bias = self.balls / 2 if self.likeness == "cosh-squared" else 0.0
        points = [(generator.random((words, self.dimensions)) - 0.5) * 2 * NEAR for _ in range(2)]
        biases = [np.full(words, bias) for _ in range(2)]
        squares = [np.zeros((words, self.balls + 1)) for _ in range(2)]
        return dict(zip(self.state, (*points, *biases, *squares), strict=True))

    @property
    def kernel_settings(self) -> dict[str, Any]:
        """What the kernels take beside pairs and state, by the names of their arguments."""
        return {
            "balls": self.balls,
            "size": self.dimensions // self.balls,
            "squared": self.likeness == "squared",
            "rate": self.rate,
            "room": ROOM,
        }

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


GloveKind = Glove | PoincareGlove

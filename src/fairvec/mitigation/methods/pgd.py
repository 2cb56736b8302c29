"""Poincaré Gender Debias (PGD): its objective, the exact minimum, and the published descent.

Everything happens in the plane that a word spans with the axis h of the concept: coordinates along
h and beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.core.format import pluralize, setting_hint
from fairvec.core.settings import settings
from fairvec.embedding import Embedding
from fairvec.geometry import BoolArray, Euclidean, FloatArray, Geometry, Poincare
from fairvec.geometry.ball_formulas import conformal_factor, exp0, log, log0, transport
from fairvec.geometry.directions import gyro_axis
from fairvec.geometry.norms import norm, normalize, normalize_rows, norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    NORM_KEPT,
    Debiaser,
    Strength,
    describe_fit,
)
from fairvec.mitigation.concept_direction import STEADINESS, stability
from fairvec.mitigation.moves import ROUNDING, Loop, Move, Rows, check_orthonormal, tangent_blocks
from fairvec.mitigation.specific_words import Specific, specific_split
from fairvec.mitigation.transform import Transform

PARALLEL = 1e-12
"""A word whose share beside h is smaller than this (relative to its length) has no way to turn."""


class PgdWeights(NamedTuple):
    """What staying and what being neutral are worth: l1 and l2 of the paper."""

    stay: float
    balance: float


class PairPlane(NamedTuple):
    """Points in coordinates along h and beside it, and the unit vectors beside it, one a row."""

    along: FloatArray
    beside: FloatArray
    axes: FloatArray

    @property
    def points(self) -> FloatArray:
        """The points as rows of two numbers."""
        return np.column_stack([self.along, self.beside])


def plane(points: FloatArray, h: FloatArray) -> PairPlane:
    """Return points in the plane that each spans with h; `axes` is zero where it spans none."""
    axis = normalize(h)
    along = points @ axis
    rest = points - along[:, None] * axis
    # Once more: what the first subtraction rounds away would be left as bias.
    rest -= (rest @ axis)[:, None] * axis
    beside = norms(rest)
    usable = beside > PARALLEL * norms(points)
    axes = np.divide(rest, beside[:, None], where=usable[:, None], out=np.zeros_like(rest))
    return PairPlane(along, beside, axes)


def out_of_plane(points: FloatArray, h: FloatArray, axes: FloatArray) -> FloatArray:
    """Return points given along h and along the axes beside it."""
    axis = normalize(h)
    rows: FloatArray = points[:, :1] * axis + points[:, 1:] * axes
    return rows


def without_direction(points: FloatArray, h: FloatArray) -> BoolArray:
    """Return which points are the origin or parallel to h: they cannot be turned away from it."""
    return np.asarray(~plane(points, h).axes.any(axis=1))


def minimum(points: FloatArray, h: FloatArray, weights: PgdWeights) -> FloatArray:
    """Return the points of the same lengths that minimise F, in one pass.

    u ~ a - (a.h) h/|h|^2               if l1 |a.h| <= l2 |h|^2   (no bias is left)
    u ~ l1 a - l2 sign(a.h) h           otherwise                 (a soft threshold)

    |h| is close to 2, so at equal weights the first line always holds. A point without a direction
    beside h stays.
    """
    spread = plane(points, h)
    lengths = norms(points)
    size = float(np.linalg.norm(h))
    # In units of the word's length, |a.h| = |along| |h|.
    excess = weights.stay * np.abs(spread.along) - weights.balance * size * lengths
    along = np.where(excess > 0, np.sign(spread.along) * excess, 0.0)
    beside = np.where(excess > 0, weights.stay * spread.beside, spread.beside)
    turned = np.column_stack([along, beside])
    turned *= np.divide(
        lengths,
        norms(turned),
        where=spread.axes.any(axis=1),
        out=np.zeros_like(lengths),
    )[:, None]
    points_after = out_of_plane(turned, h, spread.axes)
    parallel = ~spread.axes.any(axis=1)
    points_after[parallel] = points[parallel]
    return points_after


def objective(
    after: FloatArray, before: FloatArray, h: FloatArray, weights: PgdWeights
) -> FloatArray:
    """Return F for each row; between 0 and about 1, and l2 |gamma| where nothing was moved."""
    u, a = (normalize_rows(rows) for rows in (after, before))
    # 1 - u.a = |u - a|^2 / 2, which keeps its digits where the two are close.
    turned = ((u - a) ** 2).sum(axis=1) / 4
    value: FloatArray = weights.stay * turned + weights.balance * np.abs(u @ h) / 2
    return value


SHORTEST = 1e-150
"""A shorter axis has a square that is 0, and points nowhere."""

FASTEST = 1000.0
"""A larger rate of learning leaves every ball in one step; the paper takes 0.0003."""

MOST_EPOCHS = 100_000
"""A file that asks for more would not end; the paper takes 350."""

TINY = 1e-100
"""A smaller share of the radius is no distance from the origin."""


@dataclass(frozen=True, eq=False)
class PgdExact(Move):
    """Go the share `strength` of the way to the point that minimises the objective."""

    name = "balance-exactly"
    work = 8

    axis: FloatArray
    weights: PgdWeights
    strength: float

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return len(self.axis)

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows move to; only their directions matter, so any scale of them will do."""
        moved: FloatArray = rows + self.strength * (minimum(rows, self.axis, self.weights) - rows)
        return moved

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        """Return the loop of spaces whose points need no tangent vectors to be turned."""

        def balance(rows: Rows, out: Rows, fixed: NDArray[np.intp]) -> list[slice]:
            # Here and not above: it brings numba, which takes a while to load.
            from fairvec.mitigation.kernels import balance_rows

            c, strength = geometry.curvature, self.strength
            return balance_rows(
                rows, out, self.axis, self.weights, strength=strength, fixed=fixed, c=c
            )

        return balance if isinstance(geometry, Euclidean | Poincare) else None

    def tensors(self) -> dict[str, FloatArray]:
        """Return the axis at length one, its length and the weights."""
        size = np.linalg.norm(self.axis)
        return {"basis": self.axis[None] / size, "numbers": np.array([[size, *self.weights]])}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        axis, weights, _ = _read_tensors(tensors, further=0)
        return cls(axis, weights, strength)


@dataclass(frozen=True, eq=False)
class PgdAdam(Move):
    """Go the share `strength` of the way that Riemannian Adam goes in some epochs.

    Its path never leaves the plane of the word and the axis, because its second moment is one
    number a point: it is run there, in two dimensions.
    """

    name = "balance-by-adam"
    rows_at_a_time = 8192
    """Steps of an optimiser are run by threads, which want more to do."""

    axis: FloatArray
    weights: PgdWeights
    strength: float
    c: float
    rate: float
    epochs: int

    @property
    def dimensions(self) -> int:
        """The number of columns that rows must have."""
        return len(self.axis)

    def rows(self, rows: FloatArray) -> FloatArray:
        """Return where rows (tangent vectors at the origin) move to."""
        from fairvec.mitigation.kernels import descend

        start = plane(rows, self.axis)
        # A word that cannot be told from the origin has no length by which to find its way.
        movable = start.axes.any(axis=1) & (norms(rows) * np.sqrt(self.c) > TINY)
        flat = start.points[movable]
        points = exp0(flat, c=self.c)
        size = float(np.linalg.norm(self.axis))
        descend(points, size, self.weights, c=self.c, rate=self.rate, epochs=self.epochs)
        flat += self.strength * (log0(points, c=self.c) - flat)
        moved = rows.copy()
        moved[movable] = out_of_plane(flat, self.axis, start.axes[movable])
        return moved

    def tensors(self) -> dict[str, FloatArray]:
        """Return the axis at length one, its length and the numbers that steer the path."""
        size = float(np.linalg.norm(self.axis))
        numbers = [size, *self.weights, self.c, self.rate, float(self.epochs)]
        return {"basis": self.axis[None] / size, "numbers": np.array([numbers])}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        """Return the move that a file describes."""
        axis, weights, (c, rate, epochs) = _read_tensors(tensors, further=3)
        if not (
            c > 0 and 0 < rate <= FASTEST and 1 <= epochs <= MOST_EPOCHS and epochs == int(epochs)
        ):
            raise ValueError(f"the curvature {c:g}, rate {rate:g} or number of epochs {epochs:g}")
        return cls(axis, weights, strength, c, rate, int(epochs))


def _read_tensors(
    tensors: Mapping[str, FloatArray], *, further: int
) -> tuple[FloatArray, PgdWeights, list[float]]:
    """Return the axis, the weights and the further numbers of a file; ValueError if they are none.

    As in the settings of the method, the weights lie between 0 and 1 and add up to 1.
    """
    basis, numbers = check_orthonormal(tensors["basis"]), tensors["numbers"]
    if len(basis) != 1 or numbers.shape != (1, 3 + further):
        raise ValueError(f"a basis of {basis.shape} and numbers of {numbers.shape}")
    size, stay, balance, *others = numbers[0].tolist()
    if not (
        size >= SHORTEST and stay >= 0 and balance >= 0 and abs(stay + balance - 1) <= ROUNDING
    ):
        raise ValueError(f"an axis of length {size:g} with the weights {stay:g} and {balance:g}")
    return size * basis[0], PgdWeights(stay, balance), others


Solver = Literal["exact", "riemannian-adam"]


@settings
class PGD(Debiaser):
    """Turn words so that they point to neither of two means, and as little as possible.

    F(w') = l1 (1 - cos(w', w)) / 2 + l2 |cos(w', g_mf) - cos(w', g_fm)| / 2

    g_mf and g_fm are the gyrovectors between the Fréchet means of the male and the female defining
    words; `weights` are l1 and l2. Only words that do not mean the concept move. The remarks give F
    before and after on average, `objectives` gives it word by word.

    `solver`: exact is the minimum itself, in closed form, at the word's distance from the origin;
    riemannian-adam is the published path towards it, `epochs` steps at the rate `rate` from where
    the word is: it stops early, and words near the border hardly move. In flat space (exact only)
    this is a projection along the difference of the two means that keeps lengths. `means`: the
    Fréchet means themselves (exact), or where the published optimiser arrives with the same epochs
    and rate from the arithmetic mean, which may be short of them (riemannian-adam).

    Kumar et al. (2020), arXiv:2109.13767, section 3.2 and appendix 1.
    """

    name = "pgd"

    weights: Annotated[
        Sequence[float],
        Field(description="Weights of staying in place and of leaning to neither side."),
    ] = (0.5, 0.5)
    solver: Annotated[
        Solver,
        Field(
            description="The minimum itself (exact), or the published path towards it "
            "(riemannian-adam)."
        ),
    ] = "exact"
    means: Annotated[
        Solver, Field(description="The Fréchet means, or where the published path to them ends.")
    ] = "exact"
    rate: Annotated[
        float, Field(description="Of riemannian-adam: the size of a step.", gt=0, le=FASTEST)
    ] = 3e-4
    epochs: Annotated[
        int, Field(description="Of riemannian-adam: the number of steps.", ge=1, le=MOST_EPOCHS)
    ] = 350
    strength: Strength = 1.0
    specific: Specific = "listed"

    def __post_init__(self) -> None:
        within = all(0 <= weight <= 1 for weight in self.weights)
        if len(self.weights) != 2 or not within or abs(sum(self.weights) - 1) > 1e-9:
            raise SettingError(
                f"{self.name}: weights is {', '.join(map(str, self.weights))}; it must be two "
                "numbers from 0 to 1 that add up to 1: what staying is worth, and what being "
                "neutral is."
            )

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the move away from the axis of the concept in this embedding."""
        self._check_space(embedding)
        words = ConceptWords(concept, embedding)
        found = words.pairs_of(concept.definition, concept.name)
        axis = self._axis(embedding, concept, found.pairs)
        split = specific_split(words, self.specific)
        on_axis = _parallel_words(embedding, axis) - split.keys
        unmoved = split.keys | on_axis
        if len(unmoved) >= len(embedding):
            raise UndefinedError(
                f"Every word of {embedding.name} means {concept.id} or lies on its axis, so none "
                "is left to move; use an embedding with other words too."
            )
        axis_stability = stability(
            normalize_rows(axis),
            found.pairs,
            lambda some: normalize_rows(self._axis(embedding, concept, some)),
        )
        remarks = {
            STEADINESS: (f"{concept.name}: {axis_stability.summary}",),
            "left_out": tuple(f"{a}-{b}" for a, b in found.left_out),
            "no_direction_left": tuple(sorted(on_axis)),
            **split.remarks,
        }
        fitted = Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(found.keys),
            guarantees=self._guarantees(axis),
            move=self._move(axis, embedding.geometry.curvature),
            lengths="kept" if self.solver == "exact" else "free",
            unmoved=unmoved,
        )
        remarks["objective"] = (objectives(fitted, embedding).summary,)
        return replace(fitted, remarks={name: texts for name, texts in remarks.items() if texts})

    def _move(self, axis: FloatArray, c: float) -> PgdExact | PgdAdam:
        weights = PgdWeights(*self.weights)
        if self.solver == "exact":
            return PgdExact(axis, weights, self.strength)
        return PgdAdam(axis, weights, self.strength, c, self.rate, self.epochs)

    def _guarantees(self, axis: FloatArray) -> frozenset[str]:
        if self.solver != "exact":
            return frozenset()
        stay, balance = self.weights
        # A unit vector has at most |h| along h: the threshold then takes all of it.
        all_removed = stay <= balance * np.linalg.norm(axis) and self.strength == 1
        return frozenset({NORM_KEPT} | ({DIRECTION_REMOVED, IDEMPOTENT} if all_removed else set()))

    def _axis(
        self, embedding: Embedding, concept: Concept, pairs: Sequence[tuple[str, ...]]
    ) -> FloatArray:
        space = embedding.geometry

        def mean(points: FloatArray) -> FloatArray:
            if self.means == "exact":
                return space.mean(points).point
            return adam_mean(points, c=space.curvature, rate=self.rate, epochs=self.epochs)

        sides = ([pair[side] for pair in pairs] for side in (0, 1))
        male, female = (mean(embedding.rows(keys)) for keys in sides)
        try:
            return gyro_axis(male, female, space)
        except UndefinedError as error:
            listed = ", ".join(f"{a}-{b}" for a, b in pairs)
            raise UndefinedError(f"{concept.name} ({listed}): {error}") from None

    def _check_space(self, embedding: Embedding) -> None:
        by_adam = [name for name in ("solver", "means") if getattr(self, name) != "exact"]
        if by_adam and not isinstance(embedding.geometry, Poincare):
            raise GeometryError(
                f"Riemannian Adam moves points of one Poincaré ball, and {embedding.name} is "
                f"{embedding.geometry.name}; use {setting_hint(by_adam[0], 'exact')}, or say "
                f"{setting_hint('geometry', 'poincare')} if these are points of the ball."
            )


def adam_mean(points: FloatArray, *, c: float, rate: float, epochs: int) -> FloatArray:
    """Return where Riemannian Adam arrives on the mean squared distance, from the arithmetic mean.

    g = -2 mean log_x(x_i),  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) l_x^2 |g|^2,
    x' = x - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps),  m carried from x to x'.

    It moves about `rate` a step, and so ends before the mean where that is further than `epochs`
    of them. Kumar et al. (2020), appendix 1.1, which states the rate and not the steps.
    """
    # Here and not above: they are the kernels', which bring numba.
    from fairvec.mitigation.kernels import BETAS, EPSILON, MARGIN

    at: FloatArray = points.mean(axis=0)
    furthest = (1 - MARGIN) / np.sqrt(c)
    first, second = np.zeros_like(at), 0.0
    for step in range(1, epochs + 1):
        slope = -2 * log(at, points, c=c).mean(axis=0)
        size = float(conformal_factor(at, c=c)) ** 2
        first = BETAS[0] * first + (1 - BETAS[0]) * slope
        second = BETAS[1] * second + (1 - BETAS[1]) * size * float(slope @ slope)
        pace = rate / (1 - BETAS[0] ** step) / (np.sqrt(second / (1 - BETAS[1] ** step)) + EPSILON)
        moved = at - pace * first
        moved *= furthest / max(float(norm(moved)), furthest)
        at, first = moved, transport(at, moved, first, c=c)
    return at


def _parallel_words(embedding: Embedding, axis: FloatArray) -> frozenset[str]:
    """Return the words at the origin and those that lie on the axis: they cannot be turned."""
    found: list[str] = []
    for block, rows in tangent_blocks(embedding):
        keys = embedding.keys[block]
        found += [keys[row] for row in np.flatnonzero(without_direction(rows, axis)).tolist()]
    return frozenset(found)


ROWS_AT_A_TIME = 4096


@dataclass(frozen=True, eq=False)
class Objectives:
    """F of each word that moves, where it was and where it went; 0 is both unmoved and neutral.

    Before, F is l2 |gamma(w)|: nothing was moved. The exact solver's `after` is the smallest there
    is, which no other solver passes.
    """

    keys: tuple[str, ...]
    before: FloatArray
    after: FloatArray

    @property
    def summary(self) -> str:
        """The means, and the word that is left with most."""
        most = int(self.after.argmax())
        return (
            f"{self.before.mean():.4g} before and {self.after.mean():.4g} after on average over "
            f"{pluralize(len(self.keys), 'word')}, {self.after[most]:.4g} at most "
            f"({self.keys[most]})"
        )


def objectives(transform: Transform, embedding: Embedding) -> Objectives:
    """Return F = l1 (1 - cos(w', w)) / 2 + l2 |gamma(w')| of every word that `transform` moves.

    Kumar et al. (2020), arXiv:2109.13767, equation 1.
    """
    move = transform.move
    if not isinstance(move, PgdExact | PgdAdam):
        raise SettingError(
            f"{transform.name} is no Poincaré Gender Debias, so it does not minimise that "
            "objective; fit the method pgd."
        )
    transform.check(embedding)
    keys: list[str] = []
    values = []
    for start in range(0, len(embedding), ROWS_AT_A_TIME):
        block_keys = embedding.keys[start : start + ROWS_AT_A_TIME]
        moving = [row for row, key in enumerate(block_keys) if key not in transform.unmoved]
        keys += (moving_keys := [block_keys[row] for row in moving])
        before = np.asarray(embedding.vectors[start : start + len(block_keys)], np.float64)[moving]
        after = transform.apply(before, moving_keys)
        old, new = (embedding.geometry.log0(rows) for rows in (before, after))
        values.append([objective(rows, old, move.axis, move.weights) for rows in (old, new)])
    first, last = np.concatenate(values, axis=1)
    return Objectives(tuple(keys), first, last)

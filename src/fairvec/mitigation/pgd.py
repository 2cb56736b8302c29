"""Poincaré Gender Debias: turn neutral words away from the axis between two means."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray, Poincare
from fairvec.geometry.ball.gyro_axis import gyro_axis
from fairvec.geometry.directions import unit
from fairvec.ground.errors import GeometryError, SettingError, UndefinedError
from fairvec.ground.settings import Count, Positive, Share, check_settings
from fairvec.ground.text.remedies import option
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    NORM_KEPT,
)
from fairvec.mitigation.moves.pgd_moves import MOST_EPOCHS, BalanceByAdam, BalanceExactly
from fairvec.mitigation.moves.tangent import tangent_blocks
from fairvec.mitigation.poincare.pgd_math import PgdWeights, without_direction
from fairvec.mitigation.poincare.pgd_objective import objectives
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.specific import Specific, specific_split
from fairvec.mitigation.words.steadiness import STEADINESS, steadiness

Solver = Literal["exact", "riemannian-adam"]


@dataclass(frozen=True)
class PGD:
    """Turn words so that they point to neither of two means, and as little as possible.

    F(w') = l1 (1 - cos(w', w)) / 2 + l2 |cos(w', g_mf) - cos(w', g_fm)| / 2

    g_mf and g_fm are the gyrovectors between the Fréchet means of the male and the female defining
    words; `weights` are l1 and l2. Only words that do not mean the concept move. The remarks give F
    before and after on average, `pgd_objective.objectives` gives it word by word.

    `solver`: exact is the minimum itself, in closed form, at the word's distance from the origin;
    riemannian-adam is the published path towards it, `epochs` steps at the rate `rate` from where
    the word is: it stops early, and words near the border hardly move. In flat space (exact only)
    this is a projection along the difference of the two means that keeps lengths.

    Kumar et al. (2020), arXiv:2109.13767, section 3.2 and appendix 1.
    """

    name: ClassVar[str] = "pgd"

    weights: Sequence[float] = (0.5, 0.5)
    solver: Solver = "exact"
    rate: Positive = 3e-4
    epochs: Count = 350
    strength: Share = 1.0
    specific: Specific = "listed"

    def __post_init__(self) -> None:
        check_settings(self)
        within = all(0 <= weight <= 1 for weight in self.weights)
        if len(self.weights) != 2 or not within or abs(sum(self.weights) - 1) > 1e-9:
            raise SettingError(
                f"{self.name}: weights is {', '.join(map(str, self.weights))}; it must be two "
                "numbers from 0 to 1 that add up to 1: what staying is worth, and what being "
                "neutral is."
            )

        if self.epochs > MOST_EPOCHS:
            raise SettingError(
                f"{self.name}: epochs is {self.epochs:.3g}; it must be {MOST_EPOCHS:,} or less."
            )

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the move away from the axis of the concept in this embedding."""
        self._check_space(embedding)
        words = ConceptWords(concept, embedding)
        found = words.pairs_of(concept.definition, concept.name)
        axis = self._axis(embedding, concept, found.pairs)
        split = specific_split(words, self.specific)
        parallel = _without_direction(embedding, axis) - split.keys
        unmoved = split.keys | parallel
        if len(unmoved) >= len(embedding):
            raise UndefinedError(
                f"Every word of {embedding.name} means {concept.id} or lies on its axis, so none "
                "is left to move; use an embedding with other words too."
            )
        steady = steadiness(
            unit(axis), found.pairs, lambda some: unit(self._axis(embedding, concept, some))
        )
        remarks = {
            STEADINESS: (f"{concept.name}: {steady.said}",),
            "left_out": tuple(f"{a}-{b}" for a, b in found.left_out),
            "no_direction_left": tuple(sorted(parallel)),
            **split.remarks,
        }
        fitted = Transform(
            method=self.name,
            settings={**asdict(self), "weights": list(self.weights)},
            concept=concept.name,
            fitted_on=split.fitted_on(found.keys),
            guarantees=self._promised(axis),
            geometry=embedding.geometry,
            move=self._move(axis, embedding.geometry.curvature),
            lengths="kept" if self.solver == "exact" else "free",
            unmoved=unmoved,
        )
        remarks["objective"] = (objectives(fitted, embedding).summary,)
        return replace(fitted, remarks={name: each for name, each in remarks.items() if each})

    def _move(self, axis: FloatArray, c: float) -> BalanceExactly | BalanceByAdam:
        weights = PgdWeights(*self.weights)
        if self.solver == "exact":
            return BalanceExactly(axis, weights, self.strength)
        return BalanceByAdam(axis, weights, self.strength, c, self.rate, self.epochs)

    def _promised(self, axis: FloatArray) -> frozenset[str]:
        if self.solver != "exact":
            return frozenset()
        stay, balance = self.weights
        # A unit vector has at most |h| along h: the threshold then takes all of it.
        whole = stay <= balance * np.linalg.norm(axis) and self.strength == 1
        return frozenset({NORM_KEPT} | ({DIRECTION_REMOVED, IDEMPOTENT} if whole else set()))

    def _axis(
        self, embedding: Embedding, concept: Concept, pairs: Sequence[tuple[str, ...]]
    ) -> FloatArray:
        space = embedding.geometry
        sides = ([pair[side] for pair in pairs] for side in (0, 1))
        male, female = (space.mean(embedding.rows(keys)).point for keys in sides)
        try:
            return gyro_axis(male, female, space)
        except UndefinedError as error:
            listed = ", ".join(f"{a}-{b}" for a, b in pairs)
            raise UndefinedError(f"{concept.name} ({listed}): {error}") from None

    def _check_space(self, embedding: Embedding) -> None:
        if self.solver == "riemannian-adam" and not isinstance(embedding.geometry, Poincare):
            raise GeometryError(
                f"Riemannian Adam moves points of one Poincaré ball, and {embedding.name} is "
                f"{embedding.geometry.name}; use {option('solver', 'exact')}, or say "
                f"{option('geometry', 'poincare')} if these are points of the ball."
            )


def _without_direction(embedding: Embedding, axis: FloatArray) -> frozenset[str]:
    """Return the words at the origin and those that lie on the axis: they cannot be turned."""
    found: list[str] = []
    for some, rows in tangent_blocks(embedding):
        keys = embedding.keys[some]
        found += [keys[row] for row in np.flatnonzero(without_direction(rows, axis)).tolist()]
    return frozenset(found)

"""One method at one strength: fitted, measured, and made a point."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from statistics import fmean
from typing import Any

from fairvec.benchmarks import BenchmarkSet
from fairvec.embedding import Embedding
from fairvec.evaluation.changes.measure import Measured, measure
from fairvec.evaluation.frontiers.calibrate import Calibration, Leaning, calibrate
from fairvec.evaluation.frontiers.point import (
    bias_before,
    bias_left,
    effects_of,
    far,
    figures_of,
    of_category,
    other_words,
    shares_kept,
)
from fairvec.evaluation.reviews.learning import ReviewTask
from fairvec.evaluation.runs.describe import identity_of_model
from fairvec.ground.errors import FairvecError, UndefinedError
from fairvec.lexicon import Asked, Concept
from fairvec.mitigation import Debiaser, Transform, debiaser, fitted_by, method_named
from fairvec.mitigation.transform.moved_vectors import moved_where_there_is_room
from fairvec.results import REFERENCE, Point, Result, Trial, Untried

RESTRICT = 50_000
"""Analogies are asked among so many of the most frequent words, because they are asked so often."""


@dataclass(frozen=True, eq=False)
class Trials:
    """All that the points of one frontier have in common; `suites` are those asked for, if any.

    `fitting` is the concept less the words that are held out.
    """

    embedding: Embedding
    concept: Concept
    fitting: Concept
    suites: Asked | None
    benchmarks: tuple[BenchmarkSet, ...]
    seed: int
    tasks: tuple[ReviewTask, ...] = ()

    def reference(self) -> Point:
        """Return the point at which nothing is done."""
        return self._point(REFERENCE, Calibration(0.0, ""), self.before)

    def at(self, method: str, strength: float) -> Trial:
        """Return the point of a method at a strength, or why it could not be tried."""
        return self._tried(method, Calibration(strength, ""))

    def calibrated(self, method: str, leaning: Leaning) -> Trial:
        """Return the point of a method at the strength that leaves nothing of some effects."""
        try:
            found = calibrate(lambda s: self._fitted(method, s), leaning)
        except FairvecError as error:
            return self._untried(method, error)
        return self._tried(method, found)

    def beside(self, label: str, other: Embedding) -> Trial:
        """Return another model as a point, or why the two cannot be held together.

        Bias left and information kept are measured as those of a change are, but for neighbours and
        for how far words moved: in a space of its own no word has moved.
        """
        try:
            after = self._measured(other)
            point = self._point(label, Calibration(1.0, ""), after, other)
            if lacking := self._unanswered(point):
                raise UndefinedError(
                    f"{other.name} was not asked {', '.join(lacking)}, so that its bias left is "
                    "that of other tests; name suites that both models have words of."
                )
            if note := _other_words(other_words(self.before, after)):
                return point.model_copy(update={"note": note})
            return point
        except FairvecError as error:
            return self._untried(label, error)

    def debiaser(self, method: str, strength: float) -> Debiaser:
        """Return a method with its default settings."""
        seeded = "seed" in (field.name for field in fields(method_named(method)))  # type: ignore[arg-type]
        return debiaser(method, strength=strength, **({"seed": self.seed} if seeded else {}))

    @cached_property
    def before(self) -> Measured:
        """The embedding before any change, measured when it is first needed."""
        return self._measured(self.embedding)

    def _tried(self, method: str, at: Calibration) -> Trial:
        try:
            transform = self._fitted(method, at.strength)
            moved = moved_where_there_is_room(transform, self.embedding)
            after = self._measured(moved.named(f"{self.embedding.name}, {transform.name}"))
            return self._point(method, at, after)
        except FairvecError as error:
            return self._untried(method, error)

    def _unanswered(self, point: Point) -> list[str]:
        """Return the bias tests of the model that a point says nothing about."""
        said = {effect.test for effect in point.effects}
        own = (one.test for one in self.before.audited if isinstance(one, Result))
        return [test.id for test in own if test.kind == "bias" and test.id not in said]

    def _fitted(self, method: str, strength: float) -> Transform:
        return fitted_by(self.debiaser(method, strength), self.embedding, self.fitting)

    def _untried(self, method: str, error: FairvecError) -> Untried:
        return Untried(
            model=identity_of_model(self.embedding),
            concept=self.concept.name,
            method=method,
            reason=str(error),
        )

    def _measured(self, embedding: Embedding) -> Measured:
        return measure(
            embedding,
            suites=self.suites,
            benchmarks=self.benchmarks,
            restrict=RESTRICT,
            original=self.embedding,
            tasks=self.tasks,
            interval="none",
            seed=self.seed,
        )

    def _point(
        self, method: str, at: Calibration, after: Measured, other: Embedding | None = None
    ) -> Point:
        effects = effects_of(self.before, after)
        figures = figures_of(self.before, after, moved=other is None)
        kept = shares_kept(figures)
        if not effects or not kept:
            lacking = "information kept" if effects else "bias left"
            raise UndefinedError(
                f"No test or benchmark at hand measures {lacking} in "
                f"{(other or self.embedding).name}; name others, fetch some ('fairvec benchmarks "
                "list') or use a model that knows their words."
            )
        own = of_category(effects, category_of(self.concept))
        changed = method != REFERENCE and other is None
        settings = asdict(self.debiaser(method, at.strength)) if changed else {}  # type: ignore[call-overload]
        return Point(
            model=identity_of_model(self.embedding),
            concept=self.concept.name,
            method=method,
            other=identity_of_model(other) if other else None,
            settings=settings,
            strength=at.strength,
            calibrated=bool(at.note),
            note=at.note,
            held_out=not any(outcome.fitted_words for outcome in after.audited),
            bias_left=bias_left(own),
            bias_before=bias_before(own),
            information_kept=fmean(kept.values()),
            kept=kept,
            effects=effects,
            figures=figures,
            displacement=None if other else far(self.before, after),
        )


def _other_words(tests: Sequence[str]) -> str:
    return f"It has other words in {', '.join(tests)}." if tests else ""


def category_of(concept: Concept) -> str:
    """Return the social category that a concept's own tests have."""
    return concept.about


def settings_of(method: Debiaser) -> dict[str, Any]:
    """Return the settings of a method, as a record holds them."""
    return asdict(method)  # type: ignore[call-overload, no-any-return]

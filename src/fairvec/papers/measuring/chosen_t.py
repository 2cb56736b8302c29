"""The t of gyro-translation: chosen on the model itself, or else as the paper has it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from fairvec import catalogue
from fairvec.benchmarks import SemBiasSet, benchmark
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.geometry import Similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.utility import SemBias
from fairvec.papers.printed.schema import Settings


@dataclass(frozen=True, eq=False)
class SettledT:
    """How far between its two solutions a model answers analogies, for each similarity.

    A debiased model has the t of the model that it was made from, so that the two differ in their
    vectors alone. Where t cannot be chosen it is the published one, and a note says why.
    """

    model: Representation
    _known: dict[str, tuple[float | None, str]] = field(default_factory=dict)

    def t(self, settings: Settings, similarity: Similarity | None = None) -> float | None:
        """Return t for a similarity, that of the settings unless another is named.

        None in flat space, where every t leads to the same point.
        """
        if not self.model.geometry.curvature:
            return None
        chosen, _ = self._chosen(similarity.name if similarity else settings.similarity or "")
        return settings.t if chosen is None else chosen

    def chosen(self, settings: Settings) -> float | None:
        """Return t as it was chosen on the model; None where it cannot be."""
        if not self.model.geometry.curvature:
            return None
        return self._chosen(settings.similarity or "")[0]

    def note(self, settings: Settings) -> Iterator[str]:
        """Say what t is and where it comes from; in flat space there is none."""
        if not self.model.geometry.curvature:
            return
        chosen, why = self._chosen(settings.similarity or "")
        if chosen is None:
            yield f"t = {settings.t:g}, as published: {why}"
        else:
            yield (
                f"t = {chosen:g} on {self.model.name} by {settings.similarity}, chosen by "
                "two-fold cross-validation on the definition pairs of SemBias; the paper has "
                f"{settings.t:g}."
            )

    def _chosen(self, similarity: str) -> tuple[float | None, str]:
        if similarity not in self._known:
            self._known[similarity] = self._choose(similarity)
        return self._known[similarity]

    def _choose(self, similarity: str) -> tuple[float | None, str]:
        if not catalogue.has_dataset("sembias"):
            return None, "the pairs of SemBias, by which it is chosen, are not at hand."
        if not isinstance(self.model, Embedding):
            return None, "an encoder has no vocabulary to choose it on."
        asked = cast(SemBiasSet, benchmark("sembias"))
        metric = SemBias("gyro-translation", similarity_named(similarity) if similarity else None)
        try:
            return metric.settled(asked, self.model).t, ""
        except UndefinedError as error:
            return None, str(error)

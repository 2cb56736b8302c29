"""A metric measured another way, which is otherwise what it was."""

from dataclasses import dataclass

from fairvec.geometry import Geometry, Similarity
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Groups
from fairvec.metrics import Metric, Score, Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class Wrapped:
    """A metric around another: all is that one's own but `measure`, and `remark` says how."""

    metric: Metric

    @property
    def name(self) -> str:
        """The metric's own name."""
        return self.metric.name

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles that the metric needs."""
        return self.metric.needs

    @property
    def neutral(self) -> float | None:
        """The metric's own."""
        return self.metric.neutral

    @property
    def meaning(self) -> str:
        """The metric's own."""
        return self.metric.meaning

    @property
    def similarity(self) -> Similarity | None:
        """The metric's own."""
        return self.metric.similarity

    @property
    def convention(self) -> Convention | None:
        """The metric's own, and what is done another way."""
        own = self.metric.convention
        if own is None or not self.remark:
            return own
        return own.model_copy(update={"denominator": f"{own.denominator}; {self.remark}"})

    @property
    def traits(self) -> Traits:
        """The metric's own."""
        return self.metric.traits

    @property
    def remark(self) -> str:
        """What is done another way, for the convention; empty if there is nothing to say."""
        return ""

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the metric's own score."""
        return self.metric.measure(groups, geometry)


@dataclass(frozen=True)
class Refused(Wrapped):
    """A metric that cannot be taken, whatever the words: `reason` says why."""

    reason: str

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Raise the reason, so that a run writes it down."""
        raise UndefinedError(self.reason)

"""The contract of every metric."""

from typing import Protocol

from fairvec.geometry import Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.score import Score
from fairvec.results import Convention


class Metric(Protocol):
    """A number over looked-up word groups; it knows nothing of files, p-values or reports."""

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles a test must fill: x and y targets, a and b attributes."""
        ...

    @property
    def neutral(self) -> float:
        """The value that says: no bias."""
        ...

    @property
    def similarity(self) -> Similarity:
        """How two points are compared."""
        ...

    @property
    def convention(self) -> Convention:
        """How the value is scaled."""
        ...

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the value and each word's share in it."""
        ...

"""The contract of every metric."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from fairvec.geometry import Geometry, Similarity
from fairvec.lexicon import Groups, Test
from fairvec.metrics.score import Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


class Metric(Protocol):
    """A number over looked-up word groups; it knows nothing of files, p-values or reports."""

    @property
    def name(self) -> str:
        """The name under which the metric is registered."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles a test must fill: targets x and y, attributes a and b, or plain words."""
        ...

    @property
    def neutral(self) -> float | None:
        """The value that says: no bias; None if no single value does."""
        ...

    @property
    def meaning(self) -> str:
        """What large, small and neutral values say, in one sentence."""
        ...

    @property
    def similarity(self) -> Similarity | None:
        """How two points are compared; None if the metric does not compare points."""
        ...

    @property
    def convention(self) -> Convention | None:
        """How an effect size is scaled; None if the value is no effect size."""
        ...

    @property
    def traits(self) -> Traits:
        """Which bias it sees, what its signs say and what must not matter: laws test it."""
        ...

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the value and each word's share in it; raise UndefinedError if there is none."""
        ...


@runtime_checkable
class ReadsCorpus(Protocol):
    """What a metric has besides if it reads words in contexts that not every word has."""

    def prepare(self, tests: Sequence[Test]) -> None:
        """Find the contexts of all words of several tests at once."""
        ...

    def usable(self, groups: Groups) -> Groups:
        """Return the lists with those words as missing that have no context."""
        ...

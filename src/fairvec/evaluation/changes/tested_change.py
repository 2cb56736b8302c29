"""What every comparison of two answers tells of the test of the change itself."""

from abc import ABC, abstractmethod

from fairvec.results import Interval, PairedP


class TestedChange(ABC):
    """Something before and after, whose change is tested word by word."""

    __test__ = False  # pytest: this is not a test class

    @property
    @abstractmethod
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, and the changes that it allows."""

    @property
    def paired(self) -> PairedP | None:
        """The test of the change itself; None where no words are shared."""
        return self._tested[0]

    @property
    def difference(self) -> Interval | None:
        """The changes of the effect that this test allows; None where it allows any."""
        return self._tested[1]

"""What a condition says of the rows it was asked of."""

from dataclasses import dataclass

from fairvec.results.conditions.aggregates import RunFigure


@dataclass(frozen=True)
class Ruling:
    """One answer a row, or one for all rows; None where it could not be decided.

    `figures` are what a condition over rows was decided by.
    """

    answers: tuple[bool | None, ...]
    over_rows: bool = False
    figures: tuple[RunFigure, ...] = ()

    @property
    def met(self) -> tuple[int, ...]:
        """The places of the answers that are: yes."""
        return tuple(place for place, answer in enumerate(self.answers) if answer)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The places of the answers that could not be given."""
        return tuple(place for place, answer in enumerate(self.answers) if answer is None)

    @property
    def decides(self) -> bool:
        """Whether anything could be decided at all; a gate that decides nothing lets none pass."""
        return len(self.undecided) < len(self.answers)

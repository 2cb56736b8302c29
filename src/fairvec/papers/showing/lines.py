"""What a reproduction says: a line for each printed cell and model."""

from dataclasses import dataclass

from fairvec.papers.claims.answer import ClaimAnswer
from fairvec.papers.grading.grade import Grade
from fairvec.papers.printed.figure import PaperFigure
from fairvec.papers.printed.paper import Cell, Paper
from fairvec.results import Outcome


@dataclass(frozen=True)
class PrintedAnswer:
    """One printed figure, ours under the paper's convention and under the default, and a grade."""

    figure: PaperFigure
    grade: Grade
    ours: float | str | None = None
    default: float | str | None = None

    @property
    def difference(self) -> float | None:
        """Ours under the paper's convention minus the printed figure."""
        if self.figure.value is None or self.ours is None or isinstance(self.ours, str):
            return None
        return self.ours - self.figure.value


@dataclass(frozen=True)
class PrintedLine:
    """One printed cell on one model; without a model `model` is empty and there is no number."""

    cell: Cell
    answers: tuple[PrintedAnswer, ...]
    notes: tuple[str, ...]
    model: str = ""


@dataclass(frozen=True)
class Reproduction:
    """All lines of a paper in its order, the outcomes behind them, and answers to its claims."""

    paper: Paper
    lines: tuple[PrintedLine, ...]
    outcomes: tuple[Outcome, ...]
    claims: tuple[ClaimAnswer, ...] = ()

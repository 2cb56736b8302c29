"""What a paper contradicts, cell by cell."""

from dataclasses import dataclass

from fairvec.papers.grading.consistency import doubts
from fairvec.papers.grading.contradictions import contradictions
from fairvec.papers.printed.paper import Cell, Paper


@dataclass(frozen=True)
class Oddity:
    """What is said of a cell's figures, and which of them the paper contradicts."""

    notes: tuple[str, ...]
    inconsistent: frozenset[str]


def oddities(paper: Paper) -> dict[Cell, Oddity]:
    """Return what is odd about each cell: told twice, doubted, or marked with a reason."""
    told_twice, doubted = contradictions(paper), doubts(paper)
    found = {}
    for cell in paper.cells():
        twice = {quantity: text for (where, quantity), text in told_twice.items() if where == cell}
        doubt = doubted.get(cell)
        found[cell] = Oddity(
            notes=(
                *twice.values(),
                *([doubt.text] if doubt else ()),
                *(remark.note for remark in cell.remarks),
            ),
            inconsistent=frozenset(
                figure.quantity
                for figure in cell.figures
                if figure.quantity in twice
                or (doubt and doubt.is_clear)
                or cell.is_marked_inconsistent(figure.quantity)
            ),
        )
    return found

"""Figures that a paper prints twice, and not alike."""

from collections import defaultdict

from fairvec.papers.printed.figure import PaperFigure
from fairvec.papers.printed.paper import Cell, Paper

Printed = list[tuple[str, PaperFigure]]


def contradictions(paper: Paper) -> dict[tuple[Cell, str], str]:
    """Return for each cell and quantity that another table prints differently what they print.

    Only what is measured on a model as it is counts: two ways of debiasing may well differ.
    """
    printed: dict[tuple[object, ...], Printed] = defaultdict(list)
    for table in paper.tables:
        for cell in table.cells():
            for figure in cell.figures:
                printed[_measured(cell, figure)].append((table.label, figure))
    return {
        (cell, figure.quantity): _said(figure, printed[_measured(cell, figure)])
        for cell in paper.cells()
        for figure in cell.figures
        if cell.settings.metric and not (cell.settings.needs or cell.settings.debias)
        if _differ(printed[_measured(cell, figure)])
    }


def _measured(cell: Cell, figure: PaperFigure) -> tuple[object, ...]:
    wanted = cell.settings
    how = (wanted.similarity, wanted.debias, *wanted.needs)
    return (cell.role, wanted.metric, cell.test, *how, figure.quantity)


def _differ(printed: Printed) -> bool:
    """Say whether texts of equally many digits differ; fewer digits may be the same number."""
    texts = {(figure.decimals, figure.text) for _, figure in printed}
    return len(texts) > len({decimals for decimals, _ in texts})


def _said(figure: PaperFigure, printed: Printed) -> str:
    everywhere = ", ".join(f"{one.text} in {label}" for label, one in printed)
    return f"The paper prints {figure.quantity} = {everywhere}."

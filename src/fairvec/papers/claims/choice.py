"""Which cells of a paper's tables a claim is about."""

from typing import Self

from pydantic import model_validator

from fairvec.ground.errors import UnknownNameError
from fairvec.papers.printed.paper import Cell, Paper
from fairvec.papers.printed.schema import PrintedEntry


class CellChoice(PrintedEntry):
    """Cells of one table, row by row: all of them, or those of some rows and columns.

    With `bold` only those that the paper prints in bold, or only the others. Of a cell that prints
    d and p the figure is d.
    """

    table: str
    column: str | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    bold: bool | None = None

    @model_validator(mode="after")
    def _check_columns(self) -> Self:
        if self.column is not None and self.columns:
            raise ValueError("names both column and columns; keep one of them")
        return self

    def of(self, paper: Paper) -> tuple[Cell, ...]:
        """Return the cells; names that the paper does not have are refused, and so is no cell."""
        tables = {table.id: table for table in paper.tables}
        if self.table not in tables:
            raise UnknownNameError(f"table of {paper.id}", self.table, tables)
        table = tables[self.table]
        columns = self.columns if self.column is None else (self.column,)
        for what, named, known in (
            ("column", columns, table.columns),
            ("row", self.rows, table.rows),
        ):
            for name in named:
                if name not in known:
                    raise UnknownNameError(f"{what} of {paper.id}, {table.id}", name, known)
        cells = tuple(
            cell
            for cell in table.cells()
            if (not columns or cell.column in columns)
            and (not self.rows or cell.row in self.rows)
            and self.bold in (None, cell.bold)
        )
        if not cells:
            raise ValueError(f"chooses no cell of {table.id} that is printed")
        return cells

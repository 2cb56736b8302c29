"""A paper's tables as data: what is printed where, by which convention and of which models."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from pydantic import Field, model_validator

from fairvec.papers.printed.figure import PaperFigure, printed_figures
from fairvec.papers.printed.schema import (
    ModelRole,
    PaperConvention,
    PrintedEntry,
    PrintedPlace,
    PrintedRow,
    Remark,
    Settings,
)


@dataclass(frozen=True)
class Cell:
    """One printed cell with all that decides it."""

    table: str
    row: str
    column: str
    role: str
    settings: Settings
    figures: tuple[PaperFigure, ...]
    remarks: tuple[Remark, ...] = ()
    bold: bool = False

    @property
    def test(self) -> str:
        """The full id of the test behind the cell; empty if there is none."""
        return f"{self.settings.suite}/{self.settings.test}" if self.settings.test else ""

    def is_marked_inconsistent(self, quantity: str) -> bool:
        """Say whether a remark calls a figure of the cell inconsistent."""
        return any(
            remark.inconsistent and remark.quantity in (None, quantity) for remark in self.remarks
        )


class Table(Settings):
    """One table or figure of a paper; `bold_means` is what it says by printing a cell in bold."""

    id: str
    title: str
    bold_means: str = ""
    decimals: dict[str, int] = Field(default_factory=dict)
    columns: dict[str, Settings]
    rows: dict[str, PrintedRow]
    remarks: tuple[Remark, ...] = ()

    @property
    def label(self) -> str:
        """What the paper calls it, as in `Table 2a`."""
        return self.id.replace("-", " ").capitalize()

    @model_validator(mode="after")
    def _check_shape(self) -> Self:
        for name, row in self.rows.items():
            if len(row.cells) != len(self.columns):
                cells, columns = len(row.cells), len(self.columns)
                raise ValueError(f"row {name!r} has {cells} cells for {columns} columns")
            for column in row.bold:
                if column not in self.columns or not row.cells[[*self.columns].index(column)]:
                    raise ValueError(f"row {name!r} has {column!r} in bold, which is no cell")
            if row.bold and not self.bold_means:
                raise ValueError(f"row {name!r} has bold cells and the table no bold_means")
        for remark in self.remarks:
            if remark.row not in self.rows or (remark.column or "") not in {"", *self.columns}:
                raise ValueError(f"a remark is on {remark.row!r}, {remark.column!r}: no such cell")
        for cell in self.cells():
            for name in _needed(cell.settings):
                if getattr(cell.settings, name) is None:
                    raise ValueError(f"row {cell.row!r}, column {cell.column!r} has no {name}")
            wanted = cell.settings
            if (wanted.reads or wanted.tells or wanted.derived) and len(wanted.shows) != 1:
                raise ValueError(f"row {cell.row!r} reads one number and shows several")
            for remark in cell.remarks:
                if remark.quantity not in (None, *cell.settings.shows):
                    raise ValueError(f"a remark is on {remark.quantity!r}, not in {cell.row!r}")
        return self

    def cells(self) -> Iterator[Cell]:
        """Yield every printed cell, row by row."""
        for row_name, row in self.rows.items():
            for (column_name, column), text in zip(self.columns.items(), row.cells, strict=True):
                if text:
                    nearest = self.given() | column.given() | row.given()
                    settings = Settings.model_validate(nearest)
                    yield Cell(
                        table=self.id,
                        row=row_name,
                        column=column_name,
                        role=settings.role or "",
                        settings=settings,
                        figures=printed_figures(text, settings.shows, self.decimals),
                        remarks=tuple(
                            remark
                            for remark in self.remarks
                            if remark.row == row_name and remark.column in (None, column_name)
                        ),
                        bold=column_name in row.bold,
                    )


def _needed(settings: Settings) -> tuple[str, ...]:
    if settings.metric or settings.against:
        return ("role", "suite", "test")
    return ("role", "concept") if settings.reads else ("role",)


class Paper(PrintedEntry):
    """A paper's figures, its convention and its models."""

    id: str
    title: str
    source: str
    convention: PaperConvention
    roles: dict[str, ModelRole]
    tables: tuple[Table, ...]

    @model_validator(mode="after")
    def _check_roles(self) -> Self:
        names = list(self.roles)
        for name, role in self.roles.items():
            if role.made_from and role.made_from not in names[: names.index(name)]:
                raise ValueError(f"{name} is made from {role.made_from!r}: no role before it")
        for table in self.tables:
            for cell in table.cells():
                for name in filter(None, (cell.role, cell.settings.against)):
                    if name not in self.roles:
                        raise ValueError(f"{table.id}, row {cell.row!r}: no role {name!r}")
        return self

    @model_validator(mode="after")
    def _check_derived(self) -> Self:
        known: dict[tuple[str, str, str], tuple[str, ...]] = {}
        for cell in self.cells():
            if made := cell.settings.derived:
                for place in (made.of, made.to):
                    if made.quantity not in known.get((place.table, place.row, place.column), ()):
                        where = f"{place.table}, {place.row!r}, {place.column!r}"
                        raise ValueError(
                            f"{cell.row!r} is made of {made.quantity} of {where}: no such cell "
                            "before it"
                        )
            known[cell.table, cell.row, cell.column] = cell.settings.shows
        return self

    def cells(self) -> Iterator[Cell]:
        """Yield every printed cell, table by table."""
        for table in self.tables:
            yield from table.cells()

    def cell_at(self, place: PrintedPlace) -> Cell:
        """Return the cell that stands there."""
        wanted = (place.table, place.row, place.column)
        return next(one for one in self.cells() if (one.table, one.row, one.column) == wanted)

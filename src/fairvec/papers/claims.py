"""A paper's claims as data: the sentence, the cells it is about, and the kind of test."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.io.toml_files import parse_toml
from fairvec.core.validation import Frozen
from fairvec.papers.schema import (
    PAPERS,
    BenchmarkMeasure,
    Cell,
    Paper,
    TaskMeasure,
    TestMeasure,
    load_paper,
)


class CellSelector(Frozen):
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

    def select(self, paper: Paper) -> tuple[Cell, ...]:
        """Return the cells; names that the paper does not have are refused, and so is no cell."""
        tables = {table.id: table for table in paper.tables}
        if self.table not in tables:
            raise UnknownNameError(f"table of {paper.id}", self.table, tables)
        table = tables[self.table]
        columns = self.columns if self.column is None else (self.column,)
        printed_columns = (*table.columns, *(cell.column for cell in table.cells()))
        for kind, names, known in (
            ("column", columns, printed_columns),
            ("row", self.rows, table.rows),
        ):
            for name in names:
                if name not in known:
                    raise UnknownNameError(f"{kind} of {paper.id}, {table.id}", name, known)
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


SignOfEffect = Literal["+", "-"]
"""Which way words lean: as `positive_means` of their test says, or the other way."""

ComparedBy = Literal["value", "size"]
"""Whether figures are compared as they are, or without their signs."""


class PooledEffect(Frozen):
    """All the tests chosen, taken together, lean this way."""

    kind: Literal["leans"]
    cells: CellSelector
    sign: SignOfEffect


class EachEffect(Frozen):
    """Each of the tests chosen leans this way by itself; `of` says how many there are."""

    kind: Literal["each"]
    cells: CellSelector
    sign: SignOfEffect
    of: PositiveInt | None = None


class GreaterFigure(Frozen):
    """Pair by pair, the figures on the left are larger than those on the right."""

    kind: Literal["greater"]
    left: CellSelector
    right: CellSelector
    by: ComparedBy = "value"


class ChangedEffect(Frozen):
    """An effect is smaller (`lowered`), or larger (`raised`), after a change than before it.

    That of the same tests, taken together, or that of one other figure.
    """

    kind: Literal["lowered", "raised"]
    before: CellSelector
    after: CellSelector


class UnchangedFigures(Frozen):
    """Each figure is after a change what it was before, within `margin`, in the unit printed."""

    kind: Literal["kept"]
    before: CellSelector
    after: CellSelector
    margin: PositiveFloat


class ThresholdFigures(Frozen):
    """Each figure is at least, or at most, a number that the text names, in the unit printed."""

    kind: Literal["threshold"]
    cells: CellSelector
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _check_limit(self) -> Self:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("needs at_least or at_most, and not both")
        return self


ClaimTest = Annotated[
    PooledEffect | EachEffect | GreaterFigure | ChangedEffect | UnchangedFigures | ThresholdFigures,
    Field(discriminator="kind"),
]


class Claim(Frozen):
    """One finding of a paper: a sentence, where it stands, a quotation and the test that answers.

    `role` is whose models answer, one by one; with `roles`, one model of each of them answers
    together. `reading` says how the sentence became the test, and what that leaves out. Where the
    paper's lists are published nowhere and ours take their place (`our_lists`), figures that speak
    against it leave the claim undecided: other lists may do what the paper's did.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    says: str = Field(min_length=1)
    where: str = Field(min_length=1)
    quote: str = ""
    role: str | None = None
    roles: tuple[str, ...] = ()
    test: ClaimTest
    reading: str = ""
    our_lists: bool = False

    @model_validator(mode="after")
    def _check_roles(self) -> Self:
        if (self.role is None) == (not self.roles):
            raise ValueError("needs role or roles, and not both")
        return self

    @property
    def roles_needed(self) -> tuple[str, ...]:
        """The roles whose models answer."""
        return self.roles or (self.role or "",)

    def cell_lists(self, paper: Paper) -> tuple[tuple[Cell, ...], ...]:
        """Return the cells that the test is over: one list, or two that go in pairs."""
        return tuple(selector.select(paper) for selector in _selectors(self.test))

    def check(self, paper: Paper) -> None:
        """Refuse a claim that the tables of its paper cannot answer."""
        for name in self.roles_needed:
            if name not in paper.roles:
                raise ValueError(f"{name!r} is no role of {paper.id}")
        sides = self.cell_lists(paper)
        cell_roles = {cell.role for cells in sides for cell in cells}
        if cell_roles != set(self.roles_needed):
            raise ValueError(
                f"is answered by {', '.join(self.roles_needed)}, and its cells are of "
                f"{', '.join(sorted(cell_roles))}"
            )
        expected = self.test.of if isinstance(self.test, EachEffect) else None
        if expected not in (None, len(sides[0])):
            raise ValueError(f"chooses {len(sides[0])} cells and says that there are {expected}")
        pools_tests = isinstance(self.test, ChangedEffect) and len(sides[0]) > 1
        if pools_tests or isinstance(self.test, PooledEffect | EachEffect):
            _check_tested(cell for cells in sides for cell in cells)
        if len(sides) == 2:
            _check_pairs(
                *sides, same_figure=isinstance(self.test, ChangedEffect | UnchangedFigures)
            )


def _selectors(test: ClaimTest) -> tuple[CellSelector, ...]:
    match test:
        case GreaterFigure():
            return test.left, test.right
        case ChangedEffect() | UnchangedFigures():
            return test.before, test.after
    return (test.cells,)


def _check_tested(cells: Iterator[Cell]) -> None:
    for cell in cells:
        if not isinstance(cell.measure, TestMeasure):
            raise ValueError(
                f"takes tests of words together, and {cell.row!r}, {cell.column!r} is none"
            )


def _check_pairs(left: tuple[Cell, ...], right: tuple[Cell, ...], *, same_figure: bool) -> None:
    if len(left) != len(right):
        raise ValueError(f"pairs {len(left)} cells with {len(right)}")
    for first, second in zip(left, right, strict=True):
        if first == second:
            raise ValueError(f"pairs {first.row!r}, {first.column!r} with itself")
        if same_figure and claim_measurement_key(first) != claim_measurement_key(second):
            raise ValueError(
                f"pairs {first.row!r}, {first.column!r} with {second.row!r}, {second.column!r}, "
                "which asks something else"
            )


def claim_measurement_key(cell: Cell) -> tuple[object, ...]:
    """Return what a cell asks of whatever model: its test, or its benchmark, or its task."""
    match cell.measure:
        case TestMeasure(metric=metric, test=test):
            return metric, test
        case BenchmarkMeasure(benchmark=benchmark, part=part):
            return benchmark, part
        case TaskMeasure(task=task, score=score):
            return task, score
    return (cell.measure,)


def cell_label(cell: Cell, among: Sequence[Cell]) -> str:
    """Return what tells a cell from the others: its row, its column, or both where both vary."""
    rows, columns = (
        {getattr(other, field_name) for other in among} for field_name in ("row", "column")
    )
    if len(columns) == 1 or len(rows) == len(among):
        return cell.row
    return cell.column if len(rows) == 1 else f"{cell.row}, {cell.column}"


class _File(Frozen):
    claims: tuple[Claim, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        ids = [claim.id for claim in self.claims]
        for id_ in ids:
            if ids.count(id_) > 1:
                raise ValueError(f"the id {id_!r} is that of {ids.count(id_)} claims")
        return self


_TABLES = (Claim, CellSelector, PooledEffect, EachEffect, GreaterFigure, ChangedEffect)
_KEYS = frozenset(
    key for table in (*_TABLES, UnchangedFigures, ThresholdFigures) for key in table.model_fields
)
"""Every key that a file of claims may have: a misspelt one is offered the nearest."""


def parse_claims(text: str, about: Paper, where: str = "claims") -> tuple[Claim, ...]:
    """Return the claims that `text` (TOML) makes about a paper; `where` names it in errors."""
    found = parse_toml(text, where, _File, lambda _: _KEYS).claims
    for claim in found:
        try:
            claim.check(about)
        except (ValueError, UnknownNameError) as error:
            message = str(error)
            full_stop = "" if message.endswith((".", "?")) else "."
            raise LexiconError(f"{where}, claim {claim.id}: {message}{full_stop}") from None
    return found


@cache
def claims_of(name: str) -> tuple[Claim, ...]:
    """Return the claims of the paper of this name; none where no file of them is written."""
    paper = load_paper(name)
    file = files("fairvec.papers") / "data" / "claims" / f"{name}.toml"
    if not file.is_file():
        return ()
    return parse_claims(file.read_text(encoding="utf-8"), paper, f"claims/{name}.toml")


def claims_of_paper(paper: Paper) -> tuple[Claim, ...]:
    """Return the claims of a paper that is one of ours; of any other, or of a part of one, none."""
    return claims_of(paper.id) if paper.id in PAPERS and paper == load_paper(paper.id) else ()

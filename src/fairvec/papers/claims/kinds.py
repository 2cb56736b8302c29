"""A paper's claims as data: the sentence, the cells it is about, and the kind of test."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self, TypeVar, get_args

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

Item = TypeVar("Item")

Rows = tuple[tuple[Cell, ...], ...]
"""The cells of a test, those of a row taken together: single ones, pairs, or several."""


class _OfCells(Frozen):
    """A test over single cells."""

    cells: CellSelector

    def rows(self, paper: Paper) -> Rows:
        """Return each cell alone."""
        return tuple((cell,) for cell in self.cells.select(paper))


class _BeforeAndAfter(Frozen):
    """A test over pairs of cells: one figure before and after a change."""

    before: CellSelector
    after: CellSelector

    def rows(self, paper: Paper) -> Rows:
        """Return the pairs."""
        return _pairs(self.before.select(paper), self.after.select(paper))


class PooledEffect(_OfCells):
    """All the tests chosen, taken together, lean this way."""

    kind: Literal["leans"]
    sign: SignOfEffect


class EachEffect(_OfCells):
    """Each of the tests chosen leans this way by itself; `of` says how many there are."""

    kind: Literal["each"]
    sign: SignOfEffect
    of: PositiveInt | None = None


class GreaterFigure(Frozen):
    """Pair by pair, the figures on the left are larger than those on the right."""

    kind: Literal["greater"]
    left: CellSelector
    right: CellSelector
    by: ComparedBy = "value"

    def rows(self, paper: Paper) -> Rows:
        """Return the pairs."""
        return _pairs(self.left.select(paper), self.right.select(paper))


class ChangedEffect(_BeforeAndAfter):
    """An effect is smaller (`lowered`), or larger (`raised`), after a change than before it.

    That of the same tests, taken together, or that of one other figure. Of tests `sign` says which
    way their words lean where there is something to lower. `not-lowered` denies it.
    """

    kind: Literal["lowered", "raised", "not-lowered"]
    sign: SignOfEffect | None = None


class UnchangedFigures(_BeforeAndAfter):
    """Each figure is after a change what it was before, within `margin`, in the unit printed.

    `agree` says so of two ways to ask the same test.
    """

    kind: Literal["kept", "agree"]
    margin: PositiveFloat


class ThresholdFigures(_OfCells):
    """Each figure is at least, or at most, a number that the text names, in the unit printed."""

    kind: Literal["threshold"]
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _check_limit(self) -> Self:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("needs at_least or at_most, and not both")
        return self


class BestMethod(Frozen):
    """With this change an effect is smaller (`least`), or larger (`most`), than with each other.

    That of the tests of the chosen rows, taken together. `sign` says which way their words lean in
    `before`, the column of no change, where there is something to lower, or to keep.
    """

    kind: Literal["least", "most"]
    best: CellSelector
    others: CellSelector
    before: CellSelector
    sign: SignOfEffect

    def rows(self, paper: Paper) -> Rows:
        """Return a row for each other change: its tests without, with the other and with this."""
        (original, best), others = (
            [_column(cells.select(paper)) for cells in (self.before, self.best)],
            self.others.select(paper),
        )
        columns = dict.fromkeys(cell.column for cell in others)
        rows = [
            (*original, *(cell for cell in others if cell.column == column), *best)
            for column in columns
        ]
        for row in rows:
            if len({tuple(cell.row for cell in part) for part in self.parts(row)}) != 1:
                raise ValueError("compares changes in different rows")
        return tuple(rows)

    def parts(self, of_row: Sequence[Item]) -> tuple[Sequence[Item], ...]:
        """Return what belongs to the tests without a change, with the other and with this one."""
        tests = len(of_row) // 3
        return of_row[:tests], of_row[tests : 2 * tests], of_row[2 * tests :]


def _column(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    if len({cell.column for cell in cells}) != 1:
        raise ValueError("has several columns where one change is compared with others")
    return cells


class ComparableEffect(Frozen):
    """Tests, taken together, have at least this share of the effect of other tests."""

    kind: Literal["comparable"]
    left: CellSelector
    right: CellSelector
    share: PositiveFloat

    def rows(self, paper: Paper) -> Rows:
        """Return the tests and the others."""
        return self.left.select(paper), self.right.select(paper)


class AbsentWords(_OfCells):
    """No word of the first list of a test is in the vocabulary of its model."""

    kind: Literal["absent"]


ClaimTest = Annotated[
    PooledEffect
    | EachEffect
    | GreaterFigure
    | ChangedEffect
    | UnchangedFigures
    | ThresholdFigures
    | BestMethod
    | ComparableEffect
    | AbsentWords,
    Field(discriminator="kind"),
]

OF_TESTS = (PooledEffect, EachEffect, BestMethod, ComparableEffect, AbsentWords)
"""The kinds that ask tests of words and nothing else."""


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

    def check(self, paper: Paper) -> None:
        """Refuse a claim that the tables of its paper cannot answer."""
        for name in self.roles_needed:
            if name not in paper.roles:
                raise ValueError(f"{name!r} is no role of {paper.id}")
        rows = self.test.rows(paper)
        cells = [cell for row in rows for cell in row]
        cell_roles = {cell.role for cell in cells}
        if cell_roles != set(self.roles_needed):
            raise ValueError(
                f"is answered by {', '.join(self.roles_needed)}, and its cells are of "
                f"{', '.join(sorted(cell_roles))}"
            )
        expected = self.test.of if isinstance(self.test, EachEffect) else None
        if expected not in (None, len(rows)):
            raise ValueError(f"chooses {len(rows)} cells and says that there are {expected}")
        if isinstance(self.test, OF_TESTS):
            _check_tested(cells)
        match self.test:
            case ChangedEffect(sign=sign):
                if sign or len(rows) > 1:
                    _check_tested(cells)
                if sign is None and isinstance(cells[0].measure, TestMeasure):
                    raise ValueError("needs sign: which way the words lean that are said to change")
                _check_same_figure(rows)
            case UnchangedFigures(kind=kind):
                _check_same_figure(rows, whatever_metric=kind == "agree")
            case BestMethod() as test:
                _check_same_figure(
                    tuple(tests for row in rows for tests in zip(*test.parts(row), strict=True))
                )


def _pairs(left: tuple[Cell, ...], right: tuple[Cell, ...]) -> Rows:
    if len(left) != len(right):
        raise ValueError(f"pairs {len(left)} cells with {len(right)}")
    for first, second in zip(left, right, strict=True):
        if first == second:
            raise ValueError(f"pairs {first.row!r}, {first.column!r} with itself")
    return tuple(zip(left, right, strict=True))


def _check_tested(cells: Sequence[Cell]) -> None:
    for cell in cells:
        if not isinstance(cell.measure, TestMeasure):
            raise ValueError(
                f"takes tests of words together, and {cell.row!r}, {cell.column!r} is none"
            )


def _check_same_figure(rows: Rows, *, whatever_metric: bool = False) -> None:
    for first, *others in rows:
        for other in others:
            same_test = whatever_metric and first.test and first.test == other.test
            if not same_test and claim_measurement_key(first) != claim_measurement_key(other):
                raise ValueError(
                    f"pairs {first.row!r}, {first.column!r} with {other.row!r}, {other.column!r}, "
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


def row_label(test: ClaimTest, row: tuple[Cell, ...], rows: Rows) -> str:
    """Return what tells a row of a test from the others: its cell, or the change it compares."""
    if isinstance(test, BestMethod):
        return test.parts(row)[1][0].column
    return cell_label(row[0], [each[0] for each in rows])


class _File(Frozen):
    claims: tuple[Claim, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        ids = [claim.id for claim in self.claims]
        for id_ in ids:
            if ids.count(id_) > 1:
                raise ValueError(f"the id {id_!r} is that of {ids.count(id_)} claims")
        return self


_TABLES = (Claim, CellSelector, *get_args(get_args(ClaimTest)[0]))
_KEYS = frozenset(key for table in _TABLES for key in table.model_fields)
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

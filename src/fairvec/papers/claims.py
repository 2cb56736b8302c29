"""A paper's claims as data: what it finds, on which cells, and the test that answers."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, PositiveInt, ValidationError, model_validator

from fairvec.core.errors import FileFormatError, UnknownNameError
from fairvec.core.parsing import parse_toml_tables
from fairvec.papers.schema import PAPERS, Cell, Paper, PrintedEntry, load_paper

# Which cells of a paper's tables a claim is about.


class CellSelector(PrintedEntry):
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


SignOfEffect = Literal["+", "-"]
"""Which way words lean: as `positive_means` of their test says, or the other way."""

ComparedBy = Literal["value", "size"]
"""Whether figures are compared as they are, or without their signs."""


class LeansTogether(PrintedEntry):
    """All the tests chosen, taken together, lean this way."""

    kind: Literal["leans"]
    cells: CellSelector
    sign: SignOfEffect


class EachLeans(PrintedEntry):
    """Each of the tests chosen leans this way by itself; `of` says how many there are."""

    kind: Literal["each"]
    cells: CellSelector
    sign: SignOfEffect
    of: PositiveInt | None = None


class GreaterFigures(PrintedEntry):
    """Pair by pair, the figures on the left are larger than those on the right."""

    kind: Literal["greater"]
    left: CellSelector
    right: CellSelector
    by: ComparedBy = "value"


class ChangedEffect(PrintedEntry):
    """An effect is smaller (`lowered`), or larger (`raised`), after a change than before it.

    That of the same tests, taken together, or that of one other figure.
    """

    kind: Literal["lowered", "raised"]
    before: CellSelector
    after: CellSelector


class KeptFigures(PrintedEntry):
    """Each figure is after a change what it was before, within `margin`, in the unit printed."""

    kind: Literal["kept"]
    before: CellSelector
    after: CellSelector
    margin: PositiveFloat


class ThresholdOfText(PrintedEntry):
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
    LeansTogether | EachLeans | GreaterFigures | ChangedEffect | KeptFigures | ThresholdOfText,
    Field(discriminator="kind"),
]


class Claim(PrintedEntry):
    """One finding of a paper: a sentence, where it stands, a quotation and the test that answers.

    `role` is whose models answer, one by one; with `roles`, one model of each of them answers
    together. `reading` says how the sentence became the test, and what that leaves out.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    says: str = Field(min_length=1)
    where: str = Field(min_length=1)
    quote: str = ""
    role: str | None = None
    roles: tuple[str, ...] = ()
    test: ClaimTest
    reading: str = ""

    @model_validator(mode="after")
    def _check_roles(self) -> Self:
        if (self.role is None) == (not self.roles):
            raise ValueError("needs role or roles, and not both")
        return self

    @property
    def asked(self) -> tuple[str, ...]:
        """The roles whose models answer."""
        return self.roles or (self.role or "",)

    def sides(self, paper: Paper) -> tuple[tuple[Cell, ...], ...]:
        """Return the cells that the test is over: one list, or two that go in pairs."""
        return tuple(choice.of(paper) for choice in _choices(self.test))

    def check(self, paper: Paper) -> None:
        """Refuse a claim that the tables of its paper cannot answer."""
        for name in self.asked:
            if name not in paper.roles:
                raise ValueError(f"{name!r} is no role of {paper.id}")
        sides = self.sides(paper)
        found = {cell.role for cells in sides for cell in cells}
        if found != set(self.asked):
            raise ValueError(
                f"is answered by {', '.join(self.asked)}, and its cells are of "
                f"{', '.join(sorted(found))}"
            )
        counted = self.test.of if isinstance(self.test, EachLeans) else None
        if counted not in (None, len(sides[0])):
            raise ValueError(f"chooses {len(sides[0])} cells and says that there are {counted}")
        several = isinstance(self.test, ChangedEffect) and len(sides[0]) > 1
        if several or isinstance(self.test, LeansTogether | EachLeans):
            _refuse_untested(cell for cells in sides for cell in cells)
        if len(sides) == 2:
            _check_pairs(*sides, same=isinstance(self.test, ChangedEffect | KeptFigures))


def _choices(test: ClaimTest) -> tuple[CellSelector, ...]:
    match test:
        case GreaterFigures():
            return test.left, test.right
        case ChangedEffect() | KeptFigures():
            return test.before, test.after
    return (test.cells,)


def _refuse_untested(cells: Iterator[Cell]) -> None:
    for cell in cells:
        if not cell.test or cell.settings.against:
            raise ValueError(
                f"takes tests of words together, and {cell.row!r}, {cell.column!r} is none"
            )


def _check_pairs(one: tuple[Cell, ...], other: tuple[Cell, ...], *, same: bool) -> None:
    if len(one) != len(other):
        raise ValueError(f"pairs {len(one)} cells with {len(other)}")
    for first, second in zip(one, other, strict=True):
        if first == second:
            raise ValueError(f"pairs {first.row!r}, {first.column!r} with itself")
        if same and claim_measurement_key(first) != claim_measurement_key(second):
            raise ValueError(
                f"pairs {first.row!r}, {first.column!r} with {second.row!r}, {second.column!r}, "
                "which asks something else"
            )


def claim_measurement_key(cell: Cell) -> tuple[object, ...]:
    """Return what a cell asks of whatever model: its test, or its benchmark, or its task."""
    wanted = cell.settings
    return wanted.metric, cell.test, wanted.benchmark, wanted.task, wanted.part, wanted.of_class


# Reading the papers' files of claims.


class _File(PrintedEntry):
    claims: tuple[Claim, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        ids = [claim.id for claim in self.claims]
        for one in ids:
            if ids.count(one) > 1:
                raise ValueError(f"the id {one!r} is that of {ids.count(one)} claims")
        return self


def parse_claims(text: str, about: Paper, where: str = "claims") -> tuple[Claim, ...]:
    """Return the claims that `text` (TOML) makes about a paper; `where` names it in errors."""
    try:
        found = _File.model_validate(parse_toml_tables(text, where, FileFormatError)).claims
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise FileFormatError(f"{where}{', ' if place else ''}{place}: {problem}.") from None
    for claim in found:
        try:
            claim.check(about)
        except (ValueError, UnknownNameError) as error:
            said = str(error)
            stop = "" if said.endswith((".", "?")) else "."
            raise FileFormatError(f"{where}, claim {claim.id}: {said}{stop}") from None
    return found


@cache
def claims_of(name: str) -> tuple[Claim, ...]:
    """Return the claims of the paper of this name; none where no file of them is written."""
    about = load_paper(name)
    file = files("fairvec.papers") / "data" / "claims" / f"{name}.toml"
    if not file.is_file():
        return ()
    return parse_claims(file.read_text(encoding="utf-8"), about, f"claims/{name}.toml")


def claims_of_paper(some: Paper) -> tuple[Claim, ...]:
    """Return the claims of a paper that is one of ours; of any other, or of a part of one, none."""
    return claims_of(some.id) if some.id in PAPERS and some == load_paper(some.id) else ()

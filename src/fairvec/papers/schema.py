"""A paper's tables as data, and the TOML files that hold them.

Paper           convention, roles (the models it measured) and tables
PaperTable      printed cells with their settings: a PaperRow's before its column's before its own
DerivedFigure   a printed number made of two others: x - y, x / y or (x - y) / y
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from fairvec.catalogue.entries import Sha256
from fairvec.catalogue.recipes import RecipeName
from fairvec.core.errors import FairvecError, UnknownNameError
from fairvec.core.io.toml_files import parse_toml
from fairvec.core.validation import Frozen
from fairvec.lexicon import concept
from fairvec.metrics import METRICS
from fairvec.mitigation import debiaser
from fairvec.papers.printed import PrintedFigure, is_count, parse_figures
from fairvec.stats import Sides, Ties

FitKind = Literal["default", "as-published"]
"""Whether a method is fitted with fairvec's settings alone or also with the paper's own."""

DebiasedWords = Literal["all", "targets", "slots"]
"""Which vectors are debiased: all, those of X and Y, or those of the words put into sentences."""


class Debiasing(Frozen):
    """How a column of a table was debiased: method, concept and settings.

    `as_published` are further settings of the paper, which fairvec's default leaves out.
    """

    method: str
    concept: str
    settings: dict[str, Any] = Field(default_factory=dict)
    as_published: dict[str, Any] = Field(default_factory=dict)
    note: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            debiaser(self.method, **self.settings_of("as-published"))
            concept(self.concept)
        except FairvecError as error:
            raise ValueError(str(error).removesuffix(".")) from None
        return self

    def __hash__(self) -> int:
        return hash(self.model_dump_json())

    def settings_of(self, fit: FitKind) -> dict[str, Any]:
        """Return the settings under a convention, lists as tuples."""
        chosen = self.settings | (self.as_published if fit == "as-published" else {})
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in chosen.items()
        }

    @property
    def description(self) -> str:
        """The column in one sentence, as in `Debiased by lpsg, concept hi/gender:pairs.`."""
        own = f", {_format_settings(self.settings)}" if self.settings else ""
        theirs = (
            f"; as published {_format_settings(self.as_published)}" if self.as_published else ""
        )
        return (
            f"Debiased by {self.method}, concept {self.concept}{own}{theirs}. {self.note}".strip()
        )


def _format_settings(settings: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} = {', '.join(value) if isinstance(value, list) else str(value).lower()}"
        for name, value in settings.items()
    )


PermutedAsPrinted = Literal["words", "sentences"]
TemplatesOf = Literal["own", "targets"]
Repeats = Literal["once", "kept"]
PaperMethod = Literal["3cosadd", "gyro-translation", "offset-angle"]
"""How analogies are completed, or the pairs of SemBias compared."""
ConceptReading = Literal[
    "pair-variance", "specific-words", "jobs-on-the-axis", "jobs-beside-the-line"
]
"""What is computed from a concept's words, without a test."""
ModelProperty = Literal["moved-words", "fitted-t"]
"""A property of a model: how many words its debiasing moves, or its t of gyro-translation."""
PUBLISHED_T = 0.3
"""The t of gyro-translation of Kumar et al. (2020), section 4.2."""
DerivedKind = Literal["difference", "ratio", "relative-change"]


class PaperConvention(Frozen):
    """How the paper computed its figures.

    `samples` is the number of random splits behind its p; None if p is not known to be sampled.
    Where the authors' code draws another number than their text says, `samples_in_code` is that.
    `permute` and `attribute_templates` are those of SEAT, whose targets take their own. `repeats`
    says whether a word that a list repeats counts once or each time. A p below `alpha` is
    significant.
    """

    effect_size: str
    sides: Sides
    ties: Ties
    samples: PositiveInt | None = None
    samples_in_code: PositiveInt | None = None
    permute: PermutedAsPrinted = "words"
    attribute_templates: TemplatesOf = "own"
    repeats: Repeats = "once"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    note: str = ""


class ModelRole(Frozen):
    """A model of the paper: its name in the catalogue, or where it is to be had.

    `words` is how many it has, as printed: 189,533 or, rounded, 30.4k; `counted` is how many its
    origin counts. `sha256` are the known fingerprints of its files, or of its keys and vectors.
    While it is not at hand, `data` are models below FAIRVEC_DATA that take its place, and
    `stand_ins` models of the catalogue that do so without them; `recipes` are those of the
    catalogue that train others on request. Without a model of its own a role that is `made_from`
    another is what `debias` makes of that one. Word vectors play the role, or an `encoder`, whose
    folder has to be given.
    """

    title: str
    model: str | None = None
    origin: str = ""
    dimensions: PositiveInt | None = None
    words: str = ""
    counted: PositiveInt | None = None
    sha256: tuple[Sha256, ...] = ()
    geometry: Literal["euclidean", "poincare"] = "euclidean"
    data: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    recipes: tuple[RecipeName, ...] = ()
    made_from: str | None = None
    debias: Debiasing | None = None
    encoder: bool = False

    @model_validator(mode="after")
    def _check_words(self) -> Self:
        if bool(self.made_from) != bool(self.debias):
            raise ValueError("needs both made_from and debias, or neither")
        if self.words and not is_count(self.words):
            raise ValueError(f"words is {self.words!r}, which should be like 189,533 or 30.4k")
        return self


class PaperTask(Frozen):
    """A task that was learnt: reviews of the catalogue with the paper's labels and with true ones.

    `split` names the column of the paper's own split, and `length` how many words are read.
    """

    reviews: str
    corrected: str
    split: str = ""
    length: PositiveInt | None = None


class CellRef(Frozen):
    """The table, row and column of a cell."""

    table: str
    row: str
    column: str


class DerivedFigure(Frozen):
    """A figure made of one `quantity` of two other cells, x of the first and y of the second.

    difference: x - y; ratio: x / y; relative-change: (x - y) / y, in per cent where % is shown.
    """

    kind: DerivedKind
    quantity: str
    of: CellRef
    to: CellRef


class CellSettings(Frozen):
    """What decides a cell: a row's settings go before its column's, those before the table's.

    `debias` says how the model was changed first, and `moved` which of its vectors the paper
    changed. `reads` is what is read off the words of `concept` instead of a test's.

    `benchmark` is a data set of the catalogue and `part` one of its figures; those `beside` it are
    named in a note. `method` and `t` say how analogies are completed, `t` being the paper's own.
    `question` is a : b :: c : ?, of which the answer is printed. With `against`, the words of the
    test lean in this model and in that of another role, and the two are correlated. Of a `task`
    the figure is a `part` (accuracy, precision ...), of one class or of both. `tells` is what a
    model says of itself; a `derived` figure is made of two others that are printed before it.
    """

    role: str | None = None
    metric: str | None = None
    suite: str | None = None
    test: str | None = None
    similarity: str | None = None
    permute: PermutedAsPrinted | None = None
    attribute_templates: TemplatesOf | None = None
    debias: Debiasing | None = None
    moved: DebiasedWords | None = None
    reads: ConceptReading | None = None
    concept: str | None = None
    benchmark: str | None = None
    part: str | None = None
    beside: tuple[str, ...] = ()
    method: PaperMethod | None = None
    t: float = PUBLISHED_T
    question: tuple[str, str, str] | None = None
    against: str | None = None
    task: PaperTask | None = None
    of_class: Literal["negative", "positive"] | None = None
    tells: ModelProperty | None = None
    derived: DerivedFigure | None = None
    shows: tuple[str, ...] = ()

    @field_validator("metric")
    @classmethod
    def _check_metric(cls, name: str | None) -> str | None:
        known = [metric.name for metric in METRICS]
        if name not in (None, *known):
            raise ValueError(str(UnknownNameError("metric", name or "", known)).removesuffix("."))
        return name

    def explicit(self) -> dict[str, object]:
        """Return the settings that the file states at this level."""
        return self.model_dump(include=self.model_fields_set & set(CellSettings.model_fields))


class UnavailableError(FairvecError):
    """A figure cannot be had on a model; the message says why, beside the cell or the claim."""


@dataclass(frozen=True)
class TestMeasure:
    """The score of a test by a metric: its d and p, or its value."""

    __test__ = False  # no test of pytest

    metric: str
    test: str
    similarity: str | None = None
    permute: PermutedAsPrinted | None = None
    attribute_templates: TemplatesOf | None = None
    debias: Debiasing | None = None
    moved: DebiasedWords = "all"


@dataclass(frozen=True)
class BenchmarkMeasure:
    """A figure of a benchmark, or of one of its parts; those `beside` it are named in a note."""

    benchmark: str
    part: str | None = None
    beside: tuple[str, ...] = ()
    method: PaperMethod | None = None
    similarity: str | None = None
    t: float = PUBLISHED_T
    debias: Debiasing | None = None


@dataclass(frozen=True)
class QuestionMeasure:
    """The answer to a : b :: c : ? by gyro-translation."""

    question: tuple[str, str, str]
    similarity: str = "negative-distance"
    t: float = PUBLISHED_T
    debias: Debiasing | None = None


@dataclass(frozen=True)
class CorrelationMeasure:
    """How alike the words of a test lean in the model of this role and in that of another."""

    test: str
    against: str


@dataclass(frozen=True)
class TaskMeasure:
    """A score of a task that is learnt: accuracy, or one of a class as in `recall, positive`."""

    task: PaperTask
    score: str
    debias: Debiasing | None = None


@dataclass(frozen=True)
class ConceptMeasure:
    """A number about a concept's words, without a test."""

    reading: ConceptReading
    concept: str


@dataclass(frozen=True)
class PropertyMeasure:
    """A property of a model."""

    property: ModelProperty
    similarity: str | None = None
    t: float = PUBLISHED_T
    debias: Debiasing | None = None


Measure = (
    TestMeasure
    | BenchmarkMeasure
    | QuestionMeasure
    | CorrelationMeasure
    | TaskMeasure
    | ConceptMeasure
    | PropertyMeasure
    | DerivedFigure
)
"""What a cell measures, derived from its settings once."""

MEASURED_BY = ("metric", "benchmark", "question", "against", "task", "reads", "tells", "derived")
"""The settings of which a cell has exactly one, which says what it measures."""


def measure_of(settings: CellSettings) -> Measure:
    """Return what settings measure; ValueError says what they lack or have too much."""
    kinds = [name for name in MEASURED_BY if getattr(settings, name)]
    if len(kinds) != 1:
        several = f"{' and '.join(kinds)}; keep one of them"
        raise ValueError(f"has {several if kinds else 'none of ' + ', '.join(MEASURED_BY)}")
    own, test = settings, f"{settings.suite}/{settings.test}"
    if own.metric:
        return TestMeasure(
            own.metric,
            test,
            own.similarity,
            own.permute,
            own.attribute_templates,
            own.debias,
            own.moved or "all",
        )
    if own.benchmark:
        details = (own.part, own.beside, own.method, own.similarity, own.t, own.debias)
        return BenchmarkMeasure(own.benchmark, *details)
    if own.question:
        similarity = own.similarity or QuestionMeasure.similarity
        return QuestionMeasure(own.question, similarity, own.t, own.debias)
    if own.against:
        return CorrelationMeasure(test, own.against)
    if own.task:
        part = own.part or "accuracy"
        of_class = own.of_class if own.part and part != "accuracy" else None
        return TaskMeasure(own.task, f"{part}, {of_class}" if of_class else part, own.debias)
    if own.reads:
        return ConceptMeasure(own.reads, own.concept or "")
    if own.tells:
        return PropertyMeasure(own.tells, own.similarity, own.t, own.debias)
    if own.derived:
        return own.derived
    raise ValueError(f"has none of {', '.join(MEASURED_BY)}")


class PaperRow(CellSettings):
    """One row of a table; an empty cell is one that the paper does not print.

    `bold` names the columns whose cell is printed in bold, in full or in part. A `wide` row has one
    cell for all columns under a heading, listed in the place of the first.
    """

    cells: tuple[str, ...]
    bold: tuple[str, ...] = ()
    wide: bool = False


class Remark(Frozen):
    """A note on a cell or a whole row; with a `quantity`, on that figure only."""

    row: str
    column: str | None = None
    quantity: str | None = None
    inconsistent: bool = False
    note: str


@dataclass(frozen=True)
class Cell:
    """One printed cell with its settings, figures and remarks."""

    table: str
    row: str
    column: str
    role: str
    settings: CellSettings
    figures: tuple[PrintedFigure, ...]
    remarks: tuple[Remark, ...] = ()
    bold: bool = False

    @property
    def test(self) -> str:
        """The full id of the test behind the cell; empty if there is none."""
        return f"{self.settings.suite}/{self.settings.test}" if self.settings.test else ""

    @cached_property
    def measure(self) -> Measure:
        """What the cell measures."""
        return measure_of(self.settings)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets of the catalogue without which there is no figure."""
        match self.measure:
            case BenchmarkMeasure(benchmark=name):
                return (name,)
            case TaskMeasure(task=task):
                return (task.reviews, task.corrected)
        return ()

    def is_marked_inconsistent(self, quantity: str) -> bool:
        """Return whether a remark calls a figure of the cell inconsistent."""
        return any(
            remark.inconsistent and remark.quantity in (None, quantity) for remark in self.remarks
        )


def split_column(name: str) -> tuple[str, str]:
    """Return the heading that a column shares and its own: `Biased, 0` is 0 under Biased."""
    group, comma, own = name.partition(", ")
    return (group, own) if comma else ("", name)


class PaperTable(CellSettings):
    """One table or figure of a paper; `bold_means` is what it says by printing a cell in bold."""

    id: str
    title: str
    bold_means: str = ""
    decimals: dict[str, int] = Field(default_factory=dict)
    columns: dict[str, CellSettings]
    rows: dict[str, PaperRow]
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
            where = f"row {cell.row!r}, column {cell.column!r}"
            for name in _required_fields(cell.settings):
                if getattr(cell.settings, name) is None:
                    raise ValueError(f"{where} has no {name}")
            try:
                measure = cell.measure
            except ValueError as error:
                raise ValueError(f"{where} {error}") from None
            if not isinstance(measure, TestMeasure) and len(cell.settings.shows) != 1:
                raise ValueError(f"{where} measures one number and shows several")
            for remark in cell.remarks:
                if remark.quantity not in (None, *cell.settings.shows):
                    raise ValueError(f"a remark is on {remark.quantity!r}, not in {cell.row!r}")
        return self

    def cells(self) -> Iterator[Cell]:
        """Yield every printed cell, row by row."""
        for row_name, row in self.rows.items():
            for (column_name, column), text in zip(self.columns.items(), row.cells, strict=True):
                if text:
                    nearest = self.explicit() | column.explicit() | row.explicit()
                    settings = CellSettings.model_validate(nearest)
                    yield Cell(
                        table=self.id,
                        row=row_name,
                        column=(row.wide and split_column(column_name)[0]) or column_name,
                        role=settings.role or "",
                        settings=settings,
                        figures=parse_figures(text, settings.shows, self.decimals),
                        remarks=tuple(
                            remark
                            for remark in self.remarks
                            if remark.row == row_name and remark.column in (None, column_name)
                        ),
                        bold=column_name in row.bold,
                    )


def _required_fields(settings: CellSettings) -> tuple[str, ...]:
    if settings.metric or settings.against:
        return ("role", "suite", "test")
    return ("role", "concept") if settings.reads else ("role",)


class Paper(Frozen):
    """A paper's figures, its convention and its models."""

    id: str
    title: str
    source: str
    convention: PaperConvention
    roles: dict[str, ModelRole]
    tables: tuple[PaperTable, ...]

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
        shown: dict[tuple[str, str, str], tuple[str, ...]] = {}
        for cell in self.cells():
            if derived := cell.settings.derived:
                for source in (derived.of, derived.to):
                    if derived.quantity not in shown.get(
                        (source.table, source.row, source.column), ()
                    ):
                        where = f"{source.table}, {source.row!r}, {source.column!r}"
                        raise ValueError(
                            f"{cell.row!r} is made of {derived.quantity} of {where}: no such cell "
                            "before it"
                        )
            shown[cell.table, cell.row, cell.column] = cell.settings.shows
        return self

    def cells(self) -> Iterator[Cell]:
        """Yield every printed cell, table by table."""
        for table in self.tables:
            yield from table.cells()

    def cell_at(self, place: CellRef) -> Cell:
        """Return the cell that stands there."""
        key = (place.table, place.row, place.column)
        return next(cell for cell in self.cells() if (cell.table, cell.row, cell.column) == key)


_TABLES = (
    Paper,
    PaperConvention,
    ModelRole,
    Debiasing,
    PaperTable,
    PaperRow,
    Remark,
    PaperTask,
    DerivedFigure,
)
_KEYS = frozenset(key for table in _TABLES for key in table.model_fields)
"""Every key that a file of a paper may have: what is misspelt is offered the nearest."""

PAPERS = ("kumar2020", "malik2022", "pestova", "bharti2021")


def parse_paper(text: str, where: str = "paper") -> Paper:
    """Return the paper that `text` (TOML) describes; `where` names it in errors."""
    return parse_toml(text, where, Paper, lambda _: _KEYS)


@cache
def load_paper(name: str) -> Paper:
    """Return the paper of this name, or raise UnknownNameError with the nearest names."""
    if name not in PAPERS:
        raise UnknownNameError("paper", name, PAPERS)
    file = files("fairvec.papers") / "data" / f"{name}.toml"
    return parse_paper(file.read_text(encoding="utf-8"), f"{name}.toml")


def derive(
    kind: DerivedKind, x: float | str | None, y: float | str | None, *, in_per_cent: bool
) -> float | None:
    """Return x - y, x / y or (x - y) / y; None where a number is missing, or divided by zero."""
    if x is None or y is None or isinstance(x, str) or isinstance(y, str):
        return None
    if kind == "difference":
        return x - y
    if y == 0:
        return None
    change = (x - y) / y
    return x / y if kind == "ratio" else change * (100 if in_per_cent else 1)

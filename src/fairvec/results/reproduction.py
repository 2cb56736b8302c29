"""What a reproduction of a paper found: records and reproduction.jsonl, from which pages are drawn.

PaperHead        the paper, its tables as printed, how figures were computed, and the models
ClaimLine        one finding of the paper as some models answer it
FigureLine       one printed figure beside ours on one model
TableAgreement   how far the figures of one table agree with the printed ones
DrawnFigure      the records that a figure of the paper is drawn from again
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from fairvec.core.errors import FileFormatError
from fairvec.core.validation import Count, FileRecord, Record, Share
from fairvec.results.identities import ModelIdentity
from fairvec.results.records import ConceptView, Description
from fairvec.results.store import RecordFile, as_lines
from fairvec.stats.values import Interval, PValue

REPRODUCTION_FILE = "reproduction.jsonl"

Grade = Literal[
    "matched",
    "differs by convention",
    "differs",
    "inconsistent in the paper",
    "in words",
    "different model",
    "your model",
    "skipped",
    "no model",
    "no data",
]
"""What became of a printed figure."""

ClaimGrade = Literal["holds", "fails", "undecided", "not tried"]
"""What became of a claim."""

ClaimUnit = Literal["words", "tests", "pairs", "items", "figures"]
"""What the answer to a claim was counted over."""

FigureValue = int | float | str | None


class PrintedColumn(Record):
    """One column of a table; several may stand under one heading."""

    name: str = Field(description="Its name, as lines of figures have it")
    group: str = Field(description="The heading that it shares with its neighbours; empty if none")
    heading: str = Field(description="What stands over it alone")


class PrintedTable(Record):
    """One table or figure of a paper as it is printed."""

    id: str = Field(description="Its id, as lines of figures name it")
    label: str = Field(description="What the paper calls it, as in Table 2a")
    title: str = Field(description="Its title")
    rows: tuple[str, ...] = Field(description="Its rows from top to bottom")
    columns: tuple[PrintedColumn, ...] = Field(
        description="Its columns from left to right; the column of a figure is one of them, or a "
        "heading whose columns it spans"
    )
    bold_means: str = Field(description="What a cell in bold says; empty if none is bold")


PlayedBy = Literal["the paper's", "yours", "a stand-in", "none"]
"""Whether the paper measured a model of a role, as far as anything published shows."""


class PlayedRole(Record):
    """One role of the paper, and one model that plays it, or none."""

    role: str = Field(description="Its id, as lines of figures have it")
    title: str = Field(description="The model that the paper measured")
    played_by: PlayedBy = Field(description="Whether the model that plays it is the paper's own")
    model: str = Field(description="The model, as lines of figures have it; empty without one")
    made_from: str = Field(description="The model whose identity stands in models")
    reason: str = Field(description="How that is known; empty without a model")
    remedy: str = Field(description="How to bring the paper's own; empty where it is here")


class PaperHead(FileRecord):
    """What was reproduced, and with what."""

    kind: Literal["paper"] = Field(default="paper", description="Always paper")
    paper: str = Field(description="Id of the paper")
    title: str = Field(description="What the paper is about")
    source: str = Field(description="Authors, year, title and where it is to be had")
    convention: str = Field(description="How the paper computed its figures, and how fairvec does")
    alpha: Share = Field(description="The level below which it calls a p significant")
    tables: tuple[PrintedTable, ...] = Field(description="Its tables, in order")
    models: tuple[ModelIdentity, ...] = Field(
        description="Every model that lines name and that was put to a test or a benchmark"
    )
    roles: tuple[PlayedRole, ...] = Field(description="Its roles in order, and who plays them")
    missing_data: dict[str, str] = Field(
        description="Benchmarks and reviews that are not here -> how to get them"
    )
    sensitive: str = Field(description="Why some of the words are sensitive; empty if none is")


class PaperDecision(Record):
    """What the paper's own rule says of figures by its own convention."""

    grade: ClaimGrade = Field(description="holds, fails, undecided or not tried")
    sentence: str = Field(description="Why")
    shown: str = Field(description="The figure as a table shows it; empty where there is none")
    figures: dict[str, float] = Field(description="The numbers behind the grade, by name")
    p: Share | None = Field(
        description="The smallest p where one suffices, else the largest; null without a test"
    )


class ClaimLine(FileRecord):
    """One finding of the paper, and what some models say to it by our rule and by the paper's."""

    kind: Literal["claim"] = Field(default="claim", description="Always claim")
    paper: str = Field(description="Id of the paper")
    claim: str = Field(description="Id of the claim")
    says: str = Field(description="The claim in one sentence")
    where: str = Field(description="Where the paper says so")
    quote: str = Field(description="Its words; empty if there are none")
    roles: tuple[str, ...] = Field(description="The roles asked about")
    models: tuple[str, ...] = Field(description="The models that played them; empty without one")
    papers_own_model: bool = Field(description="Whether all of them are the paper's own")
    grade: ClaimGrade = Field(description="holds, fails, undecided or not tried")
    sentence: str = Field(description="Why")
    test: str = Field(description="The kind of test")
    shown: str = Field(description="The figure as a table shows it; empty where there is none")
    figures: dict[str, float] = Field(description="The numbers behind the grade, by name")
    p: Share | None = Field(description="p of the claim; null where its kind has none")
    at_most: bool = Field(description="Whether p is the smallest that random draws can give")
    interval: Interval | None = Field(
        description="Of the figure, or of the change, that decides; null where none is known"
    )
    how: str = Field(description="The test in words; empty where not tried")
    n: Count | None = Field(description="Over how many; null where not tried")
    unit: ClaimUnit | Literal[""] = Field(description="Over what; empty where not tried")
    among: Count | None = Field(
        description="Where some figure is of every word of a cut: how many words it has; else null"
    )
    by_paper: PaperDecision = Field(description="The answer by the paper's own rule")
    differs_by: Literal["", "rule", "figures"] = Field(
        description="Whether the paper's rule or its figures make its grade another; empty if alike"
    )
    papers_way: tuple[str, ...] = Field(
        description="What the paper does another way in computing its figures, in words"
    )
    printed: PaperDecision | None = Field(
        description="What that rule says of the printed figures; null where none is a number"
    )
    reading: str = Field(description="How the sentence became the test, and what that leaves out")


class FigureLine(FileRecord):
    """One printed figure on one model; a cell that prints d and p has a line for each."""

    kind: Literal["figure"] = Field(default="figure", description="Always figure")
    paper: str = Field(description="Id of the paper")
    table: str = Field(description="Id of the table")
    row: str = Field(description="Its row")
    column: str = Field(description="Its column")
    quantity: str = Field(description="d, p, rho, % ...")
    published: str = Field(description="As it is printed")
    value: float | None = Field(description="The printed number; null where it is none")
    # More digits than a double has could not be written.
    decimals: Count = Field(le=17, description="Digits after the point that it is printed with")
    bold: bool = Field(description="Whether the cell is printed in bold")
    ours: FigureValue = Field(description="Ours by the paper's convention; null if there is none")
    ours_by_default: FigureValue = Field(description="Ours by fairvec's; null if there is none")
    difference: float | None = Field(description="ours less published; null where either is none")
    agrees: bool | None = Field(
        description="Of d: whether ours has the printed sign; of p: whether it is on the same side "
        "of the paper's level; of a word: whether it is the printed one; else null"
    )
    p: PValue | None = Field(description="p behind ours and how it was found; null without a test")
    interval: Interval | None = Field(description="The interval of ours; null where none is known")
    among: Count | None = Field(
        description="Of a measure that looks at every word of a model, where that is a cut of a "
        "larger one: how many words it has; else null"
    )
    grade: Grade = Field(description="What became of the figure")
    role: str = Field(description="The role that was measured")
    model: str = Field(description="The model that played it; empty without one")
    metric: str = Field(description="The metric; empty without a test")
    test: str = Field(description="Full id of the test; empty without one")
    notes: tuple[str, ...] = Field(description="Remarks on it, a sentence each")


class TableAgreement(FileRecord):
    """How far our figures of one table, by the paper's convention, agree with the printed ones."""

    kind: Literal["agreement"] = Field(default="agreement", description="Always agreement")
    paper: str = Field(description="Id of the paper")
    table: str = Field(description="Id of the table")
    models: tuple[str, ...] = Field(description="The models that our figures are of")
    figures: Count = Field(description="Printed figures beside which there is one of ours")
    printed: Count = Field(description="All printed figures")
    same_sign: Count = Field(description="Effects with the printed sign")
    effects: Count = Field(description="Effects that were compared")
    same_significance: Count = Field(
        description="p on the same side of the paper's level as the printed one"
    )
    p_values: Count = Field(description="p that were compared")
    same_words: Count = Field(description="Words that are the printed ones")
    words: Count = Field(description="Words that were compared")
    rank_correlation: float | None = Field(
        description="Spearman's correlation of ours with the printed figures other than p, where "
        "they are all of one kind and at least four; else null"
    )
    ranked: Count = Field(description="How many figures that is over; 0 without it")


class DrawnFigure(FileRecord):
    """The records from which a figure of the paper is drawn again."""

    kind: Literal["drawing"] = Field(default="drawing", description="Always drawing")
    paper: str = Field(description="Id of the paper")
    table: str = Field(description="Id of the figure among the tables")
    records: tuple[Annotated[Description | ConceptView, Field(discriminator="status")], ...] = (
        Field(description="What it shows, as results.jsonl has it")
    )


ReproductionLine = PaperHead | ClaimLine | FigureLine | TableAgreement | DrawnFigure


class ReproductionRecords(NamedTuple):
    """All lines of a reproduction: enough to draw its page."""

    head: PaperHead
    claims: tuple[ClaimLine, ...]
    figures: tuple[FigureLine, ...]
    agreements: tuple[TableAgreement, ...]
    drawings: tuple[DrawnFigure, ...]

    @property
    def lines(self) -> tuple[ReproductionLine, ...]:
        """The lines in the order of the file."""
        return (self.head, *self.claims, *self.agreements, *self.figures, *self.drawings)


_file: RecordFile[ReproductionLine] = RecordFile(
    REPRODUCTION_FILE,
    TypeAdapter(Annotated[ReproductionLine, Field(discriminator="kind")]),
    "a record of a reproduction",
    "fairvec reproduce",
    "PAPER",
    "write_reproduction",
    "read_reproduction",
)


def reproduction_as_jsonl(records: ReproductionRecords) -> str:
    """Return the records as JSON lines, Unicode kept."""
    return as_lines(records.lines)


def write_reproduction(
    records: ReproductionRecords, folder: Path | str, others: Mapping[str, str] | None = None
) -> Path:
    """Write the records to reproduction.jsonl in `folder`, whole or not at all.

    `others` are texts of the same run by file name, as its page: all take their places together.
    """
    return _file.write(records.lines, folder, others)


def read_reproduction(path: Path | str) -> ReproductionRecords:
    """Read the records of a reproduction.jsonl, or of the folder that holds one."""
    lines = _file.read(path)
    heads, *others = (
        tuple(_of_kind(lines, kind))
        for kind in (PaperHead, ClaimLine, FigureLine, TableAgreement, DrawnFigure)
    )
    if len(heads) != 1:
        raise FileFormatError(
            f"{path}: {len(heads)} lines say which paper it is about, where one should; run "
            "'fairvec reproduce' again."
        )
    return ReproductionRecords(heads[0], *others)


def _of_kind(lines: Iterable[ReproductionLine], kind: type[Any]) -> list[Any]:
    return [line for line in lines if isinstance(line, kind)]

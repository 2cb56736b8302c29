"""Records of a study: its cells, and what each factor explains of the effects' variance."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from fairvec.core.validation import Count, FileRecord, Record, Share
from fairvec.results.identities import TestIdentity
from fairvec.results.store import RecordFile

STUDY_FILE = "study.jsonl"

Factor = Literal["corpus", "model", "window", "dim"]
"""The factors of a study."""


ALPHA = 0.05
"""The level at which a factor or a trend is significant."""


class CellKey(Record):
    """Where a cell stands in the grid."""

    corpus: str = Field(description="Name of the corpus in the plan")
    model: str = Field(description="Name of the kind of model in the plan")
    window: Count = Field(description="Words to each side that count as near")
    dim: Count = Field(description="Dimensions of the vectors")
    seed: int = Field(description="Seed of the training")

    def level(self, factor: str) -> str:
        """Return the level of a factor here, as text."""
        return str(getattr(self, factor))

    def __str__(self) -> str:
        return (
            f"{self.corpus}, {self.model}, window {self.window}, dim {self.dim}, seed {self.seed}"
        )


class CellEffect(Record):
    """One test in one cell: its effect, and the interval over other words of the same kind."""

    test: str = Field(description="Full id of the test")
    metric: str = Field(description="Name of the metric")
    effect: float = Field(description="The metric's value; for WEAT the effect size d")
    low: float | None = Field(description="Lower end of the interval over words; null if none")
    high: float | None = Field(description="Upper end of the interval over words; null if none")
    p: Share | None = Field(description="Two-sided p of the regrouped words; null if none")
    words: Count = Field(description="Words of the test's lists that were found")


class MissingEffect(Record):
    """One test that a cell could not answer."""

    test: str = Field(description="Full id of the test")
    metric: str = Field(description="Name of the metric")
    reason: str = Field(description="One sentence: what was missing")


class StudyCell(FileRecord):
    """A cell whose model was trained and audited."""

    status: Literal["cell"] = Field(default="cell", description="Always cell")
    place: CellKey = Field(description="Where it stands in the grid")
    effects: tuple[CellEffect, ...] = Field(description="Every test that was answered")
    gaps: tuple[MissingEffect, ...] = Field(description="Every test that was not")
    sha256: str = Field(description="Hash of the trained model's content")
    words: Count = Field(description="Words of the model")
    seconds: float = Field(description="Time to train and audit")


class FailedCell(FileRecord):
    """A cell without a model, and why."""

    status: Literal["failed"] = Field(default="failed", description="Always failed")
    place: CellKey = Field(description="Where it stands in the grid")
    reason: str = Field(description="One sentence: what went wrong")


class StudyCorpus(Record):
    """One corpus: what it was made of, and how much of it was learnt from."""

    name: str = Field(description="Its name in the plan")
    files: tuple[str, ...] = Field(description="Names of its files")
    sha256: str = Field(description="Hash of the words that were learnt from")
    when: float | None = Field(
        default=None, description="Its time in the plan, e.g. a year; null if none is said"
    )
    tokens: Count = Field(description="Words that were learnt from, repeats counted")
    tokens_in_all: Count = Field(description="Words that its files hold")
    words: Count = Field(description="Different words that are frequent enough")


class LevelMean(Record):
    """The mean effect at one level of a factor."""

    factor: Factor = Field(description="corpus, model, window or dim")
    level: str = Field(description="The level")
    mean: float = Field(description="Mean effect over all cells at this level")
    seed_spread: float = Field(description="Standard deviation between seeds in cells of the level")
    cells: Count = Field(description="Cells at this level, seeds counted")


class VarianceTerm(Record):
    """What one factor, or factors together, explain of the effects' variance."""

    factors: tuple[Factor, ...] = Field(description="One is a main effect, several an interaction")
    df: Count = Field(description="Degrees of freedom")
    sum_of_squares: float = Field(description="Its share in the sum of squares")
    eta2: float = Field(description="Sum of squares over the total: flatters, never below 0")
    omega2: float = Field(description="The same less what chance gives; 0 if that is negative")
    low: float = Field(description="Lower end of the interval of omega2 over seeds")
    high: float = Field(description="Upper end")
    component: float = Field(
        description="Variance component, were the levels drawn from many; 0 if negative"
    )
    was_negative: bool = Field(description="Whether omega2 or the component came out below 0")
    p: Share | None = Field(
        description="Permutation p of a main effect, levels exchanged within the strata of the "
        "other factors; null of an interaction"
    )
    p_holm: Share | None = Field(description="The same, Holm-corrected over the whole study")
    smallest_p: Share | None = Field(description="The smallest p that such a table can give")
    exact: bool = Field(description="Whether p counts every arrangement; otherwise they were drawn")

    @property
    def p_is_bound(self) -> bool:
        """Whether no arrangement that was drawn is as extreme, so that p is at most this."""
        return _is_bound(self.p, self.smallest_p, self.exact)

    @property
    def share_was_negative(self) -> bool:
        """Whether omega2 came out below 0."""
        return self.was_negative and self.omega2 == 0

    @property
    def component_was_negative(self) -> bool:
        """Whether the component came out below 0."""
        return self.was_negative and self.component == 0


class StudyTrend(Record):
    """How the effect goes with the time of its corpus."""

    slope: float = Field(description="Change of the mean effect for each unit of time, e.g. a year")
    first: float = Field(description="Time of the earliest corpus")
    last: float = Field(description="Time of the latest one")
    seed_error: float = Field(description="Standard error of the slope by the luck of seeds alone")
    p: Share = Field(
        description="Share of the orders of the corpora in which the slope is as steep, two-sided"
    )
    p_holm: Share | None = Field(
        description="The same, Holm-corrected over its family; null where so few corpora cannot "
        "show a trend among so many"
    )
    family: Count = Field(
        default=0, description="Number of trends that p_holm is corrected over; 0 if not known"
    )
    family_of: str = Field(
        default="", description="Which trends these are: by its metric, those of its suite and kind"
    )
    smallest_p: Share = Field(description="The smallest p that so many corpora can give")
    exact: bool = Field(description="Whether p counts every order; otherwise they were drawn")
    sentence: str = Field(description="The trend in one sentence")

    @property
    def p_is_bound(self) -> bool:
        """Whether no order that was drawn is as steep, so that p is at most this."""
        return _is_bound(self.p, self.smallest_p, self.exact)


def _is_bound(p: float | None, smallest: float | None, exact: bool) -> bool:
    return not exact and p is not None and smallest is not None and p <= smallest * (1 + 1e-9)


class StudyAnswer(FileRecord):
    """One test over all cells."""

    status: Literal["answered"] = Field(default="answered", description="Always answered")
    test: TestIdentity = Field(description="The test")
    metric: str = Field(description="Name of the metric")
    mean: float = Field(description="Mean effect over all cells")
    levels: tuple[LevelMean, ...] = Field(description="Mean effects by factor and level")
    seed_spread: float = Field(description="Standard deviation between seeds within a cell")
    word_spread: float | None = Field(
        description="Mean half width of the 95 % interval over words of a single audit; null if "
        "no cell has one"
    )
    explained: tuple[VarianceTerm, ...] = Field(description="What each factor explains")
    residual: float = Field(description="Share of the variance that is left to seeds")
    seed_component: float = Field(description="Variance between seeds within a cell")
    trend: StudyTrend | None = Field(
        default=None, description="How it goes with time; null where corpora have no times"
    )
    left_out: str = Field(description="What was left out to keep the table whole; empty if nothing")
    sentence: str = Field(description="The answer in one sentence")


class IncompleteAnswer(FileRecord):
    """One test whose table has holes."""

    status: Literal["refused"] = Field(default="refused", description="Always refused")
    test: TestIdentity = Field(description="The test")
    metric: str = Field(description="Name of the metric")
    reason: str = Field(description="One sentence: which cells are missing")


class StudyHeader(FileRecord):
    """What was asked."""

    status: Literal["study"] = Field(default="study", description="Always study")
    title: str = Field(description="Title of the plan, or one made of its levels")
    plan: dict[str, Any] = Field(description="The plan as it was read")
    factors: dict[Factor, tuple[str, ...]] = Field(description="The levels of each factor")
    corpora: tuple[StudyCorpus, ...] = Field(description="The corpora")
    shared_words: Count = Field(description="Words that are frequent enough in every corpus")
    remarks: tuple[str, ...] = Field(description="What a reader must know first")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")


CellRecord = StudyCell | FailedCell
StudyLine = StudyHeader | StudyAnswer | IncompleteAnswer | StudyCell | FailedCell

_file: RecordFile[StudyLine] = RecordFile(
    STUDY_FILE,
    TypeAdapter(Annotated[StudyLine, Field(discriminator="status")]),
    "a record of a study",
    "fairvec study",
    "PLAN.toml",
    "write_study",
    "read_study_lines",
)


def write_study(
    lines: list[StudyLine], folder: Path | str, others: Mapping[str, str] | None = None
) -> Path:
    """Write the records to study.jsonl in `folder`, whole or not at all.

    `others` are texts of the same run by file name, as its page: all take their places together.
    """
    return _file.write(lines, folder, others)


def read_study_lines(path: Path | str) -> list[StudyLine]:
    """Read the records of a study.jsonl, or of the folder that holds one."""
    return _file.read(path)


def write_cell(path: Path, cell: StudyCell) -> None:
    """Keep one cell in a file named by all that decides it."""
    _file.write_one(path, cell)


def read_cell(path: Path) -> StudyCell:
    """Read one cached cell."""
    return _file.read_one(path, TypeAdapter(StudyCell))

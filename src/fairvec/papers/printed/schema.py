"""The entries of a paper's data file."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, PositiveInt, model_validator

from fairvec.catalogue.entry import Sha256
from fairvec.papers.measuring.debiasing import Debiasing, Moved
from fairvec.papers.printed.count import is_count
from fairvec.papers.printed.needs import NEEDS
from fairvec.stats import Sides, Ties

PermutedAsPrinted = Literal["words", "sentences"]
TemplatesOf = Literal["own", "targets"]
Repeats = Literal["once", "kept"]
PaperMethod = Literal["3cosadd", "gyro-translation", "offset-angle"]
"""How analogies are completed, or the pairs of SemBias compared."""
Reads = Literal["pair-variance", "specific-words", "jobs-on-the-axis", "jobs-beside-the-line"]
"""What is read off a concept's words, without a test."""
Tells = Literal["moved-words", "fitted-t"]
"""What is told of a model: how many words its debiasing moves, or its t of gyro-translation."""
DerivedKind = Literal["difference", "ratio", "relative-change"]


class PrintedEntry(BaseModel):
    """A record that cannot be changed and refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="after")
    def _check_needs(self) -> Self:
        for need in getattr(self, "needs", ()):
            if need not in NEEDS:
                raise ValueError(f"needs {need!r}, which is none of {', '.join(sorted(NEEDS))}")
        return self


class PaperConvention(PrintedEntry):
    """How the paper computed its figures.

    `samples` is the number of random splits behind its p; None if p is not known to be sampled.
    Where the authors' code draws another number than their text says, `samples_in_code` is that.
    `permute` and `attribute_templates` are those of SEAT, whose targets take their own. `repeats`
    says whether a word that a list repeats counts once or each time.
    """

    effect_size: str
    sides: Sides
    ties: Ties
    samples: PositiveInt | None = None
    samples_in_code: PositiveInt | None = None
    permute: PermutedAsPrinted = "words"
    attribute_templates: TemplatesOf = "own"
    repeats: Repeats = "once"
    note: str = ""


class ModelRole(PrintedEntry):
    """A model of the paper: its name in the catalogue, or where it is to be had.

    `words` is how many it has, as printed: 189,533 or, rounded, 30.4k; `counted` is how many its
    origin counts. `sha256` are the known fingerprints of its files, or of its keys and vectors.
    `stand_ins` are models of the catalogue that take its place while it is not at hand. Without a
    model of its own a role that is `made_from` another is what `debias` makes of that one.
    `needs` is what fairvec must learn before it can make the model itself. Word vectors play the
    role, or an `encoder`, whose folder has to be given.
    """

    title: str
    model: str | None = None
    origin: str = ""
    dimensions: PositiveInt | None = None
    words: str = ""
    counted: PositiveInt | None = None
    sha256: tuple[Sha256, ...] = ()
    geometry: Literal["euclidean", "poincare"] = "euclidean"
    stand_ins: tuple[str, ...] = ()
    made_from: str | None = None
    debias: Debiasing | None = None
    needs: tuple[str, ...] = ()
    encoder: bool = False

    @model_validator(mode="after")
    def _check_words(self) -> Self:
        if bool(self.made_from) != bool(self.debias):
            raise ValueError("needs both made_from and debias, or neither")
        if self.words and not is_count(self.words):
            raise ValueError(f"words is {self.words!r}, which should be like 189,533 or 30.4k")
        return self


class PaperTask(PrintedEntry):
    """A task that was learnt: reviews of the catalogue with the paper's labels and with true ones.

    `split` names the column of the paper's own split, and `length` how many words are read.
    """

    reviews: str
    corrected: str
    split: str = ""
    length: PositiveInt | None = None


class PrintedPlace(PrintedEntry):
    """Where a cell stands."""

    table: str
    row: str
    column: str


class Derived(PrintedEntry):
    """A figure made of one `quantity` of two other cells, x of the first and y of the second.

    difference: x - y; ratio: x / y; relative-change: (x - y) / y, in per cent where % is shown.
    """

    kind: DerivedKind
    quantity: str
    of: PrintedPlace
    to: PrintedPlace


class Settings(PrintedEntry):
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
    moved: Moved | None = None
    reads: Reads | None = None
    concept: str | None = None
    benchmark: str | None = None
    part: str | None = None
    beside: tuple[str, ...] = ()
    method: PaperMethod | None = None
    t: float = 0.3
    question: tuple[str, str, str] | None = None
    against: str | None = None
    task: PaperTask | None = None
    of_class: Literal["negative", "positive"] | None = None
    tells: Tells | None = None
    derived: Derived | None = None
    needs: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets of the catalogue without which there is no figure."""
        learnt = (self.task.reviews, self.task.corrected) if self.task else ()
        return (self.benchmark, *learnt) if self.benchmark else learnt

    def given(self) -> dict[str, object]:
        """Return what the file says here."""
        return self.model_dump(include=self.model_fields_set & set(Settings.model_fields))


class PrintedRow(Settings):
    """One row of a table; an empty cell is one that the paper does not print.

    `bold` names the columns whose cell is printed in bold, in full or in part.
    """

    cells: tuple[str, ...]
    bold: tuple[str, ...] = ()


class Remark(PrintedEntry):
    """What has to be said of a cell, or of a whole row; with a `quantity`, of that figure only."""

    row: str
    column: str | None = None
    quantity: str | None = None
    inconsistent: bool = False
    note: str

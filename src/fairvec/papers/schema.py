"""The entries of a paper's data file."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, PositiveInt, model_validator

from fairvec.papers.needs import NEEDS
from fairvec.stats import Sides, Ties


class Entry(BaseModel):
    """A record that cannot be changed and refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="after")
    def _check_needs(self) -> Self:
        for need in getattr(self, "needs", ()):
            if need not in NEEDS:
                raise ValueError(f"needs {need!r}, which is none of {', '.join(sorted(NEEDS))}")
        return self


class PaperConvention(Entry):
    """How the paper computed its figures.

    `samples` is the number of random splits behind its p; None if p is not known to be sampled.
    `permute` and `attribute_templates` are those of SEAT.
    """

    effect_size: str
    sides: Sides
    ties: Ties
    samples: PositiveInt | None = None
    permute: Literal["words", "sentences"] = "words"
    attribute_templates: Literal["own", "targets"] = "own"
    note: str = ""


class Role(Entry):
    """A model of the paper: its name in the catalogue, or where it is to be had.

    `stand_ins` are models of the catalogue that take its place while it is not at hand, and
    `needs` is what fairvec must learn before it can make the model itself.
    """

    title: str
    model: str | None = None
    origin: str = ""
    dimensions: PositiveInt | None = None
    geometry: Literal["euclidean", "poincare"] = "euclidean"
    stand_ins: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class Settings(Entry):
    """What decides a cell: a row's settings go before its column's, those before the table's."""

    role: str | None = None
    metric: str | None = None
    suite: str | None = None
    test: str | None = None
    similarity: str | None = None
    needs: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    def given(self) -> dict[str, object]:
        """Return what the file says here."""
        return self.model_dump(include=self.model_fields_set & set(Settings.model_fields))


class Row(Settings):
    """One row of a table; an empty cell is one that the paper does not print."""

    cells: tuple[str, ...]


class Remark(Entry):
    """What has to be said of a cell, or of a whole row."""

    row: str
    column: str | None = None
    inconsistent: bool = False
    note: str

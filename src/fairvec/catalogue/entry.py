"""What every entry of the catalogue says, whether it is a model or a data set."""

from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field


class CatalogueRecord(BaseModel):
    """A part of the catalogue: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Text = Annotated[str, Field(min_length=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class CatalogueEntry(CatalogueRecord):
    """One thing that is known by name.

    `shelf` names the table of its TOML file and the folder of the cache that holds such things;
    `longest` is how many bytes such a thing has at most; `sha256` is that of the file as it comes,
    before anything is unpacked. None means not known.
    """

    shelf: ClassVar[str]
    longest: ClassVar[int | None] = None

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)]
    title: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    licence: Text
    origin: Text
    sha256: Sha256 | None = None

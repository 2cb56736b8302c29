"""The data sets of the catalogue: which there are, and from a name to a file on this machine."""

import os
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from fairvec.catalogue.addresses import shown_url
from fairvec.catalogue.cache import folder_named_by, kept_at
from fairvec.catalogue.entries import DATA
from fairvec.catalogue.entry import CatalogueEntry, Sha256, Text
from fairvec.catalogue.entry_file import read_entries
from fairvec.catalogue.fetching.one_writer import Tell, one_writer
from fairvec.catalogue.model import Url
from fairvec.ground.disk.files import Progress, checksum_of
from fairvec.ground.errors import DownloadError, SettingError, UnknownNameError

VARIABLE = "FAIRVEC_DATA"


class Dataset(CatalogueEntry):
    """One benchmark of the catalogue.

    `kind` is one that benchmarks/kinds.py declares, `file` its path below FAIRVEC_DATA.
    `sections` says which relations of an analogy set are about meaning and which about grammar;
    `held_out` counts the last rows of SemBias; `columns` and `labels` say what a file of reviews
    calls its columns (text, label, split) and classes. Without a `source` it cannot be fetched.
    """

    shelf: ClassVar[str] = "datasets"
    longest: ClassVar[int | None] = 1_000_000_000

    kind: Text
    file: Text
    rows: PositiveInt
    sha256: Sha256
    source: Url | None = None
    sections: dict[str, Literal["semantic", "syntactic"]] = Field(default={})
    held_out: NonNegativeInt = 0
    columns: dict[Literal["text", "label", "split"], Text] = Field(default={})
    labels: dict[Text, Text] = Field(default={})


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


def has_dataset(name: str) -> bool:
    """Say whether the data set can be opened without fetching anything."""
    path = _path(dataset(name))
    return path is not None and path.is_file()


def dataset_path(name: str, progress: Progress | None = None, *, tell: Tell | None = None) -> Path:
    """Return the file of a data set: in FAIRVEC_DATA, else in the cache, else fetched now and kept.

    A file that is not the published one is refused in FAIRVEC_DATA and replaced in the cache;
    `tell` hears of that, and of another process that has to be waited for.
    """
    wanted = dataset(name)
    path = _path(wanted)
    if path is None:
        raise DownloadError(
            f"{name} cannot be fetched, because nobody publishes this file: name a folder in "
            f"{VARIABLE} that has it as {wanted.file} ({wanted.origin})."
        )
    if path.is_file() and checksum_of(path) == wanted.sha256:
        return path
    if wanted.source is None or path != kept_at(wanted, wanted.source):
        mend = (
            f"put the file from {shown_url(wanted.source.url)} in its place, or remove it "
            "to have that one fetched."
            if wanted.source
            else "its figures would be those of other data; put the published file in its place, "
            "or give the path of this one instead of the name."
        )
        raise DownloadError(
            f"{name}: {path} has the SHA-256 {checksum_of(path)} instead of {wanted.sha256}; {mend}"
        )
    with one_writer(path.parent, tell):
        # Another process may have fetched it while this one waited.
        if not path.is_file() or checksum_of(path) != wanted.sha256:
            if tell and path.is_file():
                tell(f"{path} is not the published file; fetching it again")
            from fairvec.catalogue.fetching import (
                urls,  # here, because it imports requests and pooch
            )

            urls.fetch(wanted, wanted.source, path, progress)
    return path


def _path(wanted: Dataset) -> Path | None:
    """Return where the file lies, or where it would be kept once fetched; None if it cannot be."""
    if named := os.environ.get(VARIABLE):
        folder = folder_named_by(VARIABLE, named)
        if not folder.is_dir():
            # Else every benchmark would seem to be absent, and judging would do without them.
            raise SettingError(
                f"{VARIABLE} is {named}, which is no folder; correct it or unset it."
            )
        if (local := folder / wanted.file).is_file():
            return local
    return kept_at(wanted, wanted.source) if wanted.source else None

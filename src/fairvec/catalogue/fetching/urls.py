"""Models and data sets that are files on the web."""

import re
import zipfile
import zlib
from collections.abc import Callable
from hashlib import file_digest
from pathlib import Path

import pooch
import requests

from fairvec.catalogue.cache import disk_trouble, file_name, url_name
from fairvec.catalogue.entry import CatalogueEntry
from fairvec.catalogue.fetching.progress import copy
from fairvec.catalogue.fetching.transfer import Resuming
from fairvec.catalogue.model import Url
from fairvec.ground.drafts import scratch
from fairvec.ground.errors import DownloadError
from fairvec.ground.files import Progress

Fault = Callable[[Path], str]
"""Says what is wrong with a file; nothing if nothing is."""


def fetch(
    entry: CatalogueEntry,
    source: Url,
    path: Path,
    progress: Progress | None,
    fault: Fault | None = None,
) -> None:
    """Download the entry, unpack it if it lies in an archive, and keep it at `path` if it is good.

    With a checksum that is what was published; without one `fault` says what is wrong with it. What
    is not good takes nobody's place.
    """
    download = path.parent / url_name(source.url)
    part = download.with_name(download.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch(path.parent) as folder:
            if source.member is None:
                files = [_downloaded(entry, source, part, str(folder), progress)]
            else:
                archive = download
                if not _put_by_hand(archive, entry):
                    archive = _downloaded(entry, source, part, str(folder), progress)
                files = unpack(entry, archive, source.member, folder)
                # What it held is kept or refused below: either way it has served its time.
                download.unlink(missing_ok=True)
            if fault and not entry.sha256 and (wrong := fault(files[-1])):
                raise ValueError(f"what came is not what it should be ({wrong}) and was not kept")
            for file in files:
                file.replace(path.parent / file.name)
    except (requests.RequestException, ValueError, OSError) as error:
        why = reason(error, source.url, download, begun=part.exists())
        raise DownloadError(f"{entry.name}: {why}") from error


def _put_by_hand(archive: Path, entry: CatalogueEntry) -> bool:
    """Say whether the archive lies there already; another one than was published does not count."""
    if not archive.is_file():
        return False
    with archive.open("rb") as file:
        return entry.sha256 in (None, file_digest(file, "sha256").hexdigest())


def _downloaded(
    entry: CatalogueEntry, source: Url, part: Path, folder: str, progress: Progress | None
) -> Path:
    """Return the file as it came, its checksum compared where it is known."""
    pooch.get_logger().setLevel("WARNING")  # the progress callback speaks instead
    return Path(
        pooch.retrieve(
            source.url,
            known_hash=f"sha256:{entry.sha256}" if entry.sha256 else None,
            fname=url_name(source.url),
            path=folder,
            downloader=Resuming(part, progress, refuses_pages=entry.sha256 is None),
        )
    )


def unpack(entry: CatalogueEntry, archive: Path, member: str, folder: Path) -> list[Path]:
    """Take `member` and its side files (`member.*`) out of a zip archive; the member is the last.

    Once it is in its place, so are its side files.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            found = [name for name in zipped.namelist() if f"{name}.".startswith(f"{member}.")]
            if member not in found:
                raise zipfile.BadZipFile(f"it holds no {member}")
            found.sort(key=len, reverse=True)
            targets = [folder / file_name(name) for name in found]
            for name, target in zip(found, targets, strict=True):
                with zipped.open(name) as packed, target.open("wb") as file:
                    copy(packed, file, 0, None)
    except (zipfile.BadZipFile, zlib.error) as error:
        archive.unlink()
        raise DownloadError(
            f"{entry.name}: {archive.name} is not the zip archive it should be ({error}) and was "
            "removed; fetch it again."
        ) from error
    return targets


def reason(error: Exception, url: str, download: Path, *, begun: bool) -> str:
    """Say in one sentence why a download failed and what helps."""
    by_hand = f"or put the file from {url} at {download} by hand."
    match error:
        case requests.HTTPError():
            answer = f"{error.response.status_code} {error.response.reason}"
            return f"the server answers {answer}; try later, {by_hand}"
        case requests.RequestException() if begun:
            return f"the connection broke off; fetch again to go on where it stopped, {by_hand}"
        case requests.RequestException():
            return f"the server cannot be reached; check the connection, {by_hand}"
        case OSError():
            return disk_trouble(error, download.parent)
    match re.findall(r"\b[0-9a-f]{64}\b", str(error)):
        case [expected, found]:
            wrong = f"the download has the SHA-256 {found} instead of {expected} and was removed"
            return f"{wrong}; fetch again, {by_hand}"
    return f"{error}; fetch again, {by_hand}"

"""Models and data sets that are files on the web."""

import re
import zipfile
import zlib
from pathlib import Path

import pooch
import requests

from fairvec.catalogue.cache import disk_trouble, file_name, url_name
from fairvec.catalogue.entry import Entry
from fairvec.catalogue.model import Url
from fairvec.catalogue.progress import copy
from fairvec.catalogue.transfer import Resuming
from fairvec.errors import DownloadError
from fairvec.files import Progress, replacing


def fetch(entry: Entry, source: Url, path: Path, progress: Progress | None) -> None:
    """Download the entry, check it, unpack it if it lies in an archive, and keep it at `path`."""
    download = path.parent / url_name(source.url)
    part = download.with_name(download.name + ".part")
    pooch.get_logger().setLevel("WARNING")  # the progress callback speaks instead
    try:
        pooch.retrieve(
            source.url,
            known_hash=f"sha256:{entry.sha256}" if entry.sha256 else None,
            fname=download.name,
            path=path.parent,
            downloader=Resuming(part, progress),
        )
        if source.member is not None:
            unpack(entry, download, source.member)
    except (requests.RequestException, ValueError, OSError) as error:
        why = reason(error, source.url, download, begun=part.exists())
        raise DownloadError(f"{entry.name}: {why}") from error


def unpack(entry: Entry, archive: Path, member: str) -> None:
    """Take `member` and its side files (`member.*`) out of a zip archive, and drop the archive."""
    try:
        with zipfile.ZipFile(archive) as zipped:
            found = [name for name in zipped.namelist() if f"{name}.".startswith(f"{member}.")]
            if member not in found:
                raise zipfile.BadZipFile(f"it holds no {member}")
            # The member comes last: once it is there, so are its side files.
            for name in sorted(found, key=len, reverse=True):
                _extract(zipped, name, archive.parent / file_name(name))
    except (zipfile.BadZipFile, zlib.error) as error:
        archive.unlink()
        raise DownloadError(
            f"{entry.name}: {archive.name} is not the zip archive it should be ({error}) and was "
            "removed; fetch it again."
        ) from error
    archive.unlink()


def _extract(zipped: zipfile.ZipFile, name: str, target: Path) -> None:
    with zipped.open(name) as packed, replacing(target) as draft, draft.open("wb") as file:
        copy(packed, file, 0, None)


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

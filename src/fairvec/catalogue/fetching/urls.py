"""Models and data sets that are files on the web."""

import re
import zipfile
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

import pooch
import requests

from fairvec.catalogue.addresses import file_name, shown_url, url_name
from fairvec.catalogue.cache import disk_trouble
from fairvec.catalogue.entry import CatalogueEntry
from fairvec.catalogue.fetching.answers import TooSlowError
from fairvec.catalogue.fetching.members import DAMAGED, check_growth, check_members
from fairvec.catalogue.fetching.progress import copy
from fairvec.catalogue.fetching.transfer import Resuming
from fairvec.catalogue.model import Url
from fairvec.ground.disk.drafts import scratch
from fairvec.ground.disk.files import Progress, checksum_of
from fairvec.ground.errors import DownloadError, in_brief
from fairvec.ground.text.one_line import on_one_line

Fault = Callable[[Path], str]
"""Says what is wrong with a file; nothing if nothing is."""

LONGEST_REASON = 80
"""How many letters of what a server says are passed on."""


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
                files = [_downloaded(entry, source, part, folder, progress)]
            else:
                archive = download
                if not _put_by_hand(archive, entry):
                    archive = _downloaded(entry, source, part, folder, progress)
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
    return archive.is_file() and entry.sha256 in (None, checksum_of(archive))


def _downloaded(
    entry: CatalogueEntry, source: Url, part: Path, folder: Path, progress: Progress | None
) -> Path:
    """Return the file as it came, its checksum compared where it is known."""
    pooch.get_logger().setLevel("WARNING")  # the progress callback speaks instead
    # Of a data set the catalogue knows no size.
    size = getattr(entry, "size", None)
    resuming = Resuming(part, progress, entry.sha256 is not None, size, entry.longest)
    try:
        return Path(
            pooch.retrieve(
                source.url,
                known_hash=f"sha256:{entry.sha256}" if entry.sha256 else None,
                fname=url_name(source.url),
                path=folder,
                downloader=resuming,
            )
        )
    except KeyboardInterrupt as error:
        if not resuming.kept:
            raise
        raise KeyboardInterrupt(
            f"Interrupted; {resuming.kept:,} bytes of {entry.name} are kept in {part.parent}: run "
            "the same command again, and it goes on with the rest."
        ) from error


def unpack(entry: CatalogueEntry, archive: Path, member: str, folder: Path) -> list[Path]:
    """Take `member` and its side files (`member.*`) out of a zip archive; the member is the last.

    Once it is in its place, so are its side files.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            check_members(zipped)
            found = {name for name in zipped.namelist() if is_of(member, name)}
            if member not in found:
                raise zipfile.BadZipFile(f"it holds no {member}")
            sizes = [zipped.getinfo(name).file_size for name in found]
            check_growth(archive, member, sum(sizes))
            targets = {name: folder / file_name(name) for name in found}
            for name, target in targets.items():
                with zipped.open(name) as packed, target.open("wb") as file:
                    copy(packed, file, 0, None)
    except (*DAMAGED, DownloadError) as error:
        archive.unlink()
        raise DownloadError(
            f"{entry.name}: {archive.name} is not the zip archive it should be ({in_brief(error)}) "
            "and was removed; fetch it again."
        ) from error
    return [*(target for name, target in targets.items() if name != member), targets[member]]


def is_of(member: str, name: str) -> bool:
    """Say whether a name in an archive is the member or a side file, which lies beside it."""
    return name == member or (name.startswith(f"{member}.") and "/" not in name[len(member) :])


def reason(error: Exception, url: str, download: Path, *, begun: bool) -> str:
    """Say in one sentence why a download failed and what helps."""
    by_hand = f"or put the file from {shown_url(url)} at {download} by hand."
    match error:
        case requests.HTTPError():
            return f"the server answers {_refused(error.response)}, {by_hand}"
        case TooSlowError():
            return f"the server sends next to nothing; go on later where it stopped, {by_hand}"
        case requests.exceptions.SSLError():
            return f"the server cannot prove who it is; check the clock and the proxy, {by_hand}"
        case _ if _is_of_the_proxy(error):
            return f"the proxy cannot be used; check http_proxy and https_proxy, {by_hand}"
        case requests.exceptions.InvalidURL() | requests.exceptions.InvalidSchema():
            return f"its address leads nowhere; correct it, {by_hand}"
        case requests.ConnectionError() if not begun and _is_no_answer(error):
            return f"what answers is no server of the web; check the address, {by_hand}"
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
    return f"{on_one_line(str(error))}; fetch again, {by_hand}"


def _is_of_the_proxy(error: Exception) -> bool:
    proxy = requests.exceptions.ProxyError | requests.exceptions.InvalidProxyURL
    # A proxy of SOCKS wants a package of its own, and that it lacks is said in words alone.
    lacks = isinstance(error, requests.exceptions.InvalidSchema) and "SOCKS" in str(error)
    return isinstance(error, proxy) or lacks


def _is_no_answer(error: BaseException) -> bool:
    """Say whether something came that is no answer of HTTP, such as what a secure line begins with.

    The reason stands in what was said of the error, or in what that says.
    """
    if isinstance(error, HTTPException):
        return not isinstance(error, ConnectionError)  # which is the end of a line
    return any(_is_no_answer(part) for part in error.args if isinstance(part, BaseException))


def _refused(answer: requests.Response) -> str:
    """Say how a server refuses, and when it says that asking again may help."""
    words = on_one_line(f"{answer.status_code} {answer.reason or ''}")[:LONGEST_REASON]
    later = answer.headers.get("Retry-After", "").strip()
    if later.isascii() and later.isdecimal() and len(later) < 7:
        return f"{words}; try again in {int(later)} seconds"
    return f"{words}; try later"

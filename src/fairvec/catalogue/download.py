"""Download files from the web over connections that may break.

fetch                   an entry of the catalogue: download, unpack, verify, store
fetch_source_archive    a source archive of PyPI, which is read and never built
Transfer                one URL to one file: goes on where it broke off, within limits of size
open_response           one request: follows redirects, with limits of time
"""

import errno
import re
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from shutil import disk_usage
from time import monotonic
from typing import IO, cast
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from fairvec.catalogue.cache import (
    OWN_SUFFIXES,
    explain_disk_error,
    file_name,
    redact_url,
    url_name,
)
from fairvec.catalogue.connections import Clock, NoRedirects, OutOfTimeError
from fairvec.catalogue.entries import CatalogueEntry, Package, Url
from fairvec.catalogue.packages import BLOCK, DAMAGED, check_growth, check_members, copy
from fairvec.core.errors import DownloadError, brief
from fairvec.core.io.atomic_files import Progress, scratch_folder
from fairvec.core.io.read_files import sha256_of_file
from fairvec.core.text import one_line

Fault = Callable[[Path], str]
"""Returns what is wrong with a file; empty if nothing is."""
LONGEST_REASON = 80
"""How many characters of a server's status are passed on."""

TIMEOUT = (15, 60)
"""Seconds to wait for a connection and for the next bytes."""
BEFORE_THE_FILE, BEFORE_A_BLOCK = 120, 120
"""Seconds in which the headers have to arrive, and in which the next block has to: headers may come
byte by byte, and the extensions and trailers of chunks without an end."""
PATIENCE, SLOWEST = 300, 1000
"""Seconds after which a connection with fewer bytes a second than that is given up."""
MOST_STEPS = 10
"""How many redirects are followed."""


class RefusedError(ValueError):
    """The response cannot be the file, and trying again at once would not help."""


class TooSlowError(requests.Timeout):
    """The server sends too slowly for the file ever to arrive."""


def fetch(
    entry: CatalogueEntry,
    source: Url,
    path: Path,
    progress: Progress | None,
    fault: Fault | None = None,
) -> None:
    """Download the entry, unpack it from an archive, verify it and store it at `path`.

    With a checksum it must be the published file; without one `fault` says what is wrong with it.
    Nothing is replaced by a file that fails.
    """
    download = path.parent / url_name(source.url)
    part = download.with_name(download.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(path.parent) as folder:
            if source.member is None:
                files = [_download(entry, source, part, folder, progress)]
            else:
                archive = download
                if not _is_supplied(archive, entry):
                    archive = _download(entry, source, part, folder, progress)
                files = unpack(entry, archive, source.member, folder)
                # Its content is stored or refused below: the archive is no longer needed.
                download.unlink(missing_ok=True)
            if fault and not entry.sha256 and (wrong := fault(files[-1])):
                raise ValueError(f"what came is not what it should be ({wrong}) and was not kept")
            for file in files:
                file.replace(path.parent / file.name)
    except (requests.RequestException, ValueError, OSError) as error:
        why = failure_reason(error, source.url, download, begun=part.exists())
        raise DownloadError(f"{entry.name}: {why}") from error


def _is_supplied(archive: Path, entry: CatalogueEntry) -> bool:
    """Say whether the user has put the archive there; only the published one counts."""
    return archive.is_file() and entry.sha256 in (None, sha256_of_file(archive))


def _download(
    entry: CatalogueEntry, source: Url, part: Path, folder: Path, progress: Progress | None
) -> Path:
    """Return the downloaded file, its checksum compared where it is known."""
    # The catalogue knows no size of a data set.
    size = getattr(entry, "size", None)
    transfer = Transfer(part, progress, entry.sha256 is not None, size, entry.longest)
    file = folder / url_name(source.url)
    try:
        transfer.fetch(source.url, file)
    except KeyboardInterrupt as error:
        if not transfer.resumable:
            raise
        raise KeyboardInterrupt(
            f"Interrupted; {transfer.resumable:,} bytes of {entry.name} are kept in {part.parent}: "
            "run the same command again, and it goes on with the rest."
        ) from error
    if entry.sha256 is not None and (found := sha256_of_file(file)) != entry.sha256:
        raise RefusedError(
            f"the download has the SHA-256 {found} instead of {entry.sha256} and was removed"
        )
    return file


def unpack(entry: CatalogueEntry, archive: Path, member: str, folder: Path) -> list[Path]:
    """Extract `member` and its side files (`member.*`) from a zip archive; the member is the last.

    So once it is in its place, its side files are too.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            check_members(zipped)
            found = {name for name in zipped.namelist() if is_side_file(member, name)}
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
            f"{entry.name}: {archive.name} is not the zip archive it should be ({brief(error)}) "
            "and was removed; fetch it again."
        ) from error
    return [*(target for name, target in targets.items() if name != member), targets[member]]


def is_side_file(member: str, name: str) -> bool:
    """Say whether a name in an archive is the member or one of its side files."""
    return name == member or (name.startswith(f"{member}.") and "/" not in name[len(member) :])


def failure_reason(error: Exception, url: str, download: Path, *, begun: bool) -> str:
    """Return one sentence that says why a download failed and what helps."""
    by_hand = f"or put the file from {redact_url(url)} at {download} by hand."
    match error:
        case requests.HTTPError():
            return f"the server answers {_status_text(error.response)}, {by_hand}"
        case TooSlowError():
            return f"the server sends next to nothing; go on later where it stopped, {by_hand}"
        case requests.exceptions.SSLError():
            return f"the server cannot prove who it is; check the clock and the proxy, {by_hand}"
        case _ if _is_proxy_error(error):
            return f"the proxy cannot be used; check http_proxy and https_proxy, {by_hand}"
        case requests.exceptions.InvalidURL() | requests.exceptions.InvalidSchema():
            return f"its address leads nowhere; correct it, {by_hand}"
        case requests.ConnectionError() if not begun and _is_not_http(error):
            return f"what answers is no server of the web; check the address, {by_hand}"
        case requests.RequestException() if begun:
            return f"the connection broke off; fetch again to go on where it stopped, {by_hand}"
        case requests.RequestException():
            return f"the server cannot be reached; check the connection, {by_hand}"
        case OSError():
            return explain_disk_error(error, download.parent)
    return f"{one_line(str(error))}; fetch again, {by_hand}"


def _is_proxy_error(error: Exception) -> bool:
    proxy = requests.exceptions.ProxyError | requests.exceptions.InvalidProxyURL
    # A SOCKS proxy needs a further package; that it is missing is known by the message alone.
    no_socks = isinstance(error, requests.exceptions.InvalidSchema) and "SOCKS" in str(error)
    return isinstance(error, proxy) or no_socks


def _is_not_http(error: BaseException) -> bool:
    """Say whether the response is not HTTP, such as the first bytes of TLS.

    The cause is among the arguments of the error, or of those errors in turn.
    """
    if isinstance(error, HTTPException):
        return not isinstance(error, ConnectionError)  # a closed connection
    return any(_is_not_http(part) for part in error.args if isinstance(part, BaseException))


def _status_text(answer: requests.Response) -> str:
    """Return the status of a refusal, and when to try again if the server says so."""
    text = one_line(f"{answer.status_code} {answer.reason or ''}")[:LONGEST_REASON]
    retry_after = answer.headers.get("Retry-After", "").strip()
    if retry_after.isascii() and retry_after.isdecimal() and len(retry_after) < 7:
        return f"{text}; try again in {int(retry_after)} seconds"
    return f"{text}; try later"


def fetch_source_archive(
    source: Package, pip_output: str, folder: Path, progress: Progress | None
) -> Path | None:
    """Download the archive that pip named into `folder`; None if it named none."""
    url = archive_url(source, pip_output)
    if url is None:
        return None
    archive = folder / f"{source.package}-{source.version}.tar.gz"
    part = archive.with_name(archive.name + ".part")
    try:
        Transfer(part, progress).fetch(url, archive)
    except (requests.RequestException, ValueError) as error:
        raise DownloadError(
            f"{source.package} {source.version} could not be downloaded ({type(error).__name__}); "
            f"fetch it again, or put the package file {archive.name} into {folder.parent}."
        ) from error
    return archive


def archive_url(source: Package, pip_output: str) -> str | None:
    """Return the URL of the archive in the output of pip; None if it names no such file.

    In names of packages, case and the characters - _ . are equivalent, as they are for pip.
    """
    name = "[-_.]+".join(re.escape(part) for part in re.split("[-_.]+", source.package))
    file = rf"{name}-{re.escape(source.version)}\.tar\.gz"
    found = re.search(rf"https?://[^\s#]+/{file}(?=[#?\s]|$)", pip_output, re.IGNORECASE)
    return found.group() if found else None


PAGE = "text/html"
MOST = 20_000_000_000
"""The most bytes of a file whose size neither catalogue nor server says."""
MOST_BREAKS, PAUSE = 100, 1.0
"""Breaks in a row with hardly any bytes between them, and the pause after every tenth."""
CONTINUATIONS = (requests.codes.partial_content, requests.codes.requested_range_not_satisfiable)
"""Status codes in answer to a request for the rest of a file."""
RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})", re.ASCII)
NO_VERSION = "no version"


@dataclass(frozen=True)
class Transfer:
    """A download that goes on where an earlier one broke off.

    Received bytes are in `part`, and next to it what the server said about the file, so that a file
    that changed in between is begun again and never patched together. With a checksum the file is
    `proven` afterwards; without one a web page is refused (a login page comes as if all were well),
    no redirect leads from https to http, and a file without a version is not resumed. `size` is
    what the catalogue knows, and `longest` the most bytes where it knows none.
    """

    part: Path
    progress: Progress | None = None
    proven: bool = True
    size: int | None = None
    longest: int | None = None

    def fetch(self, url: str, target: Path) -> None:
        """Download `url` into `target`."""
        self._download(url)
        self.part.replace(target)
        self._about.unlink(missing_ok=True)

    @property
    def _about(self) -> Path:
        return self.part.with_name(self.part.name + OWN_SUFFIXES[1])

    @property
    def _limit(self) -> int:
        return self.size or self.longest or MOST

    @property
    def resumable(self) -> int:
        """How many received bytes another attempt can go on from."""
        return self._received() if self._may_go_on else 0

    @property
    def _may_go_on(self) -> bool:
        return self.proven or not self._known_version().startswith(NO_VERSION)

    def _received(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _known_version(self) -> str:
        return self._about.read_text("utf-8", errors="replace") if self._about.exists() else ""

    def _download(self, url: str) -> None:
        """Try again after a break as long as each attempt gets further than the last."""
        breaks = 0
        while True:
            before = self._received()
            try:
                return self._receive(url)
            except TooSlowError:
                raise
            except requests.RequestException:
                gained = self._received() - before
                breaks = 0 if gained >= BLOCK else breaks + 1
                if gained <= 0 or breaks > MOST_BREAKS:
                    raise
                if breaks % 10 == 9:
                    time.sleep(PAUSE)

    def _receive(self, url: str) -> None:
        have = self._received()
        if have and self._may_go_on:
            with self._answer(url, {"Range": f"bytes={have}-"}) as answer:
                if answer.status_code not in CONTINUATIONS:
                    return self._store(url, answer, 0)
                if self._continues(url, answer, have):
                    return self._store(url, answer, have)
        with self._answer(url, {}) as answer:
            return self._store(url, answer, 0)

    def _answer(self, url: str, extra: dict[str, str]) -> AbstractContextManager[requests.Response]:
        # Without transfer compression, the bytes counted are the bytes stored.
        headers = {"Accept-Encoding": "identity"} | extra
        return open_response(url, headers, only_secure=not self.proven)

    def _continues(self, url: str, answer: requests.Response, start: int) -> bool:
        content_range = RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if answer.status_code != requests.codes.partial_content or not content_range:
            return False
        first, last, size = map(int, content_range.groups())
        return first == start <= last < size and self._known_version() == version_text(url, answer)

    def _store(self, url: str, answer: requests.Response, start: int) -> None:
        """Store the bytes from `start` on; those that are there already are compared and stay."""
        self._check(url, answer, start)
        total = file_size(answer)
        about = version_text(url, answer)
        if self._known_version() != about:
            self.part.unlink(missing_ok=True)
            self._about.write_text(about, encoding="utf-8")
        most = self._limit if total is None else total
        have = start
        with self.part.open("r+b" if self.part.exists() else "w+b") as file:
            file.seek(start)
            for block in response_blocks(answer):
                if have + len(block) > most:
                    if total is None:
                        # It may be endless: free the disk.
                        file.truncate(0)
                    raise RefusedError(f"the server sends more than {most:,} bytes")
                _put(file, block)
                have += len(block)
                if self.progress is not None:
                    self.progress(have, total or 0)
            if have < (expected := total if total is not None else self.size or 0):
                raise requests.ConnectionError(f"it closed after {have} of {expected} bytes")
            file.truncate()

    def _check(self, url: str, answer: requests.Response, start: int) -> None:
        """Refuse a response that cannot be the file, before anything of it is stored."""
        answer.raise_for_status()
        if answer.status_code != (requests.codes.partial_content if start else requests.codes.ok):
            raise requests.HTTPError(response=answer)
        headers = answer.headers
        is_page = headers.get("Content-Type", "").lower().startswith(PAGE)
        # A captive portal answers for every server: received bytes are not given up for it.
        if is_page and (not self.proven or self._received()):
            raise RefusedError("the server sends a web page instead of the file")
        # Some servers declare an encoding for a file that is itself compressed.
        encoding = headers.get("Content-Encoding", "identity").lower()
        if encoding != "identity" and not url.partition("?")[0].endswith((".gz", ".tgz")):
            raise RefusedError("the server compresses the file on its way, though asked not to")
        total = file_size(answer) or 0
        if total > self._limit:
            message = f"the server's file has {total:,} bytes, and {self._limit:,} at most may come"
            raise RefusedError(message)
        if total - self._received() > disk_usage(self.part.parent).free:
            raise OSError(errno.ENOSPC, "No space left on device")


def _put(file: IO[bytes], block: bytes) -> None:
    """Write a block at the current place, unless it is there; cut off what does not match."""
    existing = file.read(len(block))
    if existing == block:
        return
    file.seek(-len(existing), 1)
    if not block.startswith(existing):
        file.truncate()
    file.write(block)
    file.flush()  # a killed process has stored it


def file_size(answer: requests.Response) -> int | None:
    """Return the size of the full file by the headers; None if they do not say."""
    if content_range := RANGE.fullmatch(answer.headers.get("Content-Range", "")):
        return int(content_range[3])
    return content_length(answer)


def version_text(url: str, answer: requests.Response) -> str:
    """Return what identifies a version of a file: its ETag or date, size and URL.

    A weak ETag (W/...) does not promise equal bytes, so it counts as no version. The URL may hold a
    password, so only its checksum is stored.
    """
    version = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or NO_VERSION
    if version.startswith("W/"):
        version = f"{NO_VERSION}, {version}"
    size = file_size(answer)
    url_hash = sha256(url.encode("utf-8", "replace")).hexdigest()
    return f"{one_line(version)}\n{'?' if size is None else size}\n{url_hash}\n"


@contextmanager
def open_response(
    url: str, headers: Mapping[str, str], *, only_secure: bool
) -> Iterator[requests.Response]:
    """Yield the response of the server, after following its redirects.

    They may lead to another host, but only to http(s) and, with `only_secure`, not from https to
    http, where anybody on the way could change the file.
    """
    with NoRedirects() as session:
        for _ in range(MOST_STEPS + 1):
            answer = _request(session, url, headers)
            with answer:
                if not answer.is_redirect:
                    yield answer
                    return
            to = _redirect_target(url, answer.headers["Location"], only_secure=only_secure)
            if _is_unsafe(url, to):
                session.auth = _no_auth
            url = to
    raise RefusedError(f"the server sends on more than {MOST_STEPS} times")


def _redirect_target(url: str, location: str, *, only_secure: bool) -> str:
    """Return the URL that a server redirects to, if it may be followed.

    User and password are passed on to the same host alone, and never taken from the redirect: older
    versions of requests would look up the password of the host before an @.
    """
    # Headers are decoded as Latin-1, and URLs are written in UTF-8.
    target = location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        to, before = urlsplit(urljoin(url, target)), urlsplit(url)
        known = to.scheme in ("http", "https") and to.hostname and to.port != 0
    except ValueError:
        known = None
    if not known:
        raise RefusedError("the server sends on to an address that is not on the web")
    if only_secure and _is_unsafe(url, to.geturl()):
        raise RefusedError(
            "the server sends on from https to http, where anybody can change the file"
        )
    user = before.netloc.rpartition("@")[0] if _origin(before) == _origin(to) else ""
    host = to.netloc.rpartition("@")[2]
    return to._replace(netloc=f"{user}@{host}" if user else host).geturl()


def _origin(parts: SplitResult) -> tuple[str, str | None, int]:
    return parts.scheme, parts.hostname, parts.port or {"http": 80}.get(parts.scheme, 443)


def _is_unsafe(url: str, to: str) -> bool:
    """Say whether a redirect leads from https to http."""
    return urlsplit(url).scheme == "https" and urlsplit(to).scheme == "http"


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Send no credentials, not even those of a netrc file."""
    return request


def _request(session: NoRedirects, url: str, headers: Mapping[str, str]) -> requests.Response:
    """Return the response with its headers, within a time limit."""
    session.clock.start(BEFORE_THE_FILE)
    try:
        return session.get(url, headers=dict(headers), stream=True, timeout=TIMEOUT)
    except OutOfTimeError:
        raise requests.Timeout("the server does not say what it will send") from None
    except HTTPError as error:
        raise requests.ConnectionError(error) from error


def content_length(answer: requests.Response) -> int | None:
    """Return the Content-Length of a response; None if there is none that can be right."""
    text = answer.headers.get("Content-Length", "").strip()
    if "Transfer-Encoding" in answer.headers or not text.isascii() or not text.isdecimal():
        return None
    return int(text) if len(text) < 19 else None


def response_blocks(answer: requests.Response) -> Iterator[bytes]:
    """Yield the bytes as they arrive and were sent, without waiting for a full block."""
    # Older versions of urllib3 only have the read that waits for a full block.
    read = getattr(answer.raw, "read1", answer.raw.read)
    clock = cast("Clock", answer.connection)
    left, started, received = content_length(answer), monotonic(), 0
    while left is None or left > 0:
        most = BLOCK if left is None else min(BLOCK, left)
        clock.start(BEFORE_A_BLOCK)
        try:
            block = read(most, decode_content=False)
        except OutOfTimeError as error:
            raise TooSlowError("nothing of the file comes") from error
        except (HTTPError, HTTPException, OSError, ValueError) as error:
            raise requests.ConnectionError(error) from error
        if not block:
            return
        left = None if left is None else left - len(block)
        received += len(block)
        yield block
        if (elapsed := monotonic() - started) > PATIENCE:
            if received < SLOWEST * elapsed:
                raise TooSlowError(f"{received} bytes came in {elapsed:.0f} s")
            started, received = monotonic(), 0

"""Downloads: files from the web and source archives, over lines that may break."""

import errno
import re
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import disk_usage
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import IO, Any, Self, TypeVar
from urllib.parse import SplitResult, urljoin, urlsplit

import pooch
import requests
from urllib3.exceptions import HTTPError

from fairvec.catalogue.cache import OWN_ENDINGS, explain_disk_error, file_name, redact_url, url_name
from fairvec.catalogue.entries import CatalogueEntry, Package, Url
from fairvec.catalogue.packages import BLOCK, DAMAGED, check_growth, check_members, copy
from fairvec.core.errors import DownloadError, brief
from fairvec.core.io.atomic_files import Progress, scratch_folder
from fairvec.core.io.read_files import sha256_of_file
from fairvec.core.text import one_line

# Work that may never end, done by a thread of its own for somebody who does not wait for ever.


Found = TypeVar("Found")


class Aside:
    """A thread that does one thing after the other, until it is left.

    Nothing but the end of the process stops a reading of lines that each come in time, so that a
    thread which is given up holds nothing up.
    """

    def __init__(self, name: str) -> None:
        self._wanted: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._came: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        Thread(target=self._work, daemon=True, name=name).start()

    def __call__(self, work: Callable[[], Found], seconds: float) -> Found:
        """Return what the work gives or raise what it raises; TimeoutError if it takes longer."""
        self._wanted.put(work)
        try:
            found, error = self._came.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        answer: Found = found
        return answer

    def _work(self) -> None:
        while (work := self._wanted.get()) is not None:
            try:
                self._came.put((work(), None))
            except BaseException as error:  # whatever it is, whoever waits has to hear of it
                self._came.put((None, error))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wanted.put(None)


# Asking a server that may answer anything, late, or without an end.


TIMEOUT = (15, 60)
"""Seconds to wait for a connection and for the next bytes."""

BEFORE_THE_FILE, BEFORE_A_BLOCK = 120, 120
"""Seconds in which a server has to say what it will send, and in which some of it has to come: a
head may come byte by byte, and what stands between and behind the chunks of a file without an end.
"""

PATIENCE, SLOWEST = 300, 1000
"""Seconds after which a line that brought fewer bytes a second than that is given up."""

BEFORE_LEAVING = 1
"""Seconds to wait for the end of a line that somebody still reads."""

MOST_STEPS = 10
"""How many addresses a server may send on to."""


class RefusedError(ValueError):
    """What a server answers cannot be the file, and asking at once again would not help."""


class TooSlowError(requests.Timeout):
    """A server sends so little that the file would not come in a lifetime."""


class _OneStep(requests.Session):
    """A session that leaves it to us to follow: requests reads all of what it is sent on from."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return nothing, so that no answer counts as one that sends on."""


@contextmanager
def answer_of(
    url: str, wanted: Mapping[str, str], *, only_secure: bool
) -> Iterator[requests.Response]:
    """Yield what the server answers, after following where it sends on to.

    It may send to another host, but never to what is not on the web and, with `only_secure`, not
    from https to http, where anybody on the way could change the file.
    """
    with _OneStep() as session:
        for _ in range(MOST_STEPS + 1):
            answer = _asked(session, url, wanted)
            if not answer.is_redirect:
                try:
                    yield answer
                finally:
                    _leave(answer)
                return
            _leave(answer)
            to = _next(url, answer.headers["Location"], only_secure=only_secure)
            if _is_unsafe(url, to):
                session.auth = _nobody
            url = to
    raise RefusedError(f"the server sends on more than {MOST_STEPS} times")


def _next(url: str, location: str, *, only_secure: bool) -> str:
    """Return the address that a server sends on to, if it may be asked.

    Who the user is goes along to the same host alone. A server has no say in it: older versions of
    requests would look up the password of the host that stands before an @.
    """
    # Heads are read as Latin-1, and addresses are written in UTF-8.
    there = location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        to, before = urlsplit(urljoin(url, there)), urlsplit(url)
        known = to.scheme in ("http", "https") and to.hostname and to.port != 0
    except ValueError:
        known = None
    if not known:
        raise RefusedError("the server sends on to an address that is not on the web")
    if only_secure and _is_unsafe(url, to.geturl()):
        raise RefusedError(
            "the server sends on from https to http, where anybody can change the file"
        )
    user = before.netloc.rpartition("@")[0] if _place(before) == _place(to) else ""
    host = to.netloc.rpartition("@")[2]
    return to._replace(netloc=f"{user}@{host}" if user else host).geturl()


def _place(parts: SplitResult) -> tuple[str, str | None, int]:
    return parts.scheme, parts.hostname, parts.port or {"http": 80}.get(parts.scheme, 443)


def _is_unsafe(url: str, to: str) -> bool:
    """Say whether a step leads from https to http, where anybody on the way reads all."""
    return urlsplit(url).scheme == "https" and urlsplit(to).scheme == "http"


def _nobody(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Say nothing of the user, whatever a file of passwords knows of the host."""
    return request


def _asked(session: requests.Session, url: str, wanted: Mapping[str, str]) -> requests.Response:
    """Return the head of an answer, in time or not at all."""
    with Aside("asking") as aside:
        try:
            return aside(
                lambda: session.get(url, headers=dict(wanted), stream=True, timeout=TIMEOUT),
                BEFORE_THE_FILE,
            )
        except TimeoutError:
            raise requests.Timeout("the server does not say what it will send") from None
        except HTTPError as error:
            raise requests.ConnectionError(error) from error


def _leave(answer: requests.Response) -> None:
    """Close an answer; one that is still being read can only be closed after that."""
    # Older versions of urllib3 cannot wake who reads, and the line may be closed already.
    with suppress(AttributeError, ValueError, RuntimeError, OSError):
        answer.raw.shutdown()
    with Aside("leaving") as aside, suppress(TimeoutError):
        aside(answer.close, BEFORE_LEAVING)


def length_of(answer: requests.Response) -> int | None:
    """Return how many bytes an answer says to hold; None if it says nothing that can be so."""
    said = answer.headers.get("Content-Length", "").strip()
    if "Transfer-Encoding" in answer.headers or not said.isascii() or not said.isdecimal():
        return None
    return int(said) if len(said) < 19 else None


def blocks_of(answer: requests.Response) -> Iterator[bytes]:
    """Yield what comes, as it comes and as it was sent: nothing waits for a block to be full."""
    # Older versions of urllib3 only have the reading that waits.
    read = getattr(answer.raw, "read1", answer.raw.read)
    left, began, came = length_of(answer), monotonic(), 0
    with Aside("reading") as aside:
        while left is None or left > 0:
            most = BLOCK if left is None else min(BLOCK, left)
            try:
                block = aside(partial(read, most, decode_content=False), BEFORE_A_BLOCK)
            except TimeoutError as error:
                raise TooSlowError("nothing of the file comes") from error
            except (HTTPError, HTTPException, OSError, ValueError) as error:
                raise requests.ConnectionError(error) from error
            if not block:
                return
            left = None if left is None else left - len(block)
            came += len(block)
            yield block
            if (gone := monotonic() - began) > PATIENCE:
                if came < SLOWEST * gone:
                    raise TooSlowError(f"{came} bytes came in {gone:.0f} s")
                began, came = monotonic(), 0


# Bringing a file from a URL over a line that may break.


PAGE = "text/html"

MOST = 20_000_000_000
"""Bytes of the longest file that is fetched where nobody says how long it is."""

MOST_BREAKS, PAUSE = 100, 1.0
"""Breaks in a row with hardly anything between them, and the seconds between some of them."""

CONTINUATIONS = (requests.codes.partial_content, requests.codes.requested_range_not_satisfiable)
"""What a server answers to a request for the rest of a file."""

RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})", re.ASCII)
NO_VERSION = "no version"


@dataclass(frozen=True)
class Resuming:
    """A downloader for pooch that goes on where an earlier one broke off.

    What has come lies in `part`, and beside it what the server said of the whole file, so that a
    file that changed in between is begun again and never patched together. Where a checksum will
    tell, the file is `proven` afterwards; where none will, a web page is refused (a server that
    wants a login sends one as if all were well), nothing is sent on from https to http, and of a
    file without a version no part is asked for. `size` is what the catalogue knows, and `longest`
    the most that may come where it knows none.
    """

    part: Path
    progress: Progress | None = None
    proven: bool = True
    size: int | None = None
    longest: int | None = None

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        """Fetch all of `url` into `output_file`, as pooch asks of a downloader."""
        self._gather(url)
        self.part.replace(output_file)
        self._about.unlink(missing_ok=True)

    @property
    def _about(self) -> Path:
        return self.part.with_name(self.part.name + OWN_ENDINGS[1])

    @property
    def _most(self) -> int:
        return self.size or self.longest or MOST

    @property
    def kept(self) -> int:
        """How many bytes have come that another attempt goes on from."""
        return self._have() if self._may_go_on else 0

    @property
    def _may_go_on(self) -> bool:
        return self.proven or not self._known().startswith(NO_VERSION)

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _known(self) -> str:
        return self._about.read_text("utf-8", errors="replace") if self._about.exists() else ""

    def _gather(self, url: str) -> None:
        """Ask again after a break for as long as each attempt gets further than the last."""
        breaks = 0
        while True:
            before = self._have()
            try:
                return self._receive(url)
            except TooSlowError:
                raise
            except requests.RequestException:
                gained = self._have() - before
                breaks = 0 if gained >= BLOCK else breaks + 1
                if gained <= 0 or breaks > MOST_BREAKS:
                    raise
                if breaks % 10 == 9:
                    time.sleep(PAUSE)

    def _receive(self, url: str) -> None:
        have = self._have()
        if have and self._may_go_on:
            with self._answer(url, {"Range": f"bytes={have}-"}) as answer:
                if answer.status_code not in CONTINUATIONS:
                    return self._take(url, answer, 0)
                if self._goes_on(url, answer, have):
                    return self._take(url, answer, have)
        with self._answer(url, {}) as answer:
            return self._take(url, answer, 0)

    def _answer(
        self, url: str, wanted: dict[str, str]
    ) -> AbstractContextManager[requests.Response]:
        # Without compression on the way, the bytes counted are the bytes kept.
        asked = {"Accept-Encoding": "identity"} | wanted
        return answer_of(url, asked, only_secure=not self.proven)

    def _goes_on(self, url: str, answer: requests.Response, have: int) -> bool:
        told = RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if answer.status_code != requests.codes.partial_content or not told:
            return False
        first, last, size = map(int, told.groups())
        return first == have <= last < size and self._known() == description(url, answer)

    def _take(self, url: str, answer: requests.Response, start: int) -> None:
        """Keep what comes from `start` on; what lies there already is compared and stays."""
        self._check(url, answer, start)
        total = size_of(answer)
        about = description(url, answer)
        if self._known() != about:
            self.part.unlink(missing_ok=True)
            self._about.write_text(about, encoding="utf-8")
        most = self._most if total is None else total
        have = start
        with self.part.open("r+b" if self.part.exists() else "w+b") as file:
            file.seek(start)
            for block in blocks_of(answer):
                if have + len(block) > most:
                    if total is None:
                        # It has no end, and would be in the way of everything else on the disk.
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
        """Refuse an answer that cannot be the file, before anything is kept of it."""
        answer.raise_for_status()
        if answer.status_code != (requests.codes.partial_content if start else requests.codes.ok):
            raise requests.HTTPError(response=answer)
        headers = answer.headers
        page = headers.get("Content-Type", "").lower().startswith(PAGE)
        # A net that wants a login answers for every server: what has come is not given up for it.
        if page and (not self.proven or self._have()):
            raise RefusedError("the server sends a web page instead of the file")
        # Some servers say so of a file that is compressed, and send it as it is.
        packed = headers.get("Content-Encoding", "identity").lower()
        if packed != "identity" and not url.partition("?")[0].endswith((".gz", ".tgz")):
            raise RefusedError("the server compresses the file on its way, though asked not to")
        total = size_of(answer) or 0
        if total > self._most:
            said = f"the server's file has {total:,} bytes, and {self._most:,} at most may come"
            raise RefusedError(said)
        if total - self._have() > disk_usage(self.part.parent).free:
            raise OSError(errno.ENOSPC, "No space left on device")


def _put(file: IO[bytes], block: bytes) -> None:
    """Write a block where the file is, unless it is there; cut off what does not go on from it."""
    there = file.read(len(block))
    if there == block:
        return
    file.seek(-len(there), 1)
    if not block.startswith(there):
        file.truncate()
    file.write(block)
    file.flush()  # whoever is killed now has kept it


def size_of(answer: requests.Response) -> int | None:
    """Return the size of the whole file by what the server says; None if it does not."""
    if told := RANGE.fullmatch(answer.headers.get("Content-Range", "")):
        return int(told[3])
    return length_of(answer)


def description(url: str, answer: requests.Response) -> str:
    """Return what tells one version of a file from another: its ETag or date, size and address.

    A weak ETag (W/...) promises no more than that two files mean the same, so that parts of them
    are never put together: it counts as no version. The address may hold a password, so that only
    its checksum is kept.
    """
    version = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or NO_VERSION
    if version.startswith("W/"):
        version = f"{NO_VERSION}, {version}"
    size = size_of(answer)
    of = sha256(url.encode("utf-8", "replace")).hexdigest()
    return f"{one_line(version)}\n{'?' if size is None else size}\n{of}\n"


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
        with scratch_folder(path.parent) as folder:
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
    return archive.is_file() and entry.sha256 in (None, sha256_of_file(archive))


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
            f"{entry.name}: {archive.name} is not the zip archive it should be ({brief(error)}) "
            "and was removed; fetch it again."
        ) from error
    return [*(target for name, target in targets.items() if name != member), targets[member]]


def is_of(member: str, name: str) -> bool:
    """Say whether a name in an archive is the member or a side file, which lies beside it."""
    return name == member or (name.startswith(f"{member}.") and "/" not in name[len(member) :])


def reason(error: Exception, url: str, download: Path, *, begun: bool) -> str:
    """Say in one sentence why a download failed and what helps."""
    by_hand = f"or put the file from {redact_url(url)} at {download} by hand."
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
            return explain_disk_error(error, download.parent)
    match re.findall(r"\b[0-9a-f]{64}\b", str(error)):
        case [expected, found]:
            wrong = f"the download has the SHA-256 {found} instead of {expected} and was removed"
            return f"{wrong}; fetch again, {by_hand}"
    return f"{one_line(str(error))}; fetch again, {by_hand}"


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
    words = one_line(f"{answer.status_code} {answer.reason or ''}")[:LONGEST_REASON]
    later = answer.headers.get("Retry-After", "").strip()
    if later.isascii() and later.isdecimal() and len(later) < 7:
        return f"{words}; try again in {int(later)} seconds"
    return f"{words}; try later"


# Source archives of PyPI: fetched and read, never built.


def address(source: Package, said: str) -> str | None:
    """Return where the archive lies by what pip said; None if it named no such file.

    Letter case and the signs - _ . are one in names of packages, as they are to pip.
    """
    name = "[-_.]+".join(re.escape(part) for part in re.split("[-_.]+", source.package))
    file = rf"{name}-{re.escape(source.version)}\.tar\.gz"
    found = re.search(rf"https?://[^\s#]+/{file}(?=[#?\s]|$)", said, re.IGNORECASE)
    return found.group() if found else None


def fetch_source_archive(
    source: Package, said: str, folder: Path, progress: Progress | None
) -> Path | None:
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

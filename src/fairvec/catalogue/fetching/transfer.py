"""Bringing a file from a URL over a line that may break."""

import errno
import re
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import disk_usage
from typing import IO

import requests

from fairvec.catalogue.addresses import OWN_ENDINGS
from fairvec.catalogue.fetching.answers import (
    RefusedError,
    TooSlowError,
    answer_of,
    blocks_of,
    length_of,
)
from fairvec.catalogue.fetching.progress import BLOCK
from fairvec.ground.disk.files import Progress
from fairvec.ground.text.one_line import on_one_line

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
    return f"{on_one_line(version)}\n{'?' if size is None else size}\n{of}\n"

"""Asking a server that may answer anything, late, or without an end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from urllib.parse import urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from fairvec.catalogue.fetching.progress import BLOCK

TIMEOUT = (15, 60)
"""Seconds to wait for a connection and for the next bytes."""

BEFORE_THE_FILE = 120
"""Seconds in which a server has to say what it will send: a head may come byte by byte."""

PATIENCE, SLOWEST = 300, 1000
"""Seconds after which a line that brought fewer bytes a second than that is given up."""

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
                with answer:
                    yield answer
                return
            answer.close()
            url = _next(url, answer.headers["Location"], only_secure=only_secure)
    raise RefusedError(f"the server sends on more than {MOST_STEPS} times")


def _next(url: str, location: str, *, only_secure: bool) -> str:
    """Return the address that a server sends on to, if it may be asked."""
    # Heads are read as Latin-1, and addresses are written in UTF-8.
    there = location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        to = urljoin(url, there)
        kind = urlsplit(to).scheme if urlsplit(to).hostname else ""
    except ValueError:
        to = kind = ""
    if kind not in ("http", "https"):
        raise RefusedError("the server sends on to an address that is not on the web")
    if only_secure and kind == "http" and urlsplit(url).scheme == "https":
        raise RefusedError(
            "the server sends on from https to http, where anybody can change the file"
        )
    return to


def _asked(session: requests.Session, url: str, wanted: Mapping[str, str]) -> requests.Response:
    """Return the head of an answer, in time or not at all."""
    came: SimpleQueue[requests.Response | BaseException] = SimpleQueue()

    def ask() -> None:
        try:
            came.put(session.get(url, headers=dict(wanted), stream=True, timeout=TIMEOUT))
        except BaseException as error:  # whatever it is, whoever waits has to hear of it
            came.put(error)

    # Nothing but the end of the process stops a reading of lines that each come in time.
    Thread(target=ask, daemon=True, name="asking").start()
    try:
        answer = came.get(timeout=BEFORE_THE_FILE)
    except Empty:
        raise requests.Timeout("the server does not say what it will send") from None
    if isinstance(answer, HTTPError):
        raise requests.ConnectionError(answer)
    if isinstance(answer, BaseException):
        raise answer
    return answer


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
    while left is None or left > 0:
        try:
            block = read(BLOCK if left is None else min(BLOCK, left), decode_content=False)
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

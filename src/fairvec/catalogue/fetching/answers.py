"""Asking a server that may answer anything, late, or without an end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPException
from time import monotonic
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
from urllib3.exceptions import HTTPError

from fairvec.catalogue.fetching.aside import Aside
from fairvec.catalogue.fetching.progress import BLOCK

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

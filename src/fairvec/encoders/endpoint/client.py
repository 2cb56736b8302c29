"""Requests to one endpoint: key, limits of time and size, waiting, smaller batches, many at once.

A reply is taken whole or not at all. What cannot be mended by waiting or by smaller batches is one
EncoderError for all, or an UnreadableError that names the text.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Event, Thread, local
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import HTTPError
from urllib3.exceptions import TimeoutError as ReadTimeoutError

from fairvec.catalogue.connections import NoRedirects, OutOfTimeError
from fairvec.core.errors import EncoderError, SettingError, UnreadableError
from fairvec.core.text import short_repr
from fairvec.encoders.base import EndpointSettings
from fairvec.encoders.endpoint.protocol import (
    Embeddings,
    Encoding,
    ReplyError,
    error_message,
    is_loopback,
    kind_of_status,
    most_bytes,
    read_embeddings,
    request_body,
    retry_after,
    route,
)
from fairvec.geometry import FloatArray

CONNECT = 15.0
"""Seconds to wait for a connection."""
ATTEMPTS = 4
"""How often a connection that breaks is tried."""
PAUSES = (1.0, 60.0)
"""Seconds of the first pause, which doubles each time, and of the longest."""
PATIENCE = 600.0
"""Seconds that one request may wait for a busy server."""
GRACE = 10.0
"""Seconds that are left to requests under way after an interruption."""
KNOWN_TEXT = "word"
"""A text that any server can read, by which a bad text is told from a bad server."""
_BLOCK = 1 << 16
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_AGAIN = "check that it runs; what it answered before is kept"


class Reply(NamedTuple):
    """The status, the headers and the body of a reply."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class InputRefusedError(Exception):
    """The server does not take this input; another one it may."""


class _BrokenError(Exception):
    """The connection broke or took too long; the message completes "the server ..."."""


class _SlowError(_BrokenError):
    """It took too long, which is tried no more than twice."""


@dataclass(frozen=True)
class Answer:
    """The vectors of some texts, or the error that says why there are none."""

    texts: tuple[str, ...]
    rows: FloatArray | None = None
    error: EncoderError | None = None


def key_of(variable: str) -> str:
    """Return the key in an environment variable; "" where none is named.

    Nothing of it is repeated, nor is the name: somebody may have given the key itself.
    """
    if not variable:
        return ""
    key = os.environ.get(variable, "") if _VARIABLE.fullmatch(variable) else ""
    if not key:
        raise SettingError(
            "There is no environment variable of the name that --key-variable (key_variable=) "
            "gives; it names the variable that holds the key, and is not the key."
        )
    if not all("!" <= sign <= "~" for sign in key):
        raise SettingError(
            f"The key in the environment variable {variable} holds a space, a line break or a "
            "letter beyond ASCII; set it again."
        )
    return key


class Client:
    """Asks one endpoint for vectors."""

    def __init__(self, base: str, how: EndpointSettings) -> None:
        self.how, self.batch = how, how.batch
        self.encoding: Encoding = "float"
        self.dimensions: int | None = None
        self._url, self._key = route(base), key_of(how.key_variable)
        self._host = urlsplit(base).netloc
        self._sessions = local()
        self._stopped = Event()
        self._failure: BaseException | None = None
        self._refused: dict[str, UnreadableError] = {}

    def __repr__(self) -> str:
        return f"Client({self._url!r})"

    # One request.

    def ask(self, texts: Sequence[str], encoding: Encoding | None = None) -> Embeddings:
        """Return the vectors of texts by one request, repeated only where waiting may help."""
        body = request_body(texts, self.how.model, encoding or self.encoding, self.how.dimensions)
        pause, longest = PAUSES
        waited, breaks, faults = 0.0, 0, 0
        while True:
            try:
                reply = self.post(body, most_bytes(len(texts), self.dimensions))
            except _BrokenError as error:
                breaks += ATTEMPTS // 2 if isinstance(error, _SlowError) else 1
                if breaks >= ATTEMPTS:
                    raise self.error(str(error), _AGAIN) from None
                wait = pause
            else:
                kind = kind_of_status(reply.status)
                if kind == "answer":
                    return self._read(reply, len(texts))
                if kind == "input" or (kind == "fault" and faults):
                    raise InputRefusedError(self.refusal(reply))
                if kind not in ("busy", "fault"):
                    raise self._fatal(reply)
                faults += kind == "fault"
                requested = retry_after(reply.headers) if kind == "busy" else None
                wait = pause if requested is None else requested
                if waited + wait > PATIENCE:
                    raise self.error(f"is busy ({self.refusal(reply)})", _AGAIN)
            pause = min(2 * pause, longest)
            waited += wait
            if self._stopped.wait(wait):
                raise self.error("was not asked again", _AGAIN)

    def post(self, body: Mapping[str, object], most: int) -> Reply:
        """Return the reply to one request, of `most` bytes at the most and in time."""
        session: NoRedirects = self._session()
        session.clock.start(self.how.timeout)
        try:
            with session.post(
                self._url,
                data=json.dumps(body).encode(),
                headers={"Content-Type": "application/json", "Accept-Encoding": "identity"},
                stream=True,
                timeout=(min(CONNECT, self.how.timeout), self.how.timeout),
                allow_redirects=False,
            ) as answer:
                return Reply(answer.status_code, answer.headers, self._content(answer, most))
        except (OutOfTimeError, requests.Timeout, ReadTimeoutError):
            self._forget_session()
            raise _SlowError(
                f"did not send a whole reply within {self.how.timeout:g} seconds"
            ) from None
        except requests.exceptions.SSLError:
            raise self.error(
                "cannot prove who it is", "check the address, the clock and the proxy"
            ) from None
        except (requests.RequestException, HTTPError, HTTPException, OSError) as error:
            self._forget_session()
            begun = isinstance(error, requests.exceptions.ChunkedEncodingError | HTTPError)
            raise _BrokenError(
                "broke off in the middle of a reply" if begun else "cannot be reached"
            ) from None

    def _content(self, answer: requests.Response, most: int) -> bytes:
        if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise self.error("compresses its replies, though asked not to", "turn that off")
        expected = answer.headers.get("Content-Length", "")
        blocks, length = [], 0
        # A server that ends a reply early may leave a connection open, so no read is unbounded.
        while block := answer.raw.read(_BLOCK, decode_content=False):
            blocks.append(block)
            length += len(block)
            if length > most:
                self._forget_session()
                raise self.error(
                    f"sends more than {most:,} bytes", "check that it is an embedding endpoint"
                )
        if expected.isascii() and expected.isdecimal() and length < int(expected):
            raise requests.exceptions.ChunkedEncodingError
        return b"".join(blocks)

    def _read(self, reply: Reply, texts: int) -> Embeddings:
        try:
            return read_embeddings(reply.content, texts, self.dimensions)
        except ReplyError as error:
            remedy = "check the address, which usually ends in /v1, and the server"
            raise self.error(str(error), remedy) from None

    def _session(self) -> NoRedirects:
        session: NoRedirects | None = getattr(self._sessions, "session", None)
        if session is None:
            session = self._sessions.session = NoRedirects()
            # No proxy for this machine; and no password of a netrc file in the place of the key.
            session.trust_env = not is_loopback(urlsplit(self._url).hostname or "")
            session.auth = self._authorize
        return session

    def _forget_session(self) -> None:
        """Close the connections of this thread: what is left of a reply must not begin another."""
        session: NoRedirects | None = getattr(self._sessions, "session", None)
        if session is not None:
            session.close()
            del self._sessions.session

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        return request

    # Refusals.

    def refusal(self, reply: Reply) -> str:
        """Return the status of a refusal with what the server says of it."""
        message = error_message(reply.content, self._key)
        return f"{reply.status}: {message}" if message else f"status {reply.status}"

    def _fatal(self, reply: Reply) -> EncoderError:
        refusal = self.refusal(reply)
        match kind_of_status(reply.status):
            case "key" if self._key:
                return self.error(
                    f"refuses the key ({refusal})", f"check the variable {self.how.key_variable}"
                )
            case "key":
                return self.error(
                    f"wants a key ({refusal})",
                    "name the environment variable that holds it (--key-variable)",
                )
            case "redirect":
                return self.error(
                    f"sends on to another address ({reply.status}), which is not followed",
                    "write the address that answers itself",
                )
            case _ if reply.status == 404:
                return self.error(
                    f"has no embeddings at {self._url} or no model {short_repr(self.how.model)} "
                    f"({refusal})",
                    "check both; an address usually ends in /v1",
                )
        return self.error(f"refuses ({refusal})", "check the address, the model and the account")

    def error(self, finding: str, remedy: str) -> EncoderError:
        """Return an error of the server in one sentence."""
        return EncoderError(f"The server {self._host} {finding}; {remedy}.")

    def takes(self, body: Mapping[str, object]) -> bool | None:
        """Return whether the server answers a request or refuses it; None if it does neither."""
        try:
            status = self.post(body, most_bytes(1, self.dimensions)).status
        except (_BrokenError, EncoderError):
            return None
        kind = kind_of_status(status)
        return None if kind in ("busy", "fault", "redirect") else kind == "answer"

    # Many texts.

    def read(self, texts: Sequence[str]) -> Iterator[Answer]:
        """Yield the answers to a batch; one that is refused is halved, down to a single text."""
        if len(texts) > self.batch:
            for start in range(0, len(texts), self.batch):
                yield from self.read(texts[start : start + self.batch])
            return
        try:
            yield Answer(tuple(texts), self.ask(texts).rows)
            return
        except InputRefusedError as error:
            if len(texts) == 1:
                yield self._single_refusal(texts[0], str(error))
                return
        half, refused = (len(texts) + 1) // 2, False
        for part in (texts[:half], texts[half:]):
            for answer in self.read(part):
                refused = refused or answer.error is not None
                yield answer
        if not refused:
            self.batch = min(self.batch, half)  # it was the number of texts, and none of them

    def _single_refusal(self, text: str, refusal: str) -> Answer:
        """Return the error of a text; raise where the server takes no other text either."""
        if text not in self._refused:
            try:
                self.ask([KNOWN_TEXT])
            except InputRefusedError as error:
                raise self.error(f"refuses every text ({error})", "check the server") from None
            self._refused[text] = UnreadableError(
                f"The server {self._host} does not take the text {short_repr(text)} ({refusal}); "
                "shorten it or leave it out.",
                text,
            )
        return Answer((text,), error=self._refused[text])

    def read_all(self, texts: Sequence[str]) -> Iterator[Answer]:
        """Yield the answers as they come, several requests under way at once.

        What is under way when an error or an interruption comes is still yielded: it is paid for.
        """
        known = [text for text in texts if text in self._refused]
        yield from (Answer((text,), error=self._refused[text]) for text in known)
        wanted = [text for text in texts if text not in self._refused]
        batches: SimpleQueue[Sequence[str]] = SimpleQueue()
        for start in range(0, len(wanted), self.batch):
            batches.put(wanted[start : start + self.batch])
        answers: SimpleQueue[Answer | BaseException | None] = SimpleQueue()
        self._stopped.clear()
        self._failure = None
        count = min(self.how.at_once, batches.qsize())
        for _ in range(count):
            Thread(target=self._work, args=(batches, answers), daemon=True, name="endpoint").start()
        deadline: float | None = None
        while count:
            try:
                left = None if deadline is None else max(0.0, deadline - monotonic())
                found = answers.get(timeout=left)
            except Empty:
                break
            except BaseException as error:  # an interruption, also by a signal
                if self._failure is not None:
                    raise
                self.stop(error)
                deadline = monotonic() + GRACE
                continue
            if found is None:
                count -= 1
            elif isinstance(found, BaseException):
                self.stop(found)
            else:
                try:
                    yield found
                except GeneratorExit:
                    self._stopped.set()
                    raise
        if self._failure is not None:
            raise self._failure

    def stop(self, failure: BaseException) -> None:
        """Begin no more requests; what is under way still comes, and then this is raised."""
        self._failure = self._failure or failure
        self._stopped.set()

    def _work(
        self,
        batches: "SimpleQueue[Sequence[str]]",
        answers: "SimpleQueue[Answer | BaseException | None]",
    ) -> None:
        """Read batches until there are none; None ends what this thread says."""
        try:
            while not self._stopped.is_set():
                for answer in self.read(batches.get_nowait()):
                    answers.put(answer)
        except Empty:
            pass
        except BaseException as error:  # the thread that asked raises it
            answers.put(error)
        finally:
            self._forget_session()
            answers.put(None)

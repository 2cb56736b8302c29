"""A server on loopback that sends the bytes a test wants, and one file fetched from it."""

import hashlib
import random
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add

# --- A server on loopback that sends exactly the bytes that a test wants, right or wrong ---


Answer = Callable[["Request"], None]


@dataclass(frozen=True)
class Request:
    """One request: how many came before it, what it says, and the line to answer on."""

    number: int
    head: str
    line: socket.socket

    @property
    def start(self) -> int:
        """The byte from which on the file is wanted."""
        found = re.search(r"(?im)^range: bytes=(\d+)-", self.head)
        return int(found[1]) if found else 0

    @property
    def path(self) -> str:
        return self.head.split(" ")[1]

    def send(self, *pieces: bytes) -> None:
        self.line.sendall(b"".join(pieces))


@dataclass
class RawServer:
    """Where it is, and what it was asked."""

    url: str
    heads: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(answer: Answer) -> Iterator[RawServer]:
    """Answer each request with what `answer` sends, and close the line after it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = RawServer(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def listen() -> None:
            while True:
                try:
                    line, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=handle, args=(line,), daemon=True).start()

        def handle(line: socket.socket) -> None:
            # Whoever asked may have heard enough.
            with line, suppress(OSError):
                head = b""
                while b"\r\n\r\n" not in head and (more := line.recv(65536)):
                    head += more
                server.heads.append(head.decode("latin-1"))
                answer(Request(len(server.heads) - 1, server.heads[-1], line))
                # What was asked is read, so that closing does not throw away what was sent.
                line.shutdown(socket.SHUT_WR)

        threading.Thread(target=listen, daemon=True).start()
        yield server
        server.over.set()
        listening.shutdown(socket.SHUT_RDWR)


def head(status: str = "200 OK", **fields: str) -> bytes:
    """Return the head of an answer; _ stands for - in the names of its fields."""
    lines = [f"HTTP/1.1 {status}", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
    return ("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode("latin-1")


def honest(
    request: Request, body: bytes, *, most: int | None = None, etag: str | None = '"1"'
) -> None:
    """Send the rest of a file as a good server does, but break off after `most` bytes."""
    start, size = request.start, len(body)
    named = {"ETag": etag} if etag else {}
    named["Content_Length"] = str(size - start)
    if start:
        named["Content_Range"] = f"bytes {start}-{size - 1}/{size}"
    status = "206 Partial Content" if start else "200 OK"
    request.send(head(status, **named), body[start:][:most])


# --- What becomes of one file that a bad server should send, fetched as a user would ---


BODY = random.Random(11).randbytes(6007)
PROVEN = {"sha256": hashlib.sha256(BODY).hexdigest()}


def outcome(answer: Answer, add: Add, home: Path, **fields: Any) -> bytes | str:
    """Fetch one file and return it, or the one sentence of why it did not come."""
    (home / "models.toml").unlink(missing_ok=True)
    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"}, **fields)
        try:
            return local_path(name).read_bytes()
        except DownloadError as error:
            assert not is_local(name)
            message = str(error)
            assert message.startswith("mine: ")
            assert message.endswith(".")
            assert "\n" not in message
            return message


def sends(*pieces: bytes) -> Answer:
    return lambda asked: asked.send(*pieces)


def to(place: str, status: str = "302 Found") -> Answer:
    return sends(head(status, Location=place, Content_Length="0"))

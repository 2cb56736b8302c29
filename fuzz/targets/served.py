"""A file that is fetched from a server whose answers are not what they should be."""

import socket
import threading
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from fuzz.cases import Target
from fuzz.mutations import mutated
from fuzz.verdicts import BadAnswerError
from fuzz.worker import ALLOWED

BODY = b"2 2\nking 1.25 2.5\nqueen 3.75 4.5\n" * 30
HEAD = b'HTTP/1.1 200 OK\r\nETag: "1"\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n'
BROKEN = HEAD % len(BODY) + BODY[:400]
REST = (
    b'HTTP/1.1 206 Partial Content\r\nETag: "1"\r\nContent-Length: %d\r\n'
    b"Content-Range: bytes 400-%d/%d\r\n\r\n" % (len(BODY) - 400, len(BODY) - 1, len(BODY))
) + BODY[400:]
PUBLISHED: dict[str, Any] = {"name": "mine", "title": "Mine", "sha256": sha256(BODY).hexdigest()}
FIRST, SECOND = "answers/1", "answers/2"
FIELDS = (
    *(b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Encoding: gzip"),
    *(
        b"Transfer-Encoding: chunked",
        b"Content-Range: bytes 0-0/0",
        b"Location: file:///etc/passwd",
    ),
    *(b"Content-Range: bytes 9-1/99999999999999999999", b"Content-Length: 1", b"ETag: \x1b[2J"),
    *(b"Set-Cookie: \xff", b"X: " + b"y" * 70_000, b"Content-Type: text/html", b": ", b"\0"),
)


def served(_: Path) -> Iterator[Target]:
    """Give one target: two answers, of which the last one is given again and again."""
    response = HEAD % len(BODY) + BODY
    yield Target(
        name="served",
        run=_fetched,
        honest=[{FIRST: response, SECOND: response}, {FIRST: BROKEN, SECOND: REST}],
        covers=["served"],
        writes=True,
        change=_other_answer,
    )


def _other_answer(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    head, mark, body = data.partition(b"\r\n\r\n")
    way = random.randrange(5)
    if not mark or way == 0:
        return mutated(name, data, random, others)
    if way == 1:
        at = random.randrange(len(body) + 1)
        return head + mark + body[:at], f"{at} bytes of the body"
    if way == 2:
        new, description = mutated("body.vec", body, random)
        return head + mark + new, f"body: {description}"
    lines = head.split(b"\r\n")
    if way == 3:
        lines[0] = b"HTTP/1.1 %d %s" % (random.choice((204, 206, 301, 302, 403, 416, 500)), b"x")
        return b"\r\n".join(lines) + mark + body, str(lines[0])
    field = random.choice(FIELDS)
    lines.insert(random.randrange(1, len(lines) + 1), field)
    return b"\r\n".join(lines) + mark + body, str(field[:40])


def _fetched(folder: Path) -> None:
    """Fetch the file as the catalogue does; what is kept is what was published, or nothing."""
    from fairvec.catalogue.download import fetch
    from fairvec.catalogue.entries import Dataset, Url

    answers = [(folder / name).read_bytes() for name in (FIRST, SECOND)]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
        ALLOWED.add(address)
        server = threading.Thread(target=_answers, args=(listening, answers), daemon=True)
        server.start()
        entry = Dataset.model_construct(**PUBLISHED)
        cached = folder / "kept" / "mine.vec"
        try:
            source = Url.model_construct(
                kind="url", url=f"http://127.0.0.1:{address[1]}/mine.vec", member=None
            )
            fetch(entry, source, cached, None)
        finally:
            ALLOWED.discard(address)
            listening.shutdown(socket.SHUT_RDWR)
            server.join()
            for part in cached.parent.glob("*.part*"):
                part.unlink()  # it is there to go on from
            if cached.parent.is_dir() and not any(cached.parent.iterdir()):
                cached.parent.rmdir()
    if cached.read_bytes() != BODY:
        raise BadAnswerError("another file is kept", repr(cached.read_bytes()[:200]))


def _answers(listening: socket.socket, answers: Sequence[bytes]) -> None:
    """Answer one request after the other until the door is closed."""
    requests = 0
    while True:
        try:
            line, _ = listening.accept()
        except OSError:
            return
        with line:
            try:
                line.recv(65_536)
                line.sendall(answers[min(requests, 1)])
                line.shutdown(socket.SHUT_WR)
            except OSError:
                continue  # whoever asked has heard enough
        requests += 1

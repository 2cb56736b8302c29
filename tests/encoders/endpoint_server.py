"""A small embedding endpoint on 127.0.0.1 that behaves, or misbehaves in one way at a time."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np

MODEL = "small"


def vector(text: str, dimensions: int = 8) -> list[float]:
    """A vector of length 1 that depends on the text alone, and has few digits."""
    numbers = np.frombuffer(sha256(text.encode()).digest(), "<u4")[:dimensions].astype(np.float64)
    centred = numbers / 2**31 - 1
    unit: list[float] = (centred / np.linalg.norm(centred)).astype(np.float32).tolist()
    return unit


@dataclass
class Reply:
    """What the server sends: a body as JSON or bytes, and how."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """The Content-Length that it says, where that is not the true one."""
    write: Callable[[Any], None] | None = None
    """Writes the body in its own way."""


def usual(body: dict[str, Any], make: Callable[[str], list[float]] = vector) -> Reply:
    """The reply of a server without faults, in reversed order: `index` says whose a vector is."""
    data = []
    for index, text in enumerate(body["input"]):
        numbers: Any = make(text)
        if body["encoding_format"] == "base64":
            numbers = base64.b64encode(np.array(numbers, "<f4").tobytes()).decode()
        data.append({"object": "embedding", "index": index, "embedding": numbers})
    return Reply({"object": "list", "data": data[::-1], "model": f"{MODEL}-v1"})


def error(status: int, message: str, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error": {"message": message, "type": "server_error"}}, status, named)


class Endpoint(ThreadingHTTPServer):
    """Counts what it is asked; `behave` gives the reply to a body, None the usual one."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.behave: Callable[[dict[str, Any], int], Reply | None] = lambda body, number: None
        self.make: Callable[[str], list[float]] = vector

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that came, in order."""
        return [text for body in self.bodies for text in body["input"]]

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Endpoint
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm, wbufsize = True, 1 << 16

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(body)
        self.server.keys.append(self.headers["Authorization"])
        reply = self.server.behave(body, len(self.server.bodies)) or usual(body, self.server.make)
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in ({"Content-Type": "application/json"} | reply.headers).items():
            self.send_header(name, value)
        if reply.write is None:
            length = len(content) if reply.length is None else reply.length
            self.send_header("Content-Length", str(length))
        else:
            self.close_connection = True
        self.end_headers()
        if reply.write is None:
            self.wfile.write(content)
            if reply.length is not None:
                self.close_connection = True
        else:
            reply.write(self.wfile)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Yield a server that answers until the end of the block."""
    server = Endpoint()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

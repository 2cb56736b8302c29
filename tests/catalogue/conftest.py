import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import cache_folder
from fairvec.catalogue import download as answers
from fairvec.catalogue import download as transfer

# --- A cache folder of its own, a server on loopback, and models that live there ---


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder; nothing asked on loopback goes through a proxy."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FAIRVEC_HOME", str(folder))
    monkeypatch.setenv("NO_PROXY", "*")
    return folder


@dataclass
class Site:
    """What the server on loopback does, and what it was asked."""

    url: str = ""
    body: bytes = b""
    etag: str | None = '"first"'
    knows_ranges: bool = True
    starts_late: int = 0
    announces_length: bool = True
    breaks_after: list[int] = field(default_factory=list)
    content_type: str | None = None
    holds_after: int | None = None
    go_on: threading.Event = field(default_factory=threading.Event)
    status: int | None = None
    asked: list[str | None] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range")
        self.asked.append(wanted)
        if self.status is not None:
            return request.send_error(self.status)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        start += self.starts_late if wanted else 0
        if not self.knows_ranges:
            start = 0
        if start and start >= len(self.body):
            return request.send_error(416)
        request.send_response(206 if start else 200)
        if start:
            size = len(self.body)
            request.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        if self.etag:
            request.send_header("ETag", self.etag)
        if self.announces_length:
            request.send_header("Content-Length", str(len(self.body) - start))
        if self.content_type:
            request.send_header("Content-Type", self.content_type)
        request.end_headers()
        end = start + self.breaks_after.pop(0) if self.breaks_after else len(self.body)
        if self.holds_after is not None:
            request.wfile.write(self.body[start : start + self.holds_after])
            request.wfile.flush()
            self.go_on.wait()
            start += self.holds_after
        with suppress(ConnectionError):  # whoever asked may have been stopped
            request.wfile.write(self.body[start:end])
        return None


@pytest.fixture
def site() -> Iterator[Site]:
    """A server on loopback that serves one file under every path."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.answer(self)

        def log_message(self, *arguments: object) -> None:
            """Say nothing: what a test does is not its output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.go_on.set()
    server.shutdown()
    thread.join()
    server.server_close()


Add = Callable[..., str]


@pytest.fixture
def add(home: Path) -> Add:
    """A function that adds a model to the user's own catalogue and returns its name."""

    def add_model(**fields: Any) -> str:
        entry = {
            "name": "mine",
            "title": "A model",
            "language": "en",
            "licence": "MIT",
            "origin": "made up",
            "format": "word2vec-text",
            "dimensions": 3,
        } | fields
        home.mkdir(parents=True, exist_ok=True)
        with (cache_folder() / "models.toml").open("a", encoding="utf-8") as file:
            file.write("[[models]]\n")
            file.writelines(f"{key} = {_toml(value)}\n" for key, value in entry.items())
        return str(entry["name"])

    return add_model


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


# --- No test waits for a server as long as a user does ---


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up in less than a second."""
    monkeypatch.setattr(transfer, "PAUSE", 0.0)
    monkeypatch.setattr(answers, "TIMEOUT", (2, 0.3))

"""The explorer as it really runs: on a socket, in a thread or as a program of its own."""

import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

from fairvec.web.open_models import OpenModels
from fairvec.web.server import OpenPort, open_port, server
from tests.web.client import Reply, toy_models

COMMAND = "import sys; from fairvec.cli import main; sys.argv[0] = 'fairvec'; main()"


@contextmanager
def run_server(models: OpenModels | None = None, *, port: int = 0) -> Iterator[OpenPort]:
    """Serve in a thread of this process."""
    place = open_port(port)
    one = server(models or toy_models(), place)
    thread = threading.Thread(target=one.run, kwargs={"sockets": [place.listener]})
    thread.start()
    try:
        yield place
    finally:
        one.should_exit = True
        thread.join(20)
        place.listener.close()


@contextmanager
def run_program(
    *arguments: object, folder: Path, before: str = ""
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `fairvec explore`, after some lines, and wait for the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", before + COMMAND, "explore", "--no-browser", *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def send_bytes(place: OpenPort, raw: bytes, *, seconds: float = 10) -> bytes:
    """Send bytes as they are and return all that comes back until the other side hangs up."""
    with socket.create_connection(("127.0.0.1", place.visitor.port), timeout=seconds) as line:
        line.sendall(raw)
        return read_all(line)


def read_all(line: socket.socket) -> bytes:
    """Return all that comes until the other side hangs up."""
    found = b""
    with suppress(ConnectionResetError):
        while part := line.recv(65536):
            found += part
    return found


def fetch(address: str, path: str, cookie: str = "", method: str = "GET") -> Reply:
    """Fetch a path from the server of a printed address."""
    found = re.match(r"http://127\.0\.0\.1:(\d+)/", address)
    assert found is not None
    with closing(HTTPConnection("127.0.0.1", int(found[1]), timeout=20)) as line:
        line.request(method, path, headers={"cookie": cookie} if cookie else {})
        answer = line.getresponse()
        headers = [(name.lower(), value) for name, value in answer.getheaders()]
        return Reply(answer.status, headers, answer.read())

"""The server on its socket: what it refuses before HTTP, whom it hangs up on, how it ends."""

import json
import signal
import socket
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from fairvec.core.errors import SettingError
from fairvec.web import connection
from fairvec.web.security import HEADERS
from fairvec.web.server import open_port
from tests.cli.conftest import write_model
from tests.web.client import ask, explorer
from tests.web.live_server import fetch, read_all, run_program, run_server, send_bytes

pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")


def test_it_listens_on_loopback_alone() -> None:
    with run_server() as place:
        assert place.listener.getsockname()[0] == "127.0.0.1"
        assert place.listener.family == socket.AF_INET


def test_what_is_no_http_is_refused_with_every_header() -> None:
    with run_server() as place:
        for raw in (b"\x16\x03\x01hello\r\n\r\n", b"GET / HTTP/1.1\r\nbad header\r\n\r\n"):
            head, _, body = send_bytes(place, raw).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 ")
            assert json.loads(body)["error"].endswith("; send HTTP/1.1.")
            for name, value in HEADERS.items():
                assert f"{name}: {value}".encode() in head


@pytest.mark.parametrize(
    "more",
    ["Host: evil.example\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n", "X: " + "a" * 2**17],
    ids=["two hosts", "two lengths", "endless head"],
)
def test_ambiguous_or_endless_heads_are_refused(more: str) -> None:
    with run_server() as place:
        port, token = place.visitor.port, place.visitor.token
        head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        answer = send_bytes(place, f"{head}{more}\r\n".encode())
        # Who is still sending when the line is cut may not hear why.
        assert answer[:13] in (b"HTTP/1.1 400 ", b"")


def test_a_silent_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SECONDS_OF_SILENCE", 0.2)
    with run_server() as place:
        assert send_bytes(place, b"") == b""
        assert send_bytes(place, b"GET / HTTP/1.1\r\nHost: 127") == b""
        request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{place.visitor.port}\r\n"
        request += f"Authorization: Bearer {place.visitor.token}\r\n\r\n"
        # A second request that drips and stops half way, on a line that was good once.
        with socket.create_connection(("127.0.0.1", place.visitor.port), timeout=10) as line:
            line.sendall(request.encode())
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
            for part in (b"G", b"E", b"T"):
                line.sendall(part)
                sleep(0.05)
            read_all(line)  # ends, where the line would otherwise be held for ever


@pytest.mark.parametrize(
    "data", [b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"]
)
def test_strangers_who_hold_connections_open_do_not_lock_the_visitor_out(data: bytes) -> None:
    with run_server() as place, ExitStack() as stack:
        where = ("127.0.0.1", place.visitor.port)
        request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{place.visitor.port}\r\n"
        request += f"Authorization: Bearer {place.visitor.token}\r\nConnection: close\r\n\r\n"
        lines = []
        for _ in range(connection.MOST_CONNECTIONS + 22):
            line = stack.enter_context(socket.create_connection(where, timeout=10))
            with suppress(OSError):  # it may have been hung up on
                line.sendall(data.replace(b"PORT", str(place.visitor.port).encode()))
            lines.append(line)
        assert send_bytes(place, request.encode()).startswith(b"HTTP/1.1 200 ")
        # The first were hung up on, so that no more are held than there is room for.
        for line in lines[:20]:
            read_all(line)


def test_while_all_are_answered_a_further_connection_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 0)
    with run_server() as place:
        assert send_bytes(place, b"GET / HTTP/1.1\r\n\r\n") == b""


def test_a_refused_body_is_not_waited_for() -> None:
    with run_server() as place:
        head = f"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1:{place.visitor.port}\r\n"
        raw = f"{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\nx"
        answer = send_bytes(place, raw.encode())
        assert answer.startswith(b"HTTP/1.1 401 ")


def test_an_upgrade_is_no_way_around() -> None:
    with run_server() as place:
        raw = (
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{place.visitor.port}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n"
        )
        assert send_bytes(place, raw.encode()).startswith(b"HTTP/1.1 401 ")


def test_two_servers_do_not_know_each_others_visitors() -> None:
    with run_server() as one, run_server() as other:
        assert one.visitor.port != other.visitor.port
        assert one.visitor.token != other.visitor.token
        cookies = f"{one.visitor.cookie}={one.visitor.token}"
        assert fetch(one.address, "/api/models", cookies).status == 200
        assert fetch(other.address, "/api/models", cookies).status == 401
        assert fetch(one.address, "/api/models", cookies, "HEAD").body == b""


def test_a_port_that_is_taken_is_named() -> None:
    taken = open_port()
    with pytest.raises(SettingError, match=r"^Port \d+ cannot be had \(address already in use\)"):
        open_port(taken.visitor.port)
    taken.listener.close()


def test_tokens_are_long_and_new_each_time() -> None:
    ports = [open_port() for _ in range(3)]
    tokens = {port.visitor.token for port in ports}
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 43  # 256 bits
    for port in ports:
        assert port.visitor.token not in repr(port)
        port.listener.close()


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "h11"])
def test_without_the_extra_the_line_to_type_is_printed(package: str, tmp_path: Path) -> None:
    hidden = f"import sys; sys.modules[{package!r}] = None\n"
    with run_program("glove-en-small", folder=tmp_path, before=hidden) as (process, address):
        _, err = process.communicate(timeout=60)
    assert (address, process.returncode) == ("", 2)
    assert err == 'error: The explorer needs an extra: pip install "fairvec[web]"\n'


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_a_program_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    model = write_model(tmp_path / "toy.vec", 1.0)
    with run_program(model, folder=tmp_path) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        welcome = fetch(address, address[address.index("/welcome") :])
        assert welcome.status == 200
        cookie = str(welcome.header("set-cookie")).partition(";")[0]
        models = fetch(address, "/api/models", cookie).json
        assert models["models"][0]["name"] == "toy"
        fetch(address, "/nothing", cookie)
        fetch(address, "/")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 0
        assert out == ""
        # Before them, how far the reading is, on a machine that is slow.
        assert err.splitlines()[-2:] == [
            "Whoever has this address may ask, and nobody else; stop with Ctrl+C.",
            "Stopped.",
        ]
        assert "Traceback" not in err
        assert address.partition("token=")[2] not in err


SLOW = """
import time
from fairvec.web import app as application
from fairvec.web.schemas import Question
def slow(models):
    open("begun", "w").close()
    time.sleep(60)
application.ROUTES = (Question("slow", slow, "Sleeps."),)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_a_long_answer_does_not_keep_a_stopped_program_alive(tmp_path: Path) -> None:
    model = write_model(tmp_path / "toy.vec", 1.0)
    with run_program(model, folder=tmp_path, before=SLOW) as (process, address):
        port, token = address.removeprefix("http://127.0.0.1:").split("/welcome?token=")
        head = f"GET /api/slow HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as line:
            line.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
            until = monotonic() + 20
            while not (tmp_path / "begun").exists() and monotonic() < until:
                sleep(0.05)
            process.send_signal(signal.SIGINT)
            answer = read_all(line)
            _, err = process.communicate(timeout=20)
        assert process.returncode == 0
        assert b"The server was stopped; start it again." in answer
        assert err.splitlines()[-1] == "Stopped."
        assert "Traceback" not in err


def test_a_port_that_is_taken_ends_the_program_before_a_model_is_read(tmp_path: Path) -> None:
    taken = open_port()
    port = taken.visitor.port
    with run_program("there-is-no-such-model", "--port", port, folder=tmp_path) as (
        process,
        address,
    ):
        _, err = process.communicate(timeout=20)
        assert (address, process.returncode) == ("", 2)
        assert err.startswith(f"error: Port {port} cannot be had")
        assert len(err.splitlines()) == 1
    taken.listener.close()


def test_answers_are_not_held_back_by_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    made = connection.GuardedConnection.connection_made

    def watched(self: connection.GuardedConnection, transport: Any) -> None:
        line = transport.get_extra_info("socket")
        seen.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(connection.GuardedConnection, "connection_made", watched)
    with run_server() as place:
        fetch(place.address, "/")
    assert [bool(one) for one in seen] == [True]


@pytest.mark.parametrize("path", ["/favicon.ico", "/favicon.svg"])
def test_the_picture_that_browsers_ask_for_is_there(path: str) -> None:
    reply = ask(explorer(), path)
    assert reply.status == 200
    assert (reply.header("content-type") or "").startswith("image/svg+xml")

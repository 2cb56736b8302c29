"""Servers that never end a file, and never quite stop sending it."""

from pathlib import Path
from time import monotonic, sleep

import pytest

from fairvec.catalogue import download as answers
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, PROVEN, outcome
from tests.catalogue.fetching.raw_server import Asked, head

pytestmark = pytest.mark.usefixtures("no_patience")


def test_a_drip_is_given_up_and_gone_on_from(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0.2)

    def drip(asked: Asked) -> None:
        asked.send(head(Content_Length=str(len(BODY)), ETag='"1"'))
        for place in range(len(BODY)):
            asked.send(BODY[place : place + 1])
            asked.line.settimeout(0.01)
            try:
                asked.line.recv(1)
                return
            except TimeoutError:
                asked.line.settimeout(None)

    said = outcome(drip, add, home, **PROVEN)
    assert isinstance(said, str)
    assert "sends next to nothing; go on later where it stopped" in said
    part = home / "models" / "mine" / "model.bin.part"
    assert 0 < part.stat().st_size < len(BODY)
    assert BODY.startswith(part.read_bytes())


@pytest.mark.parametrize(
    ("after", "piece"),
    [(b"0\r\n", b"X: 1\r\n" * 100), (b"0\r\n", b"x"), (b"5;", b"x")],
    ids=["trailers without an end", "a trailer that drips", "a size of a chunk that drips"],
)
def test_what_stands_around_chunks_has_an_end(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch, after: bytes, piece: bytes
) -> None:
    """Lines that each come in time, but are no part of the file, and never end."""
    monkeypatch.setattr(answers, "BEFORE_A_BLOCK", 0.3)
    monkeypatch.setattr(answers, "BEFORE_LEAVING", 0.1)

    def endless(asked: Asked) -> None:
        asked.send(head(Transfer_Encoding="chunked", ETag='"1"'))
        asked.send(b"%x\r\n%b\r\n" % (len(BODY), BODY), after)
        until = monotonic() + 1.5
        while monotonic() < until:
            asked.send(piece)
            sleep(0.005)

    assert "sends next to nothing; go on later" in str(outcome(endless, add, home, **PROVEN))
    assert (home / "models" / "mine" / "model.bin.part").read_bytes() == BODY


def test_a_head_that_drips_is_given_up(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "BEFORE_THE_FILE", 0.3)

    def drip(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\n")
        for _ in range(200):
            asked.send(b"X")
            asked.line.settimeout(0.01)
            try:
                asked.line.recv(1)
            except TimeoutError:
                asked.line.settimeout(None)

    said = outcome(drip, add, home)
    assert isinstance(said, str)
    assert "cannot be reached" in said

"""Servers that never end a file, and never quite stop sending it."""

from pathlib import Path

import pytest

from fairvec.catalogue.fetching import answers
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

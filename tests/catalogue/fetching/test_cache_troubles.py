"""Disks that are full, folders that are files, and what a killed process left."""

import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fairvec.catalogue import download as transfer
from fairvec.core.io.atomic_files import HOST
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, PROVEN, outcome
from tests.catalogue.fetching.raw_server import honest

pytestmark = pytest.mark.usefixtures("no_patience")


def test_a_disk_that_is_full_keeps_what_came(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = transfer._put
    part = home / "models" / "mine" / "model.bin.part"

    def full(file: Any, block: bytes) -> None:
        put(file, block[:2000])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfer, "_put", full)
    said = outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN)
    assert "is full; make room, or point FAIRVEC_HOME elsewhere" in str(said)
    assert BODY.startswith(part.read_bytes())
    monkeypatch.setattr(transfer, "_put", put)
    assert outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN) == BODY


def test_a_file_that_has_no_room_is_not_begun(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "disk_usage", lambda _: SimpleNamespace(free=len(BODY) - 1))
    said = outcome(lambda asked: honest(asked, BODY), add, home)
    assert "is full; make room" in str(said)
    assert not [*(home / "models" / "mine").iterdir()]
    monkeypatch.setattr(transfer, "disk_usage", lambda _: SimpleNamespace(free=len(BODY)))
    assert outcome(lambda asked: honest(asked, BODY), add, home) == BODY


def test_a_cache_behind_a_link_is_written_through_it(add: Add, home: Path, tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir()
    home.mkdir()
    (home / "models").symlink_to(tmp_path / "large disk")
    assert outcome(lambda asked: honest(asked, BODY), add, home) == BODY
    assert (tmp_path / "large disk" / "mine" / "model.bin").read_bytes() == BODY


@pytest.mark.parametrize("place", ["models", "models/mine", "models/mine/model.bin.part"])
def test_what_stands_where_the_cache_should_be_is_said(add: Add, home: Path, place: str) -> None:
    """A file instead of a folder, or a folder instead of a file."""
    blocked = home / place
    (blocked if blocked.suffix else blocked.parent).mkdir(parents=True, exist_ok=True)
    if not blocked.exists():
        blocked.write_bytes(b"in the way")
    said = outcome(lambda asked: honest(asked, BODY), add, home)
    assert "cannot be written" in str(said)
    assert "point FAIRVEC_HOME elsewhere" in str(said)


def test_what_a_killed_process_left_is_cleared_away(add: Add, home: Path) -> None:
    left = home / "models" / "mine" / f".fairvec-{HOST}-abandond.draft"
    left.mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    assert outcome(lambda asked: honest(asked, BODY), add, home) == BODY
    assert [file.name for file in left.parent.iterdir()] == ["model.bin"]

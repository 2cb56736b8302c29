import errno
import os
from pathlib import Path

import pytest

from fairvec.ground.files import replacing, write_text
from fairvec.ground.together import replacing_together


def test_an_interrupted_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "before")

    def interrupted() -> None:
        with replacing(path) as draft:
            draft.write_text("half")
            raise RuntimeError("cut off")

    with pytest.raises(RuntimeError, match="cut off"):
        interrupted()
    assert path.read_text() == "before"
    assert list(path.parent.iterdir()) == [path]


def test_text_is_utf8_with_plain_newlines(tmp_path: Path) -> None:
    write_text(tmp_path / "file.txt", "гендер\nलिंग\n")
    assert (tmp_path / "file.txt").read_bytes() == "гендер\nलिंग\n".encode()


def calls_of(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Note what reaches the disk and what takes its place, in that order."""
    calls: list[tuple[str, str]] = []
    fsync, replace = os.fsync, Path.replace

    def waited(handle: int) -> None:
        calls.append(("on the disk", Path(f"/dev/fd/{handle}").read_text(encoding="utf-8")))
        fsync(handle)

    def renamed(draft: Path, target: Path) -> Path:
        if draft.is_file():
            calls.append(("renamed", draft.read_text(encoding="utf-8")))
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", waited)
    monkeypatch.setattr(Path, "replace", renamed)
    return calls


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_a_file_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of(monkeypatch)
    write_text(tmp_path / "a.txt", "one")
    assert calls == [("on the disk", "one"), ("renamed", "one")]
    (tmp_path / "a.txt").chmod(0o444)
    (tmp_path / "b.txt").write_text("old")
    (tmp_path / "b.txt").chmod(0o600)
    write_text(tmp_path / "b.txt", "two")
    assert calls[2:] == [("on the disk", "two"), ("renamed", "two")]


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_files_of_a_run_are_waited_for_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of(monkeypatch)
    with replacing_together(tmp_path / "run") as drafts:
        write_text(drafts / "a.txt", "one")
        write_text(drafts / "b.jsonl", "two")
    waited = [what for how, what in calls if how == "on the disk"]
    assert [what for what in waited if what in ("one", "two")] == ["one", "two"]
    for what in ("one", "two"):
        places = [how for how, said in calls if said == what]
        assert places == ["renamed", "on the disk", "renamed"]  # into the drafts, and out of them


def test_only_a_disk_that_cannot_be_waited_for_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(number, "as a system says it")

    monkeypatch.setattr(os, "fsync", fails)
    number = errno.EINVAL
    write_text(tmp_path / "a.txt", "one")
    number = errno.ENOSPC
    with pytest.raises(OSError, match="as a system says it"):
        write_text(tmp_path / "a.txt", "two")
    assert (tmp_path / "a.txt").read_text() == "one"
    assert [*tmp_path.iterdir()] == [tmp_path / "a.txt"]

import errno
import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import atomic_file_set, atomic_path, write_text
from fairvec.core.io.read_files import decode_utf8, read_bytes, read_text, sha256_of_file


def test_an_interrupted_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "before")

    def interrupted() -> None:
        with atomic_path(path) as draft:
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
    with atomic_file_set(tmp_path / "run") as drafts:
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


@given(st.binary(max_size=300))
def test_a_checksum_is_that_of_all_bytes(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("summed") / "file"
    file.write_bytes(content)
    assert sha256_of_file(file) == sha256(content).hexdigest()


def test_what_cannot_be_read_is_one_sentence_with_the_reason(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, said in (
        (
            tmp_path / "none",
            "the words cannot be read (no such file or directory); check its path.",
        ),
        (tmp_path, "the words cannot be read (is a directory); check its path."),
        (pipe, "is a pipe that may never have a writer"),
    ):
        with pytest.raises(FileFormatError) as caught:
            read_bytes(place, "the words", FileFormatError)
        assert said in str(caught.value)
        assert str(place) in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"a\n\xff\n", "a\nb".encode("utf-16"), b"a\n\0\n"],
    ids=["no-utf8", "utf16", "zero"],
)
def test_what_is_no_text_is_refused_by_its_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"words\.txt, line [12]: this is not UTF-8"):
        read_text(file, "word", FileFormatError)


BOM = "\ufeff".encode()


@pytest.mark.parametrize("mark", [b"", BOM], ids=["plain", "with a mark"])
@pytest.mark.parametrize("wrong", [b"\xff", b"\0", b"\xd0"], ids=["no start", "zero", "cut"])
@pytest.mark.parametrize("before", range(5))
def test_the_line_that_is_no_utf8_is_named(mark: bytes, wrong: bytes, before: int) -> None:
    content = mark + b"\n" * before + wrong
    with pytest.raises(FileFormatError, match=rf"^a\.toml, line {before + 1}: this is not UTF-8"):
        decode_utf8(content, "a.toml", FileFormatError)


@pytest.mark.parametrize("text", ["", "a", "\n", "\N{DEVANAGARI LETTER A}\n"])
def test_text_comes_without_its_mark(text: str) -> None:
    assert decode_utf8(text.encode(), "a.toml", FileFormatError) == text
    assert decode_utf8(BOM + text.encode(), "a.toml", FileFormatError) == text

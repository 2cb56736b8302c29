"""Files are written whole or not at all."""

import errno
import os
import socket
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError, FileFormatError, SettingError
from fairvec.core.io import read_files as places
from fairvec.core.io.atomic_files import (
    atomic_file_set,
    atomic_path,
    check_writable_file,
    check_writable_folder,
    move_into_place,
    write_text,
)
from fairvec.core.io.read_files import decode_utf8, read_bytes, read_text, sha256_of_file
from tests.loops import loop_over

posix_only = pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")


# --- files ---


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
    assert [what for what in waited if what in ("one", "two")] == ["two", "one"]  # records first
    for what in ("one", "two"):
        places = [how for how, step in calls if step == what]
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
    for place, message in (
        (
            tmp_path / "none",
            "the words cannot be read (no such file or directory); check its path.",
        ),
        (tmp_path, "the words cannot be read (is a directory); check its path."),
        (pipe, "is a pipe that may never have a writer"),
    ):
        with pytest.raises(FileFormatError) as caught:
            read_bytes(place, "the words", FileFormatError)
        assert message in str(caught.value)
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


@loop_over("mark", [b"", BOM])
@loop_over("wrong", [b"\xff", b"\0", b"\xd0"])
@loop_over("before", range(5))
def test_the_line_that_is_no_utf8_is_named(mark: bytes, wrong: bytes, before: int) -> None:
    content = mark + b"\n" * before + wrong
    with pytest.raises(FileFormatError, match=rf"^a\.toml, line {before + 1}: this is not UTF-8"):
        decode_utf8(content, "a.toml", FileFormatError)


@pytest.mark.parametrize("text", ["", "a", "\n", "\N{DEVANAGARI LETTER A}\n"])
def test_text_comes_without_its_mark(text: str) -> None:
    assert decode_utf8(text.encode(), "a.toml", FileFormatError) == text
    assert decode_utf8(BOM + text.encode(), "a.toml", FileFormatError) == text


# --- What a user's places may be: links stay, modes stay, and nothing but a plain file is replaced


def a_socket(path: Path) -> None:
    bound = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(path.parent)  # the names of sockets must be short
    try:
        bound.bind(path.name)
    finally:
        os.chdir(here)
        bound.close()


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def a_loop(path: Path) -> None:
    path.symlink_to("other")
    path.with_name("other").symlink_to(path.name)


def into_nowhere(path: Path) -> None:
    path.symlink_to("not-mounted/file")


def to_stdout(path: Path) -> None:
    path.symlink_to("/dev/stdout")


STRANGE: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a socket": a_socket,
    "a link that leads back": a_loop,
    "a link into": into_nowhere,
    "no plain file": to_stdout,
}


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_only_plain_files_are_written_over(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "place"
    STRANGE[kind](path)
    before = path.lstat()
    attempts: tuple[Callable[[], None], ...] = (
        lambda: check_writable_file(path, force=True),
        lambda: write_text(path, "new"),
        lambda: check_writable_folder(tmp_path, "place"),
    )
    for attempt in attempts:
        with pytest.raises(SettingError, match=kind) as caught:
            attempt()
        assert str(caught.value).count(". ") == 0
    assert os.path.samestat(path.lstat(), before)
    assert not [*tmp_path.glob(".fairvec*")]


@posix_only
@pytest.mark.parametrize("device", ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_devices_are_no_place(device: str) -> None:
    before = Path(device).stat()
    with pytest.raises(SettingError, match="no plain file"):
        write_text(Path(device), "new")
    with pytest.raises(SettingError, match="no plain file"):
        check_writable_file(Path(device), force=True)
    assert os.path.samestat(Path(device).stat(), before)


@posix_only
def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    real = tmp_path / "store" / "real.txt"
    real.write_text("old")
    (tmp_path / "middle").symlink_to("store")
    link = tmp_path / "link.txt"
    link.symlink_to("middle/real.txt")
    check_writable_file(link, force=True)
    with pytest.raises(SettingError, match="exists already"):
        check_writable_file(link)
    write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert names_in(tmp_path) == ["link.txt", "middle", "store"]


@posix_only
def test_a_link_that_leads_nowhere_yet_makes_its_file(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("real.txt")
    check_writable_file(link)
    write_text(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755, 0o666])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    write_text(path, "new")
    assert path.stat().st_mode & 0o777 == mode
    draft = tmp_path / "draft"
    draft.write_text("newer")
    move_into_place(draft, path)
    assert (path.stat().st_mode & 0o777, path.read_text()) == (mode, "newer")


@posix_only
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_follows_the_umask(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        write_text(tmp_path / "file", "new")
    finally:
        os.umask(old)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~mask


@posix_only
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give")
def test_the_owner_is_kept_where_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    os.chown(path, 1234, 4321)
    write_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


@posix_only
@pytest.mark.parametrize("reason", [errno.EPERM, errno.EINVAL, errno.ENOTSUP])
def test_a_group_that_cannot_be_kept_gets_no_more_than_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    def refused(*_: object) -> None:
        raise OSError(reason, os.strerror(reason))  # EINVAL: a container has no such user

    path = tmp_path / "file"
    path.touch()
    path.chmod(0o664)
    old = path.stat()
    stranger = os.stat_result((*old[:5], old.st_gid + 1, *old[6:]))
    monkeypatch.setattr(os, "chown", refused)
    from fairvec.core.io.atomic_files import _copy_ownership

    _copy_ownership(path, stranger)
    assert path.stat().st_mode & 0o777 == 0o644


@posix_only
def test_where_nothing_is_there_the_outermost_folder_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drive of Windows that has no disk in it is not there, nor is anything around it."""
    monkeypatch.setattr(places, "path_exists", lambda _: False)
    monkeypatch.chdir(tmp_path)
    check_writable_file(Path("deep") / "file")
    tmp_path.rmdir()
    with pytest.raises(SettingError, match="nothing can be written there"):
        check_writable_file(Path("deep") / "file")


@posix_only
def test_another_hard_link_keeps_the_old_content(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_text("old")
    os.link(path, other)
    write_text(path, "new")
    assert (path.read_text(), other.read_text()) == ("new", "old")


@posix_only
def test_what_is_read_only_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(SettingError, match="read-only"):
        check_writable_file(path, force=True)
    with pytest.raises(SettingError, match="read-only"):
        write_text(path, "new")
    assert path.read_text() == "old"


@posix_only
def test_a_file_that_another_process_removes_while_it_is_looked_at_is_not_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    look = os.access

    def removed_first(looked_at: str | Path, mode: int) -> bool:
        Path(looked_at).unlink(missing_ok=True)
        return look(looked_at, mode)

    monkeypatch.setattr(os, "access", removed_first)
    writes: list[Callable[[], object]] = [
        lambda: check_writable_file(path, force=True),
        lambda: check_writable_folder(tmp_path, path.name),
        lambda: write_text(path, "new"),
    ]
    for write in writes:
        path.write_text("old")
        write()
    assert path.read_text() == "new"


@posix_only
@pytest.mark.parametrize(
    "name",
    ["x" * 255, "я" * 127, "-o", "--help", ".hidden", "a b\nc"],
    ids=["255 bytes", "254 bytes", "a dash", "an option", "hidden", "a line break"],
)
def test_every_name_that_a_disk_can_hold_is_written(tmp_path: Path, name: str) -> None:
    check_writable_file(tmp_path / name)
    write_text(tmp_path / name, "new")
    assert names_in(tmp_path) == [name]


@posix_only
def test_a_name_that_is_too_long_is_reported_before_the_work(tmp_path: Path) -> None:
    for place in (tmp_path / ("x" * 256), tmp_path / "new" / ("x" * 256), Path("/proc/1/x/y")):
        with pytest.raises(FairvecError):
            check_writable_file(place)
    assert not [*tmp_path.iterdir()]


@posix_only
@pytest.mark.parametrize("refuse", [check_writable_file, check_writable_folder])
def test_folders_without_end_are_no_place(refuse: Callable[[Path], None], tmp_path: Path) -> None:
    refuse(tmp_path / ("a/" * 90) / "b")
    with pytest.raises(SettingError, match=r"too many new folders in one another.*another place"):
        refuse(tmp_path / ("a/" * 1900) / "b")
    assert not [*tmp_path.iterdir()]


@posix_only
def test_a_place_that_can_be_had_is_left_as_it_was(tmp_path: Path) -> None:
    check_writable_file(tmp_path / "deep" / "deeper" / "file")
    assert not [*tmp_path.iterdir()]


@posix_only
def test_another_disk_behind_a_link_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft, path = tmp_path / "draft", tmp_path / "file"
    draft.write_text("new")
    path.write_text("old")
    path.chmod(0o600)
    renamed = Path.replace

    def across(self: Path, target: Path) -> Path:
        if self == draft:
            raise OSError(18, "Invalid cross-device link")
        return renamed(self, target)

    monkeypatch.setattr(Path, "replace", across)
    move_into_place(draft, path)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)


@posix_only
def test_an_error_in_the_block_changes_nothing_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")

    def interrupted() -> None:
        with atomic_path(tmp_path / "link") as draft:
            draft.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (tmp_path / "real").read_text() == "old"
    assert names_in(tmp_path) == ["link", "real"]


@posix_only
def test_folders_are_had_before_the_work(tmp_path: Path) -> None:
    check_writable_folder(tmp_path / "new", "a.txt")
    assert not [*tmp_path.iterdir()]
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.txt").touch()
    (tmp_path / "new" / "other").touch()
    check_writable_folder(tmp_path / "new", "a.txt")
    with pytest.raises(SettingError, match=r"a\.txt exists already.*--force"):
        check_writable_folder(tmp_path / "new", "a.txt", force=False)
    for place in (tmp_path / "new" / "other", tmp_path / "dangling"):
        if place.name == "dangling":
            place.symlink_to("nowhere")
        with pytest.raises(SettingError, match="a folder is needed"):
            check_writable_folder(place)


@posix_only
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "FIFO"])
def test_what_has_no_end_is_not_read(tmp_path: Path, device: str) -> None:
    path = Path(device)
    if device == "FIFO":
        path = tmp_path / "fifo"
        os.mkfifo(path)
    with pytest.raises(FileFormatError, match=r"only plain files are read|may never have a writer"):
        read_text(path, "suite", FileFormatError)

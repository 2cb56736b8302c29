"""Fetching by address: concurrent processes, checks, replaced files."""

import errno
import fcntl
import gzip
import hashlib
import io
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.catalogue import is_local, local_path, verified_model_path
from fairvec.catalogue.cache import one_writer
from fairvec.catalogue.download import Transfer
from fairvec.core.errors import DownloadError
from fairvec.embedding import shape_of
from tests.catalogue.conftest import Add, Site

# --- urls ---


BODY = b"2 3\nking 1 2 3\nqueen 4 5 6\n" * 20_000


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return file.getvalue()


def test_a_model_is_fetched_once(site: Site, add: Add, home: Path) -> None:
    site.body = BODY
    checksum = hashlib.sha256(BODY).hexdigest()
    name = add(sha256=checksum, source={"kind": "url", "url": f"{site.url}/model.vec"})
    assert not is_local(name)
    path = local_path(name)
    assert path == home / "models" / "mine" / "model.vec"
    assert path.read_bytes() == BODY
    assert is_local(name)
    assert local_path(name) == path
    assert len(site.asked) == 1


def test_a_broken_download_goes_on_at_the_next_call(site: Site, add: Add) -> None:
    site.body, site.breaks_after = BODY, [300_000, 0]
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    with pytest.raises(DownloadError, match="broke off; fetch again to go on where it stopped"):
        local_path(name)
    assert not is_local(name)
    assert local_path(name).read_bytes() == BODY
    assert site.asked[-1] is not None


def test_a_wrong_checksum_is_refused_and_both_are_named(site: Site, add: Add, home: Path) -> None:
    site.body = BODY
    name = add(sha256="0" * 64, source={"kind": "url", "url": f"{site.url}/model.vec"})
    with pytest.raises(DownloadError) as caught:
        local_path(name)
    assert f"{hashlib.sha256(BODY).hexdigest()} instead of {'0' * 64}" in str(caught.value)
    assert list((home / "models" / "mine").iterdir()) == []


@pytest.mark.parametrize(("status", "words"), [(404, "404 Not Found"), (500, "500 ")])
def test_a_refusal_names_the_place_for_a_copy(
    site: Site, add: Add, home: Path, status: int, words: str
) -> None:
    site.status = status
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    with pytest.raises(DownloadError, match=words) as caught:
        local_path(name)
    assert str(home / "models" / "mine" / "model.vec") in str(caught.value)


def test_an_unreachable_server_is_reported(add: Add) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    name = add(source={"kind": "url", "url": f"http://127.0.0.1:{port}/model.vec"})
    with pytest.raises(DownloadError, match="cannot be reached; check the connection"):
        local_path(name)


@pytest.mark.parametrize(
    ("code", "words"), [(errno.ENOSPC, "is full; make room"), (errno.EACCES, "cannot be written")]
)
def test_trouble_with_the_disk_is_reported(
    site: Site, add: Add, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    def fail(self: Transfer, url: str, target: Path) -> None:
        raise OSError(code, "trouble")

    monkeypatch.setattr(Transfer, "fetch", fail)
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    with pytest.raises(DownloadError, match=f"{words}.*FAIRVEC_HOME"):
        local_path(name)


def test_a_member_and_its_side_files_are_unpacked(site: Site, add: Add) -> None:
    site.body = zipped(
        README=b"x", model_model=b"main", model_model_vectors_npy=b"side", model_modelling=b"x"
    )
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.model"})
    path = local_path(name)
    kept = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert kept == {"model.model": b"main", "model.model.vectors.npy": b"side"}


def test_an_archive_put_there_by_hand_is_used(site: Site, add: Add, home: Path) -> None:
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "7.zip").write_bytes(zipped(model_bin=b"by hand"))
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    assert local_path(name).read_bytes() == b"by hand"
    assert site.asked == []


@pytest.mark.parametrize("body", [b"<html>not here</html>", zipped(README=b"x")])
def test_an_archive_without_the_model_is_refused(site: Site, add: Add, body: bytes) -> None:
    site.body = body
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    with pytest.raises(DownloadError, match=r"7\.zip is not the zip archive"):
        local_path(name)
    assert not is_local(name)
    site.body = zipped(model_bin=b"right")
    assert local_path(name).read_bytes() == b"right"


def test_a_damaged_member_leaves_nothing(site: Site, add: Add, home: Path) -> None:
    whole = bytearray(zipped(model_bin=BODY))
    whole[100] ^= 0xFF
    site.body = bytes(whole)
    name = add(source={"kind": "url", "url": f"{site.url}/7.zip", "member": "model.bin"})
    with pytest.raises(DownloadError):
        local_path(name)
    assert list((home / "models" / "mine").iterdir()) == []


# --- Whoever fetches one thing at once: one process writes, the others wait for what it wrote ---


BODY_CONCURRENT = b"20000 3\n" + b"".join(b"word%d 1 2 3\n" % number for number in range(20_000))
GET = [sys.executable, "-c", "from fairvec.cli import main; main()", "models", "get", "mine"]

Start = Callable[[str], tuple[subprocess.Popen[bytes], Path]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts 'fairvec models get mine', and the file of what it says."""
    begun: list[subprocess.Popen[bytes]] = []

    def process(name: str) -> tuple[subprocess.Popen[bytes], Path]:
        log = tmp_path / f"{name}.err"
        with log.open("wb") as file:
            begun.append(subprocess.Popen(GET, stdout=subprocess.PIPE, stderr=file))
        return begun[-1], log

    yield process
    for one in begun:
        one.kill()
        one.wait()
        if one.stdout:
            one.stdout.close()


def until(true: Callable[[], bool]) -> None:
    """Wait for something that comes in its own time."""
    while not true():
        time.sleep(0.02)


@pytest.mark.parametrize("checksum", [True, False])
def test_the_second_process_waits_and_finds_what_the_first_wrote(
    site: Site, add: Add, home: Path, start: Start, checksum: bool
) -> None:
    site.body, site.holds_after = BODY_CONCURRENT, 1000
    known = {"sha256": hashlib.sha256(BODY_CONCURRENT).hexdigest()} if checksum else {}
    add(source={"kind": "url", "url": f"{site.url}/model.vec"}, **known)
    first, _ = start("first")
    until(lambda: len(site.asked) == 1)
    second, log = start("second")
    until(lambda: len(site.asked) > 1 or "another process" in log.read_text(encoding="utf-8"))
    site.go_on.set()
    for process in (first, second):
        out, _ = process.communicate()
        assert process.returncode == 0
        assert out.decode().strip() == str(home / "models" / "mine" / "model.vec")
    assert (home / "models" / "mine" / "model.vec").read_bytes() == BODY_CONCURRENT
    assert len(site.asked) == 1


def test_a_process_that_died_blocks_nobody(site: Site, add: Add, home: Path, start: Start) -> None:
    site.body, site.holds_after = BODY_CONCURRENT, 200_000
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    first, _ = start("first")
    part = home / "models" / "mine" / "model.vec.part"
    until(lambda: part.exists() and part.stat().st_size > 0)
    first.kill()
    first.wait()
    site.holds_after = None
    assert local_path(name).read_bytes() == BODY_CONCURRENT


def test_when_the_first_fails_the_second_fetches(
    site: Site, add: Add, start: Start, home: Path
) -> None:
    site.body, site.holds_after, site.breaks_after = BODY_CONCURRENT, 0, [0]
    add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    first, _ = start("first")
    until(lambda: len(site.asked) == 1)
    second, log = start("second")
    until(lambda: len(site.asked) > 1 or "another process" in log.read_text(encoding="utf-8"))
    site.go_on.set()
    first.communicate()
    second.communicate()
    assert (first.returncode, second.returncode) == (2, 0)
    assert (home / "models" / "mine" / "model.vec").read_bytes() == BODY_CONCURRENT


@pytest.mark.parametrize("many", [2, 3, 8])
def test_many_threads_ask_the_server_once(site: Site, add: Add, many: int) -> None:
    site.body = BODY_CONCURRENT
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    with ThreadPoolExecutor(many) as pool:
        paths = list(pool.map(lambda _: local_path(name), range(many)))
    assert {path.read_bytes() for path in paths} == {BODY_CONCURRENT}
    assert len(site.asked) == 1
    assert list(paths[0].parent.iterdir()) == [paths[0]]


def test_what_is_here_needs_no_lock(site: Site, add: Add, home: Path) -> None:
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    path = home / "models" / "mine" / "model.vec"
    path.parent.mkdir(parents=True)
    path.write_bytes(BODY_CONCURRENT)
    with one_writer(path.parent):
        assert is_local(name)
        assert local_path(name) == path


def test_a_place_that_cannot_be_locked_is_reported(tmp_path: Path) -> None:
    (tmp_path / "models").write_bytes(b"a file where a folder should be")
    place = one_writer(tmp_path / "models" / "mine")
    with pytest.raises(DownloadError, match=r"cannot be written .*FAIRVEC_HOME"), place:
        pass  # entering is what fails


def test_a_disk_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refused)
    place = one_writer(tmp_path / "models" / "mine")
    with pytest.raises(DownloadError, match=r"No locks available.*FAIRVEC_HOME"), place:
        pass  # two processes could spoil one download


# --- What was fetched is looked at before it takes its place, and a bad file is replaced ---


PAGE = b"<!DOCTYPE html><html><body>Please log in</body></html>"


def glove(words: int, dimensions: int = 3) -> bytes:
    """GloVe's text, which has no header and so does not know its own length."""
    return b"".join(b"word%d%b\n" % (word, b" 0.5" * dimensions) for word in range(words))


def word2vec(words: int, dimensions: int = 3) -> bytes:
    return b"%d %d\n" % (words, dimensions) + glove(words, dimensions)


def binary(words: int, dimensions: int = 3) -> bytes:
    row = np.ones(dimensions, "<f4").tobytes()
    head = b"%d %d\n" % (words, dimensions)
    return head + b"".join(b"word%d %b\n" % (word, row) for word in range(words))


def zipped_verify(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.txt", content)
    return file.getvalue()


def fetched(name: str) -> Path:
    return local_path(name, shape_of=shape_of)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.txt", glove(40)),
        ("model.vec", word2vec(40)),
        ("model.bin", binary(40)),
        ("model.vec.gz", gzip.compress(word2vec(40))),
    ],
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True))
def test_a_file_cut_anywhere_never_takes_its_place(
    site: Site, add: Add, home: Path, file: str, content: bytes, where: float
) -> None:
    (home / "models.toml").unlink(missing_ok=True)
    name = add(words=40, source={"kind": "url", "url": f"{site.url}/{file}"})
    site.body, site.announces_length = content[: int(where * (len(content) - 5))], False
    with pytest.raises(DownloadError, match=r"^mine: .* was not kept"):
        fetched(name)
    assert not is_local(name)
    site.body = content
    assert fetched(name).read_bytes() == content
    (home / "models" / "mine" / file).unlink()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    promised=st.tuples(st.integers(1, 6), st.integers(2, 4)),
    came=st.tuples(st.integers(1, 6), st.integers(2, 4)),
    packed=st.booleans(),
)
def test_only_the_promised_shape_is_kept(
    site: Site,
    add: Add,
    home: Path,
    promised: tuple[int, int],
    came: tuple[int, int],
    packed: bool,
) -> None:
    (home / "models.toml").unlink(missing_ok=True)
    url = {"kind": "url", "url": f"{site.url}/model.zip" if packed else f"{site.url}/model.txt"}
    source = url | ({"member": "model.txt"} if packed else {})
    name = add(words=promised[0], dimensions=promised[1], source=source)
    site.body = zipped_verify(glove(*came)) if packed else glove(*came)
    if promised == came:
        fetched(name).unlink()
    else:
        with pytest.raises(DownloadError, match=f"{came[0]} x {came[1]}.* was not kept"):
            fetched(name)
    assert list((home / "models" / "mine").iterdir()) == []


def test_words_that_are_not_known_are_not_compared(site: Site, add: Add) -> None:
    site.body = glove(7)
    name = add(source={"kind": "url", "url": f"{site.url}/model.txt"})
    assert fetched(name).read_bytes() == glove(7)


@pytest.mark.parametrize("body", [PAGE, b"", b"\n"])
@pytest.mark.parametrize("file", ["model.txt", "model.vec", "model.bin", "model.vec.gz"])
def test_a_page_or_nothing_is_not_a_model(site: Site, add: Add, file: str, body: bytes) -> None:
    site.body = body
    name = add(source={"kind": "url", "url": f"{site.url}/{file}"})
    with pytest.raises(DownloadError, match="was not kept"):
        fetched(name)
    assert not is_local(name)


@pytest.mark.parametrize("body", [PAGE, b""])
def test_a_page_or_nothing_is_refused_even_unopened(site: Site, add: Add, body: bytes) -> None:
    site.body, site.content_type = body, "text/html; charset=utf-8" if body else None
    name = add(source={"kind": "url", "url": f"{site.url}/model.txt"})
    with pytest.raises(DownloadError, match="a web page" if body else "it is empty"):
        local_path(name)
    assert not is_local(name)


def test_a_checksum_is_believed_over_the_servers_label(site: Site, add: Add) -> None:
    site.body, site.content_type = glove(4), "text/html"
    checksum = hashlib.sha256(glove(4)).hexdigest()
    name = add(sha256=checksum, source={"kind": "url", "url": f"{site.url}/model.txt"})
    assert fetched(name).read_bytes() == glove(4)


def test_another_size_is_refused(site: Site, add: Add) -> None:
    site.body = glove(4)
    name = add(size=len(glove(4)) + 1, source={"kind": "url", "url": f"{site.url}/model.txt"})
    with pytest.raises(DownloadError, match=f"{len(glove(4))} bytes instead of"):
        local_path(name)
    assert not is_local(name)


@pytest.mark.parametrize("checksum", [True, False])
@pytest.mark.parametrize("bad", [PAGE, b"", glove(3), word2vec(9)[:-20]])
def test_get_replaces_a_bad_file(
    site: Site, add: Add, home: Path, bad: bytes, checksum: bool
) -> None:
    known = {"sha256": hashlib.sha256(glove(9)).hexdigest()} if checksum else {}
    name = add(words=9, source={"kind": "url", "url": f"{site.url}/model.txt"}, **known)
    path = home / "models" / "mine" / "model.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(bad)
    site.body = glove(9)
    reports: list[str] = []
    assert verified_model_path(name, shape_of=shape_of, tell=reports.append) == path
    assert path.read_bytes() == glove(9)
    assert len(reports) == 1
    assert verified_model_path(name, shape_of=shape_of, tell=reports.append) == path
    assert (len(reports), len(site.asked)) == (1, 1)


def test_a_bad_file_stays_while_no_better_one_comes(site: Site, add: Add, home: Path) -> None:
    name = add(words=9, source={"kind": "url", "url": f"{site.url}/model.txt"})
    path = home / "models" / "mine" / "model.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(glove(3))
    site.status = 500
    with pytest.raises(DownloadError, match="500"):
        verified_model_path(name, shape_of=shape_of)
    assert path.read_bytes() == glove(3)


def test_a_file_that_there_is_no_room_to_open_is_kept(site: Site, add: Add) -> None:
    site.body = glove(4)
    name = add(source={"kind": "url", "url": f"{site.url}/model.txt"})
    assert local_path(name, shape_of=lambda path: None).read_bytes() == glove(4)

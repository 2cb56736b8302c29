"""Whoever fetches one thing at once: one process writes, the others wait for what it wrote."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairvec.catalogue import is_local, local_path
from fairvec.catalogue.cache import one_writer
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add, Site

BODY = b"20000 3\n" + b"".join(b"word%d 1 2 3\n" % number for number in range(20_000))
GET = [sys.executable, "-c", "from fairvec.cli import main; main()", "models", "get", "mine"]

Start = Callable[[str], tuple[subprocess.Popen[bytes], Path]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts 'fairvec models get mine', and the file of what it says."""
    begun: list[subprocess.Popen[bytes]] = []

    def process(name: str) -> tuple[subprocess.Popen[bytes], Path]:
        said = tmp_path / f"{name}.err"
        with said.open("wb") as file:
            begun.append(subprocess.Popen(GET, stdout=subprocess.PIPE, stderr=file))
        return begun[-1], said

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
    site.body, site.holds_after = BODY, 1000
    known = {"sha256": hashlib.sha256(BODY).hexdigest()} if checksum else {}
    add(source={"kind": "url", "url": f"{site.url}/model.vec"}, **known)
    first, _ = start("first")
    until(lambda: len(site.asked) == 1)
    second, said = start("second")
    until(lambda: len(site.asked) > 1 or "another process" in said.read_text(encoding="utf-8"))
    site.go_on.set()
    for process in (first, second):
        out, _ = process.communicate()
        assert process.returncode == 0
        assert out.decode().strip() == str(home / "models" / "mine" / "model.vec")
    assert (home / "models" / "mine" / "model.vec").read_bytes() == BODY
    assert len(site.asked) == 1


def test_a_process_that_died_blocks_nobody(site: Site, add: Add, home: Path, start: Start) -> None:
    site.body, site.holds_after = BODY, 200_000
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    first, _ = start("first")
    part = home / "models" / "mine" / "model.vec.part"
    until(lambda: part.exists() and part.stat().st_size > 0)
    first.kill()
    first.wait()
    site.holds_after = None
    assert local_path(name).read_bytes() == BODY


def test_when_the_first_fails_the_second_fetches(
    site: Site, add: Add, start: Start, home: Path
) -> None:
    site.body, site.holds_after, site.breaks_after = BODY, 0, [0]
    add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    first, _ = start("first")
    until(lambda: len(site.asked) == 1)
    second, said = start("second")
    until(lambda: len(site.asked) > 1 or "another process" in said.read_text(encoding="utf-8"))
    site.go_on.set()
    first.communicate()
    second.communicate()
    assert (first.returncode, second.returncode) == (2, 0)
    assert (home / "models" / "mine" / "model.vec").read_bytes() == BODY


@pytest.mark.parametrize("many", [2, 3, 8])
def test_many_threads_ask_the_server_once(site: Site, add: Add, many: int) -> None:
    site.body = BODY
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    with ThreadPoolExecutor(many) as pool:
        paths = list(pool.map(lambda _: local_path(name), range(many)))
    assert {path.read_bytes() for path in paths} == {BODY}
    assert len(site.asked) == 1
    assert list(paths[0].parent.iterdir()) == [paths[0]]


def test_what_is_here_needs_no_lock(site: Site, add: Add, home: Path) -> None:
    name = add(source={"kind": "url", "url": f"{site.url}/model.vec"})
    path = home / "models" / "mine" / "model.vec"
    path.parent.mkdir(parents=True)
    path.write_bytes(BODY)
    with one_writer(path.parent):
        assert is_local(name)
        assert local_path(name) == path


def test_a_place_that_cannot_be_locked_is_said(tmp_path: Path) -> None:
    (tmp_path / "models").write_bytes(b"a file where a folder should be")
    place = one_writer(tmp_path / "models" / "mine")
    with pytest.raises(DownloadError, match=r"cannot be written .*FAIRVEC_HOME"), place:
        pass  # entering is what fails

"""What was fetched is looked at before it takes its place, and a bad file is replaced."""

import gzip
import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.catalogue import is_local, local_path, verified_model_path
from fairvec.core.errors import DownloadError
from fairvec.embedding import shape_of
from tests.catalogue.conftest import Add, Site

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


def zipped(content: bytes) -> bytes:
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
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
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
    site.body = zipped(glove(*came)) if packed else glove(*came)
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
    told: list[str] = []
    assert verified_model_path(name, shape_of=shape_of, tell=told.append) == path
    assert path.read_bytes() == glove(9)
    assert len(told) == 1
    assert verified_model_path(name, shape_of=shape_of, tell=told.append) == path
    assert (len(told), len(site.asked)) == (1, 1)


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

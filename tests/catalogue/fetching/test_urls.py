import errno
import hashlib
import io
import socket
import zipfile
from pathlib import Path

import pytest

from fairvec.catalogue import is_local, local_path
from fairvec.catalogue.download import Resuming
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add, Site

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


def test_an_unreachable_server_is_said(add: Add) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    name = add(source={"kind": "url", "url": f"http://127.0.0.1:{port}/model.vec"})
    with pytest.raises(DownloadError, match="cannot be reached; check the connection"):
        local_path(name)


@pytest.mark.parametrize(
    ("code", "words"), [(errno.ENOSPC, "is full; make room"), (errno.EACCES, "cannot be written")]
)
def test_trouble_with_the_disk_is_said(
    site: Site, add: Add, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    def fail(self: Resuming, url: str, output_file: str, pooch: object) -> None:
        raise OSError(code, "trouble")

    monkeypatch.setattr(Resuming, "__call__", fail)
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

"""Where a server sends on to, what it may know, and what is said of it."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from fairvec.catalogue import local_path
from fairvec.catalogue.fetching import answers
from fairvec.ground.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, sends, to
from tests.catalogue.fetching.raw_server import Asked, head, honest, serving

pytestmark = pytest.mark.usefixtures("no_patience")


@pytest.mark.parametrize("proven", [True, False])
def test_only_a_proven_file_may_leave_a_secure_line(proven: bool) -> None:
    step: Callable[..., str] = answers._next
    there = "http://b.example/x"
    if proven:
        assert step("https://a.example/x", there, only_secure=not proven) == there
    else:
        with pytest.raises(answers.RefusedError, match="from https to http"):
            step("https://a.example/x", there, only_secure=not proven)
    assert step("http://a.example/x", there, only_secure=not proven) == there


def test_another_host_gets_no_password(add: Add, home: Path) -> None:
    def other(asked: Asked) -> None:
        assert "authorization" not in asked.head.lower()
        honest(asked, BODY)

    with serving(other) as elsewhere:
        there = elsewhere.url.replace("127.0.0.1", "localhost")
        with serving(to(f"{there}/model.bin")) as server:
            secret = server.url.replace("http://", "http://ann:pass-word@")
            name = add(source={"kind": "url", "url": f"{secret}/model.bin"})
            assert local_path(name).read_bytes() == BODY
            assert "authorization: basic" in server.heads[0].lower()
        assert "authorization" not in elsewhere.heads[0].lower()


def test_a_password_is_never_said_nor_kept(add: Add, home: Path) -> None:
    with serving(lambda asked: honest(asked, BODY, most=3000 * (asked.number == 0))) as server:
        secret = server.url.replace("http://", "http://ann:pass-word@")
        name = add(source={"kind": "url", "url": f"{secret}/model.bin"})
        with pytest.raises(DownloadError) as caught:
            local_path(name)
    assert f"from {server.url}/model.bin" in str(caught.value)
    assert "pass-word" not in str(caught.value)
    kept = [file for file in (home / "models" / "mine").rglob("*") if file.is_file()]
    assert len(kept) == 2
    assert not any(b"pass-word" in file.read_bytes() for file in kept)


def test_a_compressed_file_that_says_so_comes_as_it_is(add: Add, home: Path) -> None:
    packed = gzip.compress(BODY)
    with serving(sends(head(Content_Encoding="x-gzip"), packed)) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin.gz?download=1"})
        assert local_path(name).read_bytes() == packed

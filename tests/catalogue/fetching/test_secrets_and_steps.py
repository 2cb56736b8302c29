"""Where a server sends on to, what it may know, and what is said of it."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from fairvec.catalogue import download as answers
from fairvec.catalogue import local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, PROVEN, sends, to
from tests.catalogue.fetching.raw_server import Asked, head, honest, serving

pytestmark = pytest.mark.usefixtures("no_patience")


@pytest.mark.parametrize("proven", [True, False])
def test_only_a_proven_file_may_leave_a_secure_line(proven: bool) -> None:
    step: Callable[..., str] = answers._redirect_target
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


def test_the_same_host_is_told_again_who_asks(add: Add, home: Path) -> None:
    """A server that wants a password may send on to a whole address of its own."""

    def answer(asked: Asked) -> None:
        if asked.path == "/model.bin":
            host = asked.head.lower().partition("host: ")[2].split()[0]
            return to(f"http://{host}/there.bin")(asked)
        return honest(asked, BODY)

    with serving(answer) as server:
        secret = server.url.replace("http://", "http://ann:pass-word@")
        name = add(source={"kind": "url", "url": f"{secret}/model.bin"})
        assert local_path(name).read_bytes() == BODY
        assert ["authorization: basic" in head.lower() for head in server.heads] == [True, True]


@pytest.mark.parametrize(
    ("url", "there", "to_ask"),
    [
        ("http://u:p@a.example/x", "/y", "http://u:p@a.example/y"),
        ("http://u:p@a.example/x", "http://a.example:80/y", "http://u:p@a.example:80/y"),
        ("http://u:p@a.example/x", "http://a.example:81/y", "http://a.example:81/y"),
        ("http://u:p@a.example/x", "https://a.example/y", "https://a.example/y"),
        ("http://u:p@a.example/x", "//b.example/y", "http://b.example/y"),
        ("http://a.example/x", "http://b.example:@c.example/y", "http://c.example/y"),
        ("http://u:p@a.example/x", "http://v:q@a.example/y", "http://u:p@a.example/y"),
    ],
    ids=range(7),
)
def test_a_server_has_no_say_in_who_asks(url: str, there: str, to_ask: str) -> None:
    assert answers._redirect_target(url, there, only_secure=True) == to_ask


def test_a_file_of_passwords_is_for_its_hosts_and_for_secure_lines(
    add: Add, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = tmp_path / "passwords"
    secrets.write_text("machine 127.0.0.1 login ann password pass-word\n")
    secrets.chmod(0o600)
    monkeypatch.setenv("NETRC", str(secrets))
    with serving(lambda asked: honest(asked, BODY)) as elsewhere:
        there = elsewhere.url.replace("127.0.0.1", "127.0.0.1:@localhost")
        with serving(to(f"{there}/model.bin")) as server:
            name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
            assert local_path(name).read_bytes() == BODY
            assert "authorization: basic" in server.heads[0].lower()
        assert "authorization" not in elsewhere.heads[0].lower()
        monkeypatch.setattr(answers, "_is_unsafe", lambda url, to: True)
        (home / "models.toml").unlink()
        with serving(to(f"{elsewhere.url}/model.bin")) as server:
            # As of a step from https to http, which only a file with a checksum may take.
            name = add(**PROVEN, source={"kind": "url", "url": f"{server.url}/model2.bin"})
            assert local_path(name).read_bytes() == BODY
        assert "authorization" not in elsewhere.heads[1].lower()


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "socks5://127.0.0.1:1"])
def test_a_proxy_that_cannot_be_used_is_named(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, proxy)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    name = add(source={"kind": "url", "url": "http://a.example/model.bin"})
    with pytest.raises(DownloadError, match="the proxy cannot be used; check http_proxy"):
        local_path(name)


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

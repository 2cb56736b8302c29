"""Downloads from servers that fail, break off or lie."""

import gzip
import struct
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from fairvec.catalogue import download as answers
from fairvec.catalogue import download as transfer
from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.servers import (
    BODY,
    PROVEN,
    Answer,
    Request,
    head,
    honest,
    outcome,
    sends,
    serving,
    to,
)

# --- Whatever a server does: the right file, or one sentence, and what is good already stays ---


pytestmark = pytest.mark.usefixtures("no_patience")


def ranges_ignored(request: Request) -> None:
    request.send(
        head(Content_Length=str(len(BODY)), ETag="1"), BODY[: 3000 + 2000 * request.number]
    )


def other_file_in_between(request: Request) -> None:
    body, etag = (BODY[::-1], '"0"') if request.number == 0 else (BODY, '"1"')
    honest(request, body, most=3000 if request.number == 0 else None, etag=etag)


def pieces_of_the_rest(request: Request) -> None:
    """A server that sends a thousand bytes at a time, and says so."""
    if not request.start:
        return honest(request, BODY, most=1000)
    end = min(request.start + 1000, len(BODY))
    shown = f"bytes {request.start}-{end - 1}/{len(BODY)}"
    length = str(end - request.start)
    named = {"Content_Range": shown, "Content_Length": length, "ETag": '"1"'}
    return request.send(head("206 Partial Content", **named), BODY[request.start : end])


def nothing_more_to_send(request: Request) -> None:
    if request.start:
        return request.send(head("416 Range Not Satisfiable", Content_Length="0"))
    return honest(request, BODY, most=3000 if request.number == 0 else None)


def chunked(*pieces: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    named = head(Transfer_Encoding="chunked")
    return named + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + end


@pytest.mark.parametrize(
    "answer",
    [
        ranges_ignored,
        other_file_in_between,
        pieces_of_the_rest,
        nothing_more_to_send,
        sends(head(), BODY),
        sends(head(Content_Length="-1"), BODY),
        sends(head(Content_Length="many"), BODY),
        sends(chunked(BODY[:10], BODY[10:])),
        sends(head(Content_Length=str(len(BODY))), BODY, b"more than was said"),
        sends(head("200 \x1b[31mOK", Content_Length=str(len(BODY))), BODY),
    ],
    ids=[
        "ranges ignored",
        "another file in between",
        "pieces of the rest",
        "416",
        "no length",
        "negative length",
        "length in words",
        "chunks",
        "more than said",
        "escape in the status",
    ],
)
@pytest.mark.parametrize("proven", [True, False])
def test_the_right_file_comes(answer: Answer, add: Add, home: Path, proven: bool) -> None:
    assert outcome(answer, add, home, **(PROVEN if proven else {})) == BODY
    assert [file.name for file in (home / "models" / "mine").iterdir()] == ["model.bin"]


def endless(request: Request) -> None:
    request.send(head())
    while True:
        request.send(bytes(1000))


def endless_head(request: Request) -> None:
    request.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        request.send(b"X-More: " + b"x" * 1000 + b"\r\n")


def endless_body_of_a_redirect(request: Request) -> None:
    request.send(head("302 Found", Location="/elsewhere"))
    while True:
        request.send(bytes(1000))


def hanging(request: Request) -> None:
    request.send(head(Content_Length="10"), b"12345")
    request.line.settimeout(2)
    request.line.recv(1)


MANY = b"".join(b"X-%d: 1\r\n" % number for number in range(200))
SENTENCES: dict[str, tuple[Answer, str]] = {
    "a length too long": (sends(head(Content_Length="7000"), BODY), "broke off; fetch again"),
    "a length of forty digits": (sends(head(Content_Length="9" * 40), BODY), "broke off"),
    "broken chunks": (sends(chunked(BODY[:10], end=b"zz\r\n")), "broke off"),
    "chunks without an end": (sends(chunked(BODY, end=b"")), "broke off"),
    "an endless body": (endless, "sends more than 1,000,000 bytes"),
    "a length past all limits": (sends(head(Content_Length="9" * 15)), "999,999,999,999,999 bytes"),
    "an endless head": (endless_head, "no server of the web; check the address"),
    "many fields": (sends(b"HTTP/1.1 200 OK\r\n", MANY, b"\r\n"), "no server of the web"),
    "a field without an end": (sends(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 99_999), "no server"),
    "a secure line": (sends(b"\x15\x03\x01\x00\x02\x02\x28"), "no server of the web"),
    "no status": (sends(b"hello\r\n\r\n"), "no server of the web"),
    "closed at once": (sends(), "cannot be reached"),
    "hanging": (hanging, "broke off"),
    "nothing": (sends(head(Content_Length="0")), "it is empty"),
    "no content": (sends(head("204 No Content")), "answers 204 No Content"),
    "a part that nobody asked for": (
        sends(head("206 Partial Content", Content_Range="bytes 5-9/10"), b"56789"),
        "answers 206 Partial Content",
    ),
    "a page": (sends(head(Content_Type="Text/HTML"), b"<p>"), "a web page instead of the file"),
    "compressed": (sends(head(Content_Encoding="gzip"), gzip.compress(BODY)), "compresses the"),
    "404": (sends(head("404 Not Found")), "answers 404 Not Found; try later"),
    "403": (sends(head("403 Forbidden")), "answers 403 Forbidden; try later"),
    "429": (sends(head("429 Slow down", Retry_After="90")), "429 Slow down; try again in 90 sec"),
    "503": (sends(head("503 Busy", Retry_After="soon")), "answers 503 Busy; try later"),
    "500 with an escape": (sends(head("500 \x1b]0;x\x07\x9b1m")), "answers 500 ]0;x 1m; try later"),
    "a reason of 60,000 letters": (sends(head("500 " + "x" * 60_000)), "x; try later"),
    "a loop": (to("/again"), "sends on more than 10 times"),
    "to a file": (to("file:///etc/passwd"), "an address that is not on the web"),
    "to ftp": (to("ftp://127.0.0.1/x"), "an address that is not on the web"),
    "to no port": (to("http://127.0.0.1:99999/"), "an address that is not on the web"),
    "to no address": (to("http://127.0]0.1/"), "an address that is not on the web"),
    "an endless body of a redirect": (endless_body_of_a_redirect, "sends on more than 10 times"),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_what_cannot_be_the_file_is_one_sentence(
    case: str, add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MOST", 1_000_000)
    answer, words = SENTENCES[case]
    message = outcome(answer, add, home)
    assert isinstance(message, str)
    assert words in message
    assert len(message) < 600
    assert message.isprintable()
    left = {file.name for file in (home / "models" / "mine").iterdir()}
    assert left <= {"model.bin.part", "model.bin.part.about"}
    if case == "an endless body":
        # What has no end would fill the disk, and nobody would come back for it.
        assert (home / "models" / "mine" / "model.bin.part").stat().st_size == 0


@pytest.mark.parametrize("case", SENTENCES)
def test_a_bad_answer_costs_nothing_that_came_before(
    case: str, add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part is as long as it was, or longer, and a good server goes on from it."""
    monkeypatch.setattr(transfer, "MOST", 1_000_000)
    bad, _ = SENTENCES[case]
    part = home / "models" / "mine" / "model.bin.part"
    does: list[Answer] = [lambda request: honest(request, BODY, most=3000 * (request.number == 0))]
    with serving(lambda asked: does[-1](asked)) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError):
            local_path(name)
        assert part.read_bytes() == BODY[:3000]
        does.append(bad)
        with pytest.raises(DownloadError):
            local_path(name)
        assert case in REPLACING or part.read_bytes() == BODY[:3000]
        does.append(lambda request: honest(request, BODY))
        assert local_path(name).read_bytes() == BODY


REPLACING = {
    "a length too long",
    "a length of forty digits",
    "broken chunks",
    "chunks without an end",
    "an endless body",
    "hanging",
    "nothing",
}
"""Those which look like a new version of the file, so that the old one is of no use."""


# --- Lines that break: not one byte that came is lost, and none of another file is kept ---


def test_a_line_that_breaks_after_some_bytes_each_time_brings_the_file(
    add: Add, home: Path
) -> None:
    """Not one byte that came is asked for twice."""
    starts: list[int] = []

    def answer(request: Request) -> None:
        starts.append(request.start)
        honest(request, BODY, most=1 + 97 * (request.number % 3))

    assert outcome(answer, add, home) == BODY
    gained = [1 + 97 * (number % 3) for number in range(len(starts) - 1)]
    assert starts == [sum(gained[:number]) for number in range(len(starts))]


@pytest.mark.parametrize("after", [0, 1, 2, 511, 512, 4096, 6006])
@pytest.mark.parametrize("reset", [False, True])
def test_a_break_anywhere_is_gone_on_from(add: Add, home: Path, after: int, reset: bool) -> None:
    part = home / "models" / "mine" / "model.bin.part"

    def breaking(request: Request) -> None:
        honest(request, BODY, most=after if request.number == 0 else 0)
        if reset:
            # The line is cut and not closed, so that what was not read yet may be lost.
            linger = struct.pack("ii", 1, 0)
            request.line.setsockopt(1, 13, linger)

    with serving(breaking) as server:
        name = add(**PROVEN, source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match=r"fetch again|check the connection"):
            local_path(name)
    have = part.stat().st_size if part.exists() else 0
    assert have <= after if reset else have == after
    assert outcome(lambda request: honest(request, BODY), add, home, **PROVEN) == BODY


def test_a_server_that_ignores_ranges_still_gets_further(add: Add, home: Path) -> None:
    """What came before is compared with what comes again, and what is longer stays."""
    part = home / "models" / "mine" / "model.bin.part"
    lengths = iter([3000, 100, 100, 4000, 100, 100, 6007])
    sizes: list[int] = []

    def answer(request: Request) -> None:
        request.send(head(Content_Length=str(len(BODY)), ETag="1"), BODY[: next(lengths)])

    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        while not is_local(name):
            try:
                assert local_path(name).read_bytes() == BODY
            except DownloadError:
                sizes.append(part.stat().st_size)
    assert sizes == sorted(sizes)
    assert sizes[-1] == 4000


@pytest.mark.parametrize("etag", [None, 'W/"1"'], ids=["none", "weak"])
def test_without_version_and_checksum_no_part_is_patched(
    add: Add, home: Path, etag: str | None
) -> None:
    """A file of the same length that changed in between is seen byte by byte.

    A weak version only says that two files mean the same, not that their bytes are the same.
    """
    old, new = BODY, BODY[::-1]

    def answer(request: Request) -> None:
        first = request.number == 0
        honest(request, old if first else new, most=3000 if first else None, etag=etag)

    assert outcome(answer, add, home) == new


def test_a_version_that_lies_is_seen_where_bytes_differ(add: Add, home: Path) -> None:
    """What lay behind the first other byte belongs to another file, whatever the server says."""
    new = BODY[::-1]

    def answer(request: Request) -> None:
        if request.number == 0:
            honest(request, BODY, most=3000)
        elif request.number == 1:
            request.send(head(Content_Length=str(len(new)), ETag='"1"'), new[:100])
        else:
            honest(request, new)

    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match="fetch again to go on"):
            local_path(name)
        assert (home / "models" / "mine" / "model.bin.part").read_bytes() == new[:100]
        assert local_path(name).read_bytes() == new


def test_a_net_that_wants_a_login_costs_nothing_that_came(add: Add, home: Path) -> None:
    """It sends its page for every file, also for one whose checksum would tell in the end."""

    def answer(request: Request) -> None:
        if request.number == 1:
            request.send(head(Content_Type="text/html; charset=utf-8"), b"<p>Please log in</p>")
        else:
            honest(request, BODY, most=None if request.number else 3000)

    with serving(answer) as server:
        name = add(**PROVEN, source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match="a web page instead of the file"):
            local_path(name)
        assert (home / "models" / "mine" / "model.bin.part").read_bytes() == BODY[:3000]
        assert local_path(name).read_bytes() == BODY


def test_a_wrong_checksum_does_not_stay_in_the_way(add: Add, home: Path) -> None:
    message = outcome(lambda request: honest(request, BODY[::-1]), add, home, **PROVEN)
    assert f"instead of {PROVEN['sha256']} and was removed" in str(message)
    assert outcome(lambda request: honest(request, BODY), add, home, **PROVEN) == BODY


def test_a_line_that_brings_next_to_nothing_is_not_asked_for_ever(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MOST_BREAKS", 5)
    asked_for: list[int] = []

    def answer(request: Request) -> None:
        asked_for.append(request.start)
        honest(request, BODY, most=1)

    assert "fetch again to go on where it stopped" in str(outcome(answer, add, home))
    assert asked_for == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("proven", [True, False])
def test_whoever_interrupts_hears_what_is_kept(add: Add, home: Path, proven: bool) -> None:
    """Of a file without version and checksum nothing is gone on from, and nothing is promised."""
    have: list[int] = []

    def interrupt(done: int, _: int) -> None:
        part = home / "models" / "mine" / "model.bin.part"
        if part.exists() and (size := part.stat().st_size):
            have.append(size)
            raise KeyboardInterrupt

    with serving(lambda asked: asked.send(head(Content_Length=str(len(BODY))), BODY)) as server:
        fields = PROVEN if proven else {}
        name = add(**fields, source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(KeyboardInterrupt) as caught:
            local_path(name, progress=interrupt)
    assert have
    if proven:
        kept = f"Interrupted; {have[0]:,} bytes of mine are kept in {home / 'models' / 'mine'}: "
        assert str(caught.value).startswith(kept)
        assert "run the same command again" in str(caught.value)
    else:
        assert str(caught.value) == ""


# --- Servers that never end a file, and never quite stop sending it ---


def test_a_drip_is_given_up_and_gone_on_from(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0.2)

    def drip(request: Request) -> None:
        request.send(head(Content_Length=str(len(BODY)), ETag='"1"'))
        for place in range(len(BODY)):
            request.send(BODY[place : place + 1])
            request.line.settimeout(0.01)
            try:
                request.line.recv(1)
                return
            except TimeoutError:
                request.line.settimeout(None)

    message = outcome(drip, add, home, **PROVEN)
    assert isinstance(message, str)
    assert "sends next to nothing; go on later where it stopped" in message
    part = home / "models" / "mine" / "model.bin.part"
    assert 0 < part.stat().st_size < len(BODY)
    assert BODY.startswith(part.read_bytes())


@pytest.mark.parametrize(
    ("after", "piece"),
    [(b"0\r\n", b"X: 1\r\n" * 100), (b"0\r\n", b"x"), (b"5;", b"x")],
    ids=["trailers without an end", "a trailer that drips", "a size of a chunk that drips"],
)
def test_what_stands_around_chunks_has_an_end(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch, after: bytes, piece: bytes
) -> None:
    """Lines that each come in time, but are no part of the file, and never end."""
    monkeypatch.setattr(answers, "BEFORE_A_BLOCK", 0.3)

    def endless(request: Request) -> None:
        request.send(head(Transfer_Encoding="chunked", ETag='"1"'))
        request.send(b"%x\r\n%b\r\n" % (len(BODY), BODY), after)
        until = monotonic() + 1.5
        while monotonic() < until:
            request.send(piece)
            sleep(0.005)

    assert "sends next to nothing; go on later" in str(outcome(endless, add, home, **PROVEN))
    assert (home / "models" / "mine" / "model.bin.part").read_bytes() == BODY


def test_a_head_that_drips_is_given_up(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "BEFORE_THE_FILE", 0.3)

    def drip(request: Request) -> None:
        request.send(b"HTTP/1.1 200 OK\r\n")
        for _ in range(200):
            request.send(b"X")
            request.line.settimeout(0.01)
            try:
                request.line.recv(1)
            except TimeoutError:
                request.line.settimeout(None)

    message = outcome(drip, add, home)
    assert isinstance(message, str)
    assert "cannot be reached" in message


# --- Where a server sends on to, what it may know, and what is said of it ---


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
    def other(request: Request) -> None:
        assert "authorization" not in request.head.lower()
        honest(request, BODY)

    with serving(other) as elsewhere:
        there = elsewhere.url.replace("127.0.0.1", "localhost")
        with serving(to(f"{there}/model.bin")) as server:
            secret = server.url.replace("http://", "http://ann:pass-word@")
            name = add(source={"kind": "url", "url": f"{secret}/model.bin"})
            assert local_path(name).read_bytes() == BODY
            assert "authorization: basic" in server.heads[0].lower()
        assert "authorization" not in elsewhere.heads[0].lower()


def test_the_same_host_is_reported_again_who_asks(add: Add, home: Path) -> None:
    """A server that wants a password may send on to a whole address of its own."""

    def answer(request: Request) -> None:
        if request.path == "/model.bin":
            host = request.head.lower().partition("host: ")[2].split()[0]
            return to(f"http://{host}/there.bin")(request)
        return honest(request, BODY)

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
    with serving(lambda request: honest(request, BODY)) as elsewhere:
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
    with serving(
        lambda request: honest(request, BODY, most=3000 * (request.number == 0))
    ) as server:
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

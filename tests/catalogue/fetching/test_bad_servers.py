"""Whatever a server does: the right file, or one sentence, and what is good already stays."""

import errno
import gzip
import hashlib
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import is_local, local_path
from fairvec.catalogue.fetching import answers, transfer
from fairvec.ground.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.raw_server import Answer, Asked, head, honest, serving

BODY = random.Random(11).randbytes(6007)
PROVEN = {"sha256": hashlib.sha256(BODY).hexdigest()}


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "PAUSE", 0.0)
    monkeypatch.setattr(answers, "TIMEOUT", (2, 0.3))


def outcome(answer: Answer, add: Add, home: Path, **fields: Any) -> bytes | str:
    """Fetch one file and return it, or the one sentence of why it did not come."""
    (home / "models.toml").unlink(missing_ok=True)
    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"}, **fields)
        try:
            return local_path(name).read_bytes()
        except DownloadError as error:
            assert not is_local(name)
            said = str(error)
            assert said.startswith("mine: ")
            assert said.endswith(".")
            assert "\n" not in said
            return said


def test_a_line_that_breaks_after_some_bytes_each_time_brings_the_file(
    add: Add, home: Path
) -> None:
    """Not one byte that came is asked for twice."""
    starts: list[int] = []

    def answer(asked: Asked) -> None:
        starts.append(asked.start)
        honest(asked, BODY, most=1 + 97 * (asked.number % 3))

    assert outcome(answer, add, home) == BODY
    gained = [1 + 97 * (number % 3) for number in range(len(starts) - 1)]
    assert starts == [sum(gained[:number]) for number in range(len(starts))]


@pytest.mark.parametrize("after", [0, 1, 2, 511, 512, 4096, 6006])
@pytest.mark.parametrize("reset", [False, True])
def test_a_break_anywhere_is_gone_on_from(add: Add, home: Path, after: int, reset: bool) -> None:
    part = home / "models" / "mine" / "model.bin.part"

    def breaking(asked: Asked) -> None:
        honest(asked, BODY, most=after if asked.number == 0 else 0)
        if reset:
            # The line is cut and not closed, so that what was not read yet may be lost.
            linger = struct.pack("ii", 1, 0)
            asked.line.setsockopt(1, 13, linger)

    with serving(breaking) as server:
        name = add(**PROVEN, source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match=r"fetch again|check the connection"):
            local_path(name)
    have = part.stat().st_size if part.exists() else 0
    assert have <= after if reset else have == after
    assert outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN) == BODY


def sends(*pieces: bytes) -> Answer:
    return lambda asked: asked.send(*pieces)


def ranges_ignored(asked: Asked) -> None:
    asked.send(head(Content_Length=str(len(BODY)), ETag="1"), BODY[: 3000 + 2000 * asked.number])


def other_file_in_between(asked: Asked) -> None:
    body, etag = (BODY[::-1], '"0"') if asked.number == 0 else (BODY, '"1"')
    honest(asked, body, most=3000 if asked.number == 0 else None, etag=etag)


def pieces_of_the_rest(asked: Asked) -> None:
    """A server that sends a thousand bytes at a time, and says so."""
    if not asked.start:
        return honest(asked, BODY, most=1000)
    end = min(asked.start + 1000, len(BODY))
    told = f"bytes {asked.start}-{end - 1}/{len(BODY)}"
    length = str(end - asked.start)
    named = {"Content_Range": told, "Content_Length": length, "ETag": '"1"'}
    return asked.send(head("206 Partial Content", **named), BODY[asked.start : end])


def nothing_more_to_send(asked: Asked) -> None:
    if asked.start:
        return asked.send(head("416 Range Not Satisfiable", Content_Length="0"))
    return honest(asked, BODY, most=3000 if asked.number == 0 else None)


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


def endless(asked: Asked) -> None:
    asked.send(head())
    while True:
        asked.send(bytes(1000))


def endless_head(asked: Asked) -> None:
    asked.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        asked.send(b"X-More: " + b"x" * 1000 + b"\r\n")


def endless_body_of_a_redirect(asked: Asked) -> None:
    asked.send(head("302 Found", Location="/elsewhere"))
    while True:
        asked.send(bytes(1000))


def to(place: str, status: str = "302 Found") -> Answer:
    return sends(head(status, Location=place, Content_Length="0"))


def hanging(asked: Asked) -> None:
    asked.send(head(Content_Length="10"), b"12345")
    asked.line.settimeout(2)
    asked.line.recv(1)


MANY = b"".join(b"X-%d: 1\r\n" % number for number in range(200))
SENTENCES: dict[str, tuple[Answer, str]] = {
    "a length too long": (sends(head(Content_Length="7000"), BODY), "broke off; fetch again"),
    "a length of forty digits": (sends(head(Content_Length="9" * 40), BODY), "broke off"),
    "broken chunks": (sends(chunked(BODY[:10], end=b"zz\r\n")), "broke off"),
    "chunks without an end": (sends(chunked(BODY, end=b"")), "broke off"),
    "an endless body": (endless, "sends more than 1,000,000 bytes"),
    "a length past all limits": (sends(head(Content_Length="9" * 15)), "999,999,999,999,999 bytes"),
    "an endless head": (endless_head, "cannot be reached"),
    "many fields": (sends(b"HTTP/1.1 200 OK\r\n", MANY, b"\r\n"), "cannot be reached"),
    "a field without an end": (sends(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 99_999), "be reached"),
    "no status": (sends(b"hello\r\n\r\n"), "cannot be reached"),
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
    "to no address": (to("http://127.0]0.1/"), "an address that is not on the web"),
    "an endless body of a redirect": (endless_body_of_a_redirect, "sends on more than 10 times"),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_what_cannot_be_the_file_is_one_sentence(
    case: str, add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MOST", 1_000_000)
    answer, words = SENTENCES[case]
    said = outcome(answer, add, home)
    assert isinstance(said, str)
    assert words in said
    assert len(said) < 600
    assert said.isprintable()
    left = {file.name for file in (home / "models" / "mine").iterdir()}
    assert left <= {"model.bin.part", "model.bin.part.about"}


@pytest.mark.parametrize("case", SENTENCES)
def test_a_bad_answer_costs_nothing_that_came_before(
    case: str, add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part is as long as it was, or longer, and a good server goes on from it."""
    monkeypatch.setattr(transfer, "MOST", 1_000_000)
    bad, _ = SENTENCES[case]
    part = home / "models" / "mine" / "model.bin.part"
    does: list[Answer] = [lambda asked: honest(asked, BODY, most=3000 * (asked.number == 0))]
    with serving(lambda asked: does[-1](asked)) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError):
            local_path(name)
        assert part.read_bytes() == BODY[:3000]
        does.append(bad)
        with pytest.raises(DownloadError):
            local_path(name)
        assert case in REPLACING or part.read_bytes() == BODY[:3000]
        does.append(lambda asked: honest(asked, BODY))
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


def test_a_server_that_ignores_ranges_still_gets_further(add: Add, home: Path) -> None:
    """What came before is compared with what comes again, and what is longer stays."""
    part = home / "models" / "mine" / "model.bin.part"
    lengths = iter([3000, 100, 100, 4000, 100, 100, 6007])
    sizes: list[int] = []

    def answer(asked: Asked) -> None:
        asked.send(head(Content_Length=str(len(BODY)), ETag="1"), BODY[: next(lengths)])

    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        while not is_local(name):
            try:
                assert local_path(name).read_bytes() == BODY
            except DownloadError:
                sizes.append(part.stat().st_size)
    assert sizes == sorted(sizes)
    assert sizes[-1] == 4000


def test_without_version_and_checksum_no_part_is_patched(add: Add, home: Path) -> None:
    """A file of the same length that changed in between is seen byte by byte."""
    old, new = BODY, BODY[::-1]

    def answer(asked: Asked) -> None:
        first = asked.number == 0
        honest(asked, old if first else new, most=3000 if first else None, etag=None)

    assert outcome(answer, add, home) == new


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


def test_a_drip_is_given_up_and_gone_on_from(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0.2)

    def drip(asked: Asked) -> None:
        asked.send(head(Content_Length=str(len(BODY)), ETag='"1"'))
        for place in range(len(BODY)):
            asked.send(BODY[place : place + 1])
            asked.line.settimeout(0.01)
            try:
                asked.line.recv(1)
                return
            except TimeoutError:
                asked.line.settimeout(None)

    said = outcome(drip, add, home, **PROVEN)
    assert isinstance(said, str)
    assert "sends next to nothing; go on later where it stopped" in said
    part = home / "models" / "mine" / "model.bin.part"
    assert 0 < part.stat().st_size < len(BODY)
    assert BODY.startswith(part.read_bytes())


def test_a_head_that_drips_is_given_up(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "BEFORE_THE_FILE", 0.3)

    def drip(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\n")
        for _ in range(200):
            asked.send(b"X")
            asked.line.settimeout(0.01)
            try:
                asked.line.recv(1)
            except TimeoutError:
                asked.line.settimeout(None)

    said = outcome(drip, add, home)
    assert isinstance(said, str)
    assert "cannot be reached" in said


def test_a_wrong_checksum_does_not_stay_in_the_way(add: Add, home: Path) -> None:
    said = outcome(lambda asked: honest(asked, BODY[::-1]), add, home, **PROVEN)
    assert f"instead of {PROVEN['sha256']} and was removed" in str(said)
    assert outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN) == BODY


def test_a_disk_that_is_full_keeps_what_came(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = transfer._put
    part = home / "models" / "mine" / "model.bin.part"

    def full(file: Any, block: bytes) -> None:
        put(file, block[:2000])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfer, "_put", full)
    said = outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN)
    assert "is full; make room, or point FAIRVEC_HOME elsewhere" in str(said)
    assert BODY.startswith(part.read_bytes())
    monkeypatch.setattr(transfer, "_put", put)
    assert outcome(lambda asked: honest(asked, BODY), add, home, **PROVEN) == BODY


def test_a_line_that_brings_next_to_nothing_is_not_asked_for_ever(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "MOST_BREAKS", 5)
    asked_for: list[int] = []

    def answer(asked: Asked) -> None:
        asked_for.append(asked.start)
        honest(asked, BODY, most=1)

    assert "fetch again to go on where it stopped" in str(outcome(answer, add, home))
    assert asked_for == [0, 1, 2, 3, 4, 5]


def test_a_cache_behind_a_link_is_written_through_it(add: Add, home: Path, tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir()
    home.mkdir()
    (home / "models").symlink_to(tmp_path / "large disk")
    assert outcome(lambda asked: honest(asked, BODY), add, home) == BODY
    assert (tmp_path / "large disk" / "mine" / "model.bin").read_bytes() == BODY


@pytest.mark.parametrize("place", ["models", "models/mine", "models/mine/model.bin.part"])
def test_what_stands_where_the_cache_should_be_is_said(add: Add, home: Path, place: str) -> None:
    """A file instead of a folder, or a folder instead of a file."""
    blocked = home / place
    (blocked if blocked.suffix else blocked.parent).mkdir(parents=True, exist_ok=True)
    if not blocked.exists():
        blocked.write_bytes(b"in the way")
    said = outcome(lambda asked: honest(asked, BODY), add, home)
    assert "cannot be written" in str(said)
    assert "point FAIRVEC_HOME elsewhere" in str(said)


def test_what_a_killed_process_left_is_cleared_away(add: Add, home: Path) -> None:
    left = home / "models" / "mine" / ".new.abandoned"
    left.mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    assert outcome(lambda asked: honest(asked, BODY), add, home) == BODY
    assert [file.name for file in left.parent.iterdir()] == ["model.bin"]

"""Whatever a server does: the right file, or one sentence, and what is good already stays."""

import gzip
from pathlib import Path

import pytest

from fairvec.catalogue import download as transfer
from fairvec.catalogue import local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, PROVEN, outcome, sends, to
from tests.catalogue.fetching.raw_server import Answer, Asked, head, honest, serving

pytestmark = pytest.mark.usefixtures("no_patience")


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
    said = outcome(answer, add, home)
    assert isinstance(said, str)
    assert words in said
    assert len(said) < 600
    assert said.isprintable()
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

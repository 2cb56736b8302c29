"""Any row of breaks, refusals and lies, and then a good answer: the right file, byte by byte."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.catalogue import download as answers
from fairvec.catalogue import download as transfer
from fairvec.catalogue.download import Resuming
from tests.catalogue.fetching.raw_server import Answer, Asked, head, honest, serving

BODY = random.Random(3).randbytes(3001)
SIZE = str(len(BODY))

Sending = Callable[[Asked, int], None]


def breaks(asked: Asked, place: int) -> None:
    honest(asked, BODY, most=place)


def ignores_ranges(asked: Asked, place: int) -> None:
    asked.send(head(ETag='"1"', Content_Length=SIZE), BODY[:place])


def refuses(asked: Asked, place: int) -> None:
    asked.send(head("503 Busy", Content_Length="0"))


def has_no_more(asked: Asked, place: int) -> None:
    if asked.start:
        asked.send(head("416 Range Not Satisfiable", Content_Length="0"))
    else:
        honest(asked, BODY, most=place)


def starts_elsewhere(asked: Asked, place: int) -> None:
    told = f"bytes {place}-{len(BODY) - 1}/{SIZE}"
    if asked.start:
        asked.send(head("206 Partial Content", ETag='"1"', Content_Range=told), BODY[place:])
    else:
        honest(asked, BODY, most=place)


def sends_too_much(asked: Asked, place: int) -> None:
    told = f"bytes {asked.start}-{len(BODY) - 1}/{SIZE}"
    if asked.start:
        named = {"ETag": '"1"', "Content_Range": told, "Content_Length": "9000"}
        asked.send(head("206 Partial Content", **named), BODY[asked.start :], bytes(9000))
    else:
        honest(asked, BODY, most=place)


def closes(asked: Asked, place: int) -> None:
    """Say nothing."""


BAD: list[Sending] = [
    breaks,
    ignores_ranges,
    refuses,
    has_no_more,
    starts_elsewhere,
    sends_too_much,
    closes,
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    row=st.lists(st.tuples(st.sampled_from(BAD), st.integers(0, len(BODY) - 1)), max_size=6),
    proven=st.booleans(),
)
def test_whatever_came_before_the_right_file_comes_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: list[tuple[Sending, int]], proven: bool
) -> None:
    monkeypatch.setattr(transfer, "PAUSE", 0.0)
    monkeypatch.setattr(answers, "TIMEOUT", (2, 2))
    part, target = tmp_path / "x.part", tmp_path / "x"
    for left in tmp_path.iterdir():
        left.unlink()
    does: list[Answer] = []
    with serving(lambda asked: does[-1](asked)) as server:
        longest = 0
        for sends, place in row:
            does.append(lambda asked, sends=sends, place=place: sends(asked, place))  # type: ignore[misc]
            try:
                Resuming(part, proven=proven)(f"{server.url}/x", str(target), None)
            except (requests.RequestException, ValueError):
                kept = part.read_bytes() if part.exists() else b""
                assert BODY.startswith(kept)
                # Nothing that came is lost, and nothing but the file ever came.
                assert len(kept) >= longest
                longest = len(kept)
            else:
                break
        else:
            does.append(lambda asked: honest(asked, BODY))
            Resuming(part, proven=proven)(f"{server.url}/x", str(target), None)
    assert target.read_bytes() == BODY
    assert [*tmp_path.iterdir()] == [target]

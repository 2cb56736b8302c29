"""Transfers: resuming, checking, retrying."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec.catalogue import download as answers
from fairvec.catalogue import download as transfer
from fairvec.catalogue.download import Transfer
from tests.catalogue.conftest import Site
from tests.catalogue.servers import Answer, Request, head, honest, serving

# --- transfer ---


BODY = random.Random(7).randbytes(1_000_003)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "model.bin.part"


def fetched(site: Site, part: Path) -> bytes:
    target = part.with_name("model.bin")
    Transfer(part).fetch(f"{site.url}/model.bin", target)
    assert sorted(part.parent.iterdir()) == [target]
    return target.read_bytes()


def interrupted(site: Site, part: Path, after: int = 400_000) -> int:
    """Break off one download for good and return how much of it is kept."""
    site.breaks_after = [after, 0]
    with pytest.raises(requests.RequestException):
        fetched(site, part)
    site.asked.clear()
    return part.stat().st_size


def test_a_file_comes_whole(site: Site, part: Path) -> None:
    site.body = BODY
    assert fetched(site, part) == BODY
    assert site.asked == [None]


def test_progress_ends_at_the_size(site: Site, part: Path) -> None:
    site.body = BODY
    reports: list[tuple[int, int]] = []
    Transfer(part, lambda done, total: reports.append((done, total))).fetch(
        site.url, part.with_name("end")
    )
    assert reports[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in reports] == sorted({done for done, _ in reports})


def test_an_unknown_size_is_reported_as_zero(site: Site, part: Path) -> None:
    site.body, site.announces_length = BODY, False
    totals: set[int] = set()
    Transfer(part, lambda _, total: totals.add(total)).fetch(site.url, part.with_name("end"))
    assert totals == {0}


def test_broken_connections_are_taken_up_again(site: Site, part: Path) -> None:
    site.body, site.breaks_after = BODY, [300_000, 300_000]
    assert fetched(site, part) == BODY
    assert len(site.asked) == 3
    assert all(wanted is not None for wanted in site.asked[1:])


def test_a_later_call_asks_only_for_the_rest(site: Site, part: Path) -> None:
    site.body = BODY
    have = interrupted(site, part)
    assert have > 0
    assert part.read_bytes() == BODY[:have]
    assert fetched(site, part) == BODY
    assert site.asked == [f"bytes={have}-"]


def test_a_server_without_ranges_is_asked_for_all_of_it(site: Site, part: Path) -> None:
    site.body, site.knows_ranges = BODY, False
    interrupted(site, part)
    assert fetched(site, part) == BODY


@pytest.mark.parametrize(("times", "more"), [(1, -1), (1, 1), (1, 70_000), (10, 0), (10, 3)])
def test_a_server_that_goes_on_at_another_byte_is_asked_for_all_of_it(
    site: Site, part: Path, times: int, more: int
) -> None:
    """Also at one whose number begins with the same figures."""
    site.body = 4 * BODY
    have = interrupted(site, part)
    site.starts_late = (times - 1) * have + more
    assert 0 < have + site.starts_late < len(site.body)
    assert fetched(site, part) == site.body
    assert site.asked == [f"bytes={have}-", None]


def test_progress_goes_on_where_it_broke_off(site: Site, part: Path) -> None:
    site.body = BODY
    have = interrupted(site, part)
    reports: list[tuple[int, int]] = []
    again = Transfer(part, lambda done, total: reports.append((done, total)))
    again.fetch(f"{site.url}/model.bin", part.with_name("end"))
    assert min(done for done, _ in reports) > have
    assert reports[-1][0] == len(BODY)
    assert {total for _, total in reports} == {len(BODY)}


@pytest.mark.parametrize("etag", ['"second"', None])
def test_a_file_that_changed_is_begun_again(site: Site, part: Path, etag: str | None) -> None:
    site.body = BODY
    interrupted(site, part)
    site.body, site.etag = BODY[::-1], etag
    assert fetched(site, part) == BODY[::-1]


def test_a_file_that_changed_its_size_is_begun_again(site: Site, part: Path) -> None:
    site.body, site.etag = BODY, None
    interrupted(site, part)
    site.body = b"!" + BODY
    assert fetched(site, part) == b"!" + BODY


def test_a_part_longer_than_the_file_is_begun_again(site: Site, part: Path) -> None:
    site.body = BODY
    interrupted(site, part)
    site.body = b"short"
    assert fetched(site, part) == b"short"


def test_a_part_of_unknown_origin_is_begun_again(site: Site, part: Path) -> None:
    site.body = BODY
    part.write_bytes(b"left by another program")
    assert fetched(site, part) == BODY


def test_a_passing_fault_of_the_server_keeps_the_part(site: Site, part: Path) -> None:
    site.body = BODY
    have = interrupted(site, part)
    site.status = 503
    with pytest.raises(requests.HTTPError):
        fetched(site, part)
    assert part.stat().st_size == have


# --- Any row of breaks, refusals and lies, and then a good answer: the right file, byte by byte


BODY_LAWS = random.Random(3).randbytes(3001)
SIZE = str(len(BODY_LAWS))

Sending = Callable[[Request, int], None]


def breaks(request: Request, place: int) -> None:
    honest(request, BODY_LAWS, most=place)


def ignores_ranges(request: Request, place: int) -> None:
    request.send(head(ETag='"1"', Content_Length=SIZE), BODY_LAWS[:place])


def refuses(request: Request, place: int) -> None:
    request.send(head("503 Busy", Content_Length="0"))


def has_no_more(request: Request, place: int) -> None:
    if request.start:
        request.send(head("416 Range Not Satisfiable", Content_Length="0"))
    else:
        honest(request, BODY_LAWS, most=place)


def starts_elsewhere(request: Request, place: int) -> None:
    shown = f"bytes {place}-{len(BODY_LAWS) - 1}/{SIZE}"
    if request.start:
        request.send(
            head("206 Partial Content", ETag='"1"', Content_Range=shown), BODY_LAWS[place:]
        )
    else:
        honest(request, BODY_LAWS, most=place)


def sends_too_much(request: Request, place: int) -> None:
    shown = f"bytes {request.start}-{len(BODY_LAWS) - 1}/{SIZE}"
    if request.start:
        named = {"ETag": '"1"', "Content_Range": shown, "Content_Length": "9000"}
        request.send(head("206 Partial Content", **named), BODY_LAWS[request.start :], bytes(9000))
    else:
        honest(request, BODY_LAWS, most=place)


def closes(request: Request, place: int) -> None:
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
    row=st.lists(st.tuples(st.sampled_from(BAD), st.integers(0, len(BODY_LAWS) - 1)), max_size=6),
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
                Transfer(part, proven=proven).fetch(f"{server.url}/x", target)
            except (requests.RequestException, ValueError):
                kept = part.read_bytes() if part.exists() else b""
                assert BODY_LAWS.startswith(kept)
                # Nothing that came is lost, and nothing but the file ever came.
                assert len(kept) >= longest
                longest = len(kept)
            else:
                break
        else:
            does.append(lambda request: honest(request, BODY_LAWS))
            Transfer(part, proven=proven).fetch(f"{server.url}/x", target)
    assert target.read_bytes() == BODY_LAWS
    assert [*tmp_path.iterdir()] == [target]

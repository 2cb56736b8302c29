import random
from pathlib import Path

import pytest
import requests

from fairvec.catalogue.download import Resuming
from tests.catalogue.conftest import Site

BODY = random.Random(7).randbytes(1_000_003)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "model.bin.part"


def fetched(site: Site, part: Path) -> bytes:
    target = part.with_name("model.bin")
    Resuming(part)(f"{site.url}/model.bin", str(target), None)
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
    told: list[tuple[int, int]] = []
    Resuming(part, lambda done, total: told.append((done, total)))(site.url, str(part) + "x", None)
    assert told[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_an_unknown_size_is_told_as_zero(site: Site, part: Path) -> None:
    site.body, site.announces_length = BODY, False
    totals: set[int] = set()
    Resuming(part, lambda _, total: totals.add(total))(site.url, str(part) + "x", None)
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
    told: list[tuple[int, int]] = []
    again = Resuming(part, lambda done, total: told.append((done, total)))
    again(f"{site.url}/model.bin", str(part) + "x", None)
    assert min(done for done, _ in told) > have
    assert told[-1][0] == len(BODY)
    assert {total for _, total in told} == {len(BODY)}


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

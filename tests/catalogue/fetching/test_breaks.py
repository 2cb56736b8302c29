"""Lines that break: not one byte that came is lost, and none of another file is kept."""

import struct
from pathlib import Path

import pytest

from fairvec.catalogue import download as transfer
from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.one_file import BODY, PROVEN, outcome
from tests.catalogue.fetching.raw_server import Asked, head, honest, serving

pytestmark = pytest.mark.usefixtures("no_patience")


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


@pytest.mark.parametrize("etag", [None, 'W/"1"'], ids=["none", "weak"])
def test_without_version_and_checksum_no_part_is_patched(
    add: Add, home: Path, etag: str | None
) -> None:
    """A file of the same length that changed in between is seen byte by byte.

    A weak version only says that two files mean the same, not that their bytes are the same.
    """
    old, new = BODY, BODY[::-1]

    def answer(asked: Asked) -> None:
        first = asked.number == 0
        honest(asked, old if first else new, most=3000 if first else None, etag=etag)

    assert outcome(answer, add, home) == new


def test_a_version_that_lies_is_seen_where_bytes_differ(add: Add, home: Path) -> None:
    """What lay behind the first other byte belongs to another file, whatever the server says."""
    new = BODY[::-1]

    def answer(asked: Asked) -> None:
        if asked.number == 0:
            honest(asked, BODY, most=3000)
        elif asked.number == 1:
            asked.send(head(Content_Length=str(len(new)), ETag='"1"'), new[:100])
        else:
            honest(asked, new)

    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match="fetch again to go on"):
            local_path(name)
        assert (home / "models" / "mine" / "model.bin.part").read_bytes() == new[:100]
        assert local_path(name).read_bytes() == new


def test_a_net_that_wants_a_login_costs_nothing_that_came(add: Add, home: Path) -> None:
    """It sends its page for every file, also for one whose checksum would tell in the end."""

    def answer(asked: Asked) -> None:
        if asked.number == 1:
            asked.send(head(Content_Type="text/html; charset=utf-8"), b"<p>Please log in</p>")
        else:
            honest(asked, BODY, most=None if asked.number else 3000)

    with serving(answer) as server:
        name = add(**PROVEN, source={"kind": "url", "url": f"{server.url}/model.bin"})
        with pytest.raises(DownloadError, match="a web page instead of the file"):
            local_path(name)
        assert (home / "models" / "mine" / "model.bin.part").read_bytes() == BODY[:3000]
        assert local_path(name).read_bytes() == BODY


def test_a_wrong_checksum_does_not_stay_in_the_way(add: Add, home: Path) -> None:
    said = outcome(lambda asked: honest(asked, BODY[::-1]), add, home, **PROVEN)
    assert f"instead of {PROVEN['sha256']} and was removed" in str(said)
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
        with pytest.raises(KeyboardInterrupt) as told:
            local_path(name, progress=interrupt)
    assert have
    if proven:
        kept = f"Interrupted; {have[0]:,} bytes of mine are kept in {home / 'models' / 'mine'}: "
        assert str(told.value).startswith(kept)
        assert "run the same command again" in str(told.value)
    else:
        assert str(told.value) == ""

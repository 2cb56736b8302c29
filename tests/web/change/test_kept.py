"""What was worked out is kept within bounds, and made once for all who wait."""

from threading import Barrier, Thread

import pytest

from fairvec.web.change.kept import KeptWork


def test_the_oldest_goes_first_and_what_was_used_is_young() -> None:
    kept = KeptWork(room=10)
    made: list[str] = []

    def get(name: str, size: int = 4) -> str:
        def make() -> str:
            made.append(name)
            return name

        return kept.get(name, make, lambda _: size)

    for name in ("a", "b", "a", "c", "a", "b"):
        assert get(name) == name
    assert made == ["a", "b", "c", "b"]
    assert kept.bytes <= 10
    get("whale", 1000)
    assert len(kept) == 1
    assert get("whale") == "whale"
    assert made.count("whale") == 1


def test_what_cannot_be_made_leaves_nothing_and_may_be_tried_again() -> None:
    kept = KeptWork()
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0, lambda _: 1)
    assert kept.get("a", lambda: 3, lambda _: 1) == 3


def test_two_who_ask_at_once_wait_for_one_piece_of_work() -> None:
    kept = KeptWork()
    made: list[object] = []
    found: list[object] = []
    together = Barrier(8)

    def make() -> object:
        made.append(object())
        return made[-1]

    def ask() -> None:
        together.wait()
        found.append(kept.get("a", make, lambda _: 1))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, found))) == 1

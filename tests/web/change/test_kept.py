"""What was worked out is kept within bounds, and made once for all who wait."""

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, Event, Thread
from time import sleep

import pytest

from fairvec.web.open_models import FitCache


def test_the_oldest_goes_first_and_what_was_used_is_young() -> None:
    kept = FitCache(room=10)
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
    kept = FitCache()
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0, lambda _: 1)
    assert kept.get("a", lambda: 3, lambda _: 1) == 3


def test_two_who_ask_at_once_wait_for_one_piece_of_work() -> None:
    kept = FitCache()
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


def wait_for_two(kept: FitCache) -> None:
    for _ in range(2000):
        if kept.asking("a") >= 2:
            break
        sleep(0.001)


def test_after_a_failure_a_piece_is_made_once_too() -> None:
    """One fails while another waits; a third one comes while that other is at it."""
    kept = FitCache()
    begun, may_fail, second, may_end = Event(), Event(), Event(), Event()
    made: list[str] = []

    def failing() -> str:
        begun.set()
        may_fail.wait(5)
        raise ZeroDivisionError

    def slow() -> str:
        made.append("slow")
        second.set()
        may_end.wait(5)
        return "slow"

    def late() -> str:
        made.append("late")
        return "late"

    def ask(make: Callable[[], str]) -> None:
        with suppress(ZeroDivisionError):
            kept.get("a", make, len)

    threads = [Thread(target=ask, args=(make,)) for make in (failing, slow, late)]
    threads[0].start()
    assert begun.wait(5)
    threads[1].start()
    wait_for_two(kept)
    may_fail.set()
    assert second.wait(5)
    threads[2].start()
    wait_for_two(kept)
    may_end.set()
    for thread in threads:
        thread.join(5)
    assert made == ["slow"]
    assert kept.asking("a") == 0

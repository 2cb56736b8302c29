"""Work beside the server: what it finds, what it raises, and that nothing waits for it."""

import asyncio
import threading
import time

import pytest

from fairvec.web.server import run_in_thread


def test_what_is_found_comes_back_while_others_go_on() -> None:
    gate = threading.Event()

    async def both() -> list[str]:
        waiting = asyncio.ensure_future(run_in_thread(lambda: str(gate.wait(10))))
        quick = await run_in_thread(lambda: "quick")
        gate.set()
        return [quick, await waiting]

    assert asyncio.run(both()) == ["quick", "True"]


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration("end"), SystemExit(3)])
def test_what_is_raised_is_raised_there(error: BaseException) -> None:
    def failing() -> None:
        raise error

    expected = RuntimeError if isinstance(error, StopIteration) else type(error)
    with pytest.raises(expected):
        asyncio.run(run_in_thread(failing))


def test_work_that_nobody_waits_for_disturbs_nobody() -> None:
    gate, ended = threading.Event(), threading.Event()

    def late() -> None:
        gate.wait(10)
        ended.set()

    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run_in_thread(late), 0.01)

    asyncio.run(given_up())
    workers = [one for one in threading.enumerate() if one.daemon]
    assert workers
    gate.set()
    assert ended.wait(10)
    time.sleep(0.01)  # it tells a loop that is closed, which must not be heard as an error

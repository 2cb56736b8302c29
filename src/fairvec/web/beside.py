"""Work beside the server, in a thread that does not keep a stopped program alive."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

Found = TypeVar("Found")


async def beside(work: Callable[[], Found]) -> Found:
    """Return what some work finds, or raise what it raises; others are answered meanwhile.

    A pool of threads would be waited for when the program ends, however long its work takes.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Found] = loop.create_future()

    def told(settle: Callable[[], None]) -> None:
        def if_wanted() -> None:
            if not found.done():
                settle()

        with suppress(RuntimeError):  # the server has stopped, and nobody waits
            loop.call_soon_threadsafe(if_wanted)

    def worked() -> None:
        try:
            value = work()
        except StopIteration as end:  # which a future does not take
            fault = RuntimeError(f"an iteration ended too early: {end}")
            told(lambda: found.set_exception(fault))
        except BaseException as error:  # whatever it is, who asked is waiting
            raised = error
            told(lambda: found.set_exception(raised))
        else:
            told(lambda: found.set_result(value))

    Thread(target=worked, daemon=True).start()
    return await found

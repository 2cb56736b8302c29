"""Ending cleanly when the system asks for it, and work in several processes."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import TypeVar

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
PATIENCE = 5.0
"""So many seconds are given to the cleaning up before a second signal is heard."""


class Terminated(SystemExit):
    """The system has asked the process to end; the code is 128 and the number of the signal."""


class SignalHandler:
    """What hears such signals."""

    def __init__(self) -> None:
        self.number = 0
        self._at = 0.0

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Unwind all that is under way; the same signal sent twice must not break that off."""
        now = time.monotonic()
        if not self.number or now - self._at > PATIENCE:
            self.number, self._at = number, now
            raise Terminated(128 + number)


@contextmanager
def graceful_shutdown() -> Iterator[None]:
    """Leave through all open blocks, whose drafts go with them, when the process is asked to end.

    A signal that is ignored (nohup) stays so. One that comes in the midst of a long computation is
    heard after it, as Ctrl+C is.
    """
    if current_thread() is not main_thread():
        yield
        return
    ours = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    ender = SignalHandler()
    for number in ours:
        signal.signal(number, ender)
    try:
        yield
    except BaseException as error:  # raised again, or as what the signal means
        # A terminal that is gone fails whoever takes leave of it.
        if ender.number and not isinstance(error, Terminated):
            raise Terminated(128 + ender.number) from None
        raise
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


# Work in several processes, which end when the one that started them does.


Task = TypeVar("Task")
Found = TypeVar("Found")


def map_processes(
    jobs: int, function: Callable[[Task], Found], tasks: Sequence[Task]
) -> Iterable[Found]:
    """Run tasks in processes of their own, which start afresh: compiled threads do not fork.

    They end when this one is interrupted, asked to end or killed, and take their drafts with them.
    """
    others = {*active_children()}
    start = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=start, initializer=_end_with_parent) as pool:
        try:
            yield from pool.map(partial(_or_gone, function), tasks)
        except BaseException:  # raised again, when no process of ours is left
            pool.shutdown(wait=False, cancel_futures=True)
            own = {*active_children()} - others
            for child in own:
                child.terminate()
            for child in own:
                child.join(PATIENCE)
                child.kill()  # of one that computes and does not hear; a later run clears up
            raise


def _or_gone(function: Callable[[Task], Found], task: Task) -> Found:
    """Run a task; a process that is asked to end does so, for a pool would give it the next."""
    try:
        return function(task)
    except Terminated as ended:
        os._exit(int(ended.code or 0))


def _end_with_parent() -> None:
    """Have a process of a pool end when it is asked to, and when nobody waits for it any more.

    A signal that its parent ignores (nohup) reaches the whole group, and is ignored here too.
    """
    ender = SignalHandler()
    for number in (*ENDING, signal.SIGINT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, ender)
    Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    if parent := parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
        os._exit(128 + signal.SIGTERM)

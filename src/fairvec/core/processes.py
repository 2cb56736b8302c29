"""Clean shutdown on signals, and pools of processes that end with their parent."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import TypeVar

_SHUTDOWN_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
PATIENCE = 5.0
"""Seconds of clean-up before a second signal is obeyed."""


class Terminated(SystemExit):
    """The system has asked the process to end; the code is 128 and the number of the signal."""


class SignalHandler:
    """A signal handler that raises `Terminated`."""

    def __init__(self) -> None:
        self.number = 0
        self._at = 0.0

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Unwind the stack; the same signal sent twice must not interrupt the clean-up."""
        now = time.monotonic()
        if not self.number or now - self._at > PATIENCE:
            self.number, self._at = number, now
            raise Terminated(128 + number)


@contextmanager
def graceful_shutdown() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into an exception, so that open blocks clean up their drafts.

    A signal that is ignored (nohup) stays ignored. One that arrives during a long computation in C
    is handled after it, as Ctrl+C is.
    """
    if current_thread() is not main_thread():
        yield
        return
    handled = [number for number in _SHUTDOWN_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    handler = SignalHandler()
    for number in handled:
        signal.signal(number, handler)
    try:
        yield
    except BaseException as error:  # raised again, or as what the signal means
        # Writing to a closed terminal on the way out raises another error.
        if handler.number and not isinstance(error, Terminated):
            raise Terminated(128 + handler.number) from None
        raise
    finally:
        # A process that was told to end is on its way out: the second signal of `timeout` may still
        # come, and must not change its exit code.
        if not handler.number:
            for number in handled:
                signal.signal(number, signal.SIG_DFL)


Task = TypeVar("Task")
Output = TypeVar("Output")


def map_processes(
    jobs: int, function: Callable[[Task], Output], tasks: Sequence[Task]
) -> Iterable[Output]:
    """Run tasks in spawned processes (threads of compiled code do not survive a fork).

    They end when this one is interrupted, terminated or killed, and clean up their drafts.
    """
    # Here and not above: every command starts with this module, and few need a pool.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    earlier = {*active_children()}
    start = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=start, initializer=_end_with_parent) as pool:
        try:
            yield from pool.map(partial(_run_or_exit, function), tasks)
        except BaseException:  # raised again, when no child is left
            pool.shutdown(wait=False, cancel_futures=True)
            children = {*active_children()} - earlier
            for child in children:
                child.terminate()
            for child in children:
                child.join(PATIENCE)
                child.kill()  # one that is busy computing; a later run removes its drafts
            raise


def _run_or_exit(function: Callable[[Task], Output], task: Task) -> Output:
    """Run a task; exit at once on a signal, since the pool would send the next task."""
    try:
        return function(task)
    except Terminated as ended:
        os._exit(int(ended.code or 0))


def _end_with_parent() -> None:
    """Make a process of a pool end on a signal, and when its parent is gone.

    A signal that the parent ignores (nohup) reaches the whole process group; it is ignored here.
    """
    handler = SignalHandler()
    for number in (*_SHUTDOWN_SIGNALS, signal.SIGINT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
        os._exit(128 + signal.SIGTERM)

"""Work in several processes, which end when the one that started them does."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TypeVar

from fairvec.cli.signals import ENDING, PATIENCE, Ended, Ender

Task = TypeVar("Task")
Found = TypeVar("Found")


def beside_one_another(
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
    except Ended as ended:
        os._exit(int(ended.code or 0))


def _end_with_parent() -> None:
    """Have a process of a pool end when it is asked to, and when nobody waits for it any more.

    A signal that its parent ignores (nohup) reaches the whole group, and is ignored here too.
    """
    ender = Ender()
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

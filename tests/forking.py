"""A small process that forks off others, each of which does some work until it is stopped.

A fork copies the page tables of its parent, and the process of the tests is large: off one that
holds 1.6 GB, forking and some writing took seven times as long as off one of 32 MB.

python -m tests.forking DESCRIPTOR
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fairvec.core.io import atomic_files as drafts

ROOT = Path(__file__).parents[1]
Work = Callable[[], object]
Prepare = Callable[[Work], None]
"""Sees to it that what it is given is called when the work is to end."""
Fork = Callable[[Work, Prepare, int], int]
DONE, FAILED, UNFORESEEN, KILLED = 0, 1, 7, 9


def off_a_small_one(work: Work, prepare: Prepare, end: int) -> int:
    """Do some work in a new process, and return how it ended: DONE, or by `end`.

    It stands where this one stands and has its environment; it has seen no other work, and imports
    by itself what the module of the work does not.
    """
    line = _nursery()
    line.send((work, prepare, end, str(Path.cwd()), dict(os.environ)))
    code = line.recv()
    assert isinstance(code, int), code
    return code


def off_this_one(work: Work, prepare: Prepare, end: int) -> int:
    """The same for work that cannot be pickled, or needs what only this process has read."""
    child = os.fork()
    if not child:
        drafts._swept.clear()  # a new process has swept nowhere yet
        _work(work, prepare, end)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Made:
    """What a function makes, pickled as the name of that function.

    So each process makes it once for itself, and a nursery does before it forks.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Callable[[], Any]]]:
        return made, (self.make,)


@cache
def made(make: Callable[[], Any]) -> Any:
    """Return what a function makes, the same each time."""
    return make()


@cache
def _nursery() -> Connection:
    """Return the line to the one nursery of this process, which ends with it."""
    ours, theirs = Pipe()
    settings = {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "OPENBLAS_NUM_THREADS": "1"}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            env=os.environ | settings,
        )
    # Nobody holds the other end any more: that is its sign to end.
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def _serve(line: Connection) -> None:
    while True:
        try:
            request = line.recv()
        except EOFError:
            return
        except Exception as error:  # what cannot be unpickled is the fault of the test
            line.send(repr(error))
            continue
        work, prepare, end, where, around = request
        os.chdir(where)
        os.environ.clear()
        os.environ |= around
        line.send(off_this_one(work, prepare, end))


def _work(work: Work, prepare: Prepare, end: int) -> None:
    code = DONE

    def last() -> None:
        nonlocal code
        code = end
        if end == KILLED:
            os._exit(end)
        raise OSError("no room")

    try:
        prepare(last)
        work()
    except BaseException:  # however it failed, who waits is told by the code
        code = code or UNFORESEEN
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))

"""A task for a process of a pool, in a file that is quick to import there."""

import os
import signal
import time
from pathlib import Path

from fairvec.core import processes
from fairvec.core.io.atomic_files import scratch_folder

LONG = 120.0
"""Seconds that nothing here takes, however busy the machine is."""


def busy(place: str) -> str:
    """Hold a draft in a process of a pool, and say which process it is."""
    vars(processes)["PATIENCE"] = LONG  # on a busy machine no process is given up
    with scratch_folder(Path(place)) as folder:
        (Path(place) / f"{os.getpid()}.pid").touch()
        time.sleep(600)
    return str(folder)


def ended_by_signal(by: str) -> str:
    """Ask the own process to end by a signal, and say that it did not."""
    os.kill(os.getpid(), signal.Signals[by])
    return by

"""Targets with a known fault, hunted through in a process of its own: prints what was found.

python -m tests.fuzz.planted NAME...
"""

import errno
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np

from fairvec.core.errors import FileFormatError
from fuzz import hand
from fuzz.cases import Target
from fuzz.hunt import Hunt
from fuzz.mutations import mutated
from fuzz.verdicts import RAN

FILES = {"a.txt": b"one\ntwo\nthree 3\n"}


def raises(_: Path) -> None:
    raise KeyError("nobody caught it")


def refuses(_: Path) -> None:
    raise FileFormatError("a.txt is damaged; fetch it again.")


def hides_memory(_: Path) -> None:
    try:
        bytearray(5 << 30)
    except MemoryError as error:
        raise FileFormatError("a.txt is damaged; fetch it again.") from error


def hides_memory_behind_another(_: Path) -> None:
    try:
        try:
            bytearray(5 << 30)
        except MemoryError:
            raise KeyError("while that was handled")  # noqa: B904 - so it happens
    except KeyError as error:
        raise FileFormatError("a.txt is damaged; fetch it again.") from error


def hides_memory_of_a_map(_: Path) -> None:
    raise FileFormatError("a.txt is damaged.") from OSError(errno.ENOMEM, "Cannot allocate memory")


def eats_memory(_: Path) -> None:
    held = []
    while True:
        held.append(bytearray(64 << 20))


def hangs(_: Path) -> None:
    while True:
        pass


def waits(_: Path) -> None:
    signal.pause()


def waits_and_looks(_: Path) -> None:
    while True:
        time.sleep(5)


def ends_in_peace(_: Path) -> None:
    os._exit(0)


def says_nothing(_: Path) -> None:
    raise FileFormatError("")


def kills_itself(_: Path) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def leaves_a_file(folder: Path) -> None:
    (folder / "more.txt").write_text("left")


def leaves_one_above(folder: Path) -> None:
    (folder / "../x").write_text("left")


def leaves_one_beside(folder: Path) -> None:
    (folder / "../../beside/x").write_text("left")


def leaves_a_draft_at_home(_: Path) -> None:
    Path(os.environ["FAIRVEC_HOME"], ".fairvec-x.draft").write_text("left")


def keeps_at_home(_: Path) -> None:
    Path(os.environ["FAIRVEC_HOME"], "vectors.db").write_text("kept")


def leaves_a_draft(_: Path) -> None:
    Path(os.environ["TMPDIR"], "draft").write_text("left")


def changes_its_input(folder: Path) -> None:
    (folder / "a.txt").write_text("changed")


def runs_something(folder: Path) -> None:
    (folder / RAN).touch()


def is_fine(folder: Path) -> None:
    (folder / "a.txt").read_bytes()


def is_odd(data: bytes) -> bool:
    return crc32(data) % 2 == 1


def fails_at_times(folder: Path) -> None:
    if is_odd((folder / "a.txt").read_bytes()):
        raise ZeroDivisionError


RUN: Counter[str] = Counter()
"""How many cases of a target a process has run."""
KEPT: list[Any] = []
HUNG = get_context("fork").Value("q", 0)


def hangs_after_others(_: Path) -> None:
    RUN["hangs"] += 1
    while RUN["hangs"] == 3:
        pass


def keeps_more_and_more(_: Path) -> None:
    KEPT.append(np.zeros(250 << 20, np.uint8))


def hangs_once(_: Path) -> None:
    """Also a new process knows that it has happened."""
    with HUNG:
        HUNG.value += 1
        third = HUNG.value == 3
    while third:
        pass


def leaves_a_thread(_: Path) -> None:
    threading.Timer(60, print).start()


def leaves_a_descriptor(folder: Path) -> None:
    os.open(folder / "a.txt", os.O_RDONLY)


def leaves_a_descriptor_when_it_fails(folder: Path) -> None:
    leaves_a_descriptor(folder)
    refuses(folder)


def leaves_a_child(_: Path) -> None:
    if not os.fork():
        os.execvp("sleep", ["sleep", "5"])


def lets_all_end(folder: Path) -> None:
    """What hangs in a circle, in an error or in a thread that ends soon is not left."""
    circle: list[Any] = [(folder / "a.txt").open()]
    circle.append(circle)
    threading.Timer(0.05, refuses).cancel()
    threading.Thread(target=time.sleep, args=(0.01,)).start()
    held = (folder / "a.txt").open()
    raise FileFormatError(f"{held.name} is damaged; fetch it again.")


def raises_once(_: Path) -> None:
    RUN["raises"] += 1
    if RUN["raises"] == 3:
        raise KeyError


def unmutable(_: str, data: bytes, random: Random, others: object) -> tuple[bytes, str]:
    if random.random() < 2:
        raise ArithmeticError("the hunt itself is at fault")
    return data, ""


if __name__ == "__main__":
    hand.STILL = 1.0
    change = unmutable if "cannot_be_changed" in sys.argv else mutated
    targets = {
        name: Target(
            name,
            globals().get(name, is_fine),
            [FILES],
            seconds=0.3 if name.startswith("hangs") else 10,
            change=change,
        )
        for name in sys.argv[1:]
    }
    hunt = Hunt(targets, seed=1, seconds=100, most=4)
    hunt.run()
    found = [
        [target, kind, hunt.repeats[finding.key], case.number]
        for (target, kind, _), (finding, case) in sorted(hunt.found.items())
    ]
    tallies = {
        name: [tally.cases, tally.accepted, tally.refused, tally.once]
        for name, tally in hunt.tallies.items()
    }
    sys.stdout.write(json.dumps([found, tallies, hunt.faults]))

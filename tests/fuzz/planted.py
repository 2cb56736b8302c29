"""Targets with a known fault, hunted through in a process of its own: prints what was found.

python -m tests.fuzz.planted NAME...
"""

import json
import os
import signal
import sys
from pathlib import Path

from fairvec.ground.errors import FileFormatError
from fuzz import hunt as hunting
from fuzz.cases import Target
from fuzz.hunt import Hunt
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


def eats_memory(_: Path) -> None:
    held = []
    while True:
        held.append(bytearray(1 << 20))


def hangs(_: Path) -> None:
    while True:
        pass


def waits(_: Path) -> None:
    signal.pause()


def kills_itself(_: Path) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def leaves_a_file(folder: Path) -> None:
    (folder / "more.txt").write_text("left")


def leaves_one_beside(folder: Path) -> None:
    (folder.parent / "beside" / "x").write_text("left")


def leaves_a_draft(_: Path) -> None:
    Path(os.environ["TMPDIR"], "draft").write_text("left")


def changes_its_input(folder: Path) -> None:
    (folder / "a.txt").write_text("changed")


def runs_something(folder: Path) -> None:
    (folder / RAN).touch()


def is_fine(folder: Path) -> None:
    (folder / "a.txt").read_bytes()


def fails_at_times(folder: Path) -> None:
    if b"1" in (folder / "a.txt").read_bytes():
        raise ZeroDivisionError


if __name__ == "__main__":
    # Only who waits is ended early: one that computes is slow on a busy machine.
    hunting.WAITED_TOO_LONG = 3 if "waits" in sys.argv else 100
    targets = {name: Target(name, globals()[name], [FILES], seconds=1) for name in sys.argv[1:]}
    hunt = Hunt(targets, seed=1, seconds=100, most=4)
    hunt.run()
    found = [
        [target, kind, hunt.repeats[finding.key], case.number]
        for (target, kind, _), (finding, case) in sorted(hunt.found.items())
    ]
    sys.stdout.write(
        json.dumps([found, {name: tally.cases for name, tally in hunt.tallies.items()}])
    )

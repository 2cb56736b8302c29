"""The members of a plain tar file, walked through by their heads alone.

Only files are members. What takes more than its own bytes to read (sparse files, links, devices)
is none, and of the heads that give long names or more settings nothing is needed here; so no head
can ask for memory or send the walk backwards.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = 512
NAME, SIZE, CHECKSUM = slice(0, 100), slice(124, 136), slice(148, 156)
KIND, MAGIC, PREFIX = 156, slice(257, 262), slice(345, 500)
FILES, BESIDE = (b"0", b"\0"), (b"x", b"g", b"L", b"K")
"""The kinds of entries that are files, and of those that say more about the next one."""
MOST_ENTRIES = 10_000


class Member(NamedTuple):
    """Where a file lies in an archive."""

    start: int
    size: int


def members_of(path: Path) -> dict[str, Member]:
    """Return the files of an archive by name, or raise ValueError where it is damaged."""
    found: dict[str, Member] = {}
    for name, kind, member in _entries(path):
        if kind in FILES:
            if name in found:
                raise ValueError(f"it holds {name} twice")
            found[name] = member
        elif kind not in (*BESIDE, b"5"):
            raise ValueError(f"{name!r} is no plain file")
    return found


def content_of(path: Path, member: Member) -> bytes:
    """Return what a member holds."""
    with path.open("rb") as file:
        file.seek(member.start)
        return file.read(member.size)


def _entries(path: Path) -> Iterator[tuple[str, bytes, Member]]:
    """Give name, kind and place of each entry, each of which lies in the file whole."""
    end, place = path.stat().st_size, 0
    with path.open("rb") as file:
        for _ in range(MOST_ENTRIES):
            file.seek(place)
            head = file.read(BLOCK)
            if not head.strip(b"\0"):
                return
            if len(head) < BLOCK or _number(head[CHECKSUM]) != _sum(head):
                raise ValueError(f"the head at byte {place} is damaged")
            member = Member(place + BLOCK, _number(head[SIZE]))
            name = head[NAME].split(b"\0", 1)[0].decode("utf-8", "replace")
            if member.start + member.size > end:
                raise ValueError(f"{name} is cut short")
            yield name.removeprefix("./"), head[KIND : KIND + 1], member
            place = member.start + -(-member.size // BLOCK) * BLOCK
    raise ValueError(f"it has more than {MOST_ENTRIES:,} entries")


def _number(field: bytes) -> int:
    """Return a number of octal digits; larger ones, in binary, no file of these has."""
    digits = field.split(b"\0", 1)[0].strip()
    if not digits or digits.strip(b"01234567"):
        raise ValueError(f"{field!r} is no size")
    return int(digits, 8)


def _sum(head: bytes) -> int:
    """Return the sum over a head, in which its own field counts as spaces."""
    return sum(head) - sum(head[CHECKSUM]) + 8 * ord(" ")

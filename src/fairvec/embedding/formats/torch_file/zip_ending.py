"""How a zip archive ends: two readers list the same members only where it ends in the plainest way.

One reader looks for the list of members just before the end, another where the end says that it
lies. Only where that is one place do they see one archive.
"""

from struct import Struct
from typing import IO

END = Struct("<4s4H2IH")
POINTER = Struct("<4sIQI")
LONG_END = Struct("<4sQ2H2I4Q")
END_MARK, POINTER_MARK, LONG_END_MARK = b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06"
MOST, MOST_BYTES = 0xFFFF, 0xFFFFFFFF
"""What stands in the short end where a number is too large for it."""


def refuse_two_readings(file: IO[bytes], size: int) -> int:
    """Return how many members an archive lists, or raise ValueError where readers could differ."""
    place = size - END.size
    mark, *_, here, listed, length, start, comment = END.unpack(_read(file, place, END.size))
    if mark != END_MARK or comment:
        raise ValueError("it is no zip archive of torch, or does not end as one")
    pointed = place - POINTER.size
    if pointed >= LONG_END.size and _read(file, pointed, 4) == POINTER_MARK:
        _, _, where, _ = POINTER.unpack(_read(file, pointed, POINTER.size))
        place = pointed - LONG_END.size
        mark, *_, long_here, long_listed, long_length, long_start = LONG_END.unpack(
            _read(file, place, LONG_END.size)
        )
        told = ((here, long_here), (listed, long_listed))
        told_in_bytes = ((length, long_length), (start, long_start))
        agree = all(a in (b, MOST) for a, b in told) and all(
            a in (b, MOST_BYTES) for a, b in told_in_bytes
        )
        if mark != LONG_END_MARK or where != place or not agree:
            raise ValueError("its two ends say two things")
        here, listed, length, start = long_here, long_listed, long_length, long_start
    if here != listed or start + length != place:
        raise ValueError("the list of its members does not lie where its end says")
    return int(listed)


def _read(file: IO[bytes], place: int, count: int) -> bytes:
    file.seek(max(0, place))
    return file.read(count).ljust(count, b"\0")

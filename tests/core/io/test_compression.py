"""Files of several packed streams: all of them are read, or it is said that one is damaged."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.io.compression import open_xz, unpacking_bz2

KINDS: dict[str, tuple[Callable[[bytes], bytes], Callable[[IO[bytes]], IO[bytes]]]] = {
    "xz": (lzma.compress, open_xz),
    "bz2": (bz2.compress, unpacking_bz2),
}
BROKEN = (EOFError, OSError, ValueError, lzma.LZMAError)


@pytest.mark.parametrize("kind", KINDS)
@given(
    parts=st.lists(st.binary(max_size=200), min_size=1, max_size=4),
    padding=st.integers(0, 3),
    size=st.integers(1, 300),
)
def test_all_streams_are_read_in_steps_of_any_size(
    kind: str, parts: list[bytes], padding: int, size: int
) -> None:
    pack, unpacking = KINDS[kind]
    packed = b"".join(pack(part) + bytes(4 * padding) for part in parts)
    with unpacking(BytesIO(packed)) as read:
        found = b"".join(iter(lambda: read.read(size), b""))
    assert found == b"".join(parts)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_cut_anywhere_is_an_error_or_ends_with_a_stream(kind: str) -> None:
    pack, unpacking = KINDS[kind]
    first, second = pack(b"one\n" * 9), pack(b"two\n" * 9)
    for end in range(len(first + second)):
        if end == len(first):
            continue
        with pytest.raises(EOFError, match="ends before its packed text"):
            unpacking(BytesIO((first + second)[:end])).read()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_that_does_not_begin_as_one_is_never_left_out(kind: str) -> None:
    pack, unpacking = KINDS[kind]
    first, second = pack(b"one\n" * 9), pack(b"two\n" * 9)
    for place in range(3):
        damaged = bytearray(second)
        damaged[place] ^= 1
        with pytest.raises(BROKEN):
            unpacking(BytesIO(first + damaged)).read()
    with pytest.raises(BROKEN):
        unpacking(BytesIO(first + b"remark")).read()


def test_an_xz_file_gets_no_memory_that_it_cannot_need() -> None:
    honest = lzma.compress(b"word " * 1000, preset=9)
    assert open_xz(BytesIO(honest)).read() == b"word " * 1000
    # The head of the first block: its length in words, flags, the filter and its dictionary's size.
    head = bytearray(honest[12:20])
    assert head[2:4] == b"\x21\x01"
    head[4] = 40  # 4 GiB
    forged = honest[:12] + head + zlib.crc32(head).to_bytes(4, "little") + honest[24:]
    with pytest.raises(lzma.LZMAError, match=r"[Mm]emory"):
        open_xz(BytesIO(forged)).read()

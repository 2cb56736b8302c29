"""Archives that grow, lie about what they hold, or lead out of their folder."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable

from fuzz.cases import Files
from fuzz.crafted.making import content, main_file, zipped
from fuzz.crafted.texts import ONE_WIDE_LINE

MODEL = b"2 2\nking 1 2\nqueen 3 4\n"
ZEROS = 72 << 20
"""A little more than is always unpacked."""


def _packed(pack: Callable[[bytes], bytes]) -> dict[str, Callable[[Files, str], Files]]:
    return {
        # Streams one after the other are one file, and are made in a ninth of the time.
        "zeros": main_file(lambda: pack(b"0" * (ZEROS // 9 + 1)) * 9),
        "empty lines": main_file(lambda: pack(ONE_WIDE_LINE + b"\n" * (1 << 22))),
        "in itself": content(pack(pack(pack(MODEL)))),
        "nothing": content(pack(b"")),
        "half": content(pack(MODEL)[:-9]),
        "twice": content(pack(MODEL) + pack(MODEL)),
        "and a rest": content(pack(MODEL) + b"rest"),
    }


def _second(pack: Callable[[bytes], bytes]) -> Callable[[Files, str], Files]:
    """Return two packed streams of which the second does not begin as one."""
    return content(pack(b"king 1 2\n") + b"?" + pack(b"queen 3 4\n")[1:])


def _named(*names: str, version: int = 20) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name that is there already
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in names:
                archive.writestr(zipfile.ZipInfo(name), MODEL)
    data = buffer.getvalue()
    # The version that is needed to unpack stands after each of these marks.
    for mark, skip in ((b"PK\x03\x04", 4), (b"PK\x01\x02", 6)):
        at = data.find(mark)
        data = data[: at + skip] + struct.pack("<H", version) + data[at + skip + 2 :]
    return data


def _flagged(flags: int, method: int = 0) -> bytes:
    data = _named("model.vec")
    for mark, skip in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        data = data[: at + skip] + struct.pack("<HH", flags, method) + data[at + skip + 4 :]
    return data


def _sparse() -> bytes:
    """Return a tar with a member of one byte that GNU tar says is a terabyte of holes."""
    buffer = io.BytesIO()
    for name in ("meta.json", "vocab.bin", "pq.bin"):
        info = tarfile.TarInfo(name)
        info.size, info.type = 512, tarfile.GNUTYPE_SPARSE
        block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
        block[386:398], block[398:410] = b"00000000000\0", b"00000001000\0"
        block[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
        buffer.write(bytes(block) + b"{" * 512)
    return buffer.getvalue() + b"\0" * 1024


def _member(size: int, kind: bytes = b"0", link: str = "") -> bytes:
    """Return a tar whose first member announces a size, or is something else than a file."""
    info = tarfile.TarInfo("meta.json")
    info.size, info.type, info.linkname = size, kind, link
    return info.tobuf(tarfile.GNU_FORMAT) + b'{"id": "x", "protocol": 1}'.ljust(2048, b"\0")


def _frame(*blocks: tuple[int, bytes], window: int = 0x50) -> bytes:
    """Return a frame of .zst; a block is so long, of its bytes or of one that is repeated."""
    data = bytes.fromhex("28b52ffd00") + bytes([window])
    for at, (length, data_of_block) in enumerate(blocks):
        repeats = len(data_of_block) == 1 < length
        head = length << 3 | repeats << 1 | (at == len(blocks) - 1)
        data += head.to_bytes(3, "little") + data_of_block
    return data


LINES = b"he ran\nshe sat\n"
ON_ARCHIVES = {
    "list-corpus-zst": {
        "empty lines": content(_frame(*[(1 << 17, b"\n")] * 300)),
        "one line": content(_frame(*[(1 << 17, b"a")] * 300)),
        "a window of terabytes": content(_frame((len(LINES), LINES), window=0xFF)),
        "many frames of nothing": content(_frame((0, b"")) * 9_000),
        "zeros behind": content(_frame((len(LINES), LINES)) + bytes(99)),
        "the beginning of a second": content(_frame((len(LINES), LINES)) + b"\x28\xb5"),
    },
    "archive-gz": _packed(lambda raw: gzip.compress(raw, mtime=0)),
    "archive-xz": _packed(lzma.compress) | {"a damaged second stream": _second(lzma.compress)},
    "archive-bz2": _packed(bz2.compress) | {"a damaged second stream": _second(bz2.compress)},
    "archive-zip": {
        "zeros": main_file(lambda: zipped({"model.vec": b"0" * ZEROS})),
        "empty lines": main_file(lambda: zipped({"model.vec": ONE_WIDE_LINE + b"\n" * (1 << 22)})),
        "four hundred of one name": content(_named(*["model.vec"] * 400)),
        "many models": content(_named(*(f"{n}.vec" for n in range(900)))),
        **{
            f"a name like {name[:12]!r}": content(_named(name))
            for name in (
                "../../beside/x",
                "a\\b",
                "C:x",
                "\x1b[2J.vec",
                "x" * 3000,
                " ",
                ".",
                "a/..",
            )
        },
        "a version of tomorrow": content(_named("model.vec", version=255)),
        "encrypted": content(_flagged(1)),
        "unknown packing": content(_flagged(0, 99)),
        "bad utf-8 name": content(_named("modelé.vec").replace("é".encode(), b"\xff\xfe")),
        "nothing": content(_named()),
    },
    "format-navec": {
        "holes": main_file(_sparse),
        "announced": content(_member(1 << 40)),
        "less than nothing": content(_member(0).replace(b"00000000000\0", b"-0000000001\0", 1)),
        "a link": content(_member(0, b"2", "/etc/passwd")),
        "a device": content(_member(0, b"3")),
        "a pipe": content(_member(0, b"6")),
    },
}

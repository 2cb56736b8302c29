"""Mutations inside of what wraps: archives with right sums, headers of right length."""

import ast
import bz2
import gzip
import io
import json
import lzma
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

from fuzz.mutations.by_values import as_json, of_values
from fuzz.mutations.odd_values import TEXTS, odd_integer, odd_number_text

Inner = Callable[[str, bytes], tuple[bytes, str]]
"""Mutates what lies inside, by its name."""
BROKEN = (OSError, EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError)
MOST_UNPACKED = 1 << 20
MOST_MEMBERS = 20
"""Of a bomb no more is taken out."""
BROKEN_ZIP = (*BROKEN, zipfile.BadZipFile, NotImplementedError, KeyError)


def packed(data: bytes, name: str, inner: Inner) -> tuple[bytes, str] | None:
    """Return a .gz, .xz or .bz2 whose content is changed."""
    for magic, unpack, pack in (
        (b"\x1f\x8b", gzip.open, lambda raw: gzip.compress(raw, mtime=0)),
        (b"\xfd7zXZ", lzma.open, lzma.compress),
        (b"BZh", bz2.open, bz2.compress),
    ):
        if data.startswith(magic):
            try:
                with unpack(io.BytesIO(data)) as file:
                    content, description = inner(name.rpartition(".")[0], file.read(MOST_UNPACKED))
            except BROKEN:
                return None
            return pack(content), f"inside: {description}"
    return None


def zipped(data: bytes, random: Random, inner: Inner) -> tuple[bytes, str] | None:
    """Return a zip with a member changed, doubled, renamed or left out, its sums right."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()[:MOST_MEMBERS]
            members = [(each.filename, archive.open(each).read(MOST_UNPACKED)) for each in infos]
    except BROKEN_ZIP:
        return None
    if not members:
        return None
    one = random.randrange(len(members))
    name, content = members[one]
    if description := _fewer_or_more(members, one, (way := random.randrange(10)), random, 400):
        description = f"{name} {description}"
    elif way == 2:
        members[one] = (random.choice(TEXTS).replace("\ud800", "x") or "x", content)
        description = f"{name} is called {members[one][0]!r}"
    else:
        content, description = inner(name, content)
        members[one], description = (name, content), f"{name}: {description}"
    buffer = io.BytesIO()
    how = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for called, each in members:
            # A name that is there already draws a warning, which is not ours to heed.
            info = zipfile.ZipInfo(called.encode("utf-8", "replace").decode())
            info.compress_type = how
            archive.NameToInfo.pop(info.filename, None)
            archive.writestr(info, each)
    return buffer.getvalue(), description


def tarred(data: bytes, random: Random, inner: Inner) -> tuple[bytes, str] | None:
    """Return a tar with a member changed, doubled, left out or of another kind."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = [
                (info, member.read(MOST_UNPACKED) if (member := archive.extractfile(info)) else b"")
                for info in archive.getmembers()[:MOST_MEMBERS]
            ]
    except (*BROKEN, tarfile.TarError, KeyError):
        return None
    if not members or not all(0 <= info.size <= MOST_UNPACKED for info, _ in members):
        return None
    one = random.randrange(len(members))
    info, content = members[one]
    if description := _fewer_or_more(members, one, (way := random.randrange(10)), random, 50):
        description = f"{info.name} {description}"
    elif way == 2:
        info.type = random.choice((b"1", b"2", b"3", b"5", b"6", b"S", b"x", b"g"))
        info.linkname = random.choice(("/etc/passwd", "../x", info.name))
        description = f"{info.name} is of type {info.type!r}"
    else:
        content, description = inner(info.name, content)
        info.size, description = len(content), f"{info.name}: {description}"
        members[one] = (info, content)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for info, each in members:
            archive.addfile(info, io.BytesIO(each.ljust(info.size, b"\0")))
    return buffer.getvalue(), description


def _fewer_or_more(members: list[Any], one: int, way: int, random: Random, most: int) -> str:
    """Leave one member out, or have it several times; say so, and nothing of another way."""
    if way == 0:
        del members[one]
        return "is left out"
    if way == 1:
        members += [members[one]] * random.choice((1, most))
        return "stands several times"
    return ""


def headed_by_json(data: bytes, random: Random) -> tuple[bytes, str] | None:
    """Return a safetensors file whose header says something else, its length right."""
    length = int.from_bytes(data[:8], "little")
    try:
        tree = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError):
        return None
    changed, description = of_values(tree, random)
    header = as_json(changed)
    return len(header).to_bytes(8, "little") + header + data[8 + length :], f"header: {description}"


def headed_by_numpy(data: bytes, random: Random) -> tuple[bytes, str] | None:
    """Return a .npy whose header says something else, its length right."""
    length = int.from_bytes(data[8:10], "little")
    text = data[10 : 10 + length].decode("latin-1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            literal = ast.literal_eval(text.strip())
        shape, descr = tuple(literal["shape"]), literal["descr"]
    except (ValueError, SyntaxError, KeyError, TypeError, MemoryError, RecursionError):
        return None
    way = random.randrange(5)
    if way == 0:
        new = random.choice(("<U0", "<U1", "<S0", "|O", "<f2", "<c16", "|V8", "<M8[ns]", ">f4"))
        text = text.replace(repr(descr), repr(new))
    elif way == 1:
        new = f"({odd_integer(random)}, {random.choice((*shape, 0, 1, True))})"
        text = text.replace(str(shape), new)
    elif way == 2:
        new = random.choice(("()", "(0,)", "(1,) * 70", "-" * 7000, "(" * 300, "None", "(-1, 2)"))
        text = text.replace(str(shape), new)
    elif way == 3:
        new = odd_number_text(random)
        text = text.replace(str(random.choice((*shape, "False"))), new, 1)
    else:
        at = random.randrange(len(text))
        new = random.choice(("", "{", "'", "\\", "#", "\0", "True"))
        text = text[:at] + new + text[at + 1 :]
    header = text.encode("latin-1", "replace")[:65_535]
    return data[:8] + len(header).to_bytes(2, "little") + header + data[10 + length :], (
        f"header: {new[:30]!r}"
    )

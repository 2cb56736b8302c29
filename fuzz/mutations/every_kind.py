"""One door for every file: what it is decides how it is changed."""

import json
import tomllib
from collections.abc import Sequence
from random import Random

from fuzz.mutations.by_bytes import of_bytes
from fuzz.mutations.by_instructions import of_instructions
from fuzz.mutations.by_lines import of_lines
from fuzz.mutations.by_values import as_json, as_toml, of_values
from fuzz.mutations.gently import gently
from fuzz.mutations.inside import headed_by_json, headed_by_numpy, packed, tarred, zipped

LARGEST = 1 << 20
"""What grows past this is cut: a small file that does harm is what is sought."""
GENTLE = 0.45
"""How often it is changed so that it still looks whole: else few cases would get far."""
BLIND = 0.15
"""How often a file is changed without looking at what it is."""


def mutated(
    name: str, data: bytes, random: Random, others: Sequence[bytes] = ()
) -> tuple[bytes, str]:
    """Return a file with one change that its format lets through to what reads it, and which."""
    if random.random() < GENTLE and (kind := gently(name, data, random, text=_is_text(data))):
        return kind
    try:
        changed = None if random.random() < BLIND else _by_format(name, data, random, others)
    except (MemoryError, RecursionError):  # what breaks readers may break this one too
        changed = None
    if changed is None and _is_text(data):
        changed = of_lines(data, random, others)
    content, description = changed or of_bytes(data, random, others)
    return content[:LARGEST], description


def _by_format(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str] | None:
    def inner(inside: str, content: bytes) -> tuple[bytes, str]:
        return mutated(inside, content, random)

    if data[:2] == b"PK":
        return zipped(data, random, inner)
    if data[:3] in (b"\x1f\x8b\x08", b"\xfd7z", b"BZh"):
        return packed(data, name, inner)
    if data[257:262] == b"ustar":
        return tarred(data, random, inner)
    if data[8:9] == b"{" and int.from_bytes(data[:8], "little") < len(data):
        return headed_by_json(data, random)
    if data[:6] == b"\x93NUMPY":
        return headed_by_numpy(data, random) if random.random() < 0.8 else None
    if data[:1] == b"\x80":
        return of_instructions(data, random)
    if name.endswith(".jsonl"):
        return _one_record(data, random) if random.random() < 0.8 else None
    return _as_tree(name, data, random) if random.random() < 0.7 else None


def _one_record(data: bytes, random: Random) -> tuple[bytes, str] | None:
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    try:
        changed, description = of_values(json.loads(lines[at]), random)
    except (ValueError, RecursionError):
        return None
    lines[at] = as_json(changed)
    return b"\n".join(lines), f"record {at}: {description}"


def _as_tree(name: str, data: bytes, random: Random) -> tuple[bytes, str] | None:
    try:
        if name.endswith(".toml"):
            tree, description = of_values(tomllib.loads(data.decode()), random)
            return (as_toml(tree), description) if isinstance(tree, dict) else None
        if data[:1] in (b"{", b"["):
            tree, description = of_values(json.loads(data), random)
            return as_json(tree), description
    except (ValueError, RecursionError):
        pass
    return None


def _is_text(data: bytes) -> bool:
    return b"\0" not in data[:1000] and sum(byte > 126 for byte in data[:400]) < 200

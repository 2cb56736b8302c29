"""Changes after which a file still looks whole: another number, letter or value in its place."""

import json
import re
import struct
from random import Random

from fuzz.mutations.by_values import as_json, near_values

DIGITS = re.compile(rb"\d")
LETTERS = re.compile(rb"[a-z]")
NUMBERS = (0.0, -0.0, 1.0, -1.0, 1e-38, 1e38, -3e38, float("nan"), float("inf"), 1e-45, 0.5)
ARCHIVES = (b"PK", b"\x1f\x8b", b"\xfd7z", b"BZh")


def gently(name: str, data: bytes, random: Random, *, text: bool) -> tuple[bytes, str] | None:
    """Return the file with one change that its reader has to look for; None if it cannot be."""
    if len(data) < 16 or data.startswith(ARCHIVES) or data[257:262] == b"ustar":
        return None
    if not text:
        return _another_number(data, random)
    if data[:1] == b"{" and not name.endswith(".jsonl"):
        try:
            tree, description = near_values(json.loads(data), random)
        except (ValueError, RecursionError):
            return None
        return as_json(tree), description
    pattern, new = (
        (DIGITS, random.choice(b"0123456789"))
        if random.random() < 0.6
        else (LETTERS, random.choice(b"abcdefghijklmnopqrstuvwxyz"))
    )
    places = [found.start() for found in pattern.finditer(data[:50_000])]
    if not places:
        return None
    at = random.choice(places)
    return data[:at] + bytes([new]) + data[at + 1 :], f"{chr(new)!r} at {at}"


def _another_number(data: bytes, random: Random) -> tuple[bytes, str]:
    """Put a number among others; arrays end where their file does, so it is counted from there."""
    number = random.choice((*NUMBERS, *(random.gauss(0, 1) for _ in NUMBERS)))
    kind = random.choice("ffd")
    written = struct.pack(f"<{kind}", number)
    head = 8 + int.from_bytes(data[:8], "little") if data[8:9] == b"{" else len(data) // 4
    most = (len(data) - min(head, len(data))) // len(written)
    at = len(data) - len(written) * random.randint(1, max(1, most))
    return data[:at] + written + data[at + len(written) :], f"{number:g} ({kind}) at {at}"

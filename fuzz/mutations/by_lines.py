"""Mutations of text: whole lines, numbers in decimal, characters that act on a terminal."""

import re
from collections.abc import Sequence
from random import Random

from fuzz.mutations.odd_values import TEXTS, odd_number_text

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:e-?\d+)?")
WORD = re.compile(rb"[^\s\"',;=\[\]{}]+")


def of_lines(data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """Return the text with one change, and what it was."""
    way = random.randrange(10)
    if way < 3:
        return _swapped(data, NUMBER, random, odd_number_text(random).encode())
    if way == 3:
        text = random.choice(TEXTS).encode("utf-8", "surrogatepass")
        return _swapped(data, WORD, random, text)
    if way == 4:
        return _swapped(data, re.compile(rb"\s"), random, random.choice((b"", b"\t", b"\n", b"\r")))
    lines = data.split(b"\n")
    one, other = (random.randrange(len(lines)) for _ in range(2))
    if way == 5:
        del lines[one]
        return b"\n".join(lines), f"line {one} left out"
    if way == 6:
        lines.insert(other, lines[one])
        return b"\n".join(lines), f"line {one} again at {other}"
    if way == 7:
        lines[one], lines[other] = lines[other], lines[one]
        return b"\n".join(lines), f"lines {one} and {other} exchanged"
    if way == 8 and others:
        other_lines = random.choice(others).split(b"\n")
        lines.insert(one, random.choice(other_lines))
        return b"\n".join(lines), f"a stranger's line at {one}"
    opening = random.choice((b"[", b"{", b"(", b'"', b"'", b"[x]\n", b"a.", b"-"))
    times = random.choice((1, 70, 3000))
    lines[one] = opening * times + lines[one]
    return b"\n".join(lines), f"{times} times {opening!r} at line {one}"


def _swapped(
    data: bytes, pattern: re.Pattern[bytes], random: Random, new: bytes
) -> tuple[bytes, str]:
    found = [match.span() for match in pattern.finditer(data[:20_000])]
    if not found:
        return data + new, f"{new[:20]!r} at the end"
    # Half of the time near the beginning, where counts and sizes stand.
    start, end = random.choice(found[:4] if random.random() < 0.3 else found)
    return data[:start] + new + data[end:], f"{new[:20]!r} at {start}"

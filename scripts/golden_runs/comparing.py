"""Two outputs beside one another: which record or line moved, which field, from what to what."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

NAMES = (
    "status", "kind", "name", "claim", "test.id", "suite", "model.name", "models", "before.name",
    "metric", "similarity", "method", "strength", "place", "document", "measure", "what", "table",
    "row", "column",
)  # fmt: skip
"""Fields that say which record one is, as far as it has them."""

NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
DIGEST = re.compile(r"[0-9a-f]{64}")
HEADING = re.compile(r'^\$ (.*)|^#+ (.*)|<h[1-6][^>]*>(.*?)</h|<section[^>]* id="([^"]*)"')


@dataclass(frozen=True)
class Nearness:
    """How far two numbers may lie apart and be the same, and whether digests must be equal.

    With `last_digit` a figure that is shown rounded may differ by one in its last decimal.
    """

    share: float = 1e-9
    least: float = 1e-12
    digests: bool = True
    last_digit: bool = False

    def holds(self, one: float, other: float) -> bool:
        """Say whether two numbers are the same but for their last digits."""
        return abs(one - other) <= max(self.least, self.share * max(abs(one), abs(other)))


EXACT = Nearness(0.0, 0.0)
COMPUTED = Nearness(1e-3, 1e-6, digests=False, last_digit=True)


@dataclass(frozen=True)
class Moved:
    """One thing that is not what it was."""

    where: str
    old: str
    new: str

    def __str__(self) -> str:
        """Return it as one line."""
        return f"{self.where}: {self.old} -> {self.new}"


@dataclass
class Compared:
    """What came of a comparison: what moved, of how many records, and what nearly did."""

    moved: list[Moved] = field(default_factory=list)
    records: int = 0
    nearly: int = 0


def compared(name: str, old: str, new: str, nearness: Nearness) -> Compared:
    """Compare two texts of one name: as records if they are JSON, else line by line."""
    found = Compared()
    if name.endswith((".json", ".jsonl")):
        before, after = records_of(name, old), records_of(name, new)
        found.records = len(before)
        if old == new:
            return found
        if list(before) != list(after) and set(before) == set(after):
            found.moved.append(Moved("order of records", *_excerpts(str([*before]), str([*after]))))
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in after or key not in before:
                found.moved.append(Moved(key, *_presence(key in before, key in after)))
            else:
                _record(key, before[key], after[key], nearness, found)
        if not found.moved and not found.nearly:
            found.moved.append(Moved("the same values, written otherwise", *_excerpts(old, new)))
        return found
    found.records = old.count("\n")
    if old != new:
        _lines(old.splitlines(), new.splitlines(), nearness, found)
        if not found.moved and not found.nearly:
            found.moved.append(Moved("ends of lines", repr(old[-20:]), repr(new[-20:])))
    return found


def records_of(name: str, text: str) -> dict[str, Any]:
    """Return records by what they are about; the same again has a number."""
    documents = [json.loads(text)] if name.endswith(".json") else map(json.loads, text.splitlines())
    found: dict[str, Any] = {}
    for record in documents:
        leaves = dict(leaves_of(record)) if isinstance(record, dict) else {}
        parts = [_short(part) for name in NAMES if (part := _named(leaves, record, name))]
        key, number = " | ".join(parts) or "the record", 2
        while key in found:
            key = f"{' | '.join(parts)} #{number}"
            number += 1
        found[key] = record
    return found


def leaves_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give every value that is neither list nor table, with where it stands."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from leaves_of(inner, f"{path}[{number}]")
    else:
        yield path, value


def _named(leaves: dict[str, Any], record: Any, name: str) -> Any:
    """Return what a record says under one of the names; of `place`, which is a table, all of it."""
    if name in leaves:
        return leaves[name]
    return record.get(name) if isinstance(record, dict) and "." not in name else None


def _record(key: str, old: Any, new: Any, nearness: Nearness, found: Compared) -> None:
    before, after = dict(leaves_of(old)), dict(leaves_of(new))
    shared = [path for path in before if path in after]
    if shared != [path for path in after if path in before]:
        found.moved.append(Moved(key, "fields in this order", "fields in another order"))
    for path in [*before, *(path for path in after if path not in before)]:
        where = f"{key}: {path}"
        if path not in before or path not in after:
            sides = [_short(side[path]) if path in side else "nothing" for side in (before, after)]
            found.moved.append(Moved(where, *sides))
        elif not _same(before[path], after[path]):
            if _near(before[path], after[path], nearness):
                found.nearly += 1
            else:
                found.moved.append(Moved(where, *_excerpts(before[path], after[path])))


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def _near(old: Any, new: Any, nearness: Nearness) -> bool:
    if type(old) is not type(new):
        return False
    if isinstance(old, float):
        return nearness.holds(old, new)
    return isinstance(old, str) and near_text(old, new, nearness)


def near_text(old: str, new: str, nearness: Nearness) -> bool:
    """Say whether two lines differ in the last digits of numbers, or in digests that may, alone."""
    if not nearness.digests:
        old, new = DIGEST.sub("<digest>", old), DIGEST.sub("<digest>", new)
    if NUMBER.sub("0", old) != NUMBER.sub("0", new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return all(one == other or _near_written(one, other, nearness) for one, other in pairs)


def _near_written(one: str, other: str, nearness: Nearness) -> bool:
    """Say so of two numbers as they are written: what is shown with few digits is rounded."""
    if "." not in one or "." not in other:
        return False
    values = [float(part.replace("\N{MINUS SIGN}", "-")) for part in (one, other)]
    if min(len(one), len(other)) >= 10:
        return nearness.holds(*values)
    decimals = {len(part.partition(".")[2]) for part in (one, other)}
    if not nearness.last_digit or len(decimals) > 1 or "e" in f"{one}{other}".lower():
        return False
    return abs(values[0] - values[1]) < 1.5 * 10.0 ** -decimals.pop()


def _lines(old: list[str], new: list[str], nearness: Nearness, found: Compared) -> None:
    if len(old) == len(new):
        blocks = [("replace", at, at + 1, at, at + 1) for at in range(len(old))]
    else:
        blocks = list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    for kind, start, end, begin, stop in blocks:
        if kind == "equal" or old[start:end] == new[begin:stop]:
            continue
        if end - start == stop - begin:
            pairs = zip(old[start:end], new[begin:stop], strict=True)
            for at, (one, other) in enumerate(pairs, start):
                if one != other and near_text(one, other, nearness):
                    found.nearly += 1
                elif one != other:
                    found.moved.append(Moved(_place(old, at), *_excerpts(one, other)))
        else:
            sides = ("\n".join(old[start:end]), "\n".join(new[begin:stop]))
            found.moved.append(Moved(_place(old, start), *_excerpts(*sides)))


def _place(lines: list[str], at: int) -> str:
    """Return the number of a line and the heading above it."""
    for line in reversed(lines[: at + 1]):
        if heading := HEADING.search(line):
            named = next(group for group in heading.groups() if group is not None)
            return f"line {at + 1} ({_short(re.sub('<[^>]*>', '', named))})"
    return f"line {at + 1}"


def _excerpts(old: Any, new: Any, around: int = 40, most: int = 160) -> tuple[str, str]:
    """Return both sides, cut to where they differ."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return _short(old), _short(new)
    start = next((at for at, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), None)  # noqa: B905
    start = max(0, (min(len(old), len(new)) if start is None else start) - around)
    prefix = "..." if start else ""
    cut = [prefix + side[start : start + most] + "..." * (len(side) > start + most)
           for side in (old, new)]  # fmt: skip
    return repr(cut[0]), repr(cut[1])


def _presence(*sides: bool) -> list[str]:
    return ["there" if side else "not there" for side in sides]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]}..."

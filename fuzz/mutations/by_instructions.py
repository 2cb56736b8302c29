"""Mutations of pickles: instructions left out, doubled, exchanged, or put in."""

import pickle
import pickletools
from random import Random

from fuzz.mutations.odd_values import odd_integer

INSERTED = (
    *(b"r\xff\xff\xff\x0f", b"r\xff\xff\xff\x7f", b"q\xff", b"p999999999\n", b"\x94", b"2", b"0"),
    *(b"(", b"t", b"l", b"d", b"\x85", b"\x86", b"]", b"}", b")", b"N", b"R", b"b", b"a", b"e"),
    *(b"s", b"u", b"\x81", b"\x92", b"o", b"cos\nsystem\n", b"cbuiltins\neval\n", b"\x8c\x00"),
    *(b"\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x8e\x00\x00\x00\x00\x01\x00\x00\x00", b"Pxy\n"),
    *(
        b"B\xff\xff\xff\x7f",
        b"X\xff\xff\xff\xff",
        b"\x8b\xff\xff\xff\x7f",
        b"I" + b"9" * 4400 + b"\n",
    ),
    *(b"\x96\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x97", b"\x98", b"Q", b"\x82\x01", b"Fnan\n"),
)


def of_instructions(data: bytes, random: Random) -> tuple[bytes, str] | None:
    """Return the pickle with one instruction changed, and what it was; None if it is no pickle."""
    try:
        steps = [(step.name, at or 0) for step, _, at in pickletools.genops(data)]
    except (ValueError, KeyError, IndexError, UnicodeError, pickle.UnpicklingError):
        return None
    ends = [at for _, at in steps[1:]] + [steps[-1][1] + 1]
    parts = [data[at:end] for (_, at), end in zip(steps, ends, strict=True)]
    rest = data[ends[-1] :]
    one, other = (random.randrange(len(parts)) for _ in range(2))
    name, way = steps[one][0], random.randrange(6)
    if way == 0:
        del parts[one]
        description = f"without {name} ({one})"
    elif way == 1:
        parts.insert(other, parts[one])
        description = f"{name} ({one}) again at {other}"
    elif way == 2:
        parts[one], parts[other] = parts[other], parts[one]
        description = f"instructions {one} and {other} exchanged"
    elif way == 3:
        new = random.choice(INSERTED)
        parts.insert(one, new)
        description = f"{new[:12]!r} before {one}"
    elif way == 4:
        parts[one] = random.choice(INSERTED)
        description = f"{parts[one][:12]!r} for {name} ({one})"
    else:
        number = odd_integer(random)
        text = pickle.dumps(number, 2)[2:-1]
        places = [n for n, (called, _) in enumerate(steps) if "INT" in called or "LONG" in called]
        one = random.choice(places) if places else one
        parts[one] = text
        description = f"{number} for {steps[one][0]} ({one})"
    return b"".join(parts) + rest, description

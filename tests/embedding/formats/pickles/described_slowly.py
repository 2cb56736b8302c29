"""Depth and weight of what a pickle describes, from the graph of its containers: slow and plain."""

import pickletools
from dataclasses import dataclass, field
from typing import Any

CONTAINERS = {"EMPTY_LIST", "EMPTY_DICT", "EMPTY_SET"}
OF_A_MARK = {"LIST", "DICT", "TUPLE", "FROZENSET", "OBJ", "INST"}
TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
NAMES = {"GLOBAL": 0, "STACK_GLOBAL": 2, "PERSID": 0, "BINPERSID": 1}
INTO = {"APPEND": 1, "SETITEM": 2, "BUILD": 1}
INTO_OF_A_MARK = {"APPENDS", "SETITEMS", "ADDITEMS"}
MARK = object()


@dataclass(eq=False)
class Part:
    """A value: what is inside it, and whether its hash is that of its parts."""

    hashed: bool = False
    size: int = 1
    inside: list["Part"] | None = None
    found: list[int] = field(default_factory=list)


def described_slowly(content: bytes) -> tuple[int, int]:
    """Return the longest chain of containers in an object, and its weight up to 255."""
    stack: list[Any] = []
    memo: dict[int, Part] = {}

    def taken(count: int) -> list[Part]:
        found = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return found

    def since_mark() -> list[Part]:
        found = taken(stack[::-1].index(MARK))
        stack.pop()
        return found

    steps: list[tuple[Any, Any, Any]] = list(pickletools.genops(content))
    ends = [place for _, _, place in steps[1:]] + [len(content)]
    for (code, argument, place), end in zip(steps, ends, strict=True):
        name = code.name
        if name in CONTAINERS:
            stack.append(Part(inside=[]))
        elif name in TUPLES:
            stack.append(Part(True, inside=taken(TUPLES[name])))
        elif name in OF_A_MARK:
            stack.append(Part(name in ("TUPLE", "FROZENSET"), inside=since_mark()))
        elif name in ("REDUCE", "NEWOBJ"):
            stack.append(Part(inside=taken(2)))
        elif name in INTO or name in INTO_OF_A_MARK:
            more = taken(INTO[name]) if name in INTO else since_mark()
            if stack[-1].inside is not None:
                stack[-1].inside.extend(more)
        elif name in NAMES:
            taken(NAMES[name])
            stack.append(Part())
        elif name == "MARK":
            stack.append(MARK)
        elif name == "POP":
            stack.pop()
        elif name == "POP_MARK":
            since_mark()
        elif name == "DUP":
            stack.append(stack[-1])
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[int(argument)])
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[int(argument)] = stack[-1]
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name not in ("PROTO", "FRAME", "STOP"):
            is_text = any(kind in name for kind in ("STRING", "UNICODE", "BYTES", "BYTEARRAY"))
            stack.append(Part(size=1 + min((end - place) // 1024, 65) if is_text else 1))
    return _depth(stack[-1], ()), _weight(stack[-1])


def _depth(part: Part, above: tuple[Part, ...]) -> int:
    if part.inside is None or part in above:
        return 0
    if not part.found:
        deepest = [_depth(each, (*above, part)) for each in part.inside]
        part.found.append(1 + max(deepest, default=0))
    return part.found[0]


def _weight(part: Part) -> int:
    if part.inside is None:
        return 1 if part.size == 1 else part.size
    return min(255, 1 + sum(map(_weight, part.inside))) if part.hashed else 1

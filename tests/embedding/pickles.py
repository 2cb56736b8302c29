"""Pickles written by hand, instruction by instruction."""

import pickle
from typing import Any


def pushed(value: Any) -> bytes:
    """The instructions that push a plain value, without the protocol and the final stop."""
    return pickle.dumps(value, 2)[2:-1]


def called(module: str, name: str, *args: Any) -> bytes:
    """The oldest way: a name on two lines, then REDUCE."""
    return b"c" + f"{module}\n{name}\n".encode() + pushed(args) + b"R"


def called_by_stack(module: str, name: str, *args: Any) -> bytes:
    """Protocol 4's way, in which a dotted name walks from attribute to attribute."""
    texts = (text.encode() for text in (module, name))
    return b"".join(b"\x8c" + bytes([len(t)]) + t for t in texts) + b"\x93" + pushed(args) + b"R"


def whole(instructions: bytes, protocol: int = 4) -> bytes:
    return b"\x80" + bytes([protocol]) + instructions + b"."

"""Pickles written by hand: instruction by instruction, or with classes that only bear a name."""

import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


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


def forged(monkeypatch: pytest.MonkeyPatch, *paths: str) -> dict[str, type]:
    """Empty classes that pickle writes under these paths, by their last names."""
    classes = {}
    for path in paths:
        module, _, name = path.rpartition(".")
        steps = module.split(".")
        for end in range(1, len(steps) + 1):
            parent = ".".join(steps[:end])
            if getattr(sys.modules.get(parent), "is_forged", False):
                continue
            holder = ModuleType(parent)
            setattr(holder, "is_forged", True)  # noqa: B010 - no attribute of modules
            monkeypatch.setitem(sys.modules, parent, holder)
        classes[name] = type(name, (), {"__module__": module})
        setattr(sys.modules[module], name, classes[name])
    return classes


def made(kind: type, **state: object) -> Any:
    built = kind()
    built.__dict__.update(state)
    return built


def written(path: Path, value: object, protocol: int = 2) -> Path:
    path.write_bytes(pickle.dumps(value, protocol))
    return path

"""Warnings that point at the caller's line, and a thread-safe filter of warnings."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import FrameType
from typing import Literal


class FairvecWarning(UserWarning):
    """A doubt about an argument, not an error; filtered by Python as every warning is."""


def warn_user(remark: str) -> None:
    """Issue a warning that points at the line that called fairvec; nothing for an empty remark."""
    if remark:
        warnings.warn(remark, FairvecWarning, stacklevel=_frames_within() + 1)


def _frames_within() -> int:
    """Return the number of innermost frames that belong to fairvec, `warn_user` included."""
    frame: FrameType | None = sys._getframe(1)
    depth = 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "fairvec":
        depth, frame = depth + 1, frame.f_back
    return depth


_lock = RLock()

if hasattr(os, "register_at_fork"):  # else a child could wait for a thread it does not have
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )


@contextmanager
def filter_warnings(
    action: Literal["ignore", "error"], category: type[Warning] = Warning
) -> Iterator[None]:
    """Ignore or raise warnings of a category within a block; other threads wait for their turn.

    `warnings.catch_warnings` changes global state, so only one thread may use it at a time.
    """
    with _lock, warnings.catch_warnings():
        warnings.simplefilter(action, category)
        yield

"""Warnings at the line of whoever calls from Python, and a filter for one thread."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import FrameType
from typing import Literal


class FairvecWarning(UserWarning):
    """A doubt about what was given, not an error; Python says it once a line, or never if asked."""


def warn_user(remark: str) -> None:
    """Warn of a remark at the line that called fairvec; an empty one is none."""
    if remark:
        warnings.warn(remark, FairvecWarning, stacklevel=_frames_within() + 1)


def _frames_within() -> int:
    """Return how many of the last calls were made within fairvec, that of `warn_user` included."""
    frame: FrameType | None = sys._getframe(1)
    within = 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "fairvec":
        within, frame = within + 1, frame.f_back
    return within


# What is heard of warnings within a block, in one thread at a time.


_alone = RLock()

if hasattr(os, "register_at_fork"):  # else a child would wait for a thread that it does not have
    os.register_at_fork(
        before=_alone.acquire, after_in_parent=_alone.release, after_in_child=_alone.release
    )


@contextmanager
def filter_warnings(
    action: Literal["ignore", "error"], category: type[Warning] = Warning
) -> Iterator[None]:
    """Ignore warnings of a kind within a block, or raise them; other threads wait to do so."""
    with _alone, warnings.catch_warnings():
        warnings.simplefilter(action, category)
        yield

"""What whoever calls from Python should hear before figures: a warning at the line of the call."""

import sys
import warnings
from types import FrameType


class FairvecWarning(UserWarning):
    """A doubt about what was given, not an error; Python says it once a line, or never if asked."""


def say_aloud(remark: str) -> None:
    """Warn of a remark at the line that called fairvec; an empty one is none."""
    if remark:
        warnings.warn(remark, FairvecWarning, stacklevel=_frames_within() + 1)


def _frames_within() -> int:
    """Return how many of the last calls were made within fairvec, that of `say_aloud` included."""
    frame: FrameType | None = sys._getframe(1)
    within = 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "fairvec":
        within, frame = within + 1, frame.f_back
    return within

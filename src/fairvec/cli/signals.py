"""Ending when the system asks for it: what is under way is cleaned up first."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
PATIENCE = 5.0
"""So many seconds are given to the cleaning up before a second signal is heard."""


class Ended(SystemExit):
    """The system has asked the process to end; the code is 128 and the number of the signal."""


class Ender:
    """What hears such signals."""

    def __init__(self) -> None:
        self.number = 0
        self._at = 0.0

    def __call__(self, number: int, _: FrameType | None) -> None:
        """Unwind all that is under way; the same signal sent twice must not break that off."""
        now = time.monotonic()
        if not self.number or now - self._at > PATIENCE:
            self.number, self._at = number, now
            raise Ended(128 + number)


@contextmanager
def orderly() -> Iterator[None]:
    """Leave through all open blocks, whose drafts go with them, when the process is asked to end.

    A signal that is ignored (nohup) stays so. One that comes in the midst of a long computation is
    heard after it, as Ctrl+C is.
    """
    if current_thread() is not main_thread():
        yield
        return
    ours = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    ender = Ender()
    for number in ours:
        signal.signal(number, ender)
    try:
        yield
    except BaseException as error:  # raised again, or as what the signal means
        # A terminal that is gone fails whoever takes leave of it.
        if ender.number and not isinstance(error, Ended):
            raise Ended(128 + ender.number) from None
        raise
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)

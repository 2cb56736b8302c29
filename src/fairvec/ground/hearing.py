"""What is heard of warnings within a block, in one thread at a time.

Python has one list of filters for all threads: of two that change it at once the first to leave
would let the other hear what it must not, and the last would leave its own filter behind for good.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Literal

_alone = RLock()

if hasattr(os, "register_at_fork"):  # else a child would wait for a thread that it does not have
    os.register_at_fork(
        before=_alone.acquire, after_in_parent=_alone.release, after_in_child=_alone.release
    )


@contextmanager
def hearing(
    action: Literal["ignore", "error"], category: type[Warning] = Warning
) -> Iterator[None]:
    """Ignore warnings of a kind within a block, or raise them; other threads wait to do so."""
    with _alone, warnings.catch_warnings():
        warnings.simplefilter(action, category)
        yield

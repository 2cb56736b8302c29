"""Compiling loops, and running them in threads; importing this file imports numba."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from os import cpu_count
from typing import Any, TypeVar, cast

from numba import njit

from fairvec.ground.machine.compiled_cache import OwnCache

Function = TypeVar("Function", bound=Callable[..., Any])
Answer = TypeVar("Answer")

MOST_THREADS = 8


def compiled(
    *, fastmath: bool | set[str] = False, check_division: bool = True
) -> Callable[[Function], Function]:
    """Compile without the interpreter lock, keeping the machine code for the next process.

    `fastmath` says which rules of floating-point arithmetic a loop may bend to be faster. A loop
    that divides by what cannot be zero is several times faster where that is not checked.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": fastmath}
    options["error_model"] = "python" if check_division else "numpy"

    def to_machine_code(function: Function) -> Function:
        machine_code = njit(**options)(function)
        # Where no folder is writable and the user's own, the code is compiled anew each time.
        with suppress(RuntimeError, OSError):
            machine_code._cache = OwnCache(function)
        return cast(Function, machine_code)

    return to_machine_code


def in_threads(work: Callable[[slice], Answer], rows: int, at_a_time: int) -> list[Answer]:
    """Return what `work` answers for each block of rows, threads taking blocks in turn."""
    if 0 < rows <= at_a_time:
        return [work(slice(0, rows))]  # a thread for one block costs more than a small one
    blocks = (slice(start, min(start + at_a_time, rows)) for start in range(0, rows, at_a_time))
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        return list(pool.map(work, blocks))

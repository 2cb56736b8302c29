"""Compilation of numeric loops with numba, their threads, and numba's cache of the machine code.

Importing this module imports numba. A compiled function takes constants and other compiled
functions from its own file alone: numba compiles again when that file changes.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from os import cpu_count
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(
    *, fastmath: bool | set[str] = False, check_division: bool = True
) -> Callable[[Function], Function]:
    """Compile a function without the interpreter lock, with a cache on disk.

    `fastmath` names the rules of floating-point arithmetic that a loop may relax to be faster. A
    loop whose divisors cannot be zero is several times faster without `check_division`.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": fastmath}
    options["error_model"] = "python" if check_division else "numpy"

    def compile_function(function: Function) -> Function:
        machine_code = njit(**options)(function)
        # Without a writable folder the code is compiled in every process.
        with suppress(RuntimeError, OSError):
            machine_code._cache = _Cache(function)
        return cast(Function, machine_code)

    return compile_function


Answer = TypeVar("Answer")


MOST_THREADS = 8


def map_blocks(work: Callable[[slice], Answer], rows: int, at_a_time: int) -> list[Answer]:
    """Return the results of `work` for each block of rows, computed by a pool of threads."""
    if 0 < rows <= at_a_time:
        return [work(slice(0, rows))]  # a thread pool would cost more than one small block
    blocks = (slice(start, min(start + at_a_time, rows)) for start in range(0, rows, at_a_time))
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        return list(pool.map(work, blocks))


class _Cache(FunctionCache):
    """The cached machine code of one function; what is damaged or cannot be kept is compiled."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code; None if there is none, or none that can be used here."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever is wrong with the cached code, compiling replaces it
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; a full disk or a folder without permission is ignored."""
        with suppress(OSError):
            super().save_overload(sig, data)

"""Compilation of numeric loops with numba, their threads, and a cache of the machine code.

Importing this module imports numba. Machine code is cached between processes in files that only the
user can have written and whose digest is checked before they are loaded, because loading a cache
file executes it.
"""

import os
import pickle
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile

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
        # Without a writable folder of the user's own the code is compiled in every process.
        with suppress(RuntimeError, OSError):
            machine_code._cache = UserCache(function)
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


DIGEST = sha256().digest_size


class DigestCacheFile(IndexDataCacheFile):
    """The cache files of one function, each ending in a digest that is checked before loading."""

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return content + sha256(content).digest()

    def _load_index(self) -> dict[Any, str]:
        version = pickle.dumps(self._version, protocol=-1)
        content = _read_owned(Path(self._index_path))
        if not content.startswith(version) or not _digest_matches(content[len(version) :]):
            return {}
        index: dict[Any, str] = super()._load_index()
        return index

    def _load_data(self, name: str) -> Any:
        if not _digest_matches(_read_owned(Path(self._data_path(name)))):
            raise OSError(f"{name} is damaged")  # the caller then compiles
        return super()._load_data(name)


class UserCache(FunctionCache):
    """The cached code of one function; RuntimeError where no folder can be trusted."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        source = Path(function.__code__.co_filename).parent
        if Path(self._cache_path) != source / "__pycache__":
            _restrict_to_user(Path(self._cache_path))
        default_file = self._cache_file
        base = default_file._index_name.removesuffix(".nbi")
        stamp = (default_file._source_stamp, _dependency_digest(function, ()))
        self._cache_file = DigestCacheFile(self._cache_path, base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code; None if there is none, or none that can be used here."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever is wrong with the cached code, compiling replaces it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; a full disk or a folder without permission is ignored."""
        with suppress(OSError):
            super().save_overload(sig, data)


def _dependency_digest(function: Any, visited: tuple[Any, ...]) -> str:
    """Return a digest of what is compiled in from outside: constants and other kernels."""
    namespace, names = function.__globals__, function.__code__.co_names
    found: dict[str, str] = {}
    for name in names:
        value = namespace.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith(__package__.split(".")[0]):
            members = {part: getattr(value, part) for part in names if hasattr(value, part)}
            found |= {
                f"{name}.{part}": repr(constant)
                for part, constant in members.items()
                if _is_constant(constant)
            }
        elif _is_constant(value):
            found[name] = repr(value)
        kernel = getattr(value, "py_func", None)
        if kernel is not None and kernel not in visited:
            code, nested = kernel.__code__, _dependency_digest(kernel, (*visited, function))
            found[name] = f"{code.co_code.hex()} {[*filter(_is_constant, code.co_consts)]} {nested}"
    return sha256(repr(sorted(found.items())).encode()).hexdigest()


def _is_constant(value: Any) -> bool:
    """Return whether a value is a constant that is compiled into machine code."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, int | float | str | bytes)


def _read_owned(path: Path) -> bytes:
    """Return the content of a file that the user or the system owns; empty for any other."""
    try:
        # Reading a pipe would block, and a device has no end.
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            owned = _is_owned(os.fstat(file.fileno()))
            return file.read() if owned else b""
    except OSError:
        return b""


def _digest_matches(content: bytes) -> bool:
    return len(content) > DIGEST and sha256(content[:-DIGEST]).digest() == content[-DIGEST:]


def _is_owned(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid in (0, os.geteuid())


def _restrict_to_user(folder: Path) -> None:
    """Restrict a folder to the user; RuntimeError if somebody else owns it."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not _is_owned(status):
        raise RuntimeError(f"{folder} belongs to somebody else")
    if stat.S_IMODE(status.st_mode) & 0o077:
        try:
            folder.chmod(stat.S_IRWXU)
        except OSError as error:
            raise RuntimeError(f"{folder} cannot be closed to others") from error

"""Compiled loops, their threads and their cache on disk; importing this file imports numba."""

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

# Machine code kept between processes, in files that only their owner can have written.


DIGEST = sha256().digest_size


class WholeFiles(IndexDataCacheFile):
    """The files of one function, each with a digest at its end that is looked at first."""

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return content + sha256(content).digest()

    def _load_index(self) -> dict[Any, str]:
        version = pickle.dumps(self._version, protocol=-1)
        content = _content(Path(self._index_path))
        if not content.startswith(version) or not _whole(content[len(version) :]):
            return {}
        found: dict[Any, str] = super()._load_index()
        return found

    def _load_data(self, name: str) -> Any:
        if not _whole(_content(Path(self._data_path(name)))):
            raise OSError(f"{name} is damaged")  # whoever asks then compiles
        return super()._load_data(name)


class OwnCache(FunctionCache):
    """The compiled code of one function; RuntimeError where no folder can be trusted."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        source = Path(function.__code__.co_filename).parent
        if Path(self._cache_path) != source / "__pycache__":
            _close_to_others(Path(self._cache_path))
        kept = self._cache_file
        base = kept._index_name.removesuffix(".nbi")
        stamp = (kept._source_stamp, _taken_in(function, ()))
        self._cache_file = WholeFiles(self._cache_path, base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what is kept; None if nothing is, or if it cannot be used here."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever is wrong with what was kept, compiling mends it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code; a full disk or a closed folder only means: not this time."""
        with suppress(OSError):
            super().save_overload(sig, data)


def _taken_in(function: Any, seen: tuple[Any, ...]) -> str:
    """Return what machine code takes from outside its function: constants, and other functions."""
    known, names = function.__globals__, function.__code__.co_names
    found: dict[str, str] = {}
    for name in names:
        value = known.get(name)
        if isinstance(value, ModuleType) and value.__name__.startswith(__package__.split(".")[0]):
            inside = {each: getattr(value, each) for each in names if hasattr(value, each)}
            found |= {f"{name}.{each}": repr(one) for each, one in inside.items() if _plain(one)}
        elif _plain(value):
            found[name] = repr(value)
        other = getattr(value, "py_func", None)
        if other is not None and other not in seen:
            code, further = other.__code__, _taken_in(other, (*seen, function))
            found[name] = f"{code.co_code.hex()} {[*filter(_plain, code.co_consts)]} {further}"
    return sha256(repr(sorted(found.items())).encode()).hexdigest()


def _plain(value: Any) -> bool:
    """Say whether a value is a constant that is written into machine code."""
    if isinstance(value, tuple):
        return all(map(_plain, value))
    return isinstance(value, int | float | str | bytes)


def _content(path: Path) -> bytes:
    """Return what a file of the user's, or of the system's, holds; nothing of any other."""
    try:
        # A pipe would be waited for, and a device has no end.
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            ours = _is_ours(os.fstat(file.fileno()))
            return file.read() if ours else b""
    except OSError:
        return b""


def _whole(content: bytes) -> bool:
    return len(content) > DIGEST and sha256(content[:-DIGEST]).digest() == content[-DIGEST:]


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid in (0, os.geteuid())


def _close_to_others(folder: Path) -> None:
    """Make a folder the user's alone; RuntimeError if it is somebody else's."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not _is_ours(status):
        raise RuntimeError(f"{folder} belongs to somebody else")
    if stat.S_IMODE(status.st_mode) & 0o077:
        try:
            folder.chmod(stat.S_IRWXU)
        except OSError as error:
            raise RuntimeError(f"{folder} cannot be closed to others") from error


Function = TypeVar("Function", bound=Callable[..., Any])
Answer = TypeVar("Answer")

MOST_THREADS = 8


def jit(
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


def map_blocks(work: Callable[[slice], Answer], rows: int, at_a_time: int) -> list[Answer]:
    """Return what `work` answers for each block of rows, threads taking blocks in turn."""
    if 0 < rows <= at_a_time:
        return [work(slice(0, rows))]  # a thread for one block costs more than a small one
    blocks = (slice(start, min(start + at_a_time, rows)) for start in range(0, rows, at_a_time))
    with ThreadPoolExecutor(min(cpu_count() or 1, MOST_THREADS)) as pool:
        return list(pool.map(work, blocks))

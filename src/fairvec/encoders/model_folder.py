"""A folder that holds a model: JSON, tensors, tokenizer and a hash over them."""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import (
    FairvecError,
    FileFormatError,
    MissingExtraError,
    UnsafeFileError,
    brief,
)
from fairvec.core.io.read_files import is_file, is_folder, read_text
from fairvec.core.io.safetensors import TensorFile, open_tensors
from fairvec.core.memory import max_rows
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr
from fairvec.core.warnings import filter_warnings
from fairvec.embedding.formats.torch_file import inspect_torch_file

_BLOCK = 1 << 20
KINDS = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
Kind = TypeVar("Kind", dict[str, Any], list[Any], str, int)


def checked_folder(folder: Path) -> Path:
    """Return the folder, or say that there is none."""
    if not is_folder(folder):
        raise FileFormatError(
            f"{folder} is not a folder; nothing is fetched by itself, so download the model first "
            "and give the folder that it lies in."
        )
    return folder


def required(path: Path) -> Path:
    """Return a file's path, or say which file is missing where."""
    if not is_file(path):
        raise FileFormatError(
            f"{path.parent} has no {path.name}; copy or download the whole folder again."
        )
    return path


def read_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file."""
    found = json_in(path)
    if not isinstance(found, dict):
        raise FileFormatError(f"{path} holds no JSON object; copy or download it again.")
    return found


def json_in(path: Path) -> Any:
    """Return what a JSON file holds."""
    text = read_text(required(path), "JSON", FileFormatError)
    try:
        return parse_json(text, lenient=True)
    except ValueError as error:
        raise FileFormatError(
            f"{path} is not valid JSON ({error}); copy or download it again."
        ) from error


def json_field(path: Path, said: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """Return what an object of a JSON file says under a name, None where it says nothing.

    What is of another kind than such files have there is refused.
    """
    value = said.get(name)
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise FileFormatError(
        f"{path} gives {short_repr(value)} as {name}, where {KINDS[kind]} should stand; copy or "
        "download it again."
    )


def optional_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file, empty if there is no such file."""
    return read_json_object(path) if is_file(path) else {}


def json_object_or_empty(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file, empty if it is missing or holds anything else."""
    try:
        return optional_json_object(path)
    except FileFormatError:
        return {}


def hash_of(folder: Path, files: Iterable[Path], settings: Mapping[str, Any]) -> str:
    """Return SHA-256 over the names and bytes of files and over settings."""
    digest = sha256(json.dumps(dict(settings), sort_keys=True, default=str).encode())
    for path in sorted(set(files)):
        name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
        digest.update(b"%d:%b%d:" % (len(name), name, path.stat().st_size))
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


# Tensors of a module's folder as arrays: from safetensors, else from a pickle of tensors alone.


SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_MORE_TYPES = {"I8": "|i1", "I32": "<i4", "BF16": "<u2"}


def tensor_file(folder: Path) -> Path:
    """Return the file that holds a module's tensors, or say that there is none."""
    for name in (SAFE, PICKLED):
        if (folder / name).is_file():
            return folder / name
    raise FileFormatError(
        f"{folder} has no weights ({SAFE} or {PICKLED}); copy or download the whole folder again."
    )


def tensors_in(path: Path) -> Mapping[str, NDArray[Any]]:
    """Return the tensors of a file by name."""
    if path.name == SAFE:
        file = open_tensors(path)
        return {name: array_of(file, name) for name in file.entries}
    return _unpickled(path)


def array_of(file: TensorFile, name: str) -> NDArray[Any]:
    """Return a tensor; bfloat16, which numpy does not know, as float32."""
    entry = file.entries.get(name)
    if entry is None or entry.dtype not in _MORE_TYPES:
        return file.tensor(name)
    kind = np.dtype(_MORE_TYPES[entry.dtype])
    try:
        array = file.content[entry.start : entry.end].view(kind).reshape(entry.shape)
    except ValueError as error:
        raise FileFormatError(
            f"{file.path}: the tensor {name} is damaged ({error}); copy or download it again."
        ) from error
    if entry.dtype != "BF16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


def _unpickled(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(f"Reading {path.name}", "encoders") from error
    inspect_torch_file(path)
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        return {name: tensor.float().numpy() for name, tensor in found.items()}
    except UnpicklingError as error:
        raise UnsafeFileError(
            f"{path}: the pickled weights ask for more than tensors and are not opened; have the "
            "model saved as safetensors."
        ) from error
    except (RuntimeError, ValueError, TypeError, EOFError, OSError, AttributeError) as error:
        said = str(error).partition("\n")[0][:200]
        raise FileFormatError(
            f"{path} holds no tensors by name ({said}); copy or download it again."
        ) from error


# What a tokenizer's file may ask for: numbers of tokens, and texts that grow while they are read.


MOST_GROWTH, OF_A_TABLE = 100_000, 100
"""What honest files put in the place of a letter is about as long, and few do it more than once."""


def refuse_odd_tokenizer(path: Path) -> None:
    """Raise if a file (tokenizer.json) numbers tokens as none of its size can, or lets texts grow.

    What is no list or table of tokens is left to the tokenizer, which says what is wrong with it.
    """
    said, most = read_json_object(path), max_rows(path.stat().st_size)
    for step in ("normalizer", "post_processor"):
        if _growth(said.get(step)) > MOST_GROWTH:
            raise FileFormatError(
                f"{path} would make texts more than {MOST_GROWTH:,} times as long ({step}), which "
                "no honest one does; fetch it again from where you trust it."
            )
    for number in _numbers(said):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < most:
            raise FileFormatError(
                f"{path} gives a token the number {short_repr(number)}, where 0 to {most - 1:,} "
                "can stand in a file of its size; copy or download it again."
            )


def _numbers(said: dict[str, Any]) -> Iterator[Any]:
    match said.get("model"):
        case {"vocab": dict() as tokens}:
            yield from tokens.values()
    match said.get("added_tokens"):
        case list() as added:
            yield from (token.get("id", 0) for token in added if isinstance(token, dict))


def _growth(step: Any) -> int:
    """Return how many times as long a text may become, at most; of old files no step has a type."""
    match step:
        case {"normalizers": list() as steps} | {"processors": list() as steps}:
            grown = 1
            for each in steps:
                grown *= _growth(each)
                if grown > MOST_GROWTH:
                    break  # a product of thousands would itself take long
            return grown
        case {"pattern": {"String": str() as old}, "content": str() as new} if old:
            return -(-max(len(new), len(old)) // len(old))
        case {"pattern": _, "content": str() as new}:
            return 1 + len(new)  # an expression may be found before every letter
        case {"single": list() as pieces}:
            return max(1, len(pieces))
        case {"precompiled_charsmap": _}:
            return OF_A_TABLE
    return 1


# What goes wrong inside a tokenizer whose file says odd things, in one sentence.


PANICS = "pyo3_runtime"
"""Where the errors come from that Rust makes of what it holds impossible; no Exception is above."""


@contextmanager
def tokenizer_errors(where: object, trouble: str) -> Iterator[None]:
    """Have whatever a tokenizer raises be a FileFormatError: it raises nothing more special.

    What ends a process (an interrupt, no memory left) stays as it is.
    """
    try:
        yield
    except (FairvecError, MemoryError):
        raise
    except BaseException as error:  # a panic of Rust is no Exception
        if not isinstance(error, Exception) and type(error).__module__ != PANICS:
            raise
        raise FileFormatError(
            f"{where}{trouble} ({brief(error)}); copy or download the whole folder again."
        ) from error


# Transformers without its messages, bars and warnings: what matters of them is checked here.


_PARALLEL = "TOKENIZERS_PARALLELISM"


@contextmanager
def silence_libraries(purpose: str) -> Iterator[None]:
    """Run a block that uses transformers, in silence; say which extra is missing if it is.

    One thread is in such a block at a time, for what is silenced is the same for all of them.
    """
    with filter_warnings("ignore"), one_thread():
        try:
            import torch  # noqa: F401 - transformers without torch fails later and less clearly
            from transformers.utils import logging as messages
        except ImportError as error:
            raise MissingExtraError(purpose, "encoders") from error
        spoken: Any = messages  # it has no types
        verbosity, bars = spoken.get_verbosity(), spoken.is_progress_bar_enabled()
        spoken.set_verbosity(logging.CRITICAL)
        spoken.disable_progress_bar()
        try:
            yield
        finally:
            spoken.set_verbosity(verbosity)
            if bars:
                spoken.enable_progress_bar()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let tokenizers use one thread, unless the user said otherwise.

    After several it warns of every later fork, though sentences are short enough for one.
    """
    if _PARALLEL in os.environ:
        yield
        return
    os.environ[_PARALLEL] = "false"
    try:
        yield
    finally:
        os.environ.pop(_PARALLEL, None)

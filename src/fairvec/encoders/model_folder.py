"""The files of a model's folder: JSON, tensors, tokenizer, and a hash over them.

Also what every reader of such folders needs: errors of tokenizers as one sentence, and transformers
without its messages and progress bars.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import (
    FairvecError,
    FileFormatError,
    MissingExtraError,
    brief,
    filter_warnings,
)
from fairvec.core.io.read_files import is_file, is_folder, read_text
from fairvec.core.io.safetensors import TensorFile, open_tensors
from fairvec.core.memory import max_rows
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr
from fairvec.embedding.formats.torch_file import read_torch_tensors

_BLOCK = 1 << 20
JSON_TYPE_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
Kind = TypeVar("Kind", dict[str, Any], list[Any], str, int)


def require_folder(folder: Path) -> Path:
    """Return the folder, or raise if there is none."""
    if not is_folder(folder):
        raise FileFormatError(
            f"{folder} is not a folder; nothing is fetched by itself, so download the model first "
            "and give the folder that it lies in."
        )
    return folder


def require_file(path: Path) -> Path:
    """Return a file's path, or raise with the name of the missing file."""
    if not is_file(path):
        raise FileFormatError(
            f"{path.parent} has no {path.name}; copy or download the whole folder again."
        )
    return path


def read_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file."""
    data = read_json(path)
    if not isinstance(data, dict):
        raise FileFormatError(f"{path} holds no JSON object; copy or download it again.")
    return data


def read_json(path: Path) -> Any:
    """Return the value in a JSON file."""
    text = read_text(require_file(path), "JSON", FileFormatError)
    try:
        return parse_json(text, lenient=True)
    except ValueError as error:
        raise FileFormatError(
            f"{path} is not valid JSON ({error}); copy or download it again."
        ) from error


def json_field(path: Path, data: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """Return a field of the object in a JSON file, None where it is missing or null.

    A value of another type is refused.
    """
    value = data.get(name)
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise FileFormatError(
        f"{path} gives {short_repr(value)} as {name}, where {JSON_TYPE_NAMES[kind]} should stand; "
        "copy or download it again."
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


def content_hash_of(folder: Path, files: Iterable[Path], settings: Mapping[str, Any]) -> str:
    """Return SHA-256 over the names and bytes of files and over settings."""
    digest = sha256(json.dumps(dict(settings), sort_keys=True, default=str).encode())
    for path in sorted(set(files)):
        name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
        digest.update(b"%d:%b%d:" % (len(name), name, path.stat().st_size))
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
_EXTRA_DTYPES = {"I8": "|i1", "I32": "<i4", "BF16": "<u2"}


def tensor_file(folder: Path) -> Path:
    """Return the file of a module's tensors: safetensors, else a pickle of tensors alone."""
    for name in (SAFE, PICKLED):
        if (folder / name).is_file():
            return folder / name
    raise FileFormatError(
        f"{folder} has no weights ({SAFE} or {PICKLED}); copy or download the whole folder again."
    )


def read_tensors(path: Path) -> Mapping[str, NDArray[Any]]:
    """Return the tensors of a file by name."""
    if path.name == SAFE:
        file = open_tensors(path)
        return {name: read_array(file, name) for name in file.entries}
    return read_torch_tensors(path)


def read_array(file: TensorFile, name: str) -> NDArray[Any]:
    """Return a tensor; bfloat16, which numpy does not know, as float32."""
    entry = file.entries.get(name)
    if entry is None or entry.dtype not in _EXTRA_DTYPES:
        return file.tensor(name)
    dtype = np.dtype(_EXTRA_DTYPES[entry.dtype])
    try:
        array = file.content[entry.start : entry.end].view(dtype).reshape(entry.shape)
    except ValueError as error:
        raise FileFormatError(
            f"{file.path}: the tensor {name} is damaged ({error}); copy or download it again."
        ) from error
    if entry.dtype != "BF16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


MOST_GROWTH, TABLE_GROWTH = 100_000, 100
"""Honest files replace a letter by about as much text, and few do so more than once."""


def refuse_odd_tokenizer(path: Path) -> None:
    """Raise if tokenizer.json has token ids beyond its size, or rules that make texts far longer.

    A malformed vocabulary is left to the tokenizer, which says what is wrong with it.
    """
    description, most = read_json_object(path), max_rows(path.stat().st_size)
    for step in ("normalizer", "post_processor"):
        if _max_growth(description.get(step)) > MOST_GROWTH:
            raise FileFormatError(
                f"{path} would make texts more than {MOST_GROWTH:,} times as long ({step}), which "
                "no honest one does; fetch it again from where you trust it."
            )
    for number in _token_ids(description):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < most:
            raise FileFormatError(
                f"{path} gives a token the number {short_repr(number)}, where 0 to {most - 1:,} "
                "can stand in a file of its size; copy or download it again."
            )


def _token_ids(description: dict[str, Any]) -> Iterator[Any]:
    match description.get("model"):
        case {"vocab": dict() as tokens}:
            yield from tokens.values()
    match description.get("added_tokens"):
        case list() as added:
            yield from (token.get("id", 0) for token in added if isinstance(token, dict))


def _max_growth(step: Any) -> int:
    """Return by which factor a text may grow, at most; steps of old files have no type."""
    match step:
        case {"normalizers": list() as steps} | {"processors": list() as steps}:
            growth = 1
            for substep in steps:
                growth *= _max_growth(substep)
                if growth > MOST_GROWTH:
                    break  # a product of thousands would itself take long
            return growth
        case {"pattern": {"String": str() as old}, "content": str() as new} if old:
            return -(-max(len(new), len(old)) // len(old))
        case {"pattern": _, "content": str() as new}:
            return 1 + len(new)  # an expression may match before every letter
        case {"single": list() as pieces}:
            return max(1, len(pieces))
        case {"precompiled_charsmap": _}:
            return TABLE_GROWTH
    return 1


PANICS = "pyo3_runtime"
"""The module of the errors that Rust panics become, which are not derived from Exception."""


@contextmanager
def tokenizer_errors(where: object, trouble: str) -> Iterator[None]:
    """Turn whatever a tokenizer raises into a FileFormatError: it has no types of its own.

    An interrupt and MemoryError are passed on.
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


_PARALLEL = "TOKENIZERS_PARALLELISM"


@contextmanager
def silence_libraries(purpose: str) -> Iterator[None]:
    """Run a block that uses transformers without its messages; raise if the extra is missing.

    Only one thread at a time may be in such a block, since the settings are global.
    """
    with filter_warnings("ignore"), one_thread():
        try:
            import torch  # noqa: F401 - transformers without torch fails later and less clearly
            from transformers.utils import logging as transformers_logging
        except ImportError as error:
            raise MissingExtraError(purpose, "encoders") from error
        library_logging: Any = transformers_logging  # it has no types
        verbosity, bars = library_logging.get_verbosity(), library_logging.is_progress_bar_enabled()
        library_logging.set_verbosity(logging.CRITICAL)
        library_logging.disable_progress_bar()
        try:
            yield
        finally:
            library_logging.set_verbosity(verbosity)
            if bars:
                library_logging.enable_progress_bar()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let tokenizers use one thread, unless the user chose otherwise.

    After using several it would warn at every later fork, and one is enough for sentences.
    """
    if _PARALLEL in os.environ:
        yield
        return
    os.environ[_PARALLEL] = "false"
    try:
        yield
    finally:
        os.environ.pop(_PARALLEL, None)

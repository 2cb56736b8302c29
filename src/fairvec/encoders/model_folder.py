"""A folder that holds a model: its JSON files, and a hash over all that makes its vectors."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from fairvec.ground.disk.at_hand import is_file, is_folder
from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.shown_values import shown

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


def object_in(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file."""
    found = json_in(path)
    if not isinstance(found, dict):
        raise FileFormatError(f"{path} holds no JSON object; copy or download it again.")
    return found


def json_in(path: Path) -> Any:
    """Return what a JSON file holds."""
    text = text_of(required(path), "JSON", FileFormatError)
    try:
        return json_of(text, lenient=True)
    except ValueError as error:
        raise FileFormatError(
            f"{path} is not valid JSON ({error}); copy or download it again."
        ) from error


def told(path: Path, said: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """Return what an object of a JSON file says under a name, None where it says nothing.

    What is of another kind than such files have there is refused.
    """
    value = said.get(name)
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    raise FileFormatError(
        f"{path} gives {shown(value)} as {name}, where {KINDS[kind]} should stand; copy or "
        "download it again."
    )


def object_if_any(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file, empty if there is no such file."""
    return object_in(path) if is_file(path) else {}


def looks_like(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file, empty if it is missing or holds anything else."""
    try:
        return object_if_any(path)
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

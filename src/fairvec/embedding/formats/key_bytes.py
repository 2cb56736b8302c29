"""Keys stored as bytes become text."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fairvec.embedding.formats.base import ReadOptions
from fairvec.errors import FileFormatError


def split_keys(path: Path, joined: bytes, options: ReadOptions) -> tuple[list[str], dict[str, Any]]:
    """Return keys that were joined by newlines, and a note where bytes had to be replaced."""
    try:
        return joined.decode("utf-8").split("\n"), {}
    except UnicodeDecodeError:
        return decode_keys(path, joined.split(b"\n"), options)


def decode_keys(
    path: Path, keys: Iterable[bytes], options: ReadOptions
) -> tuple[list[str], dict[str, Any]]:
    """Return UTF-8 keys as text, and a note where bytes had to be replaced."""
    texts: list[str] = []
    replaced = 0
    for row, key in enumerate(keys, start=1):
        try:
            texts.append(key.decode("utf-8"))
        except UnicodeDecodeError as error:
            if options.invalid_utf8 == "refuse":
                raise FileFormatError(
                    f"{path.name}, key {row}: {key!r} is not valid UTF-8; read the file with "
                    "invalid_utf8='replace' to go on without those letters."
                ) from error
            replaced += len(key) - len(key.decode("utf-8", "ignore").encode())
            texts.append(key.decode("utf-8", "replace"))
    return texts, {"bytes_replaced": replaced} if replaced else {}

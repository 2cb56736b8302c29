"""Keys stored as bytes become text, and text becomes bytes."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding.formats.reading import ReadOptions
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.remedies import option
from fairvec.ground.text.shown_values import shown
from fairvec.ground.text.whole_characters import is_whole, with_signs


def join_keys(path: Path, keys: Sequence[str]) -> NDArray[np.uint8]:
    """Return the keys as bytes, having made sure that they can be told apart again."""
    if len(set(keys)) != len(keys):
        raise FileFormatError(f"{path.name} cannot hold one key twice; keep one vector per key.")
    joined = "\n".join(keys)
    if joined.count("\n") != len(keys) - 1:
        raise FileFormatError(
            f"{path.name} cannot hold keys with a line break in them; rename those keys."
        )
    try:
        return np.frombuffer(joined.encode("utf-8"), dtype=np.uint8)
    except UnicodeEncodeError as error:
        raise FileFormatError(
            f"{path.name} cannot hold the key fragment {error.object[error.start : error.end]!r}, "
            "which is half a character; rename that key."
        ) from error


def whole_keys(
    path: Path, keys: Sequence[str], options: ReadOptions
) -> tuple[Sequence[str], dict[str, Any]]:
    """Return keys of whole characters, and a note where half of one had to be replaced.

    They come from formats that hold letters by their numbers; nothing could write them again.
    """
    if is_whole("\n".join(keys)):
        return keys, {}
    for row, key in enumerate(keys, start=1):
        if options.invalid_utf8 == "refuse" and not is_whole(key):
            raise FileFormatError(
                f"{path.name}, key {row}: {shown(key, 40)} holds half a character; rename it, or "
                f"read the file with {option('invalid_utf8', 'replace')} to go on without it."
            )
    texts = [with_signs(key) for key in keys]
    return texts, {
        "keys_with_half_characters": sum(a != b for a, b in zip(keys, texts, strict=True))
    }


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
                    f"{path.name}, key {row}: {shown(key, 40)} is not valid UTF-8; read the file "
                    f"with {option('invalid_utf8', 'replace')} to go on without those letters."
                ) from error
            replaced += len(key) - len(key.decode("utf-8", "ignore").encode())
            texts.append(key.decode("utf-8", "replace"))
    return texts, {"bytes_replaced": replaced} if replaced else {}

"""The keys met while a file is read: which to keep, which are repeated, which are not UTF-8."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from fairvec.embedding.formats.reading import ReadOptions
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.remedies import option
from fairvec.ground.text.shown_values import shown


class Vocabulary:
    """The distinct wanted keys of a file in their order; grows while the file is read."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._met: dict[str, None] = {}
        self._duplicates = 0
        self._bytes_replaced = 0

    def __len__(self) -> int:
        return len(self._met)

    @property
    def keys(self) -> list[str]:
        """The keys kept so far."""
        return list(self._met)

    @property
    def notes(self) -> dict[str, Any]:
        """What a reader of the history should know; empty when all was well."""
        counts = {"duplicates": self._duplicates, "bytes_replaced": self._bytes_replaced}
        return {name: count for name, count in counts.items() if count}

    def admit(self, keys: Sequence[bytes | bytearray], place: Callable[[int], str]) -> list[int]:
        """Take in the next keys and return the positions of those to keep.

        Of equal keys the first is kept. `place` names the place of a key ("x.vec, line 7").
        """
        texts = self._texts(keys, place)
        met, words, chosen = self._met, self._options.words, []
        if words is None:
            fresh = dict.fromkeys(texts)
            if len(fresh) == len(texts) and met.keys().isdisjoint(fresh):
                met |= fresh
                return list(range(len(texts)))
        for position, key in enumerate(texts):
            if words is not None and key not in words:
                continue
            if key in met:
                self._duplicates += 1
                continue
            met[key] = None
            chosen.append(position)
        return chosen

    def _texts(self, keys: Sequence[bytes | bytearray], place: Callable[[int], str]) -> list[str]:
        """Decode all keys in one go where possible, because that is several times faster."""
        with suppress(UnicodeDecodeError):
            texts = b"\n".join(keys).decode("utf-8").split("\n")
            if len(texts) == len(keys):
                return texts
        return [self._text(bytes(key), place, position) for position, key in enumerate(keys)]

    def _text(self, raw: bytes, place: Callable[[int], str], position: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            if self._options.invalid_utf8 == "refuse":
                raise FileFormatError(
                    f"{place(position)}: the key {shown(raw, 40)} is not valid UTF-8; convert the "
                    f"file{_older(raw)}, or allow replacement characters with "
                    f"{option('invalid_utf8', 'replace')}."
                ) from error
        self._bytes_replaced += len(raw) - len(raw.decode("utf-8", "ignore").encode())
        return raw.decode("utf-8", "replace")


def _older(raw: bytes) -> str:
    """Say what a key would be in the code page that it may be written in."""
    # Letters of Latin scripts stand among plain ones; of a Cyrillic word all are beyond ASCII.
    page, name = ("cp1252", "Western") if re.search(rb"[A-Za-z]", raw) else ("cp1251", "Russian")
    with suppress(UnicodeDecodeError):
        if (text := raw.decode(page)).isalpha():
            return (
                f" from {page} to UTF-8 if it is an older {name} one (then this is {shown(text)})"
            )
    return " to UTF-8"

"""Keys of whole characters: formats that hold text and not bytes can hold halves of some."""

from dataclasses import replace

from fairvec.embedding.formats.reading import Raw
from fairvec.embedding.reading import InvalidUtf8
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.remedies import option
from fairvec.ground.text.shown_values import shown

BLOCK_KEYS = 1 << 16
REPLACED = "\ufffd"


def with_whole_keys(file: str, raw: Raw, invalid_utf8: InvalidUtf8) -> Raw:
    """Return what a file holds; a key with half a character is refused, or its half replaced.

    Nothing could write such a key again, and no record could name it.
    """
    for start in range(0, len(raw.keys), BLOCK_KEYS):
        block = raw.keys[start : start + BLOCK_KEYS]
        try:
            "\n".join(block).encode()
        except UnicodeEncodeError:
            if invalid_utf8 == "replace":
                return replace(raw, keys=[_replaced(key) for key in raw.keys])
            key = next(key for key in block if _replaced(key) != key)
            raise FileFormatError(
                f"{file}: the key {shown(key, 40)} holds half a character; rename it, or replace "
                f"such characters with {option('invalid_utf8', 'replace')}."
            ) from None
    return raw


def _replaced(key: str) -> str:
    return "".join(REPLACED if "\ud800" <= letter <= "\udfff" else letter for letter in key)

"""How much may be asked for on the word of a file: no more than a file of its size can hold.

A few bytes can announce anything: thousands of millions of words, a matrix of terabytes, a block of
zeros that unpacks for ever. Readers ask here before they allocate or unpack.
"""

from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.memory import in_words

ALWAYS_BYTES, HIGHEST_RATIO = 1 << 26, 100
"""Numbers shrink 2 to 10 times when they are packed, and so do the codes of quantised vectors; what
grows more than this is a trap and not an embedding."""
ALWAYS_ROWS = 1 << 20
"""So many rows any file may announce; above it each has to take a byte of the file, packed or not:
words that differ cannot be told in less."""


def most_bytes(size: int) -> int:
    """Return how many bytes may honestly come of a file of `size` bytes."""
    return max(ALWAYS_BYTES, HIGHEST_RATIO * size)


def most_rows(size: int) -> int:
    """Return how many rows, words or other single things a file of `size` bytes may hold."""
    return max(ALWAYS_ROWS, size)


def refuse_beyond(where: str, what: str, asked: int, size: int) -> None:
    """Raise unless `asked` bytes can honestly come of a file of `size` bytes."""
    if asked < 0 or asked > most_bytes(size):
        raise FileFormatError(
            f"{where} asks for {_told(asked)} for {what} and is a file of {in_words(size)}, which "
            "no honest one does; fetch it again from where you trust it."
        )


def refuse_rows_beyond(where: str, what: str, asked: int, size: int) -> None:
    """Raise unless a file of `size` bytes can hold `asked` rows, words or other single things."""
    if asked < 0 or asked > most_rows(size):
        raise FileFormatError(
            f"{where} announces {asked:,} {what} and is a file of {in_words(size)}, which cannot "
            "hold them; fetch it again from where you trust it."
        )


def _told(asked: int) -> str:
    # A product of forged sizes may be too large for a float.
    return in_words(asked) if 0 <= asked < 1 << 62 else f"{asked:,} bytes"

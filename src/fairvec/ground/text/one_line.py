"""Text of strangers on one line: no name breaks it, moves the cursor or turns its direction."""

from unicodedata import category

JOINERS = "\u200c\u200d"
"""Letters of Hindi and of other scripts are joined or kept apart by these, which show nothing."""


def on_one_line(text: str) -> str:
    """Return the text with each run of spaces, breaks and control characters as one space.

    An escape sequence of a terminal loses what makes it one, and marks that turn the direction
    of what follows are left out; the joiners of letters stay.
    """
    seen = (letter if letter in JOINERS or category(letter)[0] != "C" else " " for letter in text)
    return " ".join("".join(seen).split())

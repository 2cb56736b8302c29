"""The size of the terminal as the environment says it, where it says something that can be."""

import os

WIDEST = 10_000
SIZES = {"COLUMNS": range(20, WIDEST + 1), "LINES": range(1, WIDEST + 1)}
"""What such a variable can mean; in fewer columns no table has room for a letter."""


def forget_odd_sizes() -> None:
    """Take away sizes that no terminal has: who lays out text would believe them, or fail."""
    for name, possible in SIZES.items():
        said = os.environ.get(name)
        if said is not None and _number(said) not in possible:
            del os.environ[name]


def _number(text: str) -> int | None:
    """Return a number of a few plain digits; of thousands of them Python makes none."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(WIDEST))
    return int(text) if plain else None

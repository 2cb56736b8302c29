"""Names one after the other in a sentence: all of them, or some and how many more there are."""

from collections.abc import Sequence


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return a, b and c."""
    return f" {word} ".join([", ".join(names[:-1])] * (len(names) > 1) + list(names[-1:]))


def first_of(names: Sequence[str], most: int) -> str:
    """Return a, b, c, and of more than `most` the first and the number of the rest."""
    rest, named = len(names) - most, ", ".join(names[:most])
    return named if rest <= 0 else f"{named} and {rest:,} more"


def listed_up_to(names: Sequence[str], most: int) -> str:
    """Return a, b and c as `listed` does, and of more than `most` what `first_of` does."""
    return listed(names) if len(names) <= most else first_of(names, most)

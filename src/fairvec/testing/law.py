"""How a law is told to be broken, and when two numbers are one."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isclose

from fairvec.ground.errors import BrokenLawError, in_brief

RELATIVE, ABSOLUTE = 1e-5, 1e-8
"""How far apart two values may lie that should be one: some metrics train a classifier."""


def must(holds: object, sentence: str) -> None:
    """Raise the sentence that says what is wrong unless a law holds."""
    if not holds:
        raise BrokenLawError(sentence)


def same(value: float, other: float) -> bool:
    """Return whether two values are one but for rounding."""
    return isclose(value, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


@contextmanager
def breaking(where: str) -> Iterator[None]:
    """Say where a law was broken, and take whatever else is raised for a broken law too."""
    try:
        yield
    except BrokenLawError as error:
        raise BrokenLawError(f"{where}: {error}") from error
    except Exception as error:  # it is somebody else's, and may raise anything
        raise BrokenLawError(
            f"{where}: it fails with {in_brief(error)} where it must have an answer."
        ) from error

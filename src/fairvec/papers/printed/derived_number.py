"""A number that a text makes of two printed ones."""

from fairvec.papers.printed.schema import DerivedKind


def derived_number(
    kind: DerivedKind, x: float | str | None, y: float | str | None, *, in_per_cent: bool
) -> float | None:
    """Return x - y, x / y or (x - y) / y; None where a number is missing, or divided by zero."""
    if x is None or y is None or isinstance(x, str) or isinstance(y, str):
        return None
    if kind == "difference":
        return x - y
    if y == 0:
        return None
    change = (x - y) / y
    return x / y if kind == "ratio" else change * (100 if in_per_cent else 1)

"""Tries many values in one case, where a case for each would cost more than the test itself."""

from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from itertools import combinations, product
from typing import Any

import pytest

Test = Callable[..., None]
# A skip would hide the values after it, so that it counts as a failure too.
FAILED = (Exception, pytest.fail.Exception, pytest.skip.Exception)


def loop_over(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with all of these values, and list those that fail.

    It is written as `pytest.mark.parametrize` is. What is set up for the test, a folder say, is one
    for all values.
    """
    arguments = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    rows = [row if len(arguments) > 1 else (row,) for row in values]
    if not rows:
        raise ValueError("there is nothing to loop over")

    def decorate(test: Test) -> Test:
        def loop(**others: Any) -> None:
            failures = []
            for row in rows:
                case = dict(zip(arguments, row, strict=True))
                try:
                    test(**case, **others)
                except FAILED as error:
                    failures.append((case, error))
            if failures:
                lines = [f"{len(failures)} of {len(rows)} failed", *map(_line, failures)]
                raise AssertionError("\n".join(lines)) from failures[0][1]

        loop.__name__, loop.__doc__, loop.__module__ = test.__name__, test.__doc__, test.__module__
        given = signature(test)
        others = [each for name, each in given.parameters.items() if name not in arguments]
        loop.__signature__ = given.replace(parameters=others)  # type: ignore[attr-defined]
        loop.pytestmark = getattr(test, "pytestmark", [])  # type: ignore[attr-defined]
        return loop

    return decorate


def cover_pairs(*factors: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return rows of the product of these in which every two values of two factors meet."""

    def pairs_of(row: tuple[int, ...]) -> set[tuple[tuple[int, int], ...]]:
        return {*combinations(enumerate(row), 2)}

    able = {row: pairs_of(row) for row in product(*(range(len(factor)) for factor in factors))}
    missing = set().union(*able.values())
    rows = []
    while missing:
        best = max(able, key=lambda row: len(able[row] & missing))
        missing -= able.pop(best)
        rows.append(tuple(factor[at] for factor, at in zip(factors, best, strict=True)))
    return rows


def _line(failure: tuple[dict[str, Any], BaseException]) -> str:
    case, error = failure
    about = ", ".join(f"{name}={value!r}" for name, value in case.items())
    return f"{about}: {type(error).__name__}: {error}"

"""The values that a column can have: another one is a slip that would pass every check."""

import ast
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, get_args

from fairvec.ground.errors import ExpressionError
from fairvec.ground.sizes import Size
from fairvec.results.kinds import ChangeKind, Holds, VerdictKind
from fairvec.results.outcome import Outcome

STATUSES = tuple(kind.model_fields["status"].default for kind in get_args(Outcome))
KNOWN_VALUES: dict[str, tuple[Any, ...]] = {
    "change": get_args(ChangeKind),
    "holds": get_args(Holds),
    "verdict": get_args(VerdictKind),
    "size": get_args(Size),
    "status": STATUSES,
}
"""All values of some columns of a result."""


def check_values(
    compared: ast.Compare, fixed: Mapping[str, tuple[Any, ...]], loose: Collection[str]
) -> None:
    """Refuse a value that its column never has; part of one may be looked for by `in`.

    A `loose` column may have others too, and what is nearly one of the known ones is refused.
    """
    sides = pairwise((compared.left, *compared.comparators))
    for op, (left, right) in zip(compared.ops, sides, strict=True):
        match op, left, right:
            case ast.Eq() | ast.NotEq(), ast.Constant(), ast.Name(id=column):
                values = [left]
            case ast.Eq() | ast.NotEq(), ast.Name(id=column), ast.Constant():
                values = [right]
            case (
                ast.In() | ast.NotIn(),
                ast.Name(id=column),
                ast.List(elts=items) | ast.Tuple(elts=items),
            ):
                values = [item for item in items if isinstance(item, ast.Constant)]
            case _:
                continue
        if column in fixed:
            for value in values:
                _check(value.value, column, fixed[column], loose=column in loose)


def _check(value: object, column: str, known: tuple[Any, ...], *, loose: bool) -> None:
    near = get_close_matches(str(value), known) if loose else known
    if value not in known and near:
        offered = ", ".join(map(str, near))
        raise ExpressionError(f"{value!r} is no value of {column}; known: {offered}.")

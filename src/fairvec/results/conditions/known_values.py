"""The values that a column can have: another one is a slip that would pass every check."""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, get_args

from fairvec.ground.errors import ExpressionError
from fairvec.ground.sizes import Size
from fairvec.ground.text.shown_values import shown
from fairvec.results.certainty import PValue
from fairvec.results.kinds import ChangeKind, Holds, VerdictKind
from fairvec.results.outcome import Outcome

STATUSES = tuple(kind.model_fields["status"].default for kind in get_args(Outcome))
KNOWN_VALUES: dict[str, tuple[Any, ...]] = {
    "change": get_args(ChangeKind),
    "holds": get_args(Holds),
    "verdict": get_args(VerdictKind),
    "size": get_args(Size),
    "status": STATUSES,
    **{f"p_{name}": get_args(PValue.model_fields[name].annotation) for name in ("method", "sides")},
}
"""All values of some columns of a result."""


@dataclass(frozen=True)
class NamedValues:
    """Values that a condition names for a column, as ones to have, or (`denied`) not to have."""

    column: str
    values: tuple[Any, ...]
    denied: bool


def named_values(compared: ast.Compare) -> Iterator[NamedValues]:
    """Yield what a comparison names by ==, != or `in` a list; a part of a text is no name.

    Of a list of several columns one may lack what another has, and nothing is said.
    """
    sides = pairwise((compared.left, *compared.comparators))
    for op, (left, right) in zip(compared.ops, sides, strict=True):
        match op, left, right:
            case (ast.Eq() | ast.NotEq(), ast.Constant(value=value), ast.Name(id=column)) | (
                ast.Eq() | ast.NotEq(),
                ast.Name(id=column),
                ast.Constant(value=value),
            ):
                values: tuple[Any, ...] = (value,)
            case (
                ast.In() | ast.NotIn(),
                ast.Name(id=column),
                ast.List(elts=items) | ast.Tuple(elts=items),
            ):
                values = tuple(item.value for item in items if isinstance(item, ast.Constant))
            case (
                ast.In() | ast.NotIn(),
                ast.Constant(value=value),
                ast.List(elts=[ast.Name(id=column)]) | ast.Tuple(elts=[ast.Name(id=column)]),
            ):
                values = (value,)
            case _:
                continue
        yield NamedValues(column, values, isinstance(op, ast.NotEq | ast.NotIn))


def check_values(
    named: NamedValues, fixed: Mapping[str, tuple[Any, ...]], loose: Collection[str]
) -> None:
    """Refuse a value that its column never has.

    A `loose` column may have others too, and what is nearly one of the known ones is refused.
    """
    for value in named.values if named.column in fixed else ():
        known = fixed[named.column]
        near = get_close_matches(str(value), known) if named.column in loose else known
        if value not in known and near:
            offered = ", ".join(map(str, near))
            raise ExpressionError(
                f"{shown(value)} is no value of {named.column}; known: {offered}."
            )

"""The parts of a condition: functions of one row in which a missing value stays missing."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from fairvec.results.rows import Plain

Value = Plain | bool | tuple[Any, ...]
Evaluate = Callable[[Mapping[str, Plain]], Value]

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max}


def defined(function: Callable[..., Any], parts: list[Evaluate]) -> Evaluate:
    """Apply `function` unless one of its arguments is missing; then the answer is missing too."""

    def evaluate(row: Mapping[str, Plain]) -> Value:
        values = [part(row) for part in parts]
        return None if None in values else function(*values)

    return evaluate


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse text, which Python would repeat and join without limit; no number is no answer."""

    def apply(*values: Any) -> Any:
        if not all(isinstance(value, int | float) for value in values):
            raise TypeError("text cannot be reckoned with")
        answer = function(*values)
        return answer if answer == answer else None

    return apply


def joined(parts: list[Evaluate], *, decisive: bool) -> Evaluate:
    """Join by `or` (true decides) or `and` (false decides), from left to right."""

    def evaluate(row: Mapping[str, Plain]) -> bool | None:
        unknown = False
        for part in parts:
            value = part(row)
            if value is None:
                unknown = True
            elif bool(value) is decisive:
                return decisive
        return None if unknown else not decisive

    return evaluate


def chain(parts: list[Evaluate], ops: list[ast.cmpop]) -> Evaluate:
    """Compare neighbours as Python does in ``0 < p <= 0.05``."""

    def compare(*values: Any) -> bool | None:
        unknown = False
        for op, left, right in zip(ops, values, values[1:], strict=False):
            # A missing member may be the one that is asked for.
            if isinstance(right, tuple) and None in right and left not in right:
                unknown = True
            elif not COMPARISONS[type(op)](left, right):
                return False
        return None if unknown else True

    return defined(compare, parts)

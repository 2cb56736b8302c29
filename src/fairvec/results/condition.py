"""A small safe language for conditions over rows: ``p_holm < 0.05 and abs(effect) > 0.5``.

Python's own parser reads the text, and only the nodes named here are ever walked: comparisons,
and / or / not, + - * /, `in` a list, abs(), min(), max(), numbers, quoted strings and the columns
of a row. Nothing is evaluated by Python, so nothing can be executed. A missing value (a skipped
test has no effect) makes what depends on it unknown, under `not` too, and unknown is not met.
"""

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, get_args

from fairvec.ground.errors import ExpressionError, UnknownNameError
from fairvec.results.kinds import ChangeKind, Holds, VerdictKind
from fairvec.results.outcome import Outcome
from fairvec.results.rows import COLUMNS, Plain

Value = Plain | bool | tuple[Any, ...]
Evaluate = Callable[[Mapping[str, Plain]], Value]

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max}
_FIXED: dict[str, tuple[str, ...]] = {
    "change": get_args(ChangeKind),
    "holds": get_args(Holds),
    "verdict": get_args(VerdictKind),
    "status": tuple(kind.model_fields["status"].default for kind in get_args(Outcome)),
}
"""All values that a column can have: another one is a slip that would pass every check."""


class Condition:
    """A parsed condition; call it with a row to ask whether the row meets it.

    `columns` are those that a row has, and `fixed` all the values of some of them; without them a
    row is that of a result. Of `loose` columns these are only some of the values.
    """

    def __init__(
        self,
        text: str,
        columns: Collection[str] = COLUMNS,
        fixed: Mapping[str, tuple[str, ...]] | None = None,
        loose: Collection[str] = (),
    ) -> None:
        self.text = text
        self._loose = loose
        self._columns = columns
        self._fixed = _FIXED if fixed is None else fixed
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else "too deeply nested"
            raise ExpressionError(
                f"The condition {text!r} cannot be read ({reason}); "
                "write for example: p_holm < 0.05 and abs(effect) > 0.5"
            ) from error
        self._evaluate = self._compiled(tree.body)

    def __call__(self, row: Mapping[str, Plain]) -> bool:
        """Return whether the row meets the condition."""
        try:
            return bool(self._evaluate(row))
        except (TypeError, ZeroDivisionError) as error:
            raise ExpressionError(
                f"The condition {self.text!r} makes no sense on a row: {error}."
            ) from error

    def _compiled(self, node: ast.expr) -> Evaluate:
        match node:
            case ast.Constant(value=int() | float() | str() as value):
                return lambda row: value
            case ast.Name(id=name):
                if name not in self._columns:
                    raise UnknownNameError("column", name, self._columns)
                return lambda row: row[name]
            case ast.BoolOp(op=ast.And(), values=parts):
                return _joined([self._compiled(part) for part in parts], decisive=False)
            case ast.BoolOp(op=ast.Or(), values=parts):
                return _joined([self._compiled(part) for part in parts], decisive=True)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _defined(operator.not_, [self._compiled(operand)])
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _defined(_of_numbers(operator.neg), [self._compiled(operand)])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                sides = [self._compiled(left), self._compiled(right)]
                return _defined(_of_numbers(_ARITHMETIC[type(op)]), sides)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(
                type(op) in _COMPARISONS for op in ops
            ):
                for how, (one, other) in zip(ops, pairwise((left, *others)), strict=True):
                    _check_values(how, one, other, self._fixed, self._loose)
                return _chain([self._compiled(n) for n in (left, *others)], ops)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
                return _defined(_FUNCTIONS[name], [self._compiled(arg) for arg in args])
            case ast.List(elts=items) | ast.Tuple(elts=items):
                members = [self._compiled(item) for item in items]
                return lambda row: tuple(member(row) for member in members)
        raise ExpressionError(
            f"The condition {self.text!r} uses {ast.unparse(node)!r}, which is not allowed; use "
            "columns, numbers, quoted strings, comparisons, and, or, not, + - * /, abs, min, max."
        )


def _check_values(
    op: ast.cmpop,
    left: ast.expr,
    right: ast.expr,
    fixed: Mapping[str, tuple[str, ...]],
    loose: Collection[str],
) -> None:
    """Refuse a value that its column never has; part of one may be looked for by `in`.

    A `loose` column may have others too, and what is nearly one of the known ones is refused.
    """
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
            return
    if column not in fixed:
        return
    for value in (each.value for each in values):
        near = get_close_matches(str(value), fixed[column]) if column in loose else fixed[column]
        if value not in fixed[column] and near:
            raise ExpressionError(f"{value!r} is no value of {column}; known: {', '.join(near)}.")


def _defined(function: Callable[..., Any], parts: list[Evaluate]) -> Evaluate:
    """Apply `function` unless one of its arguments is missing; then the answer is missing too."""

    def evaluate(row: Mapping[str, Plain]) -> Value:
        values = [part(row) for part in parts]
        return None if None in values else function(*values)

    return evaluate


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse text: Python would repeat and join it, without limit."""

    def apply(*values: Any) -> Any:
        if not all(isinstance(value, int | float) for value in values):
            raise TypeError("text cannot be reckoned with")
        return function(*values)

    return apply


def _joined(parts: list[Evaluate], *, decisive: bool) -> Evaluate:
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


def _chain(parts: list[Evaluate], ops: list[ast.cmpop]) -> Evaluate:
    """Compare neighbours as Python does in ``0 < p <= 0.05``."""

    def compare(*values: Any) -> bool:
        neighbours = zip(ops, values, values[1:], strict=False)
        return all(_COMPARISONS[type(op)](left, right) for op, left, right in neighbours)

    return _defined(compare, parts)

"""What the two sides of a comparison may be: one that no row can meet would pass every check."""

import ast
from itertools import pairwise

from fairvec.ground.errors import ExpressionError
from fairvec.ground.text.shown_values import shown
from fairvec.results.conditions.reading import QUOTED

_LISTS = (ast.List, ast.Tuple)


def check_sides(compared: ast.Compare) -> None:
    """Refuse a list that is compared as a value is, `in` a text, and a number held to a text."""
    sides = pairwise((compared.left, *compared.comparators))
    for op, (left, right) in zip(compared.ops, sides, strict=True):
        match op, left, right:
            case ast.In() | ast.NotIn(), _, ast.List(elts=items) | ast.Tuple(elts=items):
                _check_members(left, items, compared)
            case ast.In() | ast.NotIn(), ast.Name(), ast.Constant(value=str() as text):
                equal, within = ("!=", "not in") if isinstance(op, ast.NotIn) else ("==", "in")
                raise _nonsense(
                    compared,
                    f"looks for a column inside of a text; write {equal} {shown(text)} or "
                    f"{within} [{shown(text)}]",
                )
            case _ if isinstance(left, _LISTS) or isinstance(right, _LISTS):
                raise _nonsense(
                    compared, "compares a list as if it were one value; write 'in' or 'not in'"
                )
            case (ast.Eq() | ast.NotEq(), _, _):
                _check_kinds(left, right, compared)
                _check_kinds(right, left, compared)


def _check_members(item: ast.expr, members: list[ast.expr], compared: ast.Compare) -> None:
    if not members:
        raise _nonsense(compared, "asks for a value of an empty list; name some values in it")
    for member in (item, *members):
        if isinstance(member, _LISTS):
            raise _nonsense(compared, f"has the list {_shown(member)} for a value; name one value")
        _check_kinds(item, member, compared)


def _check_kinds(one: ast.expr, other: ast.expr, compared: ast.Compare) -> None:
    match other:
        case ast.Constant(value=str() as text) if _is_number(one):
            raise _nonsense(
                compared, f"compares {_shown(one)}, a number, with the text {shown(text)}"
            )


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
            return True
        case ast.Call(func=ast.Name(id="abs" | "count" | "mean")):
            return True
    return False


def _nonsense(compared: ast.Compare, why: str) -> ExpressionError:
    return ExpressionError(f"{_shown(compared)} makes no sense in a condition: it {why}.")


def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."

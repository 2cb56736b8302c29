"""Mistakes in a condition that would let every run pass: unknown values, absurd comparisons."""

import ast
import operator
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

from fairvec.core.errors import ExpressionError
from fairvec.core.text import short_repr
from fairvec.results.records import Outcome
from fairvec.results.rows import Plain
from fairvec.results.verdicts import ChangeKind, Magnitude, RobustnessKind, VerdictKind
from fairvec.stats.values import PValue

QUOTED = 200
"""Characters of a condition that an error repeats."""


STATUSES = tuple(kind.model_fields["status"].default for kind in get_args(Outcome))
KNOWN_VALUES: dict[str, tuple[Any, ...]] = {
    "change": get_args(ChangeKind),
    "holds": get_args(RobustnessKind),
    "verdict": get_args(VerdictKind),
    "size": get_args(Magnitude),
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
                f"{short_repr(value)} is no value of {named.column}; known: {offered}."
            )


_LISTS = (ast.List, ast.Tuple)


def check_sides(compared: ast.Compare, fixed: Mapping[str, tuple[Any, ...]]) -> None:
    """Refuse a list that is compared as a value is, `in` a text, and sides that are never equal."""
    sides = pairwise((compared.left, *compared.comparators))
    for op, (left, right) in zip(compared.ops, sides, strict=True):
        match op, left, right:
            case ast.In() | ast.NotIn(), _, ast.List(elts=items) | ast.Tuple(elts=items):
                _check_members(left, items, compared, fixed)
            case ast.In() | ast.NotIn(), ast.Name(), ast.Constant(value=str() as text):
                equal, within = ("!=", "not in") if isinstance(op, ast.NotIn) else ("==", "in")
                raise _nonsense(
                    compared,
                    f"looks for a column inside of a text; write {equal} {short_repr(text)} or "
                    f"{within} [{short_repr(text)}]",
                )
            case _ if isinstance(left, _LISTS) or isinstance(right, _LISTS):
                raise _nonsense(
                    compared, "compares a list as if it were one value; write 'in' or 'not in'"
                )
            case (ast.Eq() | ast.NotEq(), _, _):
                _check_kinds(left, right, compared, fixed)


def _check_members(
    item: ast.expr,
    members: list[ast.expr],
    compared: ast.Compare,
    fixed: Mapping[str, tuple[Any, ...]],
) -> None:
    if not members:
        raise _nonsense(compared, "asks for a value of an empty list; name some values in it")
    for member in (item, *members):
        if isinstance(member, _LISTS):
            raise _nonsense(compared, f"has the list {_quote(member)} for a value; name one value")
        _check_kinds(item, member, compared, fixed)


_TEXT, _NUMBER, _TRUTH = "a text", "a number", "true or false"


def _check_kinds(
    one: ast.expr, other: ast.expr, compared: ast.Compare, fixed: Mapping[str, tuple[Any, ...]]
) -> None:
    """Refuse a text, a number and a truth that are compared: no two of them are equal."""
    kinds = {_kind(side, fixed): side for side in (one, other)}
    if _NUMBER in kinds and _TRUTH in kinds:
        raise _nonsense(
            compared, f"compares {_quote(kinds[_TRUTH])}, {_TRUTH}, with {_quote(kinds[_NUMBER])}"
        )
    unlike = next((kind for kind in (_NUMBER, _TRUTH) if kind in kinds), None)
    if _TEXT in kinds and unlike:
        column = isinstance(kinds[_TEXT], ast.Name)
        text = f"{_quote(kinds[_TEXT])}, a text" if column else f"the text {_quote(kinds[_TEXT])}"
        raise _nonsense(compared, f"compares {_quote(kinds[unlike])}, {unlike}, with {text}")


def _kind(node: ast.expr, fixed: Mapping[str, tuple[Any, ...]] | None = None) -> str:
    """Return what a part is for certain; nothing of a column that may hold anything."""
    match node:
        case ast.Constant(value=str()):
            return _TEXT
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return _TRUTH
        case ast.BinOp() | ast.UnaryOp(op=ast.USub()) | ast.Constant(value=int() | float()):
            return _NUMBER
        case ast.Call(func=ast.Name(id="abs" | "count" | "mean")):
            return _NUMBER
        case ast.Name(id=name) if values := (fixed or {}).get(name):
            texts = all(isinstance(value, str) for value in values)
            return _TEXT if texts else _TRUTH if {*values} == {True, False} else ""
    return ""


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
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
Limit = tuple[type[ast.cmpop], Any]
"""An operator, and the fixed value or list on its right."""

SHARES = frozenset(
    {"p", "p_low", "p_high", "p_smallest", "p_holm", "p_bh", "p_paired", "coverage"}
    | {f"{name}_{side}" for name in ("p_holm", "coverage") for side in ("before", "after")}
)
"""Columns that lie between 0 and 1."""


def check_possible(part: ast.expr, fixed: Mapping[str, tuple[Any, ...]]) -> None:
    """Refuse limits, in a chain or joined by `and`, that nothing meets: 1 < effect < 0, p > 1.

    Of each column or figure its fixed values are tried, and one between and beyond them, within
    what it can be; of a column in `fixed`, all that it can be. An alternative (`or`) is refused by
    itself.
    """
    for together in _joined_by_and(part):
        limits: dict[str, list[Limit]] = {}
        for compared in together:
            for node, limit in _limits(compared):
                known = limits.setdefault(ast.unparse(node), _bounds(node))
                known.append(limit)
        for name, of in limits.items():
            if not any(
                all(_meets(value, limit) for limit in of)
                for value in fixed.get(name, _candidates(of))
            ):
                quoted = " and ".join(map(_quote, together))
                raise ExpressionError(
                    f"{quoted} is met by nothing, whatever {short_repr(name, QUOTED)} is; "
                    "correct its values, or join them by 'or'."
                )


def _joined_by_and(
    part: ast.expr, context: Sequence[ast.Compare] = (), *, negated: bool = False
) -> Iterator[list[ast.Compare]]:
    """Yield the comparisons that must hold at once, and likewise with those of each alternative."""
    together = [*context]
    alternatives: list[tuple[ast.expr, bool]] = []
    parts = deque([(part, negated)])
    while parts:
        each, denied = parts.popleft()
        match each:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                parts.appendleft((operand, not denied))
            case ast.BoolOp(op=op, values=values):
                joined = isinstance(op, ast.Or if denied else ast.And)
                (parts if joined else alternatives).extend((value, denied) for value in values)
            case ast.Compare(left=left, ops=[op], comparators=others) if denied:
                together.append(ast.Compare(left, [_NEGATED[type(op)]()], others))
            case ast.Compare() if not denied:
                together.append(each)
    yield together
    for alternative, denied in alternatives:
        yield from _joined_by_and(alternative, together, negated=denied)


def _bounds(node: ast.expr) -> list[Limit]:
    """Return the limits within which a part always lies."""
    match node:
        case ast.Name(id=name) if name in SHARES:
            return [(ast.GtE, 0), (ast.LtE, 1)]
        case ast.Call(func=ast.Name(id="min" | "max" | "mean"), args=[of]):
            return _bounds(of)
        case ast.Call(func=ast.Name(id="abs" | "count")):
            return [(ast.GtE, 0)]
    return []


def _limits(compared: ast.Compare) -> Iterator[tuple[ast.expr, Limit]]:
    parts = (compared.left, *compared.comparators)
    values = [_fixed_value(part) for part in parts]
    if _NOT_FIXED not in values:
        return  # it asks nothing of a row, which is said where it is decided
    for op, (left, right), (first, second) in zip(
        map(type, compared.ops), pairwise(parts), pairwise(values), strict=True
    ):
        if first is not _NOT_FIXED and second is _NOT_FIXED and op in _MIRRORED:
            op, left, first, second = _MIRRORED[op], right, second, first
        if second is _NOT_FIXED:
            continue
        if first is not _NOT_FIXED:
            yield left, (ast.Eq, first)
        yield left, (op, second)


_NOT_FIXED: Any = object()


def _fixed_value(part: ast.expr) -> Any:
    try:
        return ast.literal_eval(part)
    except ValueError:
        return _NOT_FIXED


def _candidates(limits: Iterable[Limit]) -> list[Any]:
    fixed = [
        each
        for _, value in limits
        for each in (value if isinstance(value, list | tuple) else [value])
    ]
    numbers = sorted(each for each in fixed if isinstance(each, int | float))
    texts = ["", *(each for each in fixed if isinstance(each, str))]
    between = [(low + high) / 2 for low, high in pairwise(numbers)]
    beyond = [numbers[0] - 1, numbers[-1] + 1] if numbers else []
    next_texts = [f"{text}\0" for text in texts]  # no text lies between a text and its next
    return [*numbers, *between, *beyond, *texts, *next_texts]


def _meets(value: Any, limit: Limit) -> bool:
    op, fixed = limit
    try:
        return COMPARISONS[op](value, fixed)
    except TypeError:
        return False


def _nonsense(compared: ast.Compare, why: str) -> ExpressionError:
    return ExpressionError(f"{_quote(compared)} makes no sense in a condition: it {why}.")


def _quote(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."


_POOLED = "pooled"


class UnknownValue(NamedTuple):
    """A value that a condition names and no row has, and the values that rows have."""

    cause: Literal["no such value", "no value", "no pooled answer"]
    column: str
    value: Plain
    had: tuple[Plain, ...] = ()


def unknown_value(
    comparisons: Iterable[NamedValues], rows: Sequence[Mapping[str, Plain]], closed: Collection[str]
) -> UnknownValue | None:
    """Return the first value that a condition names and no row has; None if there is none.

    Of a `closed` column every value is known beforehand, and none of the rows may well have it (no
    test was skipped): there it counts only if no row has any value at all. The answers by category
    are the exception, because runs of older versions lack them.
    """
    for named in comparisons:
        column = named.column
        had = [*dict.fromkeys(row[column] for row in rows if row[column] is not None)]
        if column not in closed:
            texts = any(isinstance(value, str) for value in had)
            for value in named.values:
                if value not in had and (texts or isinstance(value, str)):
                    return UnknownValue("no such value", column, value, tuple(had))
        elif rows and not had and named.values:
            return UnknownValue("no value", column, None)
        elif {*named.values} == {_POOLED} and not named.denied and _POOLED not in had:
            return UnknownValue("no pooled answer", column, _POOLED)
    return None

"""Mistakes in a condition that would let every run pass: unknown values, absurd comparisons."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, get_args

from fairvec.core.errors import MOST_NAMED, ExpressionError
from fairvec.core.format import join_first
from fairvec.core.text import escape_control, short_repr
from fairvec.results.records import Outcome
from fairvec.results.rows import Plain
from fairvec.results.verdicts import ChangeKind, Holds, Magnitude, PValue, VerdictKind

QUOTED = 200
"""Characters of a condition that an error repeats."""


STATUSES = tuple(kind.model_fields["status"].default for kind in get_args(Outcome))
KNOWN_VALUES: dict[str, tuple[Any, ...]] = {
    "change": get_args(ChangeKind),
    "holds": get_args(Holds),
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
                    f"looks for a column inside of a text; write {equal} {short_repr(text)} or "
                    f"{within} [{short_repr(text)}]",
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
            raise _nonsense(compared, f"has the list {_quote(member)} for a value; name one value")
        _check_kinds(item, member, compared)


def _check_kinds(one: ast.expr, other: ast.expr, compared: ast.Compare) -> None:
    match other:
        case ast.Constant(value=str() as text) if _is_number(one):
            raise _nonsense(
                compared, f"compares {_quote(one)}, a number, with the text {short_repr(text)}"
            )


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
            return True
        case ast.Call(func=ast.Name(id="abs" | "count" | "mean")):
            return True
    return False


def _nonsense(compared: ast.Compare, why: str) -> ExpressionError:
    return ExpressionError(f"{_quote(compared)} makes no sense in a condition: it {why}.")


def _quote(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."


_POOLED = "pooled"


def unknown_value(
    asked: Iterable[NamedValues], rows: Sequence[Mapping[str, Plain]], closed: Collection[str]
) -> str:
    """Say which value a condition names that no row has, and what the rows have; else nothing.

    Of a `closed` column every value is known beforehand, and none of the rows may well have it (no
    test was skipped): there it is said only if no row has any value at all. The answers by category
    are the exception, because runs of older versions lack them.
    """
    for named in asked:
        column = named.column
        had = [*dict.fromkeys(row[column] for row in rows if row[column] is not None)]
        if column not in closed:
            texts = any(isinstance(value, str) for value in had)
            for value in named.values:
                if value not in had and (texts or isinstance(value, str)):
                    return f"No row has {column} {value!r}; {_describe_values(str(value), had)}."
        elif rows and not had and named.values:
            return f"No row has a value of {column}, so that nothing can be said of it" + (
                "; audit again with robust=True (--robust)." if column == "holds" else "."
            )
        elif {*named.values} == {_POOLED} and not named.denied and _POOLED not in had:
            return (
                f"No row has {column} {_POOLED!r}: this run has no answers by category; audit again"
                ", with bias tests that can be pooled."
            )
    return ""


def _describe_values(value: str, had: Sequence[Plain]) -> str:
    """Return what the rows have instead, the nearest first."""
    if not had:
        return "none has any"
    plain: dict[str, str] = {}
    for text in map(str, had):
        plain.setdefault(text.casefold(), text)
    near = [plain[text] for text in get_close_matches(value.casefold(), plain, n=MOST_NAMED)]
    names = [*dict.fromkeys([*near, *map(str, had)])]
    # A name with a comma in it would read as two.
    quoted = [repr(name) if "," in name else name for name in names]
    return f"the run has: {escape_control(join_first(quoted, MOST_NAMED), but='')}"

"""Conditions such as ``p_holm < 0.05`` or ``mean(abs(effect)) > 0.5``: parsed, evaluated.

Python's own parser reads the text, and only the nodes named here are ever walked: comparisons,
and / or / not, + - * /, `in` a list, abs(), min(), max(), numbers, quoted strings, the columns
of a row, and count(), mean(), max(), min() over rows. Nothing is evaluated by Python, so nothing
can be executed. A missing value (a skipped test has no effect) makes what depends on it unknown,
under `not` too, and unknown is not met.

A condition is about one row, or about all of them: max(a, b) is of one row, max(a) over all rows,
and the two kinds are not mixed outside the brackets of what is over rows.
"""

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from fairvec.core.errors import ExpressionError, UnknownNameError, filter_warnings
from fairvec.core.text import short_repr
from fairvec.results.conditions.checks import (
    COMPARISONS,
    KNOWN_VALUES,
    QUOTED,
    NamedValues,
    UnknownValue,
    check_possible,
    check_sides,
    check_values,
    named_values,
    unknown_value,
)
from fairvec.results.rows import COLUMNS, Plain

Value = Plain | bool | tuple[Any, ...]
Evaluate = Callable[[Mapping[str, Plain]], Value]

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


LONGEST = 10_000
"""Characters that a condition may have."""


DEEPEST = 60
"""Levels of nesting; a sum of n numbers has n."""

LARGEST = 1e300
"""Larger numbers are typing errors, and would overflow."""

_TOO_LARGE = f"a number in it is larger than {LARGEST:g}"
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ASSIGNS = re.compile(r"(?<![=!<>])(?<!\bwhere)(?<!\bwhere )=(?!=)")
"""One = where there should be two; that of where= is no slip."""
_EXAMPLE = "write for example: p_holm < 0.05 and abs(effect) > 0.5"


def parse_condition(text: str) -> ast.expr:
    """Return what Python's parser makes of the text; nothing of it is executed."""
    if len(text) > LONGEST:
        raise _unreadable(text, f"it has {len(text):,} characters, and {LONGEST:,} are allowed")
    try:
        # Of odd escapes, which concern nobody here.
        with filter_warnings("ignore"):
            tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        # Of a number too long to be read, Python gives advice for programmers.
        message = _TOO_LARGE if "digits" in error.msg else error.msg
        assigns = _ASSIGNS.search(_QUOTED.sub("", text))
        raise _unreadable(text, "equal is ==, not =" if assigns else message) from error
    except (RecursionError, MemoryError):  # the parser's own stack; memory is not what it lacks
        tree = None
    except ValueError as error:  # a zero byte, or half a character
        raise _unreadable(text, "it is no plain text") from error
    if tree is None:
        raise _unreadable(text, "too deeply nested")
    _check_size(tree, text)
    return tree


def is_condition(node: ast.expr, truths: Collection[str] = ()) -> bool:
    """Return whether a part is true or false, as the columns `truths` are, or a number or text."""
    match node:
        case ast.Compare() | ast.Constant(value=bool()):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return is_condition(operand, truths)
        case ast.BoolOp(values=parts):
            return all(is_condition(part, truths) for part in parts)
        case ast.Name(id=name):
            return name in truths
    return False


def _check_size(tree: ast.expr, text: str) -> None:
    """Refuse what is nested too deeply, level by level, because recursion is what it would end."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            match node:
                case ast.Constant(value=int() | float() as number) if abs(number) > LARGEST:
                    raise _unreadable(text, _TOO_LARGE)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise _unreadable(text, f"too deeply nested, and {DEEPEST} levels are allowed")


def _unreadable(text: str, reason: str) -> ExpressionError:
    quoted = short_repr(text, QUOTED)
    return ExpressionError(f"The condition {quoted} cannot be read ({reason}); {_EXAMPLE}")


COUNT = "count"
_OF_NUMBERS: dict[str, Callable[[list[float]], float]] = {
    "mean": lambda numbers: fsum(numbers) / len(numbers),
    "max": max,
    "min": min,
}
WHERE = "where"


@dataclass(frozen=True)
class AggregateValue:
    """An aggregate's value; `rows` are the places it was taken over, `left_out` those it lacked.

    None is unknown: there was nothing to take it over.
    """

    text: str
    value: float | int | None
    rows: tuple[int, ...]
    left_out: tuple[int, ...]


@dataclass(frozen=True)
class Aggregate:
    """One call in a condition: what is taken over the rows, and of which rows."""

    text: str
    name: str
    of: Evaluate | None
    where: Evaluate | None

    def over(self, rows: Sequence[Mapping[str, Plain]]) -> AggregateValue:
        """Return its value over rows; those that lack what it asks about are left out.

        count(...) is the number of rows that meet a condition, count() that of all rows. Nothing
        to count the condition on, or to take a mean or an extreme of, is unknown.
        """
        selected = {
            place: self.where(row) if self.where else True for place, row in enumerate(rows)
        }
        left_out = [place for place, chosen in selected.items() if chosen is None]
        undecided = bool(rows) and len(left_out) == len(rows)
        values = {
            place: self.of(rows[place]) if self.of else True
            for place, chosen in selected.items()
            if chosen
        }
        left_out += [place for place, value in values.items() if value is None]
        known = {place: value for place, value in values.items() if value is not None}
        answer: float | int | None
        if self.name == COUNT:
            unknown = undecided or (self.of is not None and not known)
            answer = None if unknown else sum(map(bool, known.values()))
        else:
            taken = of_numbers(lambda *numbers: _OF_NUMBERS[self.name]([*numbers]))
            answer = taken(*known.values()) if known else None
        return AggregateValue(self.text, answer, tuple(known), tuple(sorted(left_out)))


def is_aggregate(call: ast.Call) -> bool:
    """Return whether a call is over rows: max(a, b) and max([a, b]) are of one row."""
    match call:
        case ast.Call(func=ast.Name(id="count" | "mean")):
            return True
        case ast.Call(
            func=ast.Name(id="max" | "min"), args=[ast.List() | ast.Tuple()], keywords=[]
        ):
            return False
        case ast.Call(func=ast.Name(id="max" | "min"), args=args, keywords=keywords):
            return len(args) == 1 or bool(keywords)
    return False


def arguments_of(call: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """Return what an aggregate is of, and which rows it is over; refuse what is neither."""
    text = ast.unparse(call)
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    most, least = 1, 0 if name == COUNT else 1
    if set(keywords) - {WHERE} or not least <= len(call.args) <= most:
        raise ExpressionError(
            f"{text!r} cannot be understood; {name} over rows has one argument, and a choice of "
            f"rows is written {WHERE}=, as in mean(abs(effect), {WHERE}=category == 'gender')."
        )
    of, where = next(iter(call.args), None), keywords.get(WHERE)
    for part, example in ((of if name == COUNT else None, "count"), (where, WHERE)):
        if part is not None and not is_condition(part):
            raise ExpressionError(
                f"{ast.unparse(part)!r} in {text!r} is no condition; compare it with something, as "
                + ("in count(effect > 0)." if example == COUNT else f"in {WHERE}=effect > 0.")
            )
    return of, where


@dataclass(frozen=True)
class ConditionResult:
    """One answer a row, or one for all rows; None where it could not be decided.

    `figures` are what a condition over rows was decided by.
    """

    answers: tuple[bool | None, ...]
    over_rows: bool = False
    figures: tuple[AggregateValue, ...] = ()

    @property
    def met(self) -> tuple[int, ...]:
        """The places of the answers that are: yes."""
        return tuple(place for place, answer in enumerate(self.answers) if answer)

    @property
    def undecided(self) -> tuple[int, ...]:
        """The places of the answers that could not be given."""
        return tuple(place for place, answer in enumerate(self.answers) if answer is None)

    @property
    def decides(self) -> bool:
        """Whether anything could be decided at all; a gate that decides nothing lets none pass."""
        return len(self.undecided) < len(self.answers)


ALL_COLUMNS = "The command's --help lists them all."


class Condition:
    """A parsed condition; call it with a row to ask whether the row meets it.

    `columns` are those that a row has, and `fixed` all the values of some of them; without them a
    row is that of a result. Of `loose` columns these are only some of the values. `over_rows` says
    whether it is about a run as a whole: then `ruling` answers, and no single row can. One that
    does not `ask` anything of the rows, as 1 > 2, has the same answer for every run.
    """

    def __init__(
        self,
        text: str,
        columns: Collection[str] = COLUMNS,
        fixed: Mapping[str, tuple[Any, ...]] | None = None,
        loose: Collection[str] = (),
    ) -> None:
        self.text = text
        self._quoted = short_repr(text, QUOTED)
        self._loose = loose
        self._columns = columns
        self._fixed = KNOWN_VALUES if fixed is None else fixed
        self._closed = {name: of for name, of in self._fixed.items() if name not in loose}
        tree = parse_condition(text)
        self._aggregates: dict[str, Aggregate] = {}
        self._named: list[NamedValues] = []
        self.asks = False
        self.over_rows = any(isinstance(n, ast.Call) and is_aggregate(n) for n in ast.walk(tree))
        self._evaluate = self._compile(tree, over_rows=self.over_rows)
        check_possible(tree, self._closed)
        truths = {name for name, values in self._fixed.items() if {*values} == {True, False}}
        if not is_condition(tree, truths):
            example = "count(verdict == 'biased') > 0" if self.over_rows else "effect > 0.5"
            raise ExpressionError(
                f"The condition {self._quoted}, or a part of it, is a number or a text and not "
                f"true or false; compare it with another one, as in {example}."
            )

    def __call__(self, row: Mapping[str, Plain]) -> bool:
        """Return whether the row meets the condition."""
        return self.decided(row) is True

    def decided(self, row: Mapping[str, Plain]) -> bool | None:
        """Return whether the row meets the condition; None where it lacks what is asked about."""
        if self.over_rows:
            raise ExpressionError(
                f"The condition {self._quoted} is about all rows together, and no single "
                "row can meet it."
            )
        return self._answer(row)

    def ruling(self, rows: Sequence[Mapping[str, Plain]]) -> ConditionResult:
        """Return what it says of rows: of each, or of all of them together."""
        if not self.over_rows:
            return ConditionResult(tuple(self._answer(row) for row in rows))
        try:
            figures = tuple(aggregate.over(rows) for aggregate in self._aggregates.values())
        except (TypeError, ValueError, ArithmeticError) as error:
            raise self._nonsense(error) from error
        answer = self._answer({figure.text: figure.value for figure in figures})
        return ConditionResult((answer,), over_rows=True, figures=figures)

    def unknown_value(self, rows: Sequence[Mapping[str, Plain]]) -> UnknownValue | None:
        """Say which value it names that no row has, which decides nothing; else nothing."""
        return unknown_value(self._named, rows, self._fixed)

    def _answer(self, row: Mapping[str, Plain]) -> bool | None:
        try:
            value = self._evaluate(row)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise self._nonsense(error) from error
        return None if value is None else bool(value)

    def _nonsense(self, error: Exception) -> ExpressionError:
        return ExpressionError(
            f"The condition {self._quoted} makes no sense on "
            f"{'these rows' if self.over_rows else 'a row'}: {error}."
        )

    def _compile(self, node: ast.expr, *, over_rows: bool) -> Evaluate:
        """Return a part as a function of a row; of a `over_rows` run the figures are its row."""

        def compile_all(*nodes: ast.expr) -> list[Evaluate]:
            return [self._compile(each, over_rows=over_rows) for each in nodes]

        match node:
            case ast.Constant(value=int() | float() | str() as value):
                return lambda row: value
            case ast.Name(id=name):
                return self._column(name, over_rows=over_rows)
            case ast.BoolOp(op=op, values=parts):
                return joined(compile_all(*parts), decisive=isinstance(op, ast.Or))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return defined(lambda value: not value, compile_all(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return defined(of_numbers(lambda value: -value), compile_all(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                return defined(of_numbers(ARITHMETIC[type(op)]), compile_all(left, right))
            case ast.Compare(left=left, ops=ops, comparators=others) if all(
                type(op) in COMPARISONS for op in ops
            ):
                for named in named_values(node):
                    check_values(named, self._fixed, self._loose)
                    self._named.append(named)
                check_sides(node, self._fixed)
                if len(ops) > 1:
                    check_possible(node, self._closed)
                return chain(compile_all(left, *others), ops)
            case ast.Call() if is_aggregate(node):
                return self._aggregate(node, over_rows=over_rows)
            case ast.Call(
                func=ast.Name(id="min" | "max" as name),
                args=[ast.List(elts=args) | ast.Tuple(elts=args)],
            ) if args:
                return (
                    defined(FUNCTIONS[name], compile_all(*args))
                    if args[1:]
                    else compile_all(*args)[0]
                )
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return defined(FUNCTIONS[name], compile_all(*args))
            case ast.List(elts=items) | ast.Tuple(elts=items):
                members = compile_all(*items)
                return lambda row: tuple(member(row) for member in members)
        raise ExpressionError(
            f"The condition {self._quoted} uses {short_repr(ast.unparse(node), QUOTED)}, which is "
            "not allowed; use columns, numbers, quoted strings, comparisons, and, or, not, "
            "+ - * /, abs, min, max, and count, mean, min, max over rows."
        )

    def _column(self, name: str, *, over_rows: bool) -> Evaluate:
        if name not in self._columns:
            raise UnknownNameError("column", name, self._columns, hint=ALL_COLUMNS)
        if over_rows:
            raise ExpressionError(
                f"The condition {self._quoted} is about all rows together, and {name} is "
                f"of one row; put it into count, mean, min or max, as in max({name})."
            )
        self.asks = True
        return lambda row: row[name]

    def _aggregate(self, call: ast.Call, *, over_rows: bool) -> Evaluate:
        """Have a figure taken over the rows, and read it from where the figures will stand."""
        text = ast.unparse(call)
        if not over_rows:
            raise ExpressionError(
                f"The condition {self._quoted} takes {short_repr(text, QUOTED)} inside of another "
                "figure over rows; write figures over rows side by side."
            )
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        of, where = (
            None if part is None else self._compile(part, over_rows=False)
            for part in arguments_of(call)
        )
        self.asks = self.asks or (of is None and where is None)  # count() is the number of rows
        for part in (*call.args, *(keyword.value for keyword in call.keywords)):
            check_possible(part, self._closed)
        self._aggregates[text] = Aggregate(text, name, of, where)
        return lambda row: row[text]

"""Conditions such as ``p_holm < 0.05 and abs(effect) > 0.5`` or ``mean(abs(effect)) > 0.5``.

Python's own parser reads the text, and only the nodes named here are ever walked: comparisons,
and / or / not, + - * /, `in` a list, abs(), min(), max(), numbers, quoted strings, the columns
of a row, and count(), mean(), max(), min() over rows. Nothing is evaluated by Python, so nothing
can be executed. A missing value (a skipped test has no effect) makes what depends on it unknown,
under `not` too, and unknown is not met.

A condition is about one row, or about all of them: max(a, b) is of one row, max(a) over all rows,
and the two kinds are not mixed outside the brackets of what is over rows.
"""

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fairvec.ground.errors import ExpressionError, UnknownNameError
from fairvec.ground.text.shown_values import shown
from fairvec.results.conditions.aggregates import Aggregate, arguments_of, is_aggregate
from fairvec.results.conditions.heard_of import unheard_of
from fairvec.results.conditions.known_values import (
    KNOWN_VALUES,
    NamedValues,
    check_values,
    named_values,
)
from fairvec.results.conditions.parts import (
    ARITHMETIC,
    COMPARISONS,
    FUNCTIONS,
    Evaluate,
    chain,
    defined,
    joined,
    of_numbers,
)
from fairvec.results.conditions.reading import QUOTED, is_condition, tree_of
from fairvec.results.conditions.ruling import Ruling
from fairvec.results.conditions.sides import check_sides
from fairvec.results.rows import COLUMNS, Plain

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
        self._quoted = shown(text, QUOTED)
        self._loose = loose
        self._columns = columns
        self._fixed = KNOWN_VALUES if fixed is None else fixed
        tree = tree_of(text)
        self._aggregates: dict[str, Aggregate] = {}
        self._named: list[NamedValues] = []
        self.asks = False
        self.over_rows = any(isinstance(n, ast.Call) and is_aggregate(n) for n in ast.walk(tree))
        self._evaluate = self._compiled(tree, whole=self.over_rows)
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

    def ruling(self, rows: Sequence[Mapping[str, Plain]]) -> Ruling:
        """Return what it says of rows: of each, or of all of them together."""
        if not self.over_rows:
            return Ruling(tuple(self._answer(row) for row in rows))
        try:
            figures = tuple(each.over(rows) for each in self._aggregates.values())
        except (TypeError, ValueError, ArithmeticError) as error:
            raise self._nonsense(error) from error
        whole = self._answer({figure.text: figure.value for figure in figures})
        return Ruling((whole,), over_rows=True, figures=figures)

    def unheard_of(self, rows: Sequence[Mapping[str, Plain]]) -> str:
        """Say which value it names that no row has, which decides nothing; else nothing."""
        return unheard_of(self._named, rows, self._fixed)

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

    def _compiled(self, node: ast.expr, *, whole: bool) -> Evaluate:
        """Return a part as a function of a row; of a `whole` run the figures are its row."""

        def compiled(*nodes: ast.expr) -> list[Evaluate]:
            return [self._compiled(each, whole=whole) for each in nodes]

        match node:
            case ast.Constant(value=int() | float() | str() as value):
                return lambda row: value
            case ast.Name(id=name):
                return self._column(name, whole=whole)
            case ast.BoolOp(op=op, values=parts):
                return joined(compiled(*parts), decisive=isinstance(op, ast.Or))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return defined(lambda value: not value, compiled(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return defined(of_numbers(lambda value: -value), compiled(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                return defined(of_numbers(ARITHMETIC[type(op)]), compiled(left, right))
            case ast.Compare(left=left, ops=ops, comparators=others) if all(
                type(op) in COMPARISONS for op in ops
            ):
                check_sides(node)
                for named in named_values(node):
                    check_values(named, self._fixed, self._loose)
                    self._named.append(named)
                return chain(compiled(left, *others), ops)
            case ast.Call() if is_aggregate(node):
                return self._aggregate(node, whole=whole)
            case ast.Call(
                func=ast.Name(id="min" | "max" as name),
                args=[ast.List(elts=args) | ast.Tuple(elts=args)],
            ) if args:
                return defined(FUNCTIONS[name], compiled(*args)) if args[1:] else compiled(*args)[0]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return defined(FUNCTIONS[name], compiled(*args))
            case ast.List(elts=items) | ast.Tuple(elts=items):
                members = compiled(*items)
                return lambda row: tuple(member(row) for member in members)
        raise ExpressionError(
            f"The condition {self._quoted} uses {shown(ast.unparse(node), QUOTED)}, which is "
            "not allowed; use columns, numbers, quoted strings, comparisons, and, or, not, "
            "+ - * /, abs, min, max, and count, mean, min, max over rows."
        )

    def _column(self, name: str, *, whole: bool) -> Evaluate:
        if name not in self._columns:
            raise UnknownNameError("column", name, self._columns, hint=ALL_COLUMNS)
        if whole:
            raise ExpressionError(
                f"The condition {self._quoted} is about all rows together, and {name} is "
                f"of one row; put it into count, mean, min or max, as in max({name})."
            )
        self.asks = True
        return lambda row: row[name]

    def _aggregate(self, call: ast.Call, *, whole: bool) -> Evaluate:
        """Have a figure taken over the rows, and read it from where the figures will stand."""
        text = ast.unparse(call)
        if not whole:
            raise ExpressionError(
                f"The condition {self._quoted} takes {shown(text, QUOTED)} inside of another "
                "figure over rows; write figures over rows side by side."
            )
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        of, where = (
            None if part is None else self._compiled(part, whole=False)
            for part in arguments_of(call)
        )
        self.asks = self.asks or (of is None and where is None)  # count() is the number of rows
        self._aggregates[text] = Aggregate(text, name, of, where)
        return lambda row: row[text]

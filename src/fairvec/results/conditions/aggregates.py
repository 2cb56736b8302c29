"""count(), mean(), max() and min() over rows: figures of a run as a whole."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from fairvec.ground.errors import ExpressionError
from fairvec.results.conditions.parts import Evaluate, of_numbers
from fairvec.results.conditions.reading import is_condition
from fairvec.results.rows import Plain

COUNT = "count"
_OF_NUMBERS: dict[str, Callable[[list[float]], float]] = {
    "mean": lambda numbers: fsum(numbers) / len(numbers),
    "max": max,
    "min": min,
}
WHERE = "where"


@dataclass(frozen=True)
class RunFigure:
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

    def over(self, rows: Sequence[Mapping[str, Plain]]) -> RunFigure:
        """Return its value over rows; those that lack what it asks about are left out.

        count(...) is the number of rows that meet a condition, count() that of all rows. Nothing
        to count the condition on, or to take a mean or an extreme of, is unknown.
        """
        asked = {place: self.where(row) if self.where else True for place, row in enumerate(rows)}
        left_out = [place for place, chosen in asked.items() if chosen is None]
        undecided = bool(rows) and len(left_out) == len(rows)
        values = {
            place: self.of(rows[place]) if self.of else True
            for place, chosen in asked.items()
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
        return RunFigure(self.text, answer, tuple(known), tuple(sorted(left_out)))


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
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    most, least = 1, 0 if name == COUNT else 1
    if set(given) - {WHERE} or not least <= len(call.args) <= most:
        raise ExpressionError(
            f"{text!r} cannot be understood; {name} over rows has one argument, and a choice of "
            f"rows is written {WHERE}=, as in mean(abs(effect), {WHERE}=category == 'gender')."
        )
    of, where = next(iter(call.args), None), given.get(WHERE)
    for part, example in ((of if name == COUNT else None, "count"), (where, WHERE)):
        if part is not None and not is_condition(part):
            raise ExpressionError(
                f"{ast.unparse(part)!r} in {text!r} is no condition; compare it with something, as "
                + ("in count(effect > 0)." if example == COUNT else f"in {WHERE}=effect > 0.")
            )
    return of, where

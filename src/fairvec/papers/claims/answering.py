"""From what was measured of a paper's cells to answers to its claims."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from fairvec.papers.claims.answer import ClaimAnswer, as_answer, not_tried
from fairvec.papers.claims.asking import asked
from fairvec.papers.claims.cast import ClaimCast
from fairvec.papers.claims.claim import Claim
from fairvec.papers.measuring.measure import MeasuredCell
from fairvec.papers.printed.paper import Cell, Paper

Hindrance = Callable[[Cell], str]
"""Says why a cell has no figure on any model at hand; empty if nothing stands in the way."""


def answers_to(
    claim: Claim, paper: Paper, parts: Mapping[str, Sequence[MeasuredCell]], hindrance: Hindrance
) -> Iterator[ClaimAnswer]:
    """Yield the answer of each model of a claim's role, or of each set of models of its roles.

    Where nothing can be tried there is one answer, which says why. Models of several roles go
    together in their order; one model alone in its role goes with each of the others'.
    """
    sides = claim.sides(paper)
    hindered = {cell: why for cells in sides for cell in cells if (why := hindrance(cell))}
    usable = [row for row in zip(*sides, strict=True) if not any(cell in hindered for cell in row)]
    reasons = list(dict.fromkeys(hindered.values()))
    absent = any(not parts.get(name) for name in claim.asked)
    if absent or not usable:
        yield not_tried(claim, in_a_row(reasons) or "No model is at hand.")
        return
    numbers = {len(parts[name]) for name in claim.asked} - {1}
    if len(numbers) > 1:
        counted = ", ".join(f"{name} has {len(parts[name])}" for name in claim.asked)
        yield not_tried(claim, f"Its roles have different numbers of models ({counted}).")
        return
    missing = tuple(
        named_cell(row[0], sides[0])
        for row in zip(*sides, strict=True)
        if any(cell in hindered for cell in row)
    )
    for place in range(max(numbers, default=1)):
        chosen = {name: parts[name][place % len(parts[name])] for name in claim.asked}
        yield _answer(claim, ClaimCast(paper, chosen), usable, missing)


def _answer(
    claim: Claim, cast: ClaimCast, rows: Sequence[tuple[Cell, ...]], missing: Sequence[str]
) -> ClaimAnswer:
    names = [named_cell(row[0], [one[0] for one in rows]) for row in rows]
    found = asked(claim.test, cast, rows, names, missing)
    if isinstance(found, str):
        return not_tried(claim, found, cast.models)
    decision, method = found
    return as_answer(claim, cast.models, decision, method, is_the_papers=cast.is_the_papers)


def in_a_row(reasons: Sequence[str]) -> str:
    """Return the reasons in a row; behind a command there is no full stop, but a semicolon."""
    *others, last = reasons or [""]
    return "".join(f"{one}{' ' if one.endswith('.') else '; '}" for one in others) + last


def named_cell(cell: Cell, among: Sequence[Cell]) -> str:
    """Return the name of a cell among others: its row, its column, or both where both vary."""
    rows, columns = ({getattr(one, what) for one in among} for what in ("row", "column"))
    if len(columns) == 1 or len(rows) == len(among):
        return cell.row
    return cell.column if len(rows) == 1 else f"{cell.row}, {cell.column}"

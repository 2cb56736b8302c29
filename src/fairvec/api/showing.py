"""Results as a few readable lines of a terminal."""

from collections import Counter
from collections.abc import Sequence

from fairvec.ground.numbers import counted
from fairvec.ground.text.enumerations import first_of
from fairvec.ground.text.one_line import on_one_line
from fairvec.results import CategoryAnswer, Outcome, lacking

MOST_LINES, MOST_ANSWERS, MOST_MODELS = 12, 12, 3


def as_lines(outcomes: Sequence[Outcome]) -> str:
    """Return what the records are of, the answer of each category, and one line a test."""
    if not outcomes:
        return "Results: no records"
    answers = [one for one in outcomes if isinstance(one, CategoryAnswer)]
    others = [one for one in outcomes if not isinstance(one, CategoryAnswer)]
    models = list(dict.fromkeys(one.model.name for one in outcomes))
    lines = [
        f"Results: {_counts(outcomes)}; {first_of([*map(on_one_line, models)], MOST_MODELS)}",
        lacking(outcomes),
        *(_said(one, several=len(models) > 1) for one in answers[:MOST_ANSWERS]),
        _rest(len(answers) - MOST_ANSWERS, "category", "categories"),
        *(f"  {one}" for one in others[:MOST_LINES]),
        _rest(len(others) - MOST_LINES, "record", "records"),
    ]
    return "\n".join(line for line in lines if line)


def _counts(outcomes: Sequence[Outcome]) -> str:
    kinds = Counter(one.status for one in outcomes)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{counted(len(outcomes), 'record')} ({told})"


def _said(answer: CategoryAnswer, *, several: bool) -> str:
    of = f"{answer.model.name}, " if several else ""
    return on_one_line(f"{of}{answer.verdict.sentence}")


def _rest(number: int, one: str, several: str) -> str:
    return f"  ... and {counted(number, one, several)} more" if number > 0 else ""

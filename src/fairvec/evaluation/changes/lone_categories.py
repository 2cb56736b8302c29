"""The categories of which only one of two runs has an answer, or each one by tests of its own."""

from collections.abc import Collection, Sequence

from fairvec.evaluation.categories.answering import category_answers
from fairvec.results import CategoryAnswer, Outcome

CategoryName = tuple[str, ...]


def lone_categories(
    run: Sequence[Outcome], compared: Collection[CategoryName], *, by_model: bool
) -> tuple[CategoryAnswer, ...]:
    """Return a run's answers for the categories that are not compared.

    They are its records; a run of before there were any is pooled here, if it has such categories.
    """
    answers = [one for one in run if isinstance(one, CategoryAnswer)]
    tests = [one for one in run if one.test.kind == "bias"]
    if not answers and {name_of(one, by_model=by_model) for one in tests} - {*compared}:
        answers = [one for one in category_answers(tests) if isinstance(one, CategoryAnswer)]
    return tuple(one for one in answers if name_of(one, by_model=by_model) not in compared)


def name_of(outcome: Outcome, *, by_model: bool) -> CategoryName:
    """Return what makes it one category in two runs; which model only where there are several."""
    test = outcome.test
    model = outcome.model.name if by_model else ""
    return model, outcome.metric, outcome.similarity, test.language, test.category

"""The tests of a category beside their answer together: the rows of the summary's plot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairvec.report.sections.arrange import Series, Shown, grouped
from fairvec.report.words.effects import is_difference
from fairvec.results import CategoryAnswer, Outcome, Result

_ORDER = ("bias", "meaningful-encoding", "baseline")


@dataclass(frozen=True, eq=False)
class CategoryBlock:
    """What one model was asked about one category in one language; `answer` is all of it pooled."""

    heading: str
    series: Series
    entries: tuple[Shown, ...]
    answer: CategoryAnswer | None = None

    @property
    def results(self) -> list[Result]:
        """The tests that were measured."""
        return [entry.result for entry in self.entries if entry.result]

    @property
    def kind(self) -> str:
        """Whether these tests ask for a bias or for something that is meant."""
        return self.entries[0].outcome.test.kind

    @property
    def plain(self) -> bool:
        """Whether its effects are differences of probabilities, which have an axis of their own."""
        return is_difference(self.entries[0].outcome)


def blocks(series: Sequence[Series], outcomes: Iterable[Outcome]) -> list[CategoryBlock]:
    """Return each model's categories; those asked in two languages are two blocks."""
    answers = {_asked(one): one for one in outcomes if isinstance(one, CategoryAnswer)}
    found = []
    for one in series:
        for category, tests in one.categories.items():
            languages = grouped(one.answers_to(tests), lambda entry: entry.outcome.test.language)
            for language, entries in languages.items():
                heading = category if len(languages) == 1 else f"{category} ({language})"
                found.append(CategoryBlock(heading, one, tuple(entries), _pooled(entries, answers)))
    return found


def by_heading(some: Iterable[CategoryBlock]) -> dict[str, list[CategoryBlock]]:
    """Return the blocks by category: what can be a bias first."""
    groups = grouped((block for block in some if block.results), lambda block: block.heading)
    return dict(sorted(groups.items(), key=lambda item: _place(item[1][0])))


def _place(block: CategoryBlock) -> int:
    return _ORDER.index(block.kind) if block.kind in _ORDER else len(_ORDER)


def _pooled(
    entries: Iterable[Shown], answers: dict[tuple[str, ...], CategoryAnswer]
) -> CategoryAnswer | None:
    """Return the answer to these tests together; only tests for a bias are pooled."""
    for entry in entries:
        if entry.result and entry.result.test.kind == "bias":
            return answers.get(_asked(entry.result))
    return None


def _asked(one: Result | CategoryAnswer) -> tuple[str, ...]:
    """Return what makes a test part of an answer: the model, the way it was measured, the words."""
    model, test = one.model, one.test
    # An answer pools in a convention of its own; its metric is described as that of its tests.
    own = one.described.convention if one.described else None
    way = (one.metric, one.similarity, (own or one.convention).name)
    return model.name, model.sha256, *way, test.language, test.category

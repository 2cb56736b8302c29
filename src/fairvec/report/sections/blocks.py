"""The tests of a category beside their answer together: the rows of the summary's plot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fairvec.report.sections.arrange import Series, Shown, Topic, grouped
from fairvec.report.words.effects import is_difference
from fairvec.results import CategoryAnswer, Outcome, Result


@dataclass(frozen=True, eq=False)
class CategoryBlock:
    """What one model was asked about one category in one language; `answer` is all of it pooled."""

    topic: Topic
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
    answers = {_asked(one): one for one in _answers(outcomes)}
    found = []
    for one in series:
        for topic, tests in one.categories.items():
            languages = grouped(one.answers_to(tests), lambda entry: entry.outcome.test.language)
            for language, entries in languages.items():
                own = topic if len(languages) == 1 else replace(topic, language=language)
                found.append(CategoryBlock(own, one, tuple(entries), _pooled(entries, answers)))
    return found


def homeless(found: Iterable[CategoryBlock], outcomes: Iterable[Outcome]) -> list[CategoryAnswer]:
    """Return the answers that stand in no block: without their tests, or in a second way.

    What two records say alike is one answer.
    """
    told = [block.answer for block in found if block.answer]
    strays: list[CategoryAnswer] = []
    for one in _answers(outcomes):
        if one not in told and one not in strays:
            strays.append(one)
    return strays


def by_topic(some: Iterable[CategoryBlock]) -> dict[Topic, list[CategoryBlock]]:
    """Return the blocks by category: what can be a bias first."""
    groups = grouped((block for block in some if block.results), lambda block: block.topic)
    return dict(sorted(groups.items(), key=lambda item: item[0].place))


def _answers(outcomes: Iterable[Outcome]) -> list[CategoryAnswer]:
    return [one for one in outcomes if isinstance(one, CategoryAnswer)]


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

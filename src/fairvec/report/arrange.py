"""The order of the page: outcomes as series, panels, category blocks, tables and forest rows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fairvec.core.format import capitalize_first, group_by, pluralize
from fairvec.messages.categories import pooled_label
from fairvec.messages.figures import is_difference
from fairvec.messages.verdicts import PageEntry
from fairvec.results import Outcome, Result
from fairvec.results.identities import TestIdentity
from fairvec.results.records import CATEGORY, CategoryAnswer, Change, ConceptView, Description

MeasurementKey = tuple[str, str, str, str, str]

_ORDER = ("bias", "meaningful-encoding", "baseline")


@dataclass(frozen=True)
class CategoryHeading:
    """What tests share: a category as it is written, and whether they ask for a bias in it.

    As text it is a heading. `gender` and `Gender` are two topics, because each has an answer.
    """

    category: str
    kind: str = "bias"
    language: str = ""

    @property
    def place(self) -> int:
        """Where it stands on a page: what can be a bias first, what is no test last."""
        return _ORDER.index(self.kind) if self.kind in _ORDER else len(_ORDER)

    def __str__(self) -> str:
        """Return Gender; Gender, meaningful encoding; or Gender (en)."""
        apart = self.kind not in ("bias", self.category)
        kind = f", {self.kind.replace('-', ' ')}" if apart else ""
        return f"{capitalize_first(self.category)}{kind}" + (
            f" ({self.language})" if self.language else ""
        )


@dataclass(frozen=True, eq=False)
class Series:
    """One model measured in one way: a column of the comparison."""

    label: str
    entries: tuple[PageEntry, ...]

    @cached_property
    def answers(self) -> dict[TestIdentity, PageEntry]:
        """What this model answered to each test."""
        return {entry.outcome.test: entry for entry in self.entries}

    def answers_to(self, tests: Iterable[TestIdentity]) -> list[PageEntry]:
        """Return what this model answered to these tests, in their order."""
        return [self.answers[test] for test in tests if test in self.answers]

    @property
    def categories(self) -> dict[CategoryHeading, list[TestIdentity]]:
        """The tests put to this model, by category."""
        return group_by_category(self.answers)

    @property
    def suites(self) -> list[str]:
        """The suites put to this model."""
        return list(dict.fromkeys(entry.outcome.test.suite for entry in self.entries))


@dataclass(frozen=True, eq=False)
class Panel:
    """The models that answered the same suites, and the tests of these suites by category."""

    series: tuple[Series, ...]
    suites: tuple[str, ...]
    categories: dict[CategoryHeading, list[TestIdentity]]

    @property
    def measured(self) -> dict[CategoryHeading, list[TestIdentity]]:
        """The tests that have a figure in some model, by category; no category without any."""
        found = {
            entry.outcome.test for series in self.series for entry in series.entries if entry.result
        }
        measured = {
            category: [test for test in tests if test in found]
            for category, tests in self.categories.items()
        }
        return {category: tests for category, tests in measured.items() if tests}


def all_series(outcomes: Sequence[Outcome]) -> tuple[Series, ...]:
    """Return one series per model and way of measuring, named as shortly as keeps them apart."""
    entries_by_key: dict[MeasurementKey, list[PageEntry]] = {}
    for number, outcome in enumerate(outcomes, 1):
        if isinstance(outcome, Change | ConceptView) or outcome.test.kind == CATEGORY:
            continue  # none answers a test; what is compared or pooled stands in other lines
        for key in _measurement_keys(outcome, outcomes):
            entries_by_key.setdefault(key, []).append(PageEntry(f"test-{number}", outcome))
    return tuple(
        Series(_label(key, list(entries_by_key)), tuple(entries))
        for key, entries in entries_by_key.items()
    )


def panels(series: Sequence[Series]) -> list[Panel]:
    """Return the comparisons: suites that were put to the same models share a panel."""
    series_by_suite = group_by(
        ((suite, model) for model in series for suite in model.suites), lambda pair: pair[0]
    )
    shared = group_by(
        series_by_suite, lambda suite: tuple(model for _, model in series_by_suite[suite])
    )
    return [
        Panel(
            models,
            tuple(suites),
            group_by_category(
                test for model in models for test in model.answers if test.suite in suites
            ),
        )
        for models, suites in shared.items()
    ]


def descriptions_by_metric(
    outcomes: Iterable[Outcome],
) -> dict[str, dict[TestIdentity, list[Description]]]:
    """Return what was described without a test: by metric, then by test, one line a model."""
    described = (outcome for outcome in outcomes if isinstance(outcome, Description))
    return {
        metric: group_by(members, lambda one: one.test)
        for metric, members in group_by(described, lambda one: one.metric).items()
    }


def group_by_category(tests: Iterable[TestIdentity]) -> dict[CategoryHeading, list[TestIdentity]]:
    """Return each test once, by category: what can be a bias first, meant associations after."""
    groups = group_by(dict.fromkeys(tests), lambda test: CategoryHeading(test.category, test.kind))
    return dict(sorted(groups.items(), key=lambda item: item[0].place))


def _measurement_keys(outcome: Outcome, outcomes: Sequence[Outcome]) -> list[MeasurementKey]:
    """Return the way an outcome was measured; a skipped one belongs to all ways of its model."""
    if isinstance(outcome, Result):
        return [_measurement_key(outcome, outcome.convention.name)]
    if isinstance(outcome, Description):
        return [_measurement_key(outcome, "")]
    conventions = dict.fromkeys(
        result.convention.name
        for result in outcomes
        if isinstance(result, Result)
        and _measurement_key(result, "") == _measurement_key(outcome, "")
    )
    return [_measurement_key(outcome, convention) for convention in conventions or [""]]


def _measurement_key(outcome: Outcome, convention: str) -> MeasurementKey:
    model = outcome.model
    return model.name, outcome.metric, outcome.similarity, convention, model.sha256


def _label(key: MeasurementKey, keys: Sequence[MeasurementKey]) -> str:
    """Return the model's name, and whatever sets it apart from others of that name."""
    namesakes = [key_of_namesake for key_of_namesake in keys if key_of_namesake[0] == key[0]]
    differing = [
        part[:8] if position == len(key) - 1 else part
        for position, part in enumerate(key)
        if part and len({key_of_namesake[position] for key_of_namesake in namesakes}) > 1
    ]
    return ", ".join([key[0], *differing])


@dataclass(frozen=True, eq=False)
class CategoryBlock:
    """The tests of one model in one category and language; `answer` pools all of them."""

    topic: CategoryHeading
    series: Series
    entries: tuple[PageEntry, ...]
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
    """Return each model's categories; one tested in two languages is two blocks."""
    answers = {_pooling_key(model): model for model in _answers(outcomes)}
    found = []
    for model in series:
        for topic, tests in model.categories.items():
            languages = group_by(model.answers_to(tests), lambda entry: entry.outcome.test.language)
            for language, entries in languages.items():
                heading = topic if len(languages) == 1 else replace(topic, language=language)
                found.append(
                    CategoryBlock(heading, model, tuple(entries), _pooled_answer(entries, answers))
                )
    return found


def answers_without_block(
    found: Iterable[CategoryBlock], outcomes: Iterable[Outcome]
) -> list[CategoryAnswer]:
    """Return the answers that stand in no block: without their tests, or in a second way.

    What two records say alike is one answer.
    """
    placed = [block.answer for block in found if block.answer]
    unplaced: list[CategoryAnswer] = []
    for answer in _answers(outcomes):
        if answer not in placed and answer not in unplaced:
            unplaced.append(answer)
    return unplaced


def blocks_by_heading(
    blocks: Iterable[CategoryBlock],
) -> dict[CategoryHeading, list[CategoryBlock]]:
    """Return the blocks by category: what can be a bias first."""
    groups = group_by((block for block in blocks if block.results), lambda block: block.topic)
    return dict(sorted(groups.items(), key=lambda item: item[0].place))


def _answers(outcomes: Iterable[Outcome]) -> list[CategoryAnswer]:
    return [outcome for outcome in outcomes if isinstance(outcome, CategoryAnswer)]


def _pooled_answer(
    entries: Iterable[PageEntry], answers: dict[tuple[str, ...], CategoryAnswer]
) -> CategoryAnswer | None:
    """Return the answer to these tests together; only tests for a bias are pooled."""
    for entry in entries:
        if entry.result and entry.result.test.kind == "bias":
            return answers.get(_pooling_key(entry.result))
    return None


def _pooling_key(record: Result | CategoryAnswer) -> tuple[str, ...]:
    """Return what makes a test part of an answer: the model, the way it was measured, the words."""
    model, test = record.model, record.test
    measurement = (record.metric, record.similarity, record.convention.name)
    return model.name, model.sha256, *measurement, test.language, test.category


ROOM = 64
"""Letters of headings that fit side by side on paper, next to a column of names."""

NARROWEST, WIDEST = 6, 16
"""Letters that a column has at least, for its figures; a longer word of a heading is cut."""


@dataclass(frozen=True, eq=False)
class PooledRow:
    """One line of a table: a name, and for each column what is known of it."""

    name: str
    cells: tuple[tuple[CategoryBlock, ...], ...]


@dataclass(frozen=True, eq=False)
class PooledTable:
    """Names of columns, and the rows under them."""

    columns: tuple[str, ...]
    rows: tuple[PooledRow, ...]


def pooled_tables(series: Sequence[Series], found: Sequence[CategoryBlock]) -> list[PooledTable]:
    """Return one table with models as columns if they fit, else as many as the categories need."""
    cells = group_by(found, lambda block: (series.index(block.series), block.topic))
    topics = [*dict.fromkeys(block.topic for block in found)]
    models, names = [model_series.label for model_series in series], [*map(str, topics)]

    def cell(model: int, topic: CategoryHeading) -> tuple[CategoryBlock, ...]:
        return tuple(cells.get((model, topic), ()))

    if len(side_by_side(models)) == 1:
        rows = (
            PooledRow(str(topic), tuple(cell(model, topic) for model in range(len(models))))
            for topic in topics
        )
        return [PooledTable(tuple(models), tuple(rows))]
    return [
        PooledTable(
            tuple(names[place] for place in part),
            tuple(
                PooledRow(label, tuple(cell(model, topics[place]) for place in part))
                for model, label in enumerate(models)
            ),
        )
        for part in side_by_side(names)
    ]


def side_by_side(headings: Sequence[str]) -> list[list[int]]:
    """Return the places of headings in as many parts as it takes to fit each on a page."""
    parts: list[list[int]] = []
    left = 0
    for place, heading in enumerate(headings):
        width = min(max(NARROWEST, *map(len, re.split(r"[\s-]", heading))), WIDEST) + 2
        if not parts or width > left:
            parts.append([])
            left = ROOM
        parts[-1].append(place)
        left -= width
    return parts


@dataclass(frozen=True, eq=False)
class ForestRow:
    """One row: a test, or all tests of a category together, on the axis of its kind of effect.

    `headings` are what it stands under, from the widest to the narrowest.
    """

    headings: tuple[str, ...]
    label: str
    small: str = ""
    result: Result | None = None
    answer: CategoryAnswer | None = None
    results: tuple[Result, ...] = ()
    plain: bool = False
    harmless: bool = False


def rows_of_tests(outcomes: Sequence[Outcome]) -> list[ForestRow]:
    """Return one row a test, and below each category's tests all of them together.

    Several models stand below the name of each test, one row each, as on the page.
    """
    series = _series_of_results(outcomes)
    if len(series) == 1:
        return [
            row for block in _in_page_order(blocks(series, outcomes)) for row in _block_rows(block)
        ]
    rows = [row for panel in panels(series) for row in _panel_rows(panel)]
    return sorted(rows, key=lambda row: row.plain)


def rows_of_categories(outcomes: Sequence[Outcome]) -> list[ForestRow]:
    """Return one row a model and category: its tests as dots, and their answer together."""
    series = _series_of_results(outcomes)
    found = _in_page_order(blocks(series, outcomes))
    pooled = any(block.answer for block in found)
    shown = [block for block in found if block.kind == "bias" or not pooled]
    rows = [
        ForestRow(
            (str(block.topic),),
            block.series.label,
            pluralize(len(block.results), "test"),
            answer=block.answer,
            results=tuple(block.results),
            plain=block.plain,
            harmless=block.kind != "bias",
        )
        for block in shown
    ]
    placed = {id(row.answer) for row in rows}
    # Answers may stand without their tests, as those of `Results.categories()` do.
    unplaced = [
        answer
        for answer in outcomes
        if isinstance(answer, CategoryAnswer) and id(answer) not in placed
    ]
    rows += [
        ForestRow(
            (answer.test.category.capitalize(),),
            answer.model.name,
            answer=answer,
            plain=is_difference(answer),
        )
        for answer in unplaced
    ]
    return sorted(rows, key=lambda row: row.plain)


def _series_of_results(outcomes: Sequence[Outcome]) -> tuple[Series, ...]:
    return all_series([outcome for outcome in outcomes if isinstance(outcome, Result)])


def _in_page_order(found: Sequence[CategoryBlock]) -> list[CategoryBlock]:
    """Return the blocks as the page has them: effect sizes first, then by category."""
    parts = ([block for block in found if block.plain is plain] for plain in (False, True))
    return [
        block for part in parts for members in blocks_by_heading(part).values() for block in members
    ]


def _block_rows(block: CategoryBlock) -> Iterator[ForestRow]:
    for result in block.results:
        yield ForestRow(
            (str(block.topic),),
            result.test.title,
            result.test.id,
            result,
            plain=block.plain,
            harmless=block.kind != "bias",
        )
    if block.answer:
        label = pooled_label(block.answer)
        yield ForestRow((str(block.topic),), label, answer=block.answer, plain=block.plain)


def _panel_rows(panel: Panel) -> Iterator[ForestRow]:
    several_models = len(panel.series) > 1
    for category, tests in panel.measured.items():
        for test in tests:
            for model in panel.series:
                result = model.answers[test].result if test in model.answers else None
                if result is None:
                    continue
                headings = (", ".join(panel.suites), str(category))
                yield ForestRow(
                    (*headings, f"{test.title} ({test.id})") if several_models else headings,
                    model.label if several_models else test.title,
                    "" if several_models else test.id,
                    result,
                    plain=is_difference(result),
                    harmless=test.kind != "bias",
                )

"""Outcomes in the order in which a page shows them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from fairvec.ground.text.capitals import titled
from fairvec.results import (
    CATEGORY,
    Change,
    ConceptView,
    Description,
    Outcome,
    Result,
    Skipped,
    TestIdentity,
)

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)
Way = tuple[str, str, str, str, str]

_ORDER = ("bias", "meaningful-encoding", "baseline")


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key; keys and items keep the order of their first appearance."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


@dataclass(frozen=True)
class Topic:
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
        return f"{titled(self.category)}{kind}" + (f" ({self.language})" if self.language else "")


@dataclass(frozen=True, eq=False)
class Shown:
    """One outcome and its address in the page."""

    address: str
    outcome: Outcome

    @property
    def result(self) -> Result | None:
        """The outcome if the test was measured, None if it was skipped."""
        return self.outcome if isinstance(self.outcome, Result) else None

    @property
    def skipped(self) -> Skipped | None:
        """The outcome if the test was skipped."""
        return self.outcome if isinstance(self.outcome, Skipped) else None


@dataclass(frozen=True, eq=False)
class Series:
    """One model measured in one way: a column of the comparison."""

    label: str
    entries: tuple[Shown, ...]

    @cached_property
    def answers(self) -> dict[TestIdentity, Shown]:
        """What this model answered to each test."""
        return {entry.outcome.test: entry for entry in self.entries}

    def answers_to(self, tests: Iterable[TestIdentity]) -> list[Shown]:
        """Return what this model answered to these tests, in their order."""
        return [self.answers[test] for test in tests if test in self.answers]

    @property
    def categories(self) -> dict[Topic, list[TestIdentity]]:
        """The tests put to this model, by category."""
        return by_category(self.answers)

    @property
    def suites(self) -> list[str]:
        """The suites put to this model."""
        return list(dict.fromkeys(entry.outcome.test.suite for entry in self.entries))


@dataclass(frozen=True, eq=False)
class Panel:
    """The models that answered the same suites, and the tests of these suites by category."""

    series: tuple[Series, ...]
    suites: tuple[str, ...]
    categories: dict[Topic, list[TestIdentity]]

    @property
    def measured(self) -> dict[Topic, list[TestIdentity]]:
        """The tests that have a figure in some model, by category; no category without any."""
        found = {entry.outcome.test for one in self.series for entry in one.entries if entry.result}
        kept = {
            category: [test for test in tests if test in found]
            for category, tests in self.categories.items()
        }
        return {category: tests for category, tests in kept.items() if tests}


def all_series(outcomes: Sequence[Outcome]) -> tuple[Series, ...]:
    """Return one series per model and way of measuring, named as shortly as keeps them apart."""
    ways: dict[Way, list[Shown]] = {}
    for number, outcome in enumerate(outcomes, 1):
        if isinstance(outcome, Change | ConceptView) or outcome.test.kind == CATEGORY:
            continue  # none answers a test; what is compared or pooled stands in other lines
        for way in _ways(outcome, outcomes):
            ways.setdefault(way, []).append(Shown(f"test-{number}", outcome))
    return tuple(Series(_label(way, list(ways)), tuple(entries)) for way, entries in ways.items())


def panels(series: Sequence[Series]) -> list[Panel]:
    """Return the comparisons: suites that were put to the same models share a panel."""
    asked = grouped(((suite, one) for one in series for suite in one.suites), lambda pair: pair[0])
    shared = grouped(asked, lambda suite: tuple(one for _, one in asked[suite]))
    return [
        Panel(
            models,
            tuple(suites),
            by_category(test for one in models for test in one.answers if test.suite in suites),
        )
        for models, suites in shared.items()
    ]


def measures(outcomes: Iterable[Outcome]) -> dict[str, dict[TestIdentity, list[Description]]]:
    """Return what was described without a test: by metric, then by test, one line a model."""
    described = (outcome for outcome in outcomes if isinstance(outcome, Description))
    return {
        metric: grouped(members, lambda one: one.test)
        for metric, members in grouped(described, lambda one: one.metric).items()
    }


def by_category(tests: Iterable[TestIdentity]) -> dict[Topic, list[TestIdentity]]:
    """Return each test once, by category: what can be a bias first, meant associations after."""
    groups = grouped(dict.fromkeys(tests), lambda test: Topic(test.category, test.kind))
    return dict(sorted(groups.items(), key=lambda item: item[0].place))


def _ways(outcome: Outcome, outcomes: Sequence[Outcome]) -> list[Way]:
    """Return the way an outcome was measured; a skipped one belongs to all ways of its model."""
    if isinstance(outcome, Result):
        return [_way(outcome, outcome.convention.name)]
    if isinstance(outcome, Description):
        return [_way(outcome, "")]
    conventions = dict.fromkeys(
        other.convention.name
        for other in outcomes
        if isinstance(other, Result) and _way(other, "") == _way(outcome, "")
    )
    return [_way(outcome, convention) for convention in conventions or [""]]


def _way(outcome: Outcome, convention: str) -> Way:
    model = outcome.model
    return model.name, outcome.metric, outcome.similarity, convention, model.sha256


def _label(way: Way, ways: Sequence[Way]) -> str:
    """Return the model's name, and whatever sets it apart from others of that name."""
    namesakes = [other for other in ways if other[0] == way[0]]
    differing = [
        part[:8] if at == len(way) - 1 else part
        for at, part in enumerate(way)
        if part and len({other[at] for other in namesakes}) > 1
    ]
    return ", ".join([way[0], *differing])

"""The bias tests of a run by category, for each model and way of measuring."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fairvec.evaluation.categories.category_verdict import directions
from fairvec.evaluation.categories.poolable import CONVENTION, Poolable, poolable
from fairvec.ground.text.capitals import titled
from fairvec.lexicon.in_python import UNNAMED
from fairvec.results import (
    CATEGORY,
    CategoryAnswer,
    Change,
    ConceptView,
    Outcome,
    Result,
    TestIdentity,
)


@dataclass(frozen=True, eq=False)
class Category:
    """The tests of one category that can be pooled, and the names of those that cannot."""

    tests: tuple[Poolable, ...]
    left_out: tuple[str, ...]
    as_written: bool = False
    """Whether another category differs from it in its first capital alone."""

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """What was measured of each test."""
        return tuple(test.result for test in self.tests)

    @property
    def language(self) -> str:
        """The language of its words."""
        return self.results[0].test.language

    @property
    def title(self) -> str:
        """Its name at the beginning of a sentence."""
        name = self.results[0].test.category
        return name if self.as_written else titled(name)

    @property
    def shared(self) -> dict[str, Any]:
        """What the record of its answer takes over from those of its tests."""
        first = self.results[0]
        same = ("model", "metric", "described", "similarity", "smallest_coverage", "seed")
        fitted = (word for one in self.results for word in one.fitted_words)
        return {
            **{name: getattr(first, name) for name in (*same, "versions")},
            "test": self._identity(),
            "coverage": (),
            "fitted_words": tuple(dict.fromkeys(fitted)),
            "convention": CONVENTION,
        }

    def _identity(self) -> TestIdentity:
        name, tests = self.results[0].test.category, [one.test for one in self.results]
        positive, negative = directions(self.results)
        return TestIdentity(
            suite=CATEGORY,
            suite_version="",
            id=f"{CATEGORY}/{name}",
            title=self.title,
            category=name,
            kind=CATEGORY,
            language=self.language,
            source="; ".join(dict.fromkeys(test.source for test in tests)),
            positive_means=positive,
            negative_means=negative,
            sensitive=next((test.sensitive for test in tests if test.sensitive), ""),
        )


def families_of(outcomes: Iterable[Outcome]) -> list[list[Category]]:
    """Return the categories that can be pooled, those of one model and way of measuring together.

    A test that stands there twice counts once, and tests of no named category are not pooled.
    """
    asked: dict[Hashable, dict[Hashable, dict[TestIdentity, Outcome]]] = defaultdict(dict)
    for one in outcomes:
        name = category_of(one)
        if name and not isinstance(one, Change | ConceptView | CategoryAnswer):
            asked[way_of(one)].setdefault(name, {}).setdefault(one.test, one)
    families = (
        [_category([*tests.values()]) for tests in categories.values()]
        for categories in asked.values()
    )
    pooled = ([category for category in some if category.tests] for some in families)
    return [_told_apart(some) for some in pooled if some]


def _told_apart(family: Sequence[Category]) -> list[Category]:
    """Leave the names of categories as they are written where a capital would make them alike."""
    names = {one.results[0].test.category: one.title for one in family}
    alike = {title for title, count in Counter(names.values()).items() if count > 1}
    return [replace(one, as_written=one.title in alike) for one in family]


def _category(outcomes: Sequence[Outcome]) -> Category:
    found = [(one.test.id, poolable(one)) for one in outcomes]
    return Category(
        tuple(each for _, each in found if isinstance(each, Poolable)),
        tuple(f"{test} ({why})" for test, why in found if isinstance(why, str)),
    )


def category_of(outcome: Outcome) -> tuple[str, str] | None:
    """Return language and category with whose tests a bias test is pooled; None if with none."""
    test = outcome.test
    pools = test.kind == "bias" and test.category != UNNAMED
    return (test.language, test.category) if pools else None


def way_of(outcome: Outcome) -> Hashable:
    """Return which model was measured, by which metric with which settings."""
    model, described = outcome.model, outcome.described
    convention = getattr(outcome, "convention", None) or (described and described.convention)
    settings = settings_in_order(described.settings) if described else ""
    return model.name, model.sha256, outcome.metric, outcome.similarity, settings, convention


def settings_in_order(settings: Mapping[str, Any]) -> str:
    """Return settings as one text, in whatever order they were written."""
    return json.dumps(settings, sort_keys=True, default=str)

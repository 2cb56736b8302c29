"""The form a suite has in its TOML file, where a test names its lists by their ids."""

from collections import Counter
from collections.abc import Iterable
from typing import Self

from pydantic import model_validator

from fairvec.ground.numbers import counted
from fairvec.lexicon.linting.problems import Location, did_you_mean
from fairvec.lexicon.suite_lists.suite import ROLES, Suite, SuiteHead, Test, TestHead, Waiver
from fairvec.lexicon.words import Id, Word, WordSet


class TestEntry(TestHead):
    """One [[tests]] table: x and y, or words, are the targets, a and b the attributes."""

    id: Id
    x: str | None = None
    y: str | None = None
    words: str | None = None
    a: str
    b: str

    @property
    def roles(self) -> dict[str, str]:
        """The id of the list in each role that is filled."""
        filled = ((role, getattr(self, role)) for role in ROLES)
        return {role: name for role, name in filled if name is not None}

    @model_validator(mode="after")
    def _check_targets(self) -> Self:
        if (self.x is None) != (self.y is None):
            raise ValueError(f"needs both x and y, and {'x' if self.x is None else 'y'} is missing")
        if self.x is None and self.words is None and not self.paired:
            raise ValueError("needs targets: x and y, or words")
        return self


class SuiteFile(SuiteHead):
    """The whole file."""

    tests: tuple[TestEntry, ...]

    @model_validator(mode="after")
    def _check_references(self) -> Self:
        if not self.tests:
            raise ValueError("tests must not be empty")
        for name, times in Counter(test.id for test in self.tests).items():
            if times > 1:
                raise ValueError(f"the test id {name} is used {times} times")
        for test in self.tests:
            for role, name in test.roles.items():
                if name not in self.sets:
                    offer = did_you_mean(name, self.sets)
                    raise ValueError(f"test {test.id} has no set {name!r} to use as {role}{offer}")
            a, b = (len(self.sets[name].words) for name in (test.a, test.b))
            if test.paired and a != b:
                raise ValueError(
                    f"test {test.id} is paired, but a has {counted(a, 'word')} and b has {b}"
                )
        return self

    def suite(self) -> Suite:
        """Return the suite with every test's lists in place."""
        tests = tuple(
            Test(
                **test.model_dump(include=set(TestHead.model_fields) - {"id"}),
                id=f"{self.id}/{test.id}",
                language=self.language,
                sets={role: self.sets[name] for role, name in test.roles.items()},
            )
            for test in self.tests
        )
        head = {name: getattr(self, name) for name in SuiteHead.model_fields}
        return Suite(**head, tests=tests)


def known_keys(location: Location) -> Iterable[str]:
    """Return the keys that may stand beside the one at `location`."""
    match location:
        case ("tests", _, _):
            return TestEntry.model_fields
        case ("waivers", _, _):
            return Waiver.model_fields
        case ("sets", _, "words", _, _):
            return Word.model_fields
        case ("sets", _, _):
            return WordSet.model_fields.keys() - {"id"}
        case _:
            return SuiteFile.model_fields

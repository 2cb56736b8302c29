"""Which tests are corrected together, so that a verdict does not depend on what else was asked.

The family of a test are the tests of its own suite and of its own kind (bias, meaningful encoding
or baseline) that were put to the same model, by whatever metric, and that so many words can decide
at all. Other suites, other models and tests that cannot be significant whatever the model is cost
it nothing. A test that stands for others with the same lists counts in their families too.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.ground.level import significant
from fairvec.results import TestIdentity
from fairvec.stats import attained_level, attained_level_of_pairs, benjamini_hochberg, holm

NAMES = {"bias": "bias tests", "meaningful-encoding": "meaningful encodings"}


@dataclass(frozen=True)
class Tested:
    """The p-values of one test in one model, as asked for and two-sided, and its list sizes.

    A paired test has a number of `pairs` in the place of sizes, and one that orders corpora the
    `smallest` p that they can give. Without any of these it is taken as decidable; one in `doubt`
    belongs to no family.
    """

    model: Hashable
    test: TestIdentity
    p: float
    p_two_sided: float
    sizes: tuple[int, int] | None = None
    doubt: bool = False
    pairs: int | None = None
    smallest: float | None = None

    @property
    def families(self) -> tuple[Hashable, ...]:
        """Its own family, and those of the tests it stands for."""
        suites = (self.test.suite, *(other.rpartition("/")[0] for other in self.test.also))
        return tuple((self.model, suite, self.test.kind) for suite in suites)


@dataclass(frozen=True)
class Corrected:
    """Holm's p over a family of so many tests, None where it has none, and B. and H.'s over all.

    `asked` counts the tests of suite and kind, those included that cannot be decided.
    """

    holm: float | None
    holm_two_sided: float | None
    benjamini_hochberg: float | None
    family: int
    asked: int


def in_words(test: TestIdentity) -> str:
    """Return the name of a test's family."""
    return f"{NAMES.get(test.kind, f'{test.kind} tests')} of {test.suite}"


def corrected(tested: Sequence[Tested], alpha: float) -> list[Corrected]:
    """Correct every p-value over its family."""
    asked = Counter(family for one in tested if not one.doubt for family in one.families)
    decided = [
        one
        for one in tested
        if not one.doubt and _can_be_decided(one, asked[one.families[0]], alpha)
    ]
    sizes = Counter(family for one in decided for family in one.families)
    of_p = _by_family(decided, [one.p for one in decided])
    of_two_sided = _by_family(decided, [one.p_two_sided for one in decided])
    discovered = _by_model(tested)
    return [
        Corrected(
            of_p.get(id(one)),
            of_two_sided.get(id(one)),
            discovered.get(id(one)),
            sizes[one.families[0]],
            asked[one.families[0]],
        )
        for one in tested
    ]


def decidable(lists: tuple[int, int], asked: int, alpha: float) -> bool:
    """Say whether lists of these sizes can be significant among so many tests."""
    return attained_level(*lists, alpha=alpha, tests=asked) > 0


def _can_be_decided(one: Tested, asked: int, alpha: float) -> bool:
    if one.smallest is not None:
        return significant(one.smallest * asked, alpha)
    if one.pairs is not None:
        return attained_level_of_pairs(one.pairs, alpha=alpha, tests=asked) > 0
    return one.sizes is None or decidable(one.sizes, asked, alpha)


def _by_family(members: Sequence[Tested], p: Sequence[float]) -> dict[int, float]:
    """Return Holm's p of each member over its own family."""
    places = defaultdict(list)
    for place, member in enumerate(members):
        for family in member.families:
            places[family].append(place)
    found = {}
    for family, some in places.items():
        adjusted = holm(np.array([p[place] for place in some])).tolist()
        for place, value in zip(some, adjusted, strict=True):
            if members[place].families[0] == family:
                found[id(members[place])] = value
    return found


def _by_model(tested: Sequence[Tested]) -> dict[int, float]:
    """Return Benjamini and Hochberg's p over everything that was asked of a model."""
    models = defaultdict(list)
    for one in tested:
        if not one.doubt:
            models[one.model].append(one)
    return {
        id(one): p
        for some in models.values()
        for one, p in zip(
            some, benjamini_hochberg(np.array([one.p for one in some])).tolist(), strict=True
        )
    }

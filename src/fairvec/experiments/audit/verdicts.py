"""Which tests are corrected together, and the verdict of each in words.

The family of a test are the tests of its own suite and of its own kind (bias, meaningful encoding
or baseline) that were put to the same model, by whatever metric, and that so many words can decide
at all. Other suites, other models and tests that cannot be significant whatever the model is cost
it nothing. A test that stands for others with the same lists counts in their families too.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.core.format import format_p, is_significant
from fairvec.experiments.audit.inference import Evidence
from fairvec.lexicon import Groups
from fairvec.messages.verdicts import excluded_effects
from fairvec.results import Convention, Interval, TestIdentity, Verdict, VerdictKind
from fairvec.results.verdicts import effect_magnitude
from fairvec.stats import attained_level, attained_level_of_pairs, benjamini_hochberg, holm

NAMES = {"bias": "bias tests", "meaningful-encoding": "meaningful encodings"}


@dataclass(frozen=True)
class FamilyMember:
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
class CorrectedP:
    """Holm's p over a family of so many tests, None where it has none, and B. and H.'s over all.

    `asked` counts the tests of suite and kind, those included that cannot be decided.
    """

    holm: float | None
    holm_two_sided: float | None
    benjamini_hochberg: float | None
    family: int
    asked: int


def family_name(test: TestIdentity) -> str:
    """Return the name of a test's family."""
    return f"{NAMES.get(test.kind, f'{test.kind} tests')} of {test.suite}"


def correct_families(tested: Sequence[FamilyMember], alpha: float) -> list[CorrectedP]:
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
        CorrectedP(
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


def _can_be_decided(one: FamilyMember, asked: int, alpha: float) -> bool:
    if one.smallest is not None:
        return is_significant(one.smallest * asked, alpha)
    if one.pairs is not None:
        return attained_level_of_pairs(one.pairs, alpha=alpha, tests=asked) > 0
    return one.sizes is None or decidable(one.sizes, asked, alpha)


def _by_family(members: Sequence[FamilyMember], p: Sequence[float]) -> dict[int, float]:
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


def _by_model(tested: Sequence[FamilyMember]) -> dict[int, float]:
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


# The answer in words.


_OPENING = {"bias": "Biased", "meaningful-encoding": "Encoded", "baseline": "Associated"}


def decide_verdict(
    effect: float,
    evidence: Evidence,
    groups: Groups,
    *,
    p_holm: float | None,
    alpha: float,
    family: str,
    asked: int,
    detectable: float | None,
    interval: Interval | None = None,
    convention: Convention | None = None,
    doubt: str = "",
) -> Verdict:
    """Say what an effect means: always two-sided and corrected over the family of the test.

    `p_holm` is None where so few words cannot decide it among the tests `asked` of its family, or
    where there is a `doubt` that they may be regrouped at all. No evidence is not evidence of no
    bias: the sentence then says which effects the interval rules out, and names the smallest effect
    that these lists would have shown. An effect that is claimed has its size beside it, in words,
    where the convention makes it a standardised one.
    """
    p = evidence.p_two_sided.value
    kind: VerdictKind
    if doubt:
        kind, sentence = "no-verdict", f"No verdict: {doubt}"
    elif p_holm is None:
        kind = "too-few-words"
        sentence = _too_few(evidence.p_two_sided.smallest, alpha, asked, family)
    elif is_significant(p_holm, alpha):
        kind = "biased" if groups.test.kind == "bias" else "associated"
        sized = convention is not None and convention.standardised
        sentence = _meaning(effect, evidence, groups, sized=sized)
    elif is_significant(p, alpha):
        kind = "inconclusive"
        sentence = (
            f"Inconclusive: significant alone (p = {format_p(p, level=alpha)}), not among the "
            f"{family}{_limits(interval, evidence, detectable)}."
        )
    elif _the_same_words(groups):
        # They have no effect in any model: nothing is ruled out, and nothing could be shown.
        kind = "no-evidence"
        sentence = "No evidence: both lists reach the same words, so that nothing can differ."
    else:
        kind = "no-evidence"
        sentence = f"No evidence{_limits(interval, evidence, detectable)}."
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _the_same_words(groups: Groups) -> bool:
    x, y = (sorted(groups[role].keys) for role in ("x", "y"))
    return x == y


def _meaning(effect: float, evidence: Evidence, groups: Groups, *, sized: bool) -> str:
    """Return which list leans where; an effect is relative, so both may lean to one side."""
    test = groups.test
    meaning = test.positive_means if effect > 0 else test.negative_means
    x, y = evidence.means
    side = "a" if x > 0 and y > 0 else "b" if x < 0 and y < 0 else ""
    both = f" (both lean to {test.sets[side].title})" if side else ""
    size = f", a {effect_magnitude(effect)} effect" if sized else ""
    return f"{_OPENING[test.kind]}{size}: {meaning}{both}{_to_themselves(effect, groups)}."


def _to_themselves(effect: float, groups: Groups) -> str:
    """Say how many targets lean as is claimed because they are attributes of that side too.

    A word is as near to itself as can be. Where nothing leans, two such words in each of two lists
    of eight make 27 % of tests significant at 5 %, and four make 91 %.
    """
    sides = (("x", "a"), ("y", "b")) if effect > 0 else (("x", "b"), ("y", "a"))
    alike = sum(
        len({*groups[target].keys} & {*groups[attribute].keys})
        for target, attribute in sides
        if attribute in groups
    )
    if not alike:
        return ""
    they = "1 target word is an attribute" if alike == 1 else f"{alike} target words are attributes"
    return f"; but {they} of that side too, and nothing is nearer to a word than itself"


def _too_few(smallest: float, alpha: float, asked: int, family: str) -> str:
    limit = f"above {alpha:g}" if asked == 1 else f"too much for the {asked} {family} at {alpha:g}"
    return (
        f"Too few words: even the strongest association these lists can show has "
        f"p = {format_p(smallest, level=alpha)}, {limit}."
    )


def _limits(interval: Interval | None, evidence: Evidence, detectable: float | None) -> str:
    said = [excluded_effects(interval, evidence.reach)]
    if detectable is not None:
        said.append(f"these lists reliably show only effects of {detectable:.2f} or more")
    return "".join(f"; {part}" for part in said if part)

"""Which tests are corrected together, and the verdict of each.

The family of a test are the tests of its own suite and kind (bias, meaningful encoding or baseline)
that were run on the same model, by whatever metric, and that have enough words to be significant at
all. Other suites, other models and tests that cannot be significant do not weaken it. A test that
stands for others with the same lists counts in their families too.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairvec.core.format import is_significant
from fairvec.experiments.audit.inference import Inference
from fairvec.lexicon import Groups
from fairvec.messages.verdicts import (
    SAME_WORDS,
    claim_sentence,
    doubt_sentence,
    inconclusive_sentence,
    no_evidence_sentence,
    too_few_words_sentence,
)
from fairvec.results import PValue
from fairvec.results.identities import Convention, TestIdentity
from fairvec.results.verdicts import Verdict, VerdictKind, effect_magnitude
from fairvec.stats import attained_level, attained_level_of_pairs, benjamini_hochberg, holm

NAMES = {"bias": "bias tests", "meaningful-encoding": "meaningful encodings"}


@dataclass(frozen=True)
class FamilyMember:
    """The p-values of one test in one model, by its own rules and two-sided, and its list sizes.

    A paired test has a number of `pairs` in place of sizes, and one that orders corpora the
    `smallest` p that they can give. Without any of these it counts as decidable; one in `doubt`
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
        suites = (self.test.suite, *(test_id.rpartition("/")[0] for test_id in self.test.also))
        return tuple((self.model, suite, self.test.kind) for suite in suites)


@dataclass(frozen=True)
class CorrectedP:
    """p corrected by Holm over the test's family and by Benjamini and Hochberg over the model.

    Holm's are None where the test is in no family. `family` counts the tests that can be decided,
    `candidates` all tests of the suite and kind.
    """

    holm: float | None
    holm_two_sided: float | None
    benjamini_hochberg: float | None
    family: int
    candidates: int


def family_name(test: TestIdentity) -> str:
    """Return the name of a test's family."""
    return f"{NAMES.get(test.kind, f'{test.kind} tests')} of {test.suite}"


def correct_families(members: Sequence[FamilyMember], alpha: float) -> list[CorrectedP]:
    """Correct every p-value over its family."""
    candidates = Counter(
        family for member in members if not member.doubt for family in member.families
    )
    decidable_members = [
        member
        for member in members
        if not member.doubt and _is_decidable(member, candidates[member.families[0]], alpha)
    ]
    sizes = Counter(family for member in decidable_members for family in member.families)
    holm_p = _holm_by_family(decidable_members, [member.p for member in decidable_members])
    holm_two_sided = _holm_by_family(
        decidable_members, [member.p_two_sided for member in decidable_members]
    )
    bh_p = _bh_by_model(members)
    return [
        CorrectedP(
            holm_p.get(id(member)),
            holm_two_sided.get(id(member)),
            bh_p.get(id(member)),
            sizes[member.families[0]],
            candidates[member.families[0]],
        )
        for member in members
    ]


def decidable(sizes: tuple[int, int], candidates: int, alpha: float) -> bool:
    """Return whether lists of these sizes can be significant among so many tests."""
    return attained_level(*sizes, alpha=alpha, tests=candidates) > 0


def _is_decidable(member: FamilyMember, candidates: int, alpha: float) -> bool:
    if member.smallest is not None:
        return is_significant(member.smallest * candidates, alpha)
    if member.pairs is not None:
        return attained_level_of_pairs(member.pairs, alpha=alpha, tests=candidates) > 0
    return member.sizes is None or decidable(member.sizes, candidates, alpha)


def _holm_by_family(members: Sequence[FamilyMember], p: Sequence[float]) -> dict[int, float]:
    """Return Holm's p of each member over its own family."""
    by_family = defaultdict(list)
    for index, member in enumerate(members):
        for family in member.families:
            by_family[family].append(index)
    corrected = {}
    for family, indices in by_family.items():
        adjusted = holm(np.array([p[index] for index in indices])).tolist()
        for index, value in zip(indices, adjusted, strict=True):
            if members[index].families[0] == family:
                corrected[id(members[index])] = value
    return corrected


def _bh_by_model(members: Sequence[FamilyMember]) -> dict[int, float]:
    """Return Benjamini and Hochberg's p of each member over all tests of its model."""
    by_model = defaultdict(list)
    for member in members:
        if not member.doubt:
            by_model[member.model].append(member)
    return {
        id(member): p
        for members_of_model in by_model.values()
        for member, p in zip(
            members_of_model,
            benjamini_hochberg(np.array([member.p for member in members_of_model])).tolist(),
            strict=True,
        )
    }


def decide_verdict(
    *,
    p: float,
    p_holm: float | None,
    alpha: float,
    test_kind: str = "bias",
    doubt: str = "",
    biased_tests: int = 0,
) -> VerdictKind:
    """Return the kind of a verdict on a test, a category, a set of pairs, or scores in one unit.

        p        two-sided, of the effect alone
        p_holm   the same corrected (Holm) over its family; None where so few words, pairs or
                 items cannot be significant in it

        there is a doubt that p means anything      no-verdict
        p_holm is None                              too-few-words
        p_holm at most alpha, of a bias test        biased
        p_holm at most alpha, of another kind       associated
        p at most alpha                             inconclusive
        one of a category's tests is biased         mixed
        otherwise                                   no-evidence

    The first row that applies decides. No evidence is not evidence of no bias.
    """
    if doubt:
        return "no-verdict"
    if p_holm is None:
        return "too-few-words"
    if is_significant(p_holm, alpha):
        return "biased" if test_kind == "bias" else "associated"
    if is_significant(p, alpha):
        return "inconclusive"
    return "mixed" if biased_tests else "no-evidence"


def verdict_of_test(
    inference: Inference,
    p: PValue,
    groups: Groups,
    *,
    p_holm: float | None,
    alpha: float,
    family: str,
    candidates: int,
    detectable: float | None,
    convention: Convention | None = None,
) -> Verdict:
    """Return the verdict on an effect with its sentence; `p` is two-sided and counts ties.

    `candidates` counts all tests of its suite and kind. Without evidence the sentence says which
    effects fit the data, and which these lists would have shown. A claimed effect that is
    standardised has its size in words.
    """
    doubt = inference.score.doubt
    kind = decide_verdict(
        p=p.value, p_holm=p_holm, alpha=alpha, test_kind=groups.test.kind, doubt=doubt
    )
    standardised = convention is not None and convention.standardised
    match kind:
        case "no-verdict":
            sentence = doubt_sentence(doubt)
        case "too-few-words":
            sentence = too_few_words_sentence(p.smallest, alpha, candidates, family)
        case "inconclusive":
            sentence = inconclusive_sentence(p, alpha, family, inference.interval, detectable)
        case "no-evidence" if _same_words(groups):
            # Such lists have no effect in any model, so that there is nothing to rule out.
            sentence = SAME_WORDS
        case "no-evidence":
            sentence = no_evidence_sentence(
                inference.interval, detectable, standardised=standardised
            )
        case _:
            sentence = _claim(inference, groups, standardised=standardised)
    interval = inference.interval
    below, above = interval.rules_out(inference.reach) if interval else (None, None)
    return Verdict(
        kind=kind,
        sentence=sentence,
        p=p.value,
        p_holm=p_holm,
        alpha=alpha,
        candidates=candidates,
        doubt=doubt,
        both_lean=_both_lean(inference.means),
        ruled_out_below=below,
        ruled_out_above=above,
    )


def _both_lean(means: tuple[float, float]) -> Literal["", "a", "b"]:
    """Return the attributes to which X and Y both lean: an effect is relative."""
    x, y = means
    return "a" if x > 0 and y > 0 else "b" if x < 0 and y < 0 else ""


def _same_words(groups: Groups) -> bool:
    x, y = (sorted(groups[role].keys) for role in ("x", "y"))
    return x == y


def _claim(inference: Inference, groups: Groups, *, standardised: bool) -> str:
    """Return which list leans where; an effect is relative, so both may lean to the same side.

    Then the sentence is about that side, and about the list that leans to it more.
    """
    test, effect = groups.test, inference.score.value
    claimed: Literal["a", "b"] = "a" if effect > 0 else "b"
    side = _both_lean(inference.means)
    turned = "x" in test.sets and side not in ("", claimed)
    return claim_sentence(
        test.kind,
        test.effect_means(side or claimed, by="y" if turned else "x"),
        size=effect_magnitude(effect) if standardised else "",
        both_lean_to=test.sets[side].title if side else "",
        shared=_targets_among_attributes(effect, groups),
    )


def _targets_among_attributes(effect: float, groups: Groups) -> int:
    """Count the targets that lean as is claimed because they are attributes of that side too.

    A word is as near to itself as can be. Where nothing leans, two such words in each of two lists
    of eight make 27 % of tests significant at 5 %, and four make 91 %.
    """
    sides = (("x", "a"), ("y", "b")) if effect > 0 else (("x", "b"), ("y", "a"))
    return sum(
        len({*groups[target].keys} & {*groups[attribute].keys})
        for target, attribute in sides
        if attribute in groups
    )

"""Results of tests over pairs, whose two sides might as well be swapped if neither is preferred.

A pair is two persons in the same sentences, two documents beside one query, two ways to go on after
one sentence. A set of them is one test: its p is the paired test over all pairs, its verdict that
of any test, corrected over the tests of its suite.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.verdicts import (
    CorrectedP,
    FamilyMember,
    correct_families,
    decide_verdict,
    family_name,
)
from fairvec.experiments.comparison.paired import PAIR
from fairvec.geometry import FloatArray
from fairvec.messages.verdicts import (
    biased_pairs_sentence,
    inconclusive_pairs_sentence,
    no_difference_sentence,
    too_few_pairs_sentence,
)
from fairvec.results import Result
from fairvec.results.identities import Convention, TestIdentity
from fairvec.results.records import WordScore
from fairvec.results.verdicts import Verdict
from fairvec.stats import Interval, PValue, paired_interval, smallest_detectable_of_pairs
from fairvec.stats.effect_interval import widen_pairs_for_spread_error

MEAN_DIFFERENCE = Convention(name="mean-difference", ddof=0, denominator="none")
"""The mean over pairs, in the unit of what differs."""

PAIRED = Convention(name="paired", ddof=1, denominator="the differences of the pairs")
"""Cohen's d of paired samples: the mean over pairs, over the standard deviation of the pairs."""


@dataclass(frozen=True, eq=False)
class PairsTest:
    """A measured set of pairs, whose p waits for those of its family.

    `fields` are those that its record shares with others of the measurement, `words` the difference
    of each pair, and `more` what its record has besides. `what` names the pairs in a verdict, which
    ends with `note`.
    """

    fields: Mapping[str, Any]
    words: tuple[WordScore, ...]
    p: PValue
    note: str = ""
    what: str = "pairs"
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def test(self) -> TestIdentity:
        """Which test it is."""
        test: TestIdentity = self.fields["test"]
        return test

    @property
    def differences(self) -> FloatArray:
        """The difference of each pair."""
        return np.array([word.score for word in self.words])

    @property
    def scale(self) -> float:
        """What a difference is divided by to be an effect."""
        convention: Convention = self.fields["convention"]
        differences = self.differences
        return float(differences.std(ddof=convention.ddof)) if convention.standardised else 1.0


def pair_scores(
    labels: Sequence[str],
    differences: FloatArray,
    *,
    keys: Sequence[str] = (),
    glosses: Sequence[str] = (),
    standardised: bool = False,
) -> tuple[WordScore, ...]:
    """Return the difference of each pair, and the effect without it."""
    return tuple(
        WordScore(
            word=label,
            key=keys[place] if keys else label,
            role=PAIR,
            score=float(differences[place]),
            without=_without(differences, place, standardised=standardised),
            gloss=glosses[place] if glosses else "",
        )
        for place, label in enumerate(labels)
    )


def _without(differences: FloatArray, place: int, *, standardised: bool) -> float | None:
    others = np.delete(differences, place)
    if not len(others):
        return None
    if not standardised:
        return float(others.mean())
    spread = float(others.std(ddof=1)) if len(others) > 1 else 0.0
    return float(others.mean()) / spread if spread else None


def results_of_pairs(tests: Sequence[PairsTest], statistics: Statistics) -> list[Result]:
    """Return the record of each test, with p corrected over those of its suite."""
    members = [
        FamilyMember(
            one.fields["model"].name, one.test, one.p.value, one.p.value, pairs=len(one.words)
        )
        for one in tests
    ]
    corrected = correct_families(members, statistics.alpha)
    return [_result(*pair, statistics) for pair in zip(tests, corrected, strict=True)]


def _result(measured: PairsTest, corrected: CorrectedP, statistics: Statistics) -> Result:
    differences, scale = measured.differences, measured.scale
    detectable = _detectable(differences, scale, corrected, statistics)
    mean = float(differences.mean())
    return Result(
        **measured.fields,
        effect=mean / scale,
        statistic=mean,
        p=measured.p,
        p_holm=corrected.holm,
        p_bh=corrected.benjamini_hochberg,
        family=corrected.family,
        family_of=family_name(measured.test),
        interval=None
        if statistics.interval == "none"
        else _interval(measured, differences, scale, statistics.level),
        detectable=detectable,
        verdict=_verdict(measured, corrected, statistics.alpha, detectable),
        words=measured.words,
        **measured.more,
    )


def _detectable(
    differences: FloatArray, scale: float, corrected: CorrectedP, statistics: Statistics
) -> float | None:
    d = smallest_detectable_of_pairs(
        len(differences), alpha=statistics.alpha, tests=max(corrected.family, 1)
    )
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return d * spread / scale if d and spread else None


def _interval(
    measured: PairsTest, differences: FloatArray, scale: float, level: float
) -> Interval | None:
    """Return the effects that the paired test does not reject, with the error of d's spread."""
    count = len(differences)
    found = paired_interval(
        np.zeros(count),
        differences / count,
        np.full(count, 1 / count),
        p=measured.p.value,
        level=level,
    )
    if found is None or scale == 1.0:
        return found
    low, high = widen_pairs_for_spread_error(differences, found.low, found.high)
    return found.model_copy(update={"low": low / scale, "high": high / scale})


def _verdict(
    measured: PairsTest, corrected: CorrectedP, alpha: float, detectable: float | None
) -> Verdict:
    """Return the verdict: two-sided, and corrected over the family of the test."""
    p, note, what = measured.p.value, measured.note, measured.what
    test, family = measured.test, family_name(measured.test)
    kind = decide_verdict(p=p, p_holm=corrected.holm_two_sided, alpha=alpha, test_kind=test.kind)
    standardised = measured.fields["convention"].standardised
    form = "effects of d = {:.2f}" if standardised else "differences of {:.2g}"
    shown = "" if detectable is None else form.format(detectable)
    match kind:
        case "too-few-words":
            sentence = too_few_pairs_sentence(
                len(measured.words), alpha, corrected.candidates, family, note, what
            )
        case "biased":
            positive = measured.differences.mean() > 0
            meaning = test.positive_means if positive else test.negative_means
            sentence = biased_pairs_sentence(meaning, note)
        case "inconclusive":
            sentence = inconclusive_pairs_sentence(p, alpha, family, shown, note, what)
        case _:
            sentence = no_difference_sentence(shown, note, what)
    return Verdict(
        kind=kind,
        sentence=sentence,
        p=p,
        p_holm=corrected.holm_two_sided,
        alpha=alpha,
        candidates=corrected.candidates,
    )

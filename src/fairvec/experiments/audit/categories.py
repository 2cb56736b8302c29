"""One answer for each category of a run: what is pooled, how, and in words."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, isclose, isfinite, log10
from typing import Any

import numpy as np

from fairvec.core.errors import FairvecError, UndefinedError, describe_fault
from fairvec.core.format import capitalize_first, format_p, format_signed, is_significant
from fairvec.geometry import FloatArray
from fairvec.lexicon import shipped_suites
from fairvec.lexicon.python_lists import UNNAMED
from fairvec.messages.verdicts import excluded_effects
from fairvec.results import (
    CATEGORY,
    CategoryAnswer,
    Change,
    ConceptView,
    Convention,
    Description,
    Holds,
    Interval,
    Outcome,
    PooledTest,
    PValue,
    Result,
    Skipped,
    TestIdentity,
    Verdict,
    VerdictKind,
)
from fairvec.results.verdicts import effect_magnitude
from fairvec.stats import JointResult, Limits, ScoredLists, holm, joint_test
from fairvec.stats.permutation.two_sample import ROUNDING_BITS

# Which figures can be pooled, and why the others cannot: decided here and nowhere else.


CONVENTION = Convention(
    name="caliskan", ddof=1, denominator="word scores of X and Y, one number a word"
)
"""How the effects that are pooled are scaled, whatever the metric divides by."""

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""What rounding can feign, as a share of the largest similarity: a smaller spread is none."""


TRUSTED = 2.0 ** (1 - ROUNDING_BITS)
"""What rounding can feign, as a share of the largest score: a smaller range is none."""

LARGEST = 1e100
"""No similarity gives a larger score, and the square of such a one is no number any more."""


@dataclass(frozen=True, eq=False)
class Poolable:
    """One test that can be pooled: its result, and the leanings of its two lists of words."""

    result: Result
    lists: ScoredLists

    @property
    def effect(self) -> float:
        """Caliskan's d of the words' scores.

        d = (mean over X - mean over Y) / (standard deviation over X and Y, ddof 1): above 0 the
        words lean as `positive_means` says. A metric of that convention has the same figure.
        """
        x, y = self.lists.x_scores, self.lists.y_scores
        return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))


def as_poolable(outcome: Outcome) -> Poolable | str:
    """Return what of an outcome can be pooled, or in a few words why nothing can."""
    if isinstance(outcome, Skipped):
        return "all words lean alike" if outcome.cause == "no-spread" else "skipped"
    if isinstance(outcome, Description):
        return "described, not tested"
    if not isinstance(outcome, Result):
        return "no test"
    if outcome.verdict.kind == "no-verdict":
        return "in doubt"
    if not outcome.convention.standardised:
        return "its effect is no effect size"
    words = {role: [word for word in outcome.words if word.role == role] for role in ("x", "y")}
    if not (words["x"] and words["y"]) or len(outcome.words) != sum(map(len, words.values())):
        return "its words are not two lists"
    x, y = (np.array([word.score for word in some]) for some in words.values())
    if max(np.abs(x).max(), np.abs(y).max()) > LARGEST:
        return "its scores are beyond reckoning"
    if not _spread_out(np.concatenate([x, y]), outcome):
        return "all words lean alike"
    if not isclose(outcome.p.log10_partitions, log10(comb(len(x) + len(y), len(x))), abs_tol=1e-6):
        return "its p does not regroup words"
    of_x, of_y = (tuple(word.key for word in some) for some in words.values())
    if sorted(of_x) == sorted(of_y):
        return "its two lists are the same words"
    return Poolable(outcome, ScoredLists(of_x, of_y, x, y))


def _spread_out(scores: FloatArray, result: Result) -> bool:
    """Say whether the words lean apart by more than rounding, theirs and that of similarities."""
    near = [abs(side) for word in result.words for side in (word.to_a, word.to_b) if side]
    apart, size = float(np.ptp(scores)), float(np.abs(scores).max())
    return apart > TRUSTED * size and float(scores.std()) > ROUNDING * max([*near, size])


# The tests of one category taken together: the figures, before they are corrected.


LEVEL = 0.95
SAME = 1e-9
"""Two effects that differ by less are one figure."""


@dataclass(frozen=True)
class Pooled:
    """The figures of one category: what `JointResult` has, as records hold it."""

    effect: float
    effects: tuple[float, ...]
    weights: tuple[float, ...]
    between: float
    inconsistency: float
    interval: Interval | None
    prediction: Interval | None
    p: PValue


def pool_effects(tests: Sequence[Poolable], *, samples: int, interval: bool = True) -> Pooled:
    """Pool the effects of one category's tests and regroup all their words together.

    One test is its own answer: its p, and its interval if both are about the same figure. What is
    drawn does not depend on the order of the tests, which is whatever somebody asked them in.
    """
    own = _of_one_test(tests[0], interval=interval) if len(tests) == 1 else None
    if own:
        return own
    order = canonical_order([one.result.test for one in tests])
    ranked = [tests[place] for place in order]
    level = next((one.result.interval.level for one in ranked if one.result.interval), LEVEL)
    found = joint_test(
        [one.lists for one in ranked],
        level=level,
        samples=samples,
        seed=ranked[0].result.seed,
        interval=interval,
    )
    back = np.argsort(order)
    asked = replace(found, effects=found.effects[back], weights=found.weights[back])
    return _as_records(asked, level)


def canonical_order(tests: Sequence[TestIdentity]) -> list[int]:
    """Return the places of tests in the order of the shipped suites, and then by their ids."""
    shipped = {test.id: at for at, test in enumerate(t for s in shipped_suites() for t in s.tests)}

    def key(place: int) -> tuple[int, str, str, str]:
        test = tests[place]
        return shipped.get(test.id, len(shipped)), test.id, test.suite_version, test.title

    return sorted(range(len(tests)), key=key)


def _of_one_test(test: Poolable, *, interval: bool) -> Pooled | None:
    """Return the figures of a test that is alone; None if they answer another question.

    It counts one tail, is scaled apart, or has an interval of drawn words, which need not agree
    with p.
    """
    result = test.result
    if interval and result.interval and not result.interval.method.startswith("inverted"):
        return None
    if (result.p.sides, result.p.ties) != ("two", ">="):
        return None
    if abs(test.effect - result.effect) > SAME:
        return None
    return Pooled(
        effect=result.effect,
        effects=(result.effect,),
        weights=(1.0,),
        between=0.0,
        inconsistency=0.0,
        interval=result.interval if interval else None,
        prediction=None,
        p=result.p,
    )


def _as_records(found: JointResult, level: float) -> Pooled:
    if not isfinite(found.effect):
        raise UndefinedError("The tests of this category have no pooled effect; read them singly.")
    p = PValue.model_validate(found.p, from_attributes=True)
    return Pooled(
        effect=float(found.effect),
        effects=tuple(map(float, found.effects)),
        weights=tuple(map(float, found.weights)),
        between=float(found.between),
        inconsistency=float(found.inconsistency),
        interval=_interval(found.interval, level, f"inverted joint regrouping, {p.method}", p),
        prediction=_interval(found.prediction, level, "Student's t of one more test"),
        p=p,
    )


def _interval(
    ends: Limits | None, level: float, how: str, p: PValue | None = None
) -> Interval | None:
    """Return the ends as a record; None where any effect is allowed."""
    if ends is None or not (isfinite(ends.low) and isfinite(ends.high)):
        return None
    drawn = {"resamples": p.samples, "seed": p.seed} if p else {}
    return Interval(low=float(ends.low), high=float(ends.high), level=level, method=how, **drawn)


# The answer for a category in words.


WORTH_SAYING = 0.1
"""Tests whose true effects differ by a smaller deviation are said to agree."""

AS_STEREOTYPES, AGAINST = (
    "on average words lean as the stereotypes say",
    "on average words lean against the stereotypes of its tests",
)
"""What the signs of a pooled effect say where the tests ask for different things."""


HOLDING: dict[Holds, str] = {
    "firm": "firm",
    "thin": "thin",
    "fragile": "fragile",
    "frequency": "perhaps frequency",
}
"""How a claimed effect holds with other words, briefly."""


def directions(tests: Sequence[Result]) -> tuple[str, str]:
    """Return what a positive and a negative pooled effect say.

    Tests that say the same of a sign lend their words; otherwise a sign can only say whether words
    lean as the authors of the tests expect.
    """
    said = {(one.test.positive_means, one.test.negative_means) for one in tests}
    return said.pop() if len(said) == 1 else (AS_STEREOTYPES, AGAINST)


def category_verdict(
    called: str,
    found: Pooled,
    tests: Sequence[Result],
    *,
    left_out: int,
    p_holm: float | None,
    family: int,
    asked: int,
) -> Verdict:
    """Say what a category's pooled effect means: two-sided, corrected over the model's categories.

    `called` is the category's name. `p_holm` is None where so few words cannot decide it among the
    categories `asked`; `family` counts those that can be decided. No evidence of a common effect is
    none of no bias: the sentence then names the effects that the interval rules out, and where
    single tests are biased the answer is mixed.
    """
    alpha, p = tests[0].verdict.alpha, found.p.value
    biased = sum(one.verdict.kind == "biased" for one in tests)
    over, alone = _over(tests), _alone(found, tests)
    ends = _differ(found) + _left_out(left_out)
    drawn = "sampled " if found.p.method == "sampled" else ""
    chance = f"{drawn}p = {format_p(p, level=alpha)}"
    pooled = f"{_scaled(found, tests)} {format_signed(found.effect)}"
    figures = f"({pooled}{_span(found)}; {chance}"
    kind: VerdictKind
    if p_holm is None:
        kind, said = "too-few-words", f"{_too_few(found, asked, alpha)}{alone}{_left_out(left_out)}"
    elif is_significant(p_holm, alpha):
        kind = "biased"
        meaning = directions(tests)[found.effect < 0]
        corrected = f", corrected {format_p(p_holm, level=alpha)}" if family > 1 else ""
        said = (
            f"biased. {capitalize_first(meaning)}: a {effect_magnitude(found.effect)} effect "
            f"{figures}{corrected}) {over}{alone}{ends}"
        )
    elif is_significant(p, alpha):
        kind = "inconclusive"
        said = (
            f"inconclusive. Significant alone, not among the {family} categories "
            f"{figures}, corrected {format_p(p_holm, level=alpha)}) {over}{alone}{ends}"
        )
    elif biased:
        kind = "mixed"
        said = (
            f"mixed. {biased} of {len(tests)} tests {'is' if biased == 1 else 'are'} biased alone, "
            f"and together they do not clearly lean one way {figures}){ends}"
        )
    else:
        kind = "no-evidence"
        said = f"no evidence ({pooled}; {chance}) {over}{_ruled_out(found)}{ends}"
    return Verdict(kind=kind, sentence=f"{called}: {said}.", p=p, p_holm=p_holm, alpha=alpha)


def _scaled(found: Pooled, tests: Sequence[Result]) -> str:
    """Name d so that nobody takes it for a figure of the tests that is scaled otherwise.

    What is pooled has one number a word; SEAT's d, for one, is over the spread of sentences.
    """
    same = all(
        abs(one.effect - effect) <= SAME for one, effect in zip(tests, found.effects, strict=True)
    )
    return "d" if same else "d between words"


def _span(found: Pooled) -> str:
    if found.interval is None:
        return ""
    low, high = format_signed(found.interval.low), format_signed(found.interval.high)
    return f", {_level(found.interval)} {low} to {high}"


def _level(interval: Interval) -> str:
    return f"{100 * interval.level:.3g} %"


def _over(tests: Sequence[Result]) -> str:
    return "in its one test" if len(tests) == 1 else f"over {len(tests)} tests"


def _alone(found: Pooled, tests: Sequence[Result]) -> str:
    """Say how many tests are biased by themselves, which way, and how that holds."""
    biased = [
        (one, effect * found.effect > 0)
        for one, effect in zip(tests, found.effects, strict=True)
        if one.verdict.kind == "biased"
    ]
    if len(tests) == 1:
        held = tests[0].robustness and tests[0].robustness.holds
        return f"; with other words {HOLDING[held]}" if held else ""
    along, against = (sum(same is way for _, same in biased) for way in (True, False))
    count = "none" if not along else "all" if along == len(tests) else str(along)
    other = f", {against} the other way" if against else ""
    return f", {count} of them biased alone{other}{_holding([one for one, _ in biased])}"


def _holding(biased: Sequence[Result]) -> str:
    """Say how claimed effects hold with other words, if that was tried."""
    tried = Counter(one.robustness.holds for one in biased if one.robustness)
    told = [f"{count} {HOLDING[holds]}" for holds, count in tried.items() if holds]
    return f"; with other words: {', '.join(told)}" if told else ""


def _differ(found: Pooled) -> str:
    return f"; the tests differ (tau {found.between:.2f})" if found.between >= WORTH_SAYING else ""


def _left_out(tests: int) -> str:
    if not tests:
        return ""
    return f"; {tests} more {'test' if tests == 1 else 'tests'} could not be pooled"


def _ruled_out(found: Pooled) -> str:
    said = excluded_effects(found.interval)
    return f"; {said}" if said else ""


def _too_few(found: Pooled, asked: int, alpha: float) -> str:
    limit = f"above {alpha:g}" if asked == 1 else f"too much for {asked} categories at {alpha:g}"
    return (
        f"too few words. Even the strongest association that they can show has "
        f"p = {format_p(found.p.smallest, level=alpha)}, {limit}"
    )


# The bias tests of a run by category, for each model and way of measuring.


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
        return name if self.as_written else capitalize_first(name)

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


def category_families(outcomes: Iterable[Outcome]) -> list[list[Category]]:
    """Return the categories that can be pooled, those of one model and way of measuring together.

    A test that stands there twice counts once, and tests of no named category are not pooled.
    """
    asked: dict[Hashable, dict[Hashable, dict[TestIdentity, Outcome]]] = defaultdict(dict)
    for one in outcomes:
        name = category_of(one)
        if name and not isinstance(one, Change | ConceptView | CategoryAnswer):
            asked[measurement_key(one)].setdefault(name, {}).setdefault(one.test, one)
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
    found = [(one.test.id, as_poolable(one)) for one in outcomes]
    return Category(
        tuple(each for _, each in found if isinstance(each, Poolable)),
        tuple(f"{test} ({why})" for test, why in found if isinstance(why, str)),
    )


def category_of(outcome: Outcome) -> tuple[str, str] | None:
    """Return language and category with whose tests a bias test is pooled; None if with none."""
    test = outcome.test
    pools = test.kind == "bias" and test.category != UNNAMED
    return (test.language, test.category) if pools else None


def measurement_key(outcome: Outcome) -> Hashable:
    """Return which model was measured, by which metric with which settings."""
    model, described = outcome.model, outcome.described
    convention = getattr(outcome, "convention", None) or (described and described.convention)
    settings = canonical_json(described.settings) if described else ""
    return model.name, model.sha256, outcome.metric, outcome.similarity, settings, convention


def canonical_json(settings: Mapping[str, Any]) -> str:
    """Return settings as one text, in whatever order they were written."""
    return json.dumps(settings, sort_keys=True, default=str)


SAMPLES = 100_000
"""Joint regroupings that are drawn where they cannot be listed."""


def category_answers(
    outcomes: Iterable[Outcome], *, samples: int = SAMPLES, interval: bool = True
) -> list[CategoryAnswer | Skipped]:
    """Pool the bias tests of each category, by model, metric with its settings, and language.

    p is corrected over the categories of a model and metric; without `interval` none is sought.
    One category's trouble never costs another its answer: whatever it raises becomes its record. A
    category of which nothing can be pooled has no answer.
    """
    return [
        answer
        for family in category_families(outcomes)
        for answer in _answers(family, samples=samples, interval=interval)
    ]


def _answers(categories: Sequence[Category], **how: Any) -> list[CategoryAnswer | Skipped]:
    """Answer the categories of one model and metric, corrected over each other."""
    found = [_pooled(category, **how) for category in categories]
    asked = sum(isinstance(one, Pooled) for one in found)
    alpha = categories[0].results[0].verdict.alpha
    decided = {
        place: one.p.value
        for place, one in enumerate(found)
        if isinstance(one, Pooled) and is_significant(asked * one.p.smallest, alpha)
    }
    corrected = dict(zip(decided, holm(np.array([*decided.values()])).tolist(), strict=True))
    several = len({category.language for category in categories}) > 1
    return [
        one
        if isinstance(one, Skipped)
        else _answer(
            category,
            one,
            called=f"{category.title} ({category.language})" if several else category.title,
            p_holm=corrected.get(place),
            family=len(decided),
            asked=asked,
        )
        for place, (category, one) in enumerate(zip(categories, found, strict=True))
    ]


def _pooled(category: Category, **how: Any) -> Pooled | Skipped:
    """Return the figures of a category, or the record of why there are none."""
    try:
        return pool_effects(category.tests, **how)
    except FairvecError as error:
        return Skipped(**category.shared, cause="undefined", reason=str(error))
    except Exception as error:  # whatever it is, it is this category's trouble alone
        return Skipped(**category.shared, cause="error", reason=describe_fault(error))


def _answer(
    category: Category, found: Pooled, *, called: str, p_holm: float | None, **of: Any
) -> CategoryAnswer:
    results = category.results
    verdict = category_verdict(
        called, found, results, left_out=len(category.left_out), p_holm=p_holm, **of
    )
    return CategoryAnswer(
        **category.shared,
        effect=found.effect,
        size=effect_magnitude(found.effect),
        interval=found.interval,
        between=found.between,
        inconsistency=found.inconsistency,
        prediction=found.prediction,
        p=found.p,
        p_holm=p_holm,
        family=of["family"],
        tests=tuple(
            PooledTest(
                test=one.test.id,
                title=one.test.title,
                effect=effect,
                weight=weight,
                verdict=one.verdict.kind,
            )
            for one, effect, weight in zip(results, found.effects, found.weights, strict=True)
        ),
        left_out=category.left_out,
        verdict=verdict,
    )

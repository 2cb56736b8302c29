"""The answer for each category of bias tests: the tests pooled, their joint test, the verdict.

A category (gender, race, ...) pools the bias tests of one model, metric and language. Each test
enters with its own effect; `stats.joint_test` pools the effects and regroups all words at once, a
word that stands in several tests in the same way in all of them. p is corrected (Holm) over the
categories of the model and metric.

A category of one test is that test: it has its effect, interval, p and verdict, corrected over the
family of the test.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, inf, isclose, isfinite, log10
from typing import Any

import numpy as np

from fairvec.core.errors import (
    FairvecError,
    UnanswerableError,
    UndefinedError,
    describe_fault,
)
from fairvec.core.format import capitalize_first, is_significant
from fairvec.experiments.audit.verdicts import decide_verdict
from fairvec.experiments.provenance import copied_fields
from fairvec.geometry import FloatArray
from fairvec.lexicon import shipped_suites
from fairvec.lexicon.python_lists import UNNAMED
from fairvec.messages.categories import NOT_POOLED, category_sentence, effect_meanings
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.identities import TestIdentity
from fairvec.results.records import (
    CATEGORY,
    CategoryAnswer,
    Change,
    ConceptView,
    Description,
    PooledTest,
    UnpooledTest,
)
from fairvec.results.verdicts import Verdict, effect_magnitude
from fairvec.stats import (
    JointResult,
    ScoredLists,
    holm,
    joint_test,
    permutation_test,
)
from fairvec.stats.permutation.two_sample import ROUNDING_BITS

SMALLEST_SPREAD = 16 * float(np.finfo(np.float64).eps)
"""A standard deviation below this share of the largest similarity is rounding error."""

SMALLEST_RANGE = 2.0 ** (1 - ROUNDING_BITS)
"""A range of scores below this share of the largest score is rounding error."""

LARGEST_SCORE = 1e100
"""No similarity gives a larger score, and the square of a larger one overflows."""


@dataclass(frozen=True, eq=False)
class Poolable:
    """A test that can be pooled: its result, and the leanings of its two lists of words.

    Above 0 the effect says that words lean as `positive_means` says.
    """

    result: Result
    lists: ScoredLists


def as_poolable(outcome: Outcome) -> Poolable:
    """Return an outcome as it is pooled; raise UnanswerableError if it cannot be."""

    def refuse(kind: str) -> UnanswerableError:
        return UnanswerableError(kind, f"{outcome.test.id} cannot be pooled: {NOT_POOLED[kind]}")

    if isinstance(outcome, Skipped):
        raise refuse("no-spread" if outcome.cause == "no-spread" else "skipped")
    if not isinstance(outcome, Result):
        raise refuse("described" if isinstance(outcome, Description) else "no-test")
    if outcome.verdict.kind == "no-verdict":
        raise refuse("doubt")
    if not outcome.convention.standardised:
        raise refuse("no-effect-size")
    words = {role: [word for word in outcome.words if word.role == role] for role in ("x", "y")}
    if not (words["x"] and words["y"]) or len(outcome.words) != sum(map(len, words.values())):
        raise refuse("no-lists")
    x, y = (np.array([word.score for word in words_in_list]) for words_in_list in words.values())
    if max(np.abs(x).max(), np.abs(y).max()) > LARGEST_SCORE:
        raise refuse("immense")
    if not _has_spread(np.concatenate([x, y]), outcome):
        raise refuse("no-spread")
    if not isclose(outcome.p.log10_partitions, log10(comb(len(x) + len(y), len(x))), abs_tol=1e-6):
        raise refuse("no-regrouping")
    keys_x, keys_y = (tuple(word.key for word in words_in_list) for words_in_list in words.values())
    if sorted(keys_x) == sorted(keys_y):
        raise refuse("same-words")
    scale = _scale(outcome.effect, x, y)
    if scale is None:
        raise refuse("not-of-words")
    return Poolable(outcome, ScoredLists(keys_x, keys_y, x, y, scale))


def _scale(effect: float, x: FloatArray, y: FloatArray) -> float | None:
    """Return the effect for each unit of d between the words; None if their signs differ.

    d = (mean over X - mean over Y) / (standard deviation over X and Y, ddof 1). The scale is 1 in
    Caliskan's convention, and elsewhere what the words vary over what the metric divides by.
    """
    d = float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))
    if abs(effect - d) <= SAME_EFFECT:
        return 1.0
    # Rounded, so that tests whose words vary alike are seen to.
    scale = float(f"{effect / d:.12g}") if d else inf
    return scale if 0 < scale < inf else None


def _has_spread(scores: FloatArray, result: Result) -> bool:
    """Return whether the scores differ by more than the rounding of scores and similarities."""
    similarities = [
        abs(similarity)
        for word in result.words
        for similarity in (word.to_a, word.to_b)
        if similarity
    ]
    score_range, largest = float(np.ptp(scores)), float(np.abs(scores).max())
    return score_range > SMALLEST_RANGE * largest and float(scores.std()) > SMALLEST_SPREAD * max(
        [*similarities, largest]
    )


LEVEL = 0.95
SAME_EFFECT = 1e-9
"""Effects that differ by less are equal but for rounding."""


def pool_effects(
    tests: Sequence[Poolable], *, samples: int, interval: bool = True, level: float | None = None
) -> JointResult:
    """Pool the effects of one category's tests and regroup all their words together.

    A single test keeps its own figures. The interval has the `level` of theirs unless one is given.
    The random draws do not depend on the order in which the tests were requested.
    """
    if len(tests) == 1:
        return _pool_single_test(tests[0], samples=samples, interval=interval)
    order = canonical_order([test.result.test for test in tests])
    ordered = [tests[position] for position in order]
    level = level or next(
        (test.result.interval.level for test in ordered if test.result.interval), LEVEL
    )
    joint = joint_test(
        [test.lists for test in ordered],
        level=level,
        samples=samples,
        seed=ordered[0].result.seed,
        interval=interval,
    )
    if not isfinite(joint.effect):
        raise UndefinedError("The tests of this category have no pooled effect; read them singly.")
    places = [order.index(position) for position in range(len(tests))]
    return replace(
        joint,
        effects=tuple(joint.effects[place] for place in places),
        weights=tuple(joint.weights[place] for place in places),
    )


def canonical_order(tests: Sequence[TestIdentity]) -> list[int]:
    """Return the indices of tests in the order of the shipped suites, then by their ids."""
    shipped = {
        test.id: position
        for position, test in enumerate(t for s in shipped_suites() for t in s.tests)
    }

    def key(index: int) -> tuple[int, str, str, str]:
        test = tests[index]
        return shipped.get(test.id, len(shipped)), test.id, test.suite_version, test.title

    return sorted(range(len(tests)), key=key)


def _pool_single_test(test: Poolable, *, samples: int, interval: bool) -> JointResult:
    """Return the figures of the only test of a category: its own, with the p of its verdict.

    That p counts both sides and ties, whatever the test's own p counts.
    """
    result, p = test.result, test.result.p
    if (p.sides, p.ties) != ("two", ">="):
        p = permutation_test(
            test.lists.x_scores,
            test.lists.y_scores,
            method=p.method,
            samples=p.samples or samples,
            seed=result.seed,
        )
    return JointResult(
        effect=result.effect,
        effects=(result.effect,),
        weights=(1.0,),
        between=0.0,
        inconsistency=0.0,
        interval=result.interval if interval else None,
        prediction=None,
        p=p,
    )


def category_verdict(
    title: str,
    figures: JointResult,
    tests: Sequence[Result],
    *,
    left_out: int,
    p_holm: float | None,
    family: int,
    candidates: int,
) -> Verdict:
    """Say what a category's pooled effect means: two-sided, corrected over the model's categories.

    `title` is the category's name. `p_holm` is None where so few words cannot be significant among
    the `candidates`, all categories that were pooled; `family` counts those that can. Of a single
    test both are the test's own, over its family. Absence of evidence is not evidence of absence:
    the sentence then names the effects that the interval rules out, and where single tests are
    biased the answer is mixed.
    """
    alpha, p = tests[0].verdict.alpha, figures.p.value
    biased = sum(result.verdict.kind == "biased" for result in tests)
    kind = decide_verdict(p=p, p_holm=p_holm, alpha=alpha, biased_tests=biased)
    sentence = category_sentence(
        title,
        kind,
        tests,
        figures.effects,
        effect=figures.effect,
        interval=figures.interval,
        p=figures.p,
        between=figures.between,
        left_out=left_out,
        p_holm=p_holm,
        family=family,
        candidates=candidates,
    )
    below, above = figures.interval.rules_out() if figures.interval else (None, None)
    return Verdict(
        kind=kind,
        sentence=sentence,
        p=p,
        p_holm=p_holm,
        alpha=alpha,
        candidates=candidates,
        ruled_out_below=below,
        ruled_out_above=above,
    )


@dataclass(frozen=True, eq=False)
class Category:
    """The tests of one category that can be pooled, and the names of those that cannot."""

    tests: tuple[Poolable, ...]
    left_out: tuple[UnpooledTest, ...]
    as_written: bool = False
    """Whether its title keeps a small first letter, because another category has the capital."""

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The result of each test."""
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
        """The fields that the record of its answer copies from those of its tests."""
        fitted_words = (word for result in self.results for word in result.fitted_words)
        return copied_fields(self.results[0]) | {
            "test": self._identity(),
            "coverage": (),
            "fitted_words": tuple(dict.fromkeys(fitted_words)),
            "convention": self.results[0].convention,
        }

    def _identity(self) -> TestIdentity:
        name, tests = self.results[0].test.category, [result.test for result in self.results]
        positive, negative = effect_meanings(self.results)
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
    """Return the categories that can be pooled, those of one model and metric together.

    A test that occurs twice counts once, and tests of no named category are not pooled.
    """
    by_measurement: dict[Hashable, dict[Hashable, dict[TestIdentity, Outcome]]] = defaultdict(dict)
    for outcome in outcomes:
        name = category_of(outcome)
        if name and not isinstance(outcome, Change | ConceptView | CategoryAnswer):
            by_measurement[measurement_key(outcome)].setdefault(name, {}).setdefault(
                outcome.test, outcome
            )
    families = (
        [_category([*tests.values()]) for tests in categories.values()]
        for categories in by_measurement.values()
    )
    pooled = ([category for category in family if category.tests] for family in families)
    return [_keep_titles_distinct(family) for family in pooled if family]


def _keep_titles_distinct(family: Sequence[Category]) -> list[Category]:
    """Keep the first letters of categories small where a capital would make two titles equal."""
    names = {category.results[0].test.category: category.title for category in family}
    alike = {title for title, count in Counter(names.values()).items() if count > 1}
    return [replace(category, as_written=category.title in alike) for category in family]


def _category(outcomes: Sequence[Outcome]) -> Category:
    tests: list[Poolable] = []
    left_out: list[UnpooledTest] = []
    for outcome in outcomes:
        try:
            tests.append(as_poolable(outcome))
        except UnanswerableError as error:
            reason: Any = error.kind
            left_out.append(UnpooledTest(test=outcome.test.id, reason=reason))
    return Category(tuple(tests), tuple(left_out))


def category_of(outcome: Outcome) -> tuple[str, str] | None:
    """Return the language and category in which a bias test is pooled; None if it is not."""
    test = outcome.test
    pools = test.kind == "bias" and test.category != UNNAMED
    return (test.language, test.category) if pools else None


@dataclass(frozen=True)
class UnpooledCategory:
    """A category without an answer: its bias tests that cannot be pooled, and what bars each."""

    tests: tuple[Outcome, ...]
    reasons: tuple[str, ...]


def unpooled_categories(outcomes: Sequence[Outcome]) -> list[UnpooledCategory]:
    """Return the categories that have tests and no answer, by model, metric and similarity."""

    def key(outcome: Outcome) -> Hashable:
        model, test = outcome.model, outcome.test
        measurement = (model.name, model.sha256, outcome.metric, outcome.similarity)
        return *measurement, test.language, test.category

    answered = {key(outcome) for outcome in outcomes if outcome.test.kind == CATEGORY}
    barred: dict[Hashable, list[tuple[Outcome, str]]] = defaultdict(list)
    for outcome in outcomes:
        tested = isinstance(outcome, Result | Skipped) and outcome.convention is not None
        if outcome.test.kind == "bias" and tested and key(outcome) not in answered:
            try:
                as_poolable(outcome)
            except UnanswerableError as error:
                barred[key(outcome)].append((outcome, NOT_POOLED[error.kind]))
    return [UnpooledCategory(*zip(*members, strict=True)) for members in barred.values()]


def measurement_key(outcome: Outcome) -> Hashable:
    """Return the model, the metric and its settings, hashable: only equal ones are pooled."""
    model, described = outcome.model, outcome.described
    convention = getattr(outcome, "convention", None) or (described and described.convention)
    settings = canonical_json(described.settings) if described else ""
    scale = convention.key if convention else None
    return model.name, model.sha256, outcome.metric, outcome.similarity, settings, scale


def canonical_json(settings: Mapping[str, Any]) -> str:
    """Return settings as JSON with sorted keys, so that equal settings give equal text."""
    return json.dumps(settings, sort_keys=True, default=str)


SAMPLES = 100_000
"""Joint regroupings that are drawn where there are too many to enumerate."""


def category_answers(
    outcomes: Iterable[Outcome], *, samples: int = SAMPLES, interval: bool = True
) -> list[CategoryAnswer | Skipped]:
    """Pool the bias tests of each category, by model, metric with its settings, and language.

    p is corrected over the categories of a model and metric; without `interval` none is computed.
    An error in one category becomes its record and leaves the others alone. A category of which
    nothing can be pooled has no answer.
    """
    return [
        answer
        for family in category_families(outcomes)
        for answer in _answers(family, samples=samples, interval=interval)
    ]


def _answers(categories: Sequence[Category], **options: Any) -> list[CategoryAnswer | Skipped]:
    """Answer the categories of one model and metric, corrected over all of them.

    A category of one test is in their family, and its own answer is corrected as that test is.
    """
    pooled = [_pool_or_skip(category, **options) for category in categories]
    candidates = sum(isinstance(figures, JointResult) for figures in pooled)
    alpha = categories[0].results[0].verdict.alpha
    decidable = {
        place: figures.p.value
        for place, figures in enumerate(pooled)
        if isinstance(figures, JointResult)
        and is_significant(candidates * figures.p.smallest, alpha)
    }
    corrected = dict(zip(decidable, holm(np.array([*decidable.values()])).tolist(), strict=True))
    multilingual = len({category.language for category in categories}) > 1
    return [
        figures
        if isinstance(figures, Skipped)
        else _answer(
            category,
            figures,
            title=f"{category.title} ({category.language})" if multilingual else category.title,
            candidates=candidates,
            **_correction(category.results, corrected.get(place), len(decidable)),
        )
        for place, (category, figures) in enumerate(zip(categories, pooled, strict=True))
    ]


def _correction(tests: Sequence[Result], p_holm: float | None, family: int) -> dict[str, Any]:
    """Return the corrected p of a category and the size of its family: a single test's own."""
    if len(tests) == 1:
        p_holm, family = tests[0].verdict.p_holm, tests[0].family
    return {"p_holm": p_holm, "family": family}


def _pool_or_skip(category: Category, **options: Any) -> JointResult | Skipped:
    """Return the figures of a category, or the record of why there are none."""
    try:
        return pool_effects(category.tests, **options)
    except FairvecError as error:
        return Skipped(**category.shared, cause="undefined", reason=str(error))
    except Exception as error:  # an unforeseen error must not cost other categories their answer
        return Skipped(**category.shared, cause="error", reason=describe_fault(error))


def _answer(
    category: Category,
    pooled: JointResult,
    *,
    title: str,
    p_holm: float | None,
    **family_counts: Any,
) -> CategoryAnswer:
    results = category.results
    verdict = category_verdict(
        title, pooled, results, left_out=len(category.left_out), p_holm=p_holm, **family_counts
    )
    return CategoryAnswer(
        **category.shared,
        effect=pooled.effect,
        size=effect_magnitude(pooled.effect),
        interval=pooled.interval,
        between=pooled.between,
        inconsistency=pooled.inconsistency,
        prediction=pooled.prediction,
        p=pooled.p,
        p_holm=p_holm,
        family=family_counts["family"],
        tests=tuple(
            PooledTest(
                test=result.test.id,
                title=result.test.title,
                effect=effect,
                weight=weight,
                verdict=result.verdict.kind,
            )
            for result, effect, weight in zip(results, pooled.effects, pooled.weights, strict=True)
        ),
        heading=title,
        left_out=category.left_out,
        verdict=verdict,
    )

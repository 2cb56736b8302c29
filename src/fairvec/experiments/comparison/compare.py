"""Compare two runs: pair their tests and categories, and name what became of each effect."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.core.format import is_significant
from fairvec.experiments.audit.categories import (
    Poolable,
    as_poolable,
    canonical_json,
    category_answers,
    category_of,
    measurement_key,
)
from fairvec.experiments.audit.verdicts import FamilyMember, correct_families
from fairvec.experiments.comparison.change_kinds import (
    MARGIN,
    MARGIN_OF_PROBABILITY,
    Facts,
    common_level,
)
from fairvec.experiments.comparison.paired import (
    PairedTests,
    paired_words,
    pooled_change,
    same_leanings,
)
from fairvec.geometry import FloatArray
from fairvec.results import (
    CATEGORY,
    CategoryAnswer,
    Change,
    ChangeKind,
    ConceptView,
    Interval,
    Outcome,
    PairedP,
    Result,
    Skipped,
)
from fairvec.stats import Limits


class TestedChange(ABC):
    """An effect before and after, whose change is tested word by word."""

    __test__ = False  # pytest: this is not a test class

    @property
    @abstractmethod
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, and the interval of the change."""

    @property
    def paired(self) -> PairedP | None:
        """The test of the change itself; None where no words are shared."""
        return self._tested[0]

    @property
    def difference(self) -> Interval | None:
        """The interval of the change, by inverting this test; None where it is unbounded."""
        return self._tested[1]


@dataclass(frozen=True, eq=False)
class CategoryComparison(TestedChange):
    """The answer for one category before and after, over the same tests.

    A test has the same weight in both effects, the mean of its weights in the two answers, so that
    a change of weights alone is no change of the effect. `paired` swaps before and after word by
    word, a word in all of its tests at once.
    """

    before: CategoryAnswer
    after: CategoryAnswer
    tests: PairedTests
    left_out: tuple[str, ...] = ()
    """Tests of the category that both runs have and that cannot be pooled in both."""

    @cached_property
    def _weights(self) -> FloatArray:
        both = [[test.weight for test in answer.tests] for answer in (self.before, self.after)]
        weights: FloatArray = np.mean(both, axis=0)
        return weights

    @property
    def effect_before(self) -> float:
        """The pooled effect before, with the weights of both."""
        return float(self._weights @ [test.effect for test in self.before.tests])

    @property
    def effect_after(self) -> float:
        """The pooled effect after, with the weights of both."""
        return float(self._weights @ [test.effect for test in self.after.tests])

    @property
    def p_before(self) -> float | None:
        """The p before, Holm-corrected over the categories that are compared."""
        return self.before.p_holm

    @property
    def p_after(self) -> float | None:
        """The same after."""
        return self.after.p_holm

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        return pooled_change(self.tests, self._weights, seed=self.after.seed) or (None, None)

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        words = (
            [{(word.role, word.word) for word in pair[side].result.words} for pair in self.tests]
            for side in (0, 1)
        )
        return next(words) == next(words)

    @cached_property
    def change(self) -> ChangeKind:
        """The label of the change of the pooled effect, by the table of `change_kinds`."""
        alpha = common_level(self.before, self.after)
        p_before, p_after = self.p_before, self.p_after
        if p_before is None or p_after is None:
            return "no-answer"
        ends = self.difference
        difference = Limits(ends.low, ends.high) if ends else None
        if self.effect_before == self.effect_after and all(
            same_leanings(old.result, new.result) for old, new in self.tests
        ):
            difference = Limits(0.0, 0.0)  # the same vectors, however few the words are
        return Facts(
            before=self.effect_before,
            after=self.effect_after,
            evident_before=is_significant(p_before, alpha),
            evident_after=is_significant(p_after, alpha),
            proven=self.paired is not None and is_significant(self.paired.value, alpha),
            difference=difference,
        ).kind()


def category_changes(pairs: Iterable[tuple[Outcome, Outcome]]) -> tuple[CategoryComparison, ...]:
    """Pool each category in both runs over the tests that can be pooled in both, and pair them.

    A test that has another category in the other run is in none.
    """
    by_measurement: dict[Hashable, list[tuple[Outcome, Outcome]]] = {}
    for pair in pairs:
        before, after = map(category_of, pair)
        if before == after is not None:
            by_measurement.setdefault(tuple(map(measurement_key, pair)), []).append(pair)
    return tuple(
        comparison
        for pairs_of_measurement in by_measurement.values()
        for comparison in _compare_measurement(pairs_of_measurement)
    )


def _compare_measurement(pairs: Sequence[tuple[Outcome, Outcome]]) -> list[CategoryComparison]:
    tests: dict[Hashable, list[tuple[Poolable, Poolable]]] = {}
    left_out: dict[Hashable, list[str]] = defaultdict(list)
    for before, after in pairs:
        name = category_of(after)
        old, new = as_poolable(before), as_poolable(after)
        if isinstance(old, Poolable) and isinstance(new, Poolable):
            tests.setdefault(name, []).append((old, new))
        else:
            left_out[name].append(after.test.id)
    # Both runs have the same tests in the same order, so that their answers come in one order too.
    ordered = [pair for pairs_of_category in tests.values() for pair in pairs_of_category]
    answers = (category_answers([pair[side].result for pair in ordered]) for side in (0, 1))
    return [
        CategoryComparison(old, new, tuple(pairs_of_category), tuple(left_out[name]))
        for old, new, (name, pairs_of_category) in zip(*answers, tests.items(), strict=True)
        if isinstance(old, CategoryAnswer) and isinstance(new, CategoryAnswer)
    ]


CategoryName = tuple[str, ...]


def lone_categories(
    run: Sequence[Outcome], compared: Collection[CategoryName], *, by_model: bool
) -> tuple[CategoryAnswer, ...]:
    """Return a run's answers for the categories that are not compared.

    They are its records; a run without such records is pooled here.
    """
    answers = [outcome for outcome in run if isinstance(outcome, CategoryAnswer)]
    tests = [outcome for outcome in run if outcome.test.kind == "bias"]
    if not answers and {name_of(outcome, by_model=by_model) for outcome in tests} - {*compared}:
        answers = [
            outcome for outcome in category_answers(tests) if isinstance(outcome, CategoryAnswer)
        ]
    return tuple(
        outcome for outcome in answers if name_of(outcome, by_model=by_model) not in compared
    )


def name_of(outcome: Outcome, *, by_model: bool) -> CategoryName:
    """Return the name of a category in both runs, with the model only where there are several."""
    test = outcome.test
    model = outcome.model.name if by_model else ""
    return model, outcome.metric, outcome.similarity, test.language, test.category


def differing_settings(before: Outcome, after: Outcome) -> str:
    """Return every setting that differs as "similarity cosine, then negative-distance"."""
    settings_before, settings_after = _settings(before), _settings(after)
    differing = [
        f"{name} {settings_before.get(name, 'none')}, then {settings_after.get(name, 'none')}"
        for name in dict.fromkeys((*settings_before, *settings_after))
        if settings_before.get(name) != settings_after.get(name)
    ]
    return "; ".join(differing) or "as their records say"


def _settings(outcome: Outcome) -> dict[str, str]:
    """Return each setting once as text: the metric's own settings repeat two of the shared."""
    convention = getattr(outcome, "convention", None)
    metric_settings = (
        outcome.described.settings if outcome.described else {"settings": ("not recorded")}
    )
    shared = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity or "none",
        "convention": f"{convention.name}, ddof {convention.ddof}" if convention else "none",
    }
    return {
        name.replace("_", " "): _format_value(value) for name, value in metric_settings.items()
    } | shared


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_format_value(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_value, value)) or "none"
    return "none" if value is None else str(value)


NO_ANSWER = ("too-few-words", "no-verdict")


@dataclass(frozen=True)
class Comparison(TestedChange):
    """A test before and after; p is two-sided and corrected over the tests that are compared.

    `paired` tests the change of the effect itself, word by word, and `difference` is its interval:
    a change may be significant where neither effect is.
    """

    before: Outcome
    after: Outcome
    p_before: float | None
    p_after: float | None

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, computed on first use: that of long lists takes seconds."""
        return paired_words(self.before, self.after) or (None, None)

    @cached_property
    def change(self) -> ChangeKind:
        """The label of the change of the effect."""
        return change(self.before, self.after, self.p_before, self.p_after, *self._tested)

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        return [g.missing for g in self.before.coverage] == [g.missing for g in self.after.coverage]


@dataclass(frozen=True)
class RunComparison:
    """Every test that two runs share, and those that they do not share.

    `otherwise` are tests that both have with different settings, `vanished` those that only the run
    before has, `new` those that only the one after has, and `runs` all outcomes of both. `across`
    is the unit in which models of different geometries were compared, ranks or standardised; empty
    where every figure is one of its own run. `left_out` are tests that have no figure in that unit.
    """

    pairs: tuple[Comparison, ...]
    unpaired: int
    otherwise: tuple[str, ...] = ()
    vanished: tuple[Outcome, ...] = ()
    new: tuple[Outcome, ...] = ()
    runs: tuple[tuple[Outcome, ...], tuple[Outcome, ...]] = field(default=((), ()), repr=False)
    across: str = ""
    left_out: tuple[str, ...] = ()

    @cached_property
    def categories(self) -> tuple[CategoryComparison, ...]:
        """The answers for categories over the shared tests, pooled on first use."""
        return category_changes((pair.before, pair.after) for pair in self.pairs)

    @cached_property
    def by_model(self) -> bool:
        """Whether a run has several models, so that models are paired by name."""
        return any(len({outcome.model.name for outcome in run}) > 1 for run in self.runs)

    @cached_property
    def lone_categories(self) -> tuple[tuple[CategoryAnswer, ...], tuple[CategoryAnswer, ...]]:
        """The answers for categories of which no test is shared: vanished ones, and new ones."""
        compared = {self.category(category.after) for category in self.categories}
        before, after = (
            lone_categories(run, compared, by_model=self.by_model) for run in self.runs
        )
        return before, after

    def category(self, outcome: Outcome) -> CategoryName:
        """Return the name of an outcome's category in both runs."""
        return name_of(outcome, by_model=self.by_model)


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> RunComparison:
    """Pair two runs by test and by every setting, and by model where there are several.

    p-values are corrected over the shared tests, so that a longer run does not look like a change.
    A smaller d is not always better: an effect that changed sign is REVERSED or OVERSHOT, one that
    is newly significant APPEARED or was INTRODUCED, and none of them is an improvement. Records of
    changes and of pooled tests are left out (`categories` pools the shared tests again), and tests
    with different settings are not compared.
    """
    runs = tuple(before), tuple(after)
    before, after = ([outcome for outcome in run if not _is_derived(outcome)] for run in runs)
    by_model = any(len({outcome.model.name for outcome in run}) > 1 for run in (before, after))
    earlier, later = (
        {
            (*_question(outcome, by_model=by_model), *_settings_key(outcome)): outcome
            for outcome in run
        }
        for run in (before, after)
    )
    shared = [key for key in later if key in earlier]
    questions_before, questions_after = (
        {_question(outcome, by_model=by_model) for outcome in run} for run in (before, after)
    )
    compared = {_question(later[key], by_model=by_model) for key in shared}
    otherwise = tuple(
        sorted({question[1] for question in (questions_before & questions_after) - compared})
    )
    if not shared:
        raise SettingError(_nothing_shared(earlier.values(), later.values(), otherwise, by_model))
    old, new = ([run[key] for key in shared] for run in (earlier, later))
    pairs = zip(old, new, _corrected(old), _corrected(new), strict=True)
    return RunComparison(
        pairs=tuple(Comparison(*pair) for pair in pairs),
        unpaired=len(earlier.keys() ^ later.keys()),
        otherwise=otherwise,
        vanished=tuple(earlier[key] for key in earlier if key not in later),
        new=tuple(later[key] for key in later if key not in earlier),
        runs=runs,
    )


def of_changed_model(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes of the models after a change, or all where nothing was changed."""
    changed = {
        (outcome.model.name, outcome.model.sha256)
        for outcome in outcomes
        if isinstance(outcome, Change)
    }
    return [
        outcome
        for outcome in outcomes
        if not changed or (outcome.model.name, outcome.model.sha256) in changed
    ]


def change(
    before: Outcome,
    after: Outcome,
    p_before: float | None,
    p_after: float | None,
    paired: PairedP | None,
    difference: Interval | None,
) -> ChangeKind:
    """Return the label of the change of one effect, by the table of `change_kinds`.

    Where all words lean alike the effect is certainly zero.
    """
    sides = [(before, p_before), (after, p_after)]
    if not all(
        _has_no_spread(outcome) or (isinstance(outcome, Result) and p is not None)
        for outcome, p in sides
    ):
        return "no-answer"
    effects = [outcome.effect if isinstance(outcome, Result) else 0.0 for outcome, _ in sides]
    alpha = common_level(before, after)
    significant_sides = [
        isinstance(outcome, Result) and p is not None and is_significant(p, alpha)
        for outcome, p in sides
    ]
    certain = any(_has_no_spread(outcome) for outcome, _ in sides) and any(significant_sides)
    limits = Limits(difference.low, difference.high) if difference else None
    if same_leanings(before, after) and effects[0] == effects[1]:
        limits = Limits(0.0, 0.0)  # the same vectors, however few the words are
    standardised = all(
        outcome.convention.standardised for outcome, _ in sides if isinstance(outcome, Result)
    )
    return Facts(
        before=effects[0],
        after=effects[1],
        evident_before=significant_sides[0],
        evident_after=significant_sides[1],
        proven=certain or (paired is not None and is_significant(paired.value, alpha)),
        difference=limits,
        margin=MARGIN if standardised else MARGIN_OF_PROBABILITY,
    ).kind()


def _has_no_spread(outcome: Outcome) -> bool:
    return isinstance(outcome, Skipped) and outcome.cause == "no-spread"


def _corrected(outcomes: Sequence[Outcome]) -> list[float | None]:
    """Return Holm's p of each test that has an answer, corrected within its family."""
    members = {
        index: FamilyMember(outcome.model.name, outcome.test, outcome.verdict.p, outcome.verdict.p)
        for index, outcome in enumerate(outcomes)
        if isinstance(outcome, Result) and outcome.verdict.kind not in NO_ANSWER
    }
    corrected = dict(zip(members, correct_families([*members.values()], 0.05), strict=True))
    return [
        corrected[index].holm_two_sided if index in corrected else None
        for index in range(len(outcomes))
    ]


def _is_derived(outcome: Outcome) -> bool:
    return isinstance(outcome, Change | ConceptView) or outcome.test.kind in ("movement", CATEGORY)


def _question(outcome: Outcome, *, by_model: bool) -> tuple[str, ...]:
    """Return the test, and the model where there are several."""
    return (outcome.model.name if by_model else "", outcome.test.id)


def _settings_key(outcome: Outcome) -> tuple[str, ...]:
    """Return every setting of a measurement: only equal ones can be compared."""
    metric_settings = outcome.described.settings if outcome.described else None
    settings = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity,
        "convention": getattr(outcome, "convention", None),
        "settings": "not recorded" if metric_settings is None else canonical_json(metric_settings),
    }
    return tuple(f"{name} {value}" for name, value in settings.items())


def _nothing_shared(
    before: Iterable[Outcome], after: Iterable[Outcome], otherwise: Sequence[str], by_model: bool
) -> str:
    """Say why nothing can be compared, and which settings differ."""
    if not otherwise:
        where = " in models of the same name" if by_model else ""
        return f"The two runs share no test{where}; run them with the same suites."
    first, second = (
        next(outcome for outcome in run if outcome.test.id == otherwise[0])
        for run in (before, after)
    )
    differing = differing_settings(first, second)
    only_similarity = differing.startswith("similarity ") and ";" not in differing
    remedy = (
        (", or compare them across geometries (--across-geometries ranks)")
        if only_similarity
        else ""
    )
    return (
        f"The two runs asked their {len(otherwise)} common tests with other settings "
        f"({differing}), so that their figures cannot be compared; run them alike{remedy}."
    )

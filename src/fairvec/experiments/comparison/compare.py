"""Compare two runs: pair their tests and categories, and name what became of each effect."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fairvec.core.errors import SettingError, UnanswerableError
from fairvec.core.format import pluralize
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
    NO_EFFECT,
    OF_EFFECT_SIZE,
    OF_PROBABILITY,
    Effect,
    EffectChange,
    common_level,
    name_effect_change,
)
from fairvec.experiments.comparison.drift import Drift, drift
from fairvec.experiments.comparison.paired import (
    PairedTests,
    change_test,
    paired_over_words,
    pooled_change,
    same_leanings,
    samples_of,
)
from fairvec.experiments.provenance import copied_fields
from fairvec.results import Interval, Outcome, PairedP, Result, Skipped
from fairvec.results.records import CATEGORY, CategoryAnswer, Change, ConceptView, Description
from fairvec.results.verdicts import ChangeKind

NOTHING_CHANGED = EffectChange(1.0, Interval.at(0.0))
"""The change of a test of the same vectors, however few its words are."""


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

    @property
    @abstractmethod
    def effects(self) -> tuple[Effect, Effect]:
        """The effects before and after."""

    @property
    def effect_change(self) -> EffectChange:
        """The change as its label needs it; without a test of it nothing is shown.

        Nothing is shown either where the words that both runs found changed in one direction, and
        the effects, by words that only one run found, did not.
        """
        change = self.effects[1].value - self.effects[0].value
        interval = self.difference
        if interval and (change <= 0 < interval.low or interval.high < 0 <= change):
            return EffectChange(1.0, interval)
        return EffectChange(self.paired.value if self.paired else 1.0, interval)


@dataclass(frozen=True, eq=False)
class CategoryComparison(TestedChange):
    """The answer for one category before and after, over the same tests.

    `paired` permutes the words' changes between the lists, those of a word in all of its tests at
    once. A category of one test has the figures and the label of that test.
    """

    before: CategoryAnswer
    after: CategoryAnswer
    pairs: tuple["Comparison", ...]
    tests: PairedTests
    left_out: tuple[str, ...] = ()
    """Tests of the category that both runs have and that cannot be pooled in both."""

    @property
    def effects(self) -> tuple[Effect, Effect]:
        """The pooled effects before and after."""
        return as_effect(self.before), as_effect(self.after)

    @property
    def effect_before(self) -> float:
        """The pooled effect before."""
        return self.effects[0].value

    @property
    def effect_after(self) -> float:
        """The pooled effect after."""
        return self.effects[1].value

    @property
    def p_before(self) -> float | None:
        """The p before, Holm-corrected over the categories compared; that of an only test."""
        return self.pairs[0].p_before if len(self.pairs) == 1 else self.before.p_holm

    @property
    def p_after(self) -> float | None:
        """The same after."""
        return self.pairs[0].p_after if len(self.pairs) == 1 else self.after.p_holm

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        if len(self.pairs) == 1:
            return self.pairs[0].paired, self.pairs[0].difference
        before, after = (
            np.array([test.weight for test in answer.tests]) for answer in (self.before, self.after)
        )
        samples = samples_of(self.after, self.before)
        tested = pooled_change(self.tests, (before, after), samples=samples, seed=self.after.seed)
        return tested or (None, None)

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
        if self.p_before is None or self.p_after is None:
            return "no-answer"
        same = self.effect_before == self.effect_after and all(
            same_leanings(old.result, new.result) for old, new in self.tests
        )
        return name_effect_change(
            *self.effects,
            NOTHING_CHANGED if same else self.effect_change,
            alpha=common_level(self.before, self.after),
        )


def category_changes(
    pairs: Iterable["Comparison"],
    answers: tuple[Sequence[CategoryAnswer], Sequence[CategoryAnswer]] = ((), ()),
    *,
    samples: int | None = None,
) -> tuple[CategoryComparison, ...]:
    """Pair the answers for each category over the tests that can be pooled in both runs.

    `answers` are those that the runs recorded: where they are over these tests they are taken as
    they are, and are else pooled again with as many `samples`, or as many as the runs drew. A test
    that has another category in the other run is in none.
    """
    by_measurement: dict[Hashable, list[Comparison]] = {}
    for pair in pairs:
        before, after = category_of(pair.before), category_of(pair.after)
        if before == after is not None:
            key = measurement_key(pair.before), measurement_key(pair.after)
            by_measurement.setdefault(key, []).append(pair)
    return tuple(
        comparison
        for pairs_of_measurement in by_measurement.values()
        for comparison in _compare_measurement(pairs_of_measurement, answers, samples)
    )


def _compare_measurement(
    pairs: Sequence["Comparison"],
    recorded: tuple[Sequence[CategoryAnswer], Sequence[CategoryAnswer]],
    samples: int | None,
) -> list[CategoryComparison]:
    tests: dict[Hashable, list[tuple[Poolable, Poolable]]] = {}
    poolable_pairs: dict[Hashable, list[Comparison]] = defaultdict(list)
    left_out: dict[Hashable, list[str]] = defaultdict(list)
    for pair in pairs:
        name = category_of(pair.after)
        try:
            poolable = as_poolable(pair.before), as_poolable(pair.after)
        except UnanswerableError:
            left_out[name].append(pair.after.test.id)
        else:
            tests.setdefault(name, []).append(poolable)
            poolable_pairs[name].append(pair)
    # Both runs have the same tests in the same order, so that their answers come in one order too.
    answers = (
        _answers_over([[pair[side] for pair in one] for one in tests.values()], of_run, samples)
        for side, of_run in enumerate(recorded)
    )
    return [
        CategoryComparison(
            old, new, tuple(poolable_pairs[name]), tuple(pairs_of_category), tuple(left_out[name])
        )
        for old, new, (name, pairs_of_category) in zip(*answers, tests.items(), strict=True)
        if isinstance(old, CategoryAnswer) and isinstance(new, CategoryAnswer)
    ]


def _answers_over(
    categories: Sequence[Sequence[Poolable]],
    recorded: Sequence[CategoryAnswer],
    samples: int | None,
) -> Sequence[CategoryAnswer | Skipped]:
    """Return the answers over these tests of one model and metric, recorded or pooled here."""
    results = [[test.result for test in tests] for tests in categories]
    if not results:
        return []
    first = results[0][0]
    own = [answer for answer in recorded if _measured_alike(answer, first)]
    found = [next((answer for answer in own if _is_over(answer, tests)), None) for tests in results]
    answers = [answer for answer in found if answer is not None]
    if len(answers) == len(results) == len(own):  # else Holm's correction is over others
        return answers
    drawn = samples or samples_of(*recorded, *(result for tests in results for result in tests))
    return category_answers([result for tests in results for result in tests], samples=drawn)


def _measured_alike(answer: CategoryAnswer, result: Result) -> bool:
    return (
        (answer.model.name, answer.model.sha256) == (result.model.name, result.model.sha256)
        and (answer.metric, answer.similarity) == (result.metric, result.similarity)
        and answer.described == result.described
    )


def _is_over(answer: CategoryAnswer, results: Sequence[Result]) -> bool:
    """Return whether a recorded answer pools just these tests, in this order."""
    test = results[0].test
    same_category = (answer.test.language, answer.test.category) == (test.language, test.category)
    return same_category and [one.test for one in answer.tests] == [r.test.id for r in results]


CategoryName = tuple[str, ...]


def lone_categories(
    run: Sequence[Outcome], compared: Collection[CategoryName], *, by_model: bool
) -> tuple[CategoryAnswer, ...]:
    """Return a run's answers for the categories that are not compared.

    They are its records; a run without such records is pooled here, with as many draws as it took.
    """
    answers = [outcome for outcome in run if isinstance(outcome, CategoryAnswer)]
    tests = [outcome for outcome in run if outcome.test.kind == "bias"]
    if not answers and {name_of(outcome, by_model=by_model) for outcome in tests} - {*compared}:
        pooled = category_answers(tests, samples=samples_of(*tests))
        answers = [outcome for outcome in pooled if isinstance(outcome, CategoryAnswer)]
    return tuple(
        outcome for outcome in answers if name_of(outcome, by_model=by_model) not in compared
    )


def name_of(outcome: Outcome, *, by_model: bool) -> CategoryName:
    """Return the name of a category in both runs, with the model only where there are several."""
    test = outcome.test
    model = outcome.model.name if by_model else ""
    return model, outcome.metric, outcome.similarity, test.language, test.category


def differing_settings(before: Outcome, after: Outcome) -> dict[str, tuple[str, str]]:
    """Return every setting that differs by its name, as it was before and as it is after."""
    settings_before, settings_after = _settings(before), _settings(after)
    return {
        name: (settings_before.get(name, "none"), settings_after.get(name, "none"))
        for name in dict.fromkeys((*settings_before, *settings_after))
        if settings_before.get(name) != settings_after.get(name)
    }


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

    @property
    def effects(self) -> tuple[Effect, Effect]:
        """The effects of the test before and after."""
        return as_effect(self.before), as_effect(self.after)

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, computed on first use: that of long lists takes seconds."""
        return change_test(self.before, self.after) or (None, None)

    @cached_property
    def change(self) -> ChangeKind:
        """The label of the change of the effect, by the table of `change_kinds`."""
        sides = (self.before, self.p_before), (self.after, self.p_after)
        if any(p is None and not _has_no_spread(outcome) for outcome, p in sides):
            return "no-answer"
        before, after = self.effects
        same = before.value == after.value and same_leanings(self.before, self.after)
        results = [outcome for outcome, _ in sides if isinstance(outcome, Result)]
        standardised = all(result.convention.standardised for result in results)
        return name_effect_change(
            before,
            after,
            NOTHING_CHANGED if same else self.effect_change,
            alpha=common_level(self.before, self.after),
            thresholds=OF_EFFECT_SIZE if standardised else OF_PROBABILITY,
        )

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        return [g.missing for g in self.before.coverage] == [g.missing for g in self.after.coverage]


@dataclass(frozen=True, repr=False)
class RunComparison:
    """Every test that two runs share, and those that they do not share.

    `otherwise` are tests that both have with different settings, `vanished` those that only the run
    before has, `new` those that only the one after has, and `runs` all outcomes of both. `across`
    is the unit in which models of different geometries were compared, ranks or standardised; empty
    where every figure is one of its own run. `left_out` are tests that have no figure in that unit,
    and `two_similarities` says whether the runs compared points in different ways.
    """

    pairs: tuple[Comparison, ...]
    unpaired: int
    otherwise: tuple[str, ...] = ()
    vanished: tuple[Outcome, ...] = ()
    new: tuple[Outcome, ...] = ()
    runs: tuple[tuple[Outcome, ...], tuple[Outcome, ...]] = ((), ())
    across: str = ""
    left_out: tuple[str, ...] = ()
    two_similarities: bool = False

    @cached_property
    def categories(self) -> tuple[CategoryComparison, ...]:
        """The answers for categories over the shared tests: those of the runs, or pooled here."""
        before, after = (
            [one for one in run if isinstance(one, CategoryAnswer)] for run in self.runs
        )
        return category_changes(self.pairs, (before, after))

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What became of every test that both runs have, and of every category of them."""
        return (*map(change_of, self.pairs), *map(change_of, self.categories))

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """How far each endpoint that both runs asked moved between them."""
        models = {
            (pair.before.model.name, pair.after.model.name): (pair.before.model, pair.after.model)
            for pair in self.pairs
        }
        found = (drift(*of_pair) for of_pair in models.values())
        return tuple(each for each in found if each)

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

    def __repr__(self) -> str:
        alone = f", {self.unpaired:,} in one alone" if self.unpaired else ""
        return f"RunComparison({pluralize(len(self.pairs), 'test')} in both runs{alone})"


def change_of(pair: Comparison | CategoryComparison) -> Change:
    """Return the record of one test, or of one category, before and after."""
    before, after = pair.before, pair.after
    return Change(
        **change_fields(before, after) | {"test": pair.after.test},
        value_before=_value(before),
        value_after=_value(after),
        p_before=pair.p_before,
        p_after=pair.p_after,
        alpha=common_level(before, after),
        kind=pair.change,
        paired=pair.paired,
        over_items=paired_over_words(before, after),
        difference=pair.difference,
        items=_shared_word_count(pair),
    )


def change_fields(before: Outcome, after: Outcome) -> dict[str, Any]:
    """Return the fields that the record of a change copies from the outcomes before and after."""
    return copied_fields(after) | {
        "coverage": (),
        "before": before.model,
        "interval_before": _interval(before),
        "interval_after": _interval(after),
    }


def _value(outcome: Outcome) -> float | None:
    match outcome:
        case Result() | CategoryAnswer():
            return outcome.effect
        case Description():
            return outcome.value
    return None


def _interval(outcome: Outcome) -> Interval | None:
    return outcome.interval if isinstance(outcome, Result | Description | CategoryAnswer) else None


def _shared_word_count(pair: Comparison | CategoryComparison) -> int:
    """Return how many words both runs have a number for, in the tests of a category as one."""
    pairs = pair.pairs if isinstance(pair, CategoryComparison) else (pair,)
    shared: set[tuple[str, str]] = set()
    for one in pairs:
        word_sets = [
            {(word.role, word.word) for word in outcome.words}
            for outcome in (one.before, one.after)
            if isinstance(outcome, Result | Description)
        ]
        shared |= set.intersection(*word_sets) if len(word_sets) == 2 else set()
    return len(shared if len(pairs) == 1 else {word for _, word in shared})


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> RunComparison:
    """Pair two runs by test and by every setting, and by model where there are several.

    p-values are corrected over the shared tests, so that a longer run does not look like a change.
    A smaller d is not always better: an effect that changed sign is REVERSED or OVERSHOT, one that
    was INTRODUCED was not there before, and none of them is an improvement. Records of
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


def as_effect(outcome: Outcome) -> Effect:
    """Return the effect of an outcome with what is known of it; words that lean alike have none."""
    if not isinstance(outcome, Result | CategoryAnswer):
        return NO_EFFECT
    return Effect(outcome.effect, outcome.verdict.p, outcome.interval)


def _has_no_spread(outcome: Outcome) -> bool:
    return isinstance(outcome, Skipped) and outcome.cause == "no-spread"


def _corrected(outcomes: Sequence[Outcome]) -> list[float | None]:
    """Return Holm's p of each test that has an answer, corrected within its family."""
    members = {
        index: FamilyMember(outcome.model.name, outcome.test, outcome.verdict.p, outcome.verdict.p)
        for index, outcome in enumerate(outcomes)
        if isinstance(outcome, Result) and outcome.verdict.kind not in NO_ANSWER
    }
    families = correct_families([*members.values()], common_level(*outcomes))
    corrected = dict(zip(members, families, strict=True))
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
    convention = getattr(outcome, "convention", None)
    settings = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity,
        "convention": convention.key if convention else None,
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
    remedy = (
        ", or compare them across geometries (--across-geometries ranks)"
        if differing.keys() == {"similarity"}
        else ""
    )
    changes = [f"{name} {old}, then {new}" for name, (old, new) in differing.items()]
    return (
        f"The two runs asked their {len(otherwise)} common tests with other settings "
        f"({'; '.join(changes) or 'as their records say'}), so that their figures "
        f"cannot be compared; run them alike{remedy}."
    )

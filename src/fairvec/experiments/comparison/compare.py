"""Two runs side by side: what a change did to each verdict and category."""

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

# What every comparison of two answers tells of the test of the change itself.


class TestedChange(ABC):
    """Something before and after, whose change is tested word by word."""

    __test__ = False  # pytest: this is not a test class

    @property
    @abstractmethod
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, and the changes that it allows."""

    @property
    def paired(self) -> PairedP | None:
        """The test of the change itself; None where no words are shared."""
        return self._tested[0]

    @property
    def difference(self) -> Interval | None:
        """The changes of the effect that this test allows; None where it allows any."""
        return self._tested[1]


# The answers for categories in two runs: what became of each, over the tests that both share.


@dataclass(frozen=True, eq=False)
class CategoryComparison(TestedChange):
    """The answer for one category before and after, over the same tests.

    A test has one weight in both effects here, the mean of its weights in the two answers, so that
    a test which only came to weigh more is no change. `paired` swaps before and after word by
    word, a word in all of its tests at once.
    """

    before: CategoryAnswer
    after: CategoryAnswer
    tests: PairedTests
    left_out: tuple[str, ...] = ()
    """Tests of the category that both runs asked and that cannot be pooled in both."""

    @cached_property
    def _weights(self) -> FloatArray:
        both = [[test.weight for test in one.tests] for one in (self.before, self.after)]
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
        """What happened to the pooled effect, in one word, as `kinds_of_change` has it."""
        alpha = common_level(self.before, self.after)
        p_before, p_after = self.p_before, self.p_after
        if p_before is None or p_after is None:
            return "no-answer"
        ends = self.difference
        difference = Limits(ends.low, ends.high) if ends else None
        if self.effect_before == self.effect_after and all(
            same_leanings(was.result, is_now.result) for was, is_now in self.tests
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
    """Answer each category in both runs by the tests that can be pooled in both, and pair them.

    A test that is of another category in the other run, as files of strangers may have it, is in
    none.
    """
    ways: dict[Hashable, list[tuple[Outcome, Outcome]]] = {}
    for pair in pairs:
        before, after = map(category_of, pair)
        if before == after is not None:
            ways.setdefault(tuple(map(measurement_key, pair)), []).append(pair)
    return tuple(one for asked in ways.values() for one in _of_one_way(asked))


def _of_one_way(asked: Sequence[tuple[Outcome, Outcome]]) -> list[CategoryComparison]:
    tests: dict[Hashable, list[tuple[Poolable, Poolable]]] = {}
    left_out: dict[Hashable, list[str]] = defaultdict(list)
    for before, after in asked:
        name = category_of(after)
        was, is_now = as_poolable(before), as_poolable(after)
        if isinstance(was, Poolable) and isinstance(is_now, Poolable):
            tests.setdefault(name, []).append((was, is_now))
        else:
            left_out[name].append(after.test.id)
    # Both runs have the same tests in the same order, so that their answers come in one order too.
    ordered = [pair for some in tests.values() for pair in some]
    answers = (category_answers([pair[side].result for pair in ordered]) for side in (0, 1))
    return [
        CategoryComparison(was, is_now, tuple(some), tuple(left_out[name]))
        for was, is_now, (name, some) in zip(*answers, tests.items(), strict=True)
        if isinstance(was, CategoryAnswer) and isinstance(is_now, CategoryAnswer)
    ]


# The categories of which only one of two runs has an answer, or each one by tests of its own.


CategoryName = tuple[str, ...]


def lone_categories(
    run: Sequence[Outcome], compared: Collection[CategoryName], *, by_model: bool
) -> tuple[CategoryAnswer, ...]:
    """Return a run's answers for the categories that are not compared.

    They are its records; a run of before there were any is pooled here, if it has such categories.
    """
    answers = [one for one in run if isinstance(one, CategoryAnswer)]
    tests = [one for one in run if one.test.kind == "bias"]
    if not answers and {name_of(one, by_model=by_model) for one in tests} - {*compared}:
        answers = [one for one in category_answers(tests) if isinstance(one, CategoryAnswer)]
    return tuple(one for one in answers if name_of(one, by_model=by_model) not in compared)


def name_of(outcome: Outcome, *, by_model: bool) -> CategoryName:
    """Return what makes it one category in two runs; which model only where there are several."""
    test = outcome.test
    model = outcome.model.name if by_model else ""
    return model, outcome.metric, outcome.similarity, test.language, test.category


# In which settings two outcomes differ, in words.


def differing_settings(one: Outcome, other: Outcome) -> str:
    """Return every setting that differs as "similarity cosine, then negative-distance"."""
    was, is_now = _settings(one), _settings(other)
    differing = [
        f"{name} {was.get(name, 'none')}, then {is_now.get(name, 'none')}"
        for name in dict.fromkeys((*was, *is_now))
        if was.get(name) != is_now.get(name)
    ]
    return "; ".join(differing) or "as their records say"


def _settings(outcome: Outcome) -> dict[str, str]:
    """Return one word or number a setting, and each setting once: a metric repeats two of them."""
    convention = getattr(outcome, "convention", None)
    own = outcome.described.settings if outcome.described else {"settings": "not recorded"}
    said = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity or "none",
        "convention": f"{convention.name}, ddof {convention.ddof}" if convention else "none",
    }
    return {name.replace("_", " "): _plainly(value) for name, value in own.items()} | said


def _plainly(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plainly(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plainly, value)) or "none"
    return "none" if value is None else str(value)


NO_ANSWER = ("too-few-words", "no-verdict")


@dataclass(frozen=True)
class Comparison(TestedChange):
    """One test before and after; p is two-sided and corrected over the tests that are compared.

    `paired` tests the change of the effect itself, word by word, and `difference` is what that test
    allows it to be: it may be sure where both verdicts are not.
    """

    before: Outcome
    after: Outcome
    p_before: float | None
    p_after: float | None

    @cached_property
    def _tested(self) -> tuple[PairedP | None, Interval | None]:
        """The paired test, made when it is first asked for: that of long lists takes seconds."""
        return paired_words(self.before, self.after) or (None, None)

    @cached_property
    def change(self) -> ChangeKind:
        """What happened to the effect, in one word."""
        return change(self.before, self.after, self.p_before, self.p_after, *self._tested)

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        return [g.missing for g in self.before.coverage] == [g.missing for g in self.after.coverage]


@dataclass(frozen=True)
class RunComparison:
    """Every test that two runs share, and how many they do not, or asked with other settings.

    `vanished` are what only the run before has, `new` what only the one after has, and `runs` all
    outcomes of both. `across` says by what models of different geometries were compared, ranks or
    standardised; empty where every figure is one of its own run. `left_out` are tests that have no
    such figure.
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
        """The answers for categories over the shared tests, pooled when they are asked for."""
        return category_changes((pair.before, pair.after) for pair in self.pairs)

    @cached_property
    def by_model(self) -> bool:
        """Whether a run has several models, so that like is compared with like by their names."""
        return any(len({one.model.name for one in run}) > 1 for run in self.runs)

    @cached_property
    def lone_categories(self) -> tuple[tuple[CategoryAnswer, ...], tuple[CategoryAnswer, ...]]:
        """The answers for categories that vanished, and new ones: no test of theirs is shared."""
        compared = {self.category(one.after) for one in self.categories}
        before, after = (
            lone_categories(run, compared, by_model=self.by_model) for run in self.runs
        )
        return before, after

    def category(self, outcome: Outcome) -> CategoryName:
        """Return the name under which the category of an outcome is looked for in both runs."""
        return name_of(outcome, by_model=self.by_model)


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> RunComparison:
    """Pair two runs by test and by every setting, and by model where there are several.

    p-values are corrected over the shared tests, so that a longer run does not look like a change.
    Lower d is not better d: an effect that turned around is REVERSED or OVERSHOT, one that is newly
    significant APPEARED or was INTRODUCED, and none of them is an improvement. Lines that are about
    a change already, or pool tests, are left out (`categories` pools what is shared again), and
    tests that were asked with other settings are not compared.
    """
    runs = tuple(before), tuple(after)
    before, after = ([one for one in run if not _of_several(one)] for run in runs)
    by_model = any(len({outcome.model.name for outcome in run}) > 1 for run in (before, after))
    earlier, later = (
        {(*_what(outcome, by_model=by_model), *_how(outcome)): outcome for outcome in run}
        for run in (before, after)
    )
    shared = [key for key in later if key in earlier]
    asked, again = ({_what(one, by_model=by_model) for one in run} for run in (before, after))
    compared = {_what(later[key], by_model=by_model) for key in shared}
    otherwise = tuple(sorted({what[1] for what in (asked & again) - compared}))
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
    changed = {(one.model.name, one.model.sha256) for one in outcomes if isinstance(one, Change)}
    return [one for one in outcomes if not changed or (one.model.name, one.model.sha256) in changed]


def change(
    before: Outcome,
    after: Outcome,
    p_before: float | None,
    p_after: float | None,
    paired: PairedP | None,
    difference: Interval | None,
) -> ChangeKind:
    """Say what happened to one effect, as `kinds_of_change` has it.

    Where no word leans any more there is no effect and no doubt about that.
    """
    sides = [(before, p_before), (after, p_after)]
    if not all(_is_alike(one) or (isinstance(one, Result) and p is not None) for one, p in sides):
        return "no-answer"
    effects = [one.effect if isinstance(one, Result) else 0.0 for one, _ in sides]
    alpha = common_level(before, after)
    evident = [
        isinstance(one, Result) and p is not None and is_significant(p, alpha) for one, p in sides
    ]
    certain = any(_is_alike(one) for one, _ in sides) and any(evident)
    allowed = Limits(difference.low, difference.high) if difference else None
    if same_leanings(before, after) and effects[0] == effects[1]:
        allowed = Limits(0.0, 0.0)  # the same vectors, however few the words are
    standardised = all(one.convention.standardised for one, _ in sides if isinstance(one, Result))
    return Facts(
        before=effects[0],
        after=effects[1],
        evident_before=evident[0],
        evident_after=evident[1],
        proven=certain or (paired is not None and is_significant(paired.value, alpha)),
        difference=allowed,
        margin=MARGIN if standardised else MARGIN_OF_PROBABILITY,
    ).kind()


def _is_alike(outcome: Outcome) -> bool:
    return isinstance(outcome, Skipped) and outcome.cause == "no-spread"


def _corrected(outcomes: Sequence[Outcome]) -> list[float | None]:
    """Return Holm's p of each test that has an answer, corrected within its family."""
    answered = {
        place: FamilyMember(one.model.name, one.test, one.verdict.p, one.verdict.p)
        for place, one in enumerate(outcomes)
        if isinstance(one, Result) and one.verdict.kind not in NO_ANSWER
    }
    found = dict(zip(answered, correct_families([*answered.values()], 0.05), strict=True))
    return [
        found[place].holm_two_sided if place in found else None for place in range(len(outcomes))
    ]


def _of_several(outcome: Outcome) -> bool:
    return isinstance(outcome, Change | ConceptView) or outcome.test.kind in ("movement", CATEGORY)


def _what(outcome: Outcome, *, by_model: bool) -> tuple[str, ...]:
    """Return what was asked, and of which model where there are several."""
    return (outcome.model.name if by_model else "", outcome.test.id)


def _how(outcome: Outcome) -> tuple[str, ...]:
    """Return every setting with which it was asked: only what is asked alike can be compared."""
    own = outcome.described.settings if outcome.described else None
    settings = {
        "version of the suite": outcome.test.suite_version,
        "metric": outcome.metric,
        "similarity": outcome.similarity,
        "convention": getattr(outcome, "convention", None),
        "settings": "not recorded" if own is None else canonical_json(own),
    }
    return tuple(f"{name} {value}" for name, value in settings.items())


def _nothing_shared(
    before: Iterable[Outcome], after: Iterable[Outcome], otherwise: Sequence[str], by_model: bool
) -> str:
    """Say why nothing can be compared, and which settings differ."""
    if not otherwise:
        where = " in models of the same name" if by_model else ""
        return f"The two runs share no test{where}; run them with the same suites."
    one, other = (next(o for o in run if o.test.id == otherwise[0]) for run in (before, after))
    differing = differing_settings(one, other)
    alone = differing.startswith("similarity ") and ";" not in differing
    across = ", or compare them across geometries (--across-geometries ranks)" if alone else ""
    return (
        f"The two runs asked their {len(otherwise)} common tests with other settings "
        f"({differing}), so that their figures cannot be compared; run them alike{across}."
    )

"""Two runs are compared test by test, and pairs that differ in how they were measured are named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.categories import category_answers, measurement_key
from fairvec.experiments.comparison.compare import (
    CategoryComparison,
    change_of,
    compare,
    differing_settings,
)
from fairvec.experiments.comparison.table import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.experiments.provenance import describe_metric
from fairvec.lexicon.python_lists import UNNAMED
from fairvec.metrics.bias.direction import DirectBias
from fairvec.results import Interval, Outcome, Result
from fairvec.results.conditions.expression import Condition
from fairvec.results.records import CategoryAnswer
from fairvec.results.rows import Plain, to_row
from tests import toys
from tests.experiments.toys import (
    MIRRORED,
    Drawn,
    embedding,
    leaning,
    outcomes_of,
    run_of,
    scored,
    suite_of,
)
from tests.loops import loop_over
from tests.results.toys import compared, measured, skipped, viewed
from tests.stats.brute_force import flipped, lists

quick = settings(deadline=None, max_examples=20)

# --- compare ---


@loop_over(
    ("before", "after", "shown"),
    [
        ((1.5, 0.01), (0.1, 0.9), "reduced"),
        ((1.5, 0.01), (1.2, 0.01), "reduced"),
        ((1.5, 0.01), (1.45, 0.01), "unchanged"),
        ((1.2, 0.01), (1.5, 0.01), "increased"),
        ((1.5, 0.01), (-1.2, 0.01), "reversed"),
        ((0.1, 0.9), (-1.4, 0.01), "increased"),
        ((0.1, 0.9), (0.15, 0.8), "unchanged"),
        ((0.1, 0.9), (0.6, 0.3), "increased"),
        # A verdict that tips says nothing, however little or much the effect moved.
        ((1.29, 0.01), (1.34, 0.06), "unchanged"),
        ((1.19, 0.06), (1.07, 0.01), "reduced"),
        # The other sign, and half the size or more.
        ((0.9, 0.01), (-0.9, 0.06), "overshot"),
        ((0.9, 0.06), (-0.9, 0.01), "overshot"),
        ((1.0, 0.06), (-1.13, 0.06), "overshot"),
        ((1.0, 0.01), (-0.5, 0.06), "overshot"),
        ((0.5, 0.06), (-1.0, 0.01), "overshot"),
        ((0.9, 0.01), (-0.4, 0.06), "reduced"),
        ((0.4, 0.01), (-1.4, 0.06), "increased"),
    ],
)
def test_each_change_has_its_name(
    before: tuple[float, float], after: tuple[float, float], shown: str
) -> None:
    (pair,) = compare(run_of(*before), run_of(*after)).pairs
    assert pair.change == shown
    (pair,) = compare(run_of(*before, noise=9.0), run_of(*after)).pairs
    assert pair.change == "not-shown"


@pytest.mark.parametrize("strict", [0, 1])
def test_of_two_levels_the_stricter_decides(strict: int) -> None:
    """Whichever run has it: the p of this change is 2 of 70."""
    runs = [run_of(1.5, 0.01), run_of(0.1, 0.9)]
    assert [pair.change for pair in compare(*runs).pairs] == ["reduced"]
    (one,) = runs[strict]
    assert isinstance(one, Result)
    verdict = one.verdict.model_copy(update={"alpha": 0.02})
    runs[strict] = [one.model_copy(update={"verdict": verdict})]
    assert [pair.change for pair in compare(*runs).pairs] == ["not-shown"]


def test_removed_and_introduced_exclude_a_medium_effect_where_it_is_gone() -> None:
    narrow = Interval(
        low=-0.3, high=0.4, level=0.95, kind="inverted", method="inverted permutation test, exact"
    )
    (large,), (small,) = run_of(1.5, 0.01), run_of(0.1, 0.9)
    little = small.model_copy(update={"interval": narrow})
    assert [pair.change for pair in compare([large], [little]).pairs] == ["removed"]
    assert [pair.change for pair in compare([little], [large]).pairs] == ["introduced"]
    wide = small.model_copy(update={"interval": narrow.model_copy(update={"high": 0.6})})
    assert [pair.change for pair in compare([large], [wide]).pairs] == ["reduced"]


def test_other_settings_are_not_compared() -> None:
    usual, other = measured(), measured()
    population = other.convention.model_copy(update={"name": "population", "ddof": 0})
    other = other.model_copy(update={"convention": population})
    with pytest.raises(
        SettingError, match=r"other settings .*caliskan.*population.*run them alike"
    ):
        compare([usual], [other])
    strict = describe_metric(DirectBias(strictness=2))
    described = [
        usual.model_copy(update={"described": describe_metric(DirectBias())}),
        usual.model_copy(update={"described": strict}),
    ]
    with pytest.raises(SettingError, match=r"\(strictness 1.0, then 2\)"):
        compare(described[:1], described[1:])
    both = compare([usual, measured(test="toy/two")], [other, measured(test="toy/two")])
    assert (len(both.pairs), both.otherwise) == (1, (usual.test.id,))


def test_one_model_each_is_before_and_after_whatever_their_names() -> None:
    (pair,) = compare([measured(model="raw")], [measured(model="debiased")]).pairs
    assert (pair.before.model.name, pair.after.model.name) == ("raw", "debiased")


def test_several_models_are_paired_by_name() -> None:
    before = [measured(model="one"), measured(model="two", effect=0.5)]
    compared = compare(before, [measured(model="two")])
    assert [to_row(pair.before)["effect"] for pair in compared.pairs] == [0.5]
    assert compared.unpaired == 1


def test_a_longer_run_is_no_change() -> None:
    alone = measured(p=0.03, p_holm=0.03)
    among_many = measured(p=0.03, p_holm=0.45)
    others = [measured(p=0.9, p_holm=1.0, test=f"toy/{number}") for number in range(14)]
    compared = compare([alone], [among_many, *others])
    assert [pair.p_before == pair.p_after for pair in compared.pairs] == [True]
    assert compared.unpaired == 14


def test_p_is_corrected_over_the_shared_tests() -> None:
    run = [measured(p=0.03, test="toy/a"), measured(p=0.02, test="toy/b")]
    assert [pair.p_after for pair in compare(run, run).pairs] == [0.04, 0.04]


def test_a_test_without_an_answer_is_neither_removed_nor_dropped() -> None:
    (pair,) = compare([measured()], [skipped(test="toy/one")]).pairs
    assert pair.change == "no-answer"
    few = measured().verdict.model_copy(update={"kind": "too-few-words"})
    (pair,) = compare([measured()], [measured().model_copy(update={"verdict": few})]).pairs
    assert pair.change == "no-answer"


def test_other_words_are_noticed() -> None:
    fewer = measured()
    coverage = [group.model_copy(update={"missing": {}}) for group in fewer.coverage]
    compared = compare([measured()], [fewer.model_copy(update={"coverage": tuple(coverage)})])
    assert [pair.same_words for pair in compared.pairs] == [False]


def test_runs_that_share_nothing_are_refused() -> None:
    other = measured(test="toy/three")
    newer = other.test.model_copy(update={"suite_version": "2"})
    with pytest.raises(SettingError, match="share no test"):
        compare([other], [measured(test="toy/one")])
    with pytest.raises(SettingError, match=r"\(version of the suite 1, then 2\)"):
        compare([other], [other.model_copy(update={"test": newer})])


def test_an_effect_whose_words_lean_alike_is_removed() -> None:
    generator = np.random.default_rng(4)
    large = scored(generator.normal(3, size=6), generator.normal(size=6))
    none = scored(generator.normal(size=6), generator.normal(size=6))
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    assert [pair.change for pair in compare([large], [alike]).pairs] == ["removed"]
    assert [pair.change for pair in compare([alike], [large]).pairs] == ["introduced"]
    assert [pair.change for pair in compare([alike], [none]).pairs] == ["not-shown"]
    assert [pair.change for pair in compare([alike], [alike]).pairs] == ["unchanged"]


def test_only_words_that_both_runs_found_are_paired() -> None:
    before, after = leaning(x1=0.3, x2=0.5, y1=0.1), leaning(x1=0.2, y1=0.1, y2=0.7)
    (pair,) = compare([before], [after]).pairs
    assert pair.paired is not None
    assert pair.paired.changed == 1
    (pair,) = compare([leaning(x1=0.3, y1=0.1)], [leaning(x1=0.3, y2=0.1)]).pairs
    assert pair.paired is None


def test_a_label_names_the_direction_that_the_test_of_the_change_shows() -> None:
    """Words that only one run found may move d one way, and the words of both runs the other."""
    opposed = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        lost, by, far = int(generator.integers(1, 6)), *generator.uniform(0, (1.5, 4))
        x, y = generator.normal(0, 0.4, size=(2, 9))
        x[-lost:] += far
        before, after = scored(x, y), scored(x[:-lost] + by, y)
        for runs in ((before, after), (after, before)):
            (pair,) = compare(*([run] for run in runs)).pairs
            assert pair.difference is not None
            step = runs[1].effect - runs[0].effect
            shown = min(pair.difference.low * step, pair.difference.high * step) >= 0
            opposed += max(pair.difference.low * step, pair.difference.high * step) < 0
            assert shown or pair.change in ("unchanged", "not-shown")
            # The same spread, and no change of d at all.
            spread = runs[1].statistic / runs[1].effect
            still = {"effect": runs[0].effect, "statistic": runs[0].effect * spread}
            (pair,) = compare([runs[0]], [runs[1].model_copy(update=still)]).pairs
            assert pair.change in ("unchanged", "not-shown")
    assert opposed


def test_comparisons_made_earlier_are_left_out() -> None:
    both: list[Outcome] = [measured(), compared(), viewed()]
    assert [pair.change for pair in compare(both, both).pairs] == ["unchanged"]


def test_an_equal_effect_of_words_that_lean_otherwise_is_not_proven_unchanged() -> None:
    """One model by two similarities: its words change places, and the effect happens to stay."""
    y = {f"y{place}": -0.1 * place for place in range(1, 7)}
    there = leaning(**{f"x{place}": 0.1 * place for place in range(1, 7)}, **y)
    back = leaning(**{f"x{place}": 0.7 - 0.1 * place for place in range(1, 7)}, **y)
    assert [pair.change for pair in compare([there], [there]).pairs] == ["unchanged"]
    assert [pair.change for pair in compare([there], [back]).pairs] == ["not-shown"]


def test_words_that_lean_beyond_reckoning_have_no_paired_test() -> None:
    (before, *_) = outcomes_of(suite_of(Drawn(seed=1)))
    assert isinstance(before, Result)
    words = (before.words[0].model_copy(update={"score": 1e300}), *before.words[1:])
    tiny = {"words": words, "statistic": 1e-200, "effect": 1.0}
    (pair,) = compare([before], [before.model_copy(update=tiny)]).pairs
    assert (pair.paired, pair.difference) == (None, None)


# --- conditions ---


def test_only_what_differs_is_reported_and_without_the_signs_of_a_programme() -> None:
    usual = measured()
    ball = usual.model_copy(update={"similarity": "negative-distance"})
    assert differing_settings(usual, ball) == {
        "similarity": (usual.similarity, "negative-distance")
    }
    loose, strict = (
        usual.model_copy(update={"described": describe_metric(DirectBias(strictness=one))})
        for one in (1.0, 2.0)
    )
    assert differing_settings(loose, strict) == {"strictness": ("1.0", "2.0")}
    nested = strict.described
    assert nested is not None
    odd = nested.model_copy(update={"settings": {"a_list": [1, {"b": None}], "empty": []}})
    differing = differing_settings(loose, loose.model_copy(update={"described": odd}))
    assert differing["a list"] == ("none", "1, b none")
    values = "".join(value for pair in differing.values() for value in pair)
    assert not any(sign in values for sign in "{}[]'=")


def test_records_that_differ_otherwise_are_not_said_to_differ_in_nothing() -> None:
    usual = measured()
    assert differing_settings(usual, usual) == {}
    described = describe_metric(DirectBias())
    absent, named = (
        usual.model_copy(update={"described": described.model_copy(update={"settings": settings})})
        for settings in ({"at": None}, {"at": "none"})
    )
    assert differing_settings(absent, named) == {}
    with pytest.raises(SettingError, match=r"\(as their records say\)"):
        compare([absent], [named])


def test_a_convention_in_other_words_is_the_same_convention() -> None:
    usual = measured()
    convention = usual.convention.model_copy(update={"denominator": "in other words"})
    other = usual.model_copy(update={"convention": convention})
    assert len(compare([usual], [other]).pairs) == 1
    assert measurement_key(usual) == measurement_key(other)


# --- Categories before and after, over the tests that two runs share ---


FEW = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1), Drawn(sizes=(3, 4, 4, 4), seed=2))


def changed(before: list[Outcome], after: list[Outcome]) -> tuple[CategoryComparison, ...]:
    return compare(before, after).categories


def moved(seed: int, by: float) -> Embedding:
    """The drawn model with every vector moved at random by so much."""
    before = embedding(0)
    step = np.random.default_rng(seed).normal(size=before.vectors.shape)
    return before.with_vectors(before.vectors + by * step, Step("move")).with_name("moved")


def test_the_changes_of_a_category_are_permuted_in_all_its_tests_at_once() -> None:
    # Two words are in both tests, one of them on the other side; none is on both sides of one.
    suite = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=6), Drawn(sizes=(3, 4, 4, 4), seed=4))
    before, after = outcomes_of(suite), outcomes_of(suite, of=moved(1, 0.5))
    (one,) = changed(before, after)
    tests = []
    for was, is_now, *weights in zip(
        before,
        after,
        *([test.weight for test in answer.tests] for answer in (one.before, one.after)),
        strict=True,
    ):
        assert isinstance(was, Result)
        assert isinstance(is_now, Result)
        shares = [
            weight
            * np.array([w.score for w in run.words])
            / np.std([w.score for w in run.words], ddof=1)
            for run, weight in zip((was, is_now), weights, strict=True)
        ]
        sides = {
            role: [
                (word.key, change)
                for word, change in zip(is_now.words, shares[1] - shares[0], strict=True)
                if word.role == role
            ]
            for role in ("x", "y")
        }
        keys = [[key for key, _ in side] for side in sides.values()]
        tests.append(lists(*keys, *([change for _, change in side] for side in sides.values())))
    spreads = [np.concatenate([test.x_scores, test.y_scores]).std(ddof=1) for test in tests]
    sums = np.array([effects for _, effects in flipped(tests)]) @ spreads
    assert len({key for test in tests for key in (*test.x, *test.y)}) < sum(
        sum(test.sizes) for test in tests
    )
    assert one.effect_after - one.effect_before == pytest.approx(sums[0])
    assert one.paired is not None
    assert one.paired.method == "exact"
    assert one.paired.value == pytest.approx((np.abs(sums) >= abs(sums[0]) - 1e-9).mean())


@quick
@given(st.integers(0, 10**6), st.floats(0.01, 3))
def test_swapping_the_runs_mirrors_the_change(seed: int, by: float) -> None:
    before, after = outcomes_of(FEW), outcomes_of(FEW, of=moved(seed, by))
    there, back = changed(before, after), changed(after, before)
    for one, other in zip(there, back, strict=True):
        assert other.change == MIRRORED.get(one.change, one.change)
        assert (one.effect_before, one.effect_after) == (other.effect_after, other.effect_before)
        assert one.paired is not None
        assert other.paired is not None
        assert one.paired.value == pytest.approx(other.paired.value)
        assert (one.difference is None) == (other.difference is None)
        if one.difference and other.difference:
            mirrored = (-other.difference.high, -other.difference.low)
            assert (one.difference.low, one.difference.high) == pytest.approx(mirrored, abs=1e-6)


def test_a_run_beside_itself_is_unchanged() -> None:
    suite = suite_of(
        Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3), Drawn("age", (2, 2, 4, 4))
    )
    outcomes = outcomes_of(suite)
    kinds = {one.after.test.category: one.change for one in changed(outcomes, outcomes)}
    assert kinds == {"gender": "unchanged", "race": "unchanged", "age": "no-answer"}
    for one in changed(outcomes, outcomes):
        assert one.paired is not None
        assert (one.paired.value, one.effect_before) == (1, one.effect_after)
        assert one.same_words


def test_a_run_beside_itself_is_unchanged_however_few_its_words() -> None:
    """At a level of .2 three words a list decide a test, and no change of it has bounds."""
    outcomes = outcomes_of(suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1)), alpha=0.2)
    (pair,) = compare(outcomes, outcomes).pairs
    (category,) = changed(outcomes, outcomes)
    assert (pair.difference, pair.change, category.change) == (None, "unchanged", "unchanged")


def test_only_what_both_runs_share_is_pooled() -> None:
    suite = suite_of(*(Drawn(seed=seed) for seed in range(4)), Drawn("race", seed=5))
    long, short = outcomes_of(suite), outcomes_of(suite)[:2]
    (one,) = changed([*long, *category_answers(long)], [*short, *category_answers(short)])
    (same,) = category_answers(short)
    assert isinstance(same, CategoryAnswer)
    assert (one.before, one.after) == (same, same)
    assert one.effect_before == pytest.approx(same.effect)


def test_a_test_without_an_answer_in_one_run_is_left_out_of_both_and_named() -> None:
    before = outcomes_of(suite_of(Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3)))
    alike = [
        skipped().model_copy(
            update={
                "cause": "no-spread",
                **{
                    name: getattr(one, name)
                    for name in ("test", "model", "described", "convention")
                },
            }
        )
        for one in (before[0], before[2])
    ]
    (one,) = changed(before, [alike[0], before[1], alike[1]])
    assert one.after.test.category == "gender"
    assert [test.test for test in one.before.tests] == ["s/t1"]
    assert one.before == one.after
    assert one.left_out == ("s/t0",)


def test_what_was_taken_out_is_gone() -> None:
    before = toys.embedding(1.0, name="before")
    flattened = before.vectors.copy()
    flattened[:, 0] *= 0.05
    after = before.with_vectors(flattened, Step("debias")).with_name("after")
    (one,) = changed(*(outcomes_of(toys.suite(), of=model) for model in (before, after)))
    assert one.before.verdict.kind == "biased"
    assert one.change == "reduced"  # so few words do not rule out that half a unit is left
    assert one.before.p.value < 0.05 < one.after.p.value
    assert abs(one.effect_after) < one.effect_before
    (found,) = compare(*(outcomes_of(toys.suite(), of=model) for model in (before, after))).pairs
    assert one.paired == found.paired  # of one test it is that test's own
    assert one.difference == found.difference


@quick
@given(st.integers(0, 10**6), st.floats(0.01, 3))
def test_a_category_of_one_test_changes_as_that_test_does(seed: int, by: float) -> None:
    """Its d before and after, change, interval, p and label, in the records too.

    Whatever else either run asked: p is corrected over the tests that both have.
    """
    shared = (Drawn(seed=1), Drawn("race", seed=2), Drawn("race", seed=3))
    suites = suite_of(*shared), suite_of(*shared, Drawn("age", seed=4), Drawn("age", seed=5))
    runs = []
    for suite, model in zip(suites, (embedding(0), moved(seed, by)), strict=True):
        tests = outcomes_of(suite, of=model)
        runs.append([*tests, *category_answers(tests)])
    compared = compare(*runs)
    (pair,) = (pair for pair in compared.pairs if pair.after.test.category == "gender")
    (one,) = (one for one in compared.categories if one.after.test.category == "gender")
    assert (one.paired, one.difference, one.change) == (pair.paired, pair.difference, pair.change)
    records = [change_of(one), change_of(pair)]
    first, second = (record.model_dump(exclude={"test"}) for record in records)
    assert first == second
    assert records[0].value_before is not None


def test_the_answers_that_the_runs_recorded_are_compared() -> None:
    """The effects of a category are those that either run gave, whatever it drew: as they stand."""
    suite = suite_of(*(Drawn(sizes=(9, 8, 5, 5), seed=seed) for seed in range(4)))
    runs = []
    for model in (embedding(0), moved(1, 0.5)):
        tests = outcomes_of(suite, of=model)
        runs.append([*tests, *category_answers(tests, samples=199)])
    (one,) = changed(*runs)
    assert (one.before, one.after) == (runs[0][-1], runs[1][-1])
    answers = [run[-1] for run in runs]
    assert all(isinstance(answer, CategoryAnswer) for answer in answers)
    assert (one.effect_before, one.effect_after) == tuple(answer.effect for answer in answers)  # type: ignore[union-attr]
    assert one.paired is not None
    assert (one.before.p.samples, one.paired.samples) == (199, 199)
    marked = [runs[0][-1].model_copy(update={"effect": 0.125}), runs[1][-1]]
    (one,) = changed(*([*run[:-1], answer] for run, answer in zip(runs, marked, strict=True)))
    assert one.effect_before == 0.125
    # Over fewer tests they are pooled again, with as many draws.
    (fewer,) = changed([*runs[0][:3], runs[0][-1]], runs[1])
    assert [len(answer.tests) for answer in (fewer.before, fewer.after)] == [3, 3]
    assert {answer.p.samples for answer in (fewer.before, fewer.after)} <= {199, None}


def asked_as(outcome: Outcome, **changes: str) -> Outcome:
    """The outcome of a test that says something else of itself."""
    test = outcome.test.model_copy(update=changes)
    return outcome.model_copy(update={"test": test})


@pytest.mark.parametrize(
    "changes",
    [{"kind": "strange"}, {"category": "race"}, {"category": UNNAMED}, {"language": "hi"}],
    ids=str,
)
def test_a_test_of_another_category_in_the_other_run_is_in_none(changes: dict[str, str]) -> None:
    run = outcomes_of(suite_of(Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3)))
    other = [asked_as(run[0], **changes), *run[1:]]
    for before, after in ((run, other), (other, run)):
        pooled = {
            one.after.test.category: [
                [test.test for test in side.tests] for side in (one.before, one.after)
            ]
            for one in changed(before, after)
        }
        assert pooled == {"gender": [["s/t1"]] * 2, "race": [["s/t2"]] * 2}
        assert all(one.effect_before == one.effect_after for one in changed(before, after))


def test_own_lists_are_compared_and_not_pooled() -> None:
    run = [asked_as(one, category=UNNAMED) for one in outcomes_of(FEW)]
    assert len(compare(run, run).pairs) == 2
    assert changed(run, run) == ()


def test_settings_in_another_order_are_the_same_settings() -> None:
    run = outcomes_of(FEW)
    turned = []
    for one in run:
        assert one.described is not None
        settings = dict(reversed(one.described.settings.items()))
        assert [*settings] != [*one.described.settings]
        described = one.described.model_copy(update={"settings": settings})
        turned.append(one.model_copy(update={"described": described}))
    (pooled,) = changed([*run, *turned], turned)
    assert len(pooled.before.tests) == len(pooled.after.tests) == 2


# --- A category that only one run can answer does not vanish in silence ---


TESTS = outcomes_of(
    suite_of(Drawn("gender", seed=1), Drawn("gender", seed=2), Drawn("race", seed=3))
)
GENDER, RACE = TESTS[:2], TESTS[2:]


def answered(tests: list[Outcome], *, recorded: bool = True) -> list[Outcome]:
    return [*tests, *(category_answers(tests) if recorded else ())]


def refused(tests: list[Outcome]) -> list[Outcome]:
    """The same tests, all of them skipped."""
    same = ("test", "model", "metric", "similarity", "described", "convention")
    return [
        skipped().model_copy(update={name: getattr(one, name) for name in same}) for one in tests
    ]


def of_categories(before: list[Outcome], after: list[Outcome]) -> list[dict[str, Plain]]:
    rows = comparison_rows(compare(before, after))
    return [row for row in rows if row["kind"] == "category"]


@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "pooled-here"])
@pytest.mark.parametrize("gone", [True, False], ids=["gone", "skipped"])
def test_a_category_without_an_answer_now_is_a_row(recorded: bool, gone: bool) -> None:
    whole = answered(TESTS, recorded=recorded)
    less = answered(RACE, recorded=recorded) + ([] if gone else refused(GENDER))
    gender = next(one for one in category_answers(TESTS) if one.test.category == "gender")
    assert isinstance(gender, CategoryAnswer)
    for before, after, pairing, side in (
        (whole, less, "vanished", "before"),
        (less, whole, "new", "after"),
    ):
        race, lone = of_categories(before, after)
        assert (race["category"], race["pairing"]) == ("race", "paired")
        assert [*lone] == [*COMPARISON_COLUMNS]
        assert (lone["test"], lone["pairing"]) == ("category/gender", pairing)
        assert lone["answered"] == side
        assert lone[f"effect_{side}"] == gender.effect
        assert lone[f"verdict_{side}"] == gender.verdict.kind
        assert lone["change"] is None


def test_a_category_of_other_tests_in_each_run_is_two_rows() -> None:
    rows = of_categories(answered([GENDER[0], *RACE]), answered([GENDER[1], *RACE]))
    assert [(row["category"], row["pairing"], row["answered"]) for row in rows] == [
        ("race", "paired", "both"),
        ("gender", "other-settings", "before"),
        ("gender", "other-settings", "after"),
    ]


def test_a_category_of_one_run_is_pooled_with_as_many_draws_as_the_run_took() -> None:
    drawn = []
    for one in outcomes_of(suite_of(*(Drawn(sizes=(9, 8, 5, 5), seed=seed) for seed in range(4)))):
        assert isinstance(one, Result)
        p = one.p.model_copy(update={"method": "sampled", "samples": 499})
        drawn.append(one.model_copy(update={"p": p}))
    comparison = compare([*drawn, *RACE], RACE)
    ((lone,), nothing) = comparison.lone_categories
    assert (lone.p.method, lone.p.samples, nothing) == ("sampled", 499, ())


def test_nothing_is_alone_in_two_runs_of_the_same_tests() -> None:
    for recorded in (True, False):
        comparison = compare(answered(TESTS), answered(TESTS, recorded=recorded))
        assert comparison.lone_categories == ((), ())


# --- table ---


TESTS_TABLE = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1), Drawn(sizes=(3, 4, 4, 4), seed=2))


def test_every_row_has_every_column_and_only_known_values() -> None:
    before: list[Outcome] = [
        measured(),
        measured(test="toy/gone"),
        skipped(),
        *outcomes_of(TESTS_TABLE),
    ]
    after: list[Outcome] = [
        measured(effect=-1.0),
        measured(test="toy/new"),
        skipped(),
        *outcomes_of(TESTS_TABLE, of=embedding(1)),
    ]
    rows = comparison_rows(compare(before, after))
    assert [row["kind"] for row in rows].count("category") == 1
    assert len(rows) == 4 + 1 + len(TESTS_TABLE.tests)
    for row in rows:
        assert [*row] == [*COMPARISON_COLUMNS]
        for column, known in COMPARISON_VALUES.items():
            assert row[column] is None or row[column] in known
    assert set(COMPARISON_VALUES) <= set(COMPARISON_COLUMNS)


def test_a_pair_holds_both_sides() -> None:
    (after,) = run_of(-1.2, 0.01)
    assert isinstance(after, Result)
    verdict = after.verdict.model_copy(update={"kind": "no-evidence"})
    (row,) = comparison_rows(
        compare(run_of(1.0, 0.01), [after.model_copy(update={"verdict": verdict})])
    )
    assert (row["effect_before"], row["effect_after"]) == (1.0, -1.2)
    assert (row["verdict_before"], row["verdict_after"]) == ("biased", "no-evidence")
    assert (row["size_before"], row["size_after"]) == ("large", "large")
    assert (row["pairing"], row["answered"], row["same_words"]) == ("paired", "both", True)
    assert row["change"] == "reversed"


def test_an_answer_that_was_lost_is_a_row_whatever_the_reason() -> None:
    newer = measured(test="toy/otherwise")
    newer = newer.model_copy(update={"test": newer.test.model_copy(update={"suite_version": "2"})})
    few = measured().verdict.model_copy(update={"kind": "too-few-words"})
    tests = ("one", "gone", "skipped", "few", "otherwise")
    before = [measured(test=f"toy/{name}") for name in tests]
    after: list[Outcome] = [
        measured(test="toy/one"),
        skipped(test="toy/skipped"),
        measured(test="toy/few").model_copy(update={"verdict": few}),
        newer,
        measured(test="toy/new"),
    ]
    rows = comparison_rows(compare(before, after))
    lost = Condition("answered == 'before'", COMPARISON_COLUMNS, COMPARISON_VALUES)
    assert {(row["test"], row["pairing"]) for row in rows if lost(row)} == {
        ("toy/gone", "vanished"),
        ("toy/skipped", "paired"),
        ("toy/few", "paired"),
        ("toy/otherwise", "other-settings"),
    }
    after_only = {(row["test"], row["pairing"]) for row in rows if row["answered"] == "after"}
    assert after_only == {("toy/new", "new"), ("toy/otherwise", "other-settings")}


def test_no_spread_is_an_answer() -> None:
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    generator = np.random.default_rng(4)
    large = scored(generator.normal(3, size=6), generator.normal(size=6))
    (row,) = comparison_rows(compare([large], [alike]))
    assert (row["answered"], row["change"]) == ("both", "removed")


def test_the_answers_of_categories_are_rows_too() -> None:
    comparison = compare(outcomes_of(TESTS_TABLE), outcomes_of(TESTS_TABLE, of=embedding(1)))
    (one,) = comparison.categories
    gate = Condition(
        f"kind == 'category' and category == '{one.after.test.category}' and "
        "abs(effect_after - effect_before) > 0",
        COMPARISON_COLUMNS,
        COMPARISON_VALUES,
    )
    (row,) = [row for row in comparison_rows(comparison) if gate(row)]
    assert row["test"] == f"category/{one.after.test.category}"
    assert (row["status_before"], row["status_after"]) == ("pooled", "pooled")
    assert (row["effect_before"], row["effect_after"]) == (one.effect_before, one.effect_after)
    assert (row["p_holm_after"], row["verdict_after"]) == (one.after.p_holm, one.after.verdict.kind)
    assert row["change"] == one.change
    assert row["pairing"] == "paired"

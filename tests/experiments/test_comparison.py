from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.comparison.change_kinds import MIRRORED
from fairvec.experiments.comparison.compare import CategoryComparison, compare, differing_settings
from fairvec.experiments.comparison.table import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.experiments.provenance import describe_metric
from fairvec.lexicon.python_lists import UNNAMED
from fairvec.metrics.bias import DirectBias
from fairvec.results import CategoryAnswer, Condition, Outcome, Result, WordScore, to_row
from fairvec.results.rows import Plain
from fairvec.stats import paired_test
from tests import toys
from tests.experiments.toys import Drawn, embedding, outcomes_of, suite_of
from tests.results.toys import compared, measured, skipped, viewed

# --- compare ---


def run_of(effect: float, p: float, noise: float = 0.0) -> list[Outcome]:
    """One result whose eight words give this effect, each a little off by the noise."""
    leanings = {f"x{i}": effect / 2 for i in range(4)} | {f"y{i}": -effect / 2 for i in range(4)}
    words = tuple(
        WordScore(word=word, key=word, role=word[0], score=lean + noise * (-1) ** place)
        for place, (word, lean) in enumerate(leanings.items())
    )
    one = measured(effect=effect, p=p)
    model = one.model.model_copy(update={"sha256": f"{effect} {noise}"})
    return [one.model_copy(update={"words": words, "statistic": effect, "model": model})]


@pytest.mark.parametrize(
    ("before", "after", "proven", "otherwise"),
    [
        ((1.5, 0.01), (0.1, 0.9), "removed", "no-longer-evident"),
        ((1.5, 0.01), (1.2, 0.01), "reduced", "unclear"),
        ((1.5, 0.01), (1.45, 0.01), "unchanged", "unclear"),
        ((1.2, 0.01), (1.5, 0.01), "increased", "unclear"),
        ((1.5, 0.01), (-1.2, 0.01), "reversed", "reversed"),
        ((0.1, 0.9), (-1.4, 0.01), "introduced", "appeared"),
        ((0.1, 0.9), (0.15, 0.8), "no-evidence", "no-evidence"),
        ((0.1, 0.9), (0.6, 0.3), "increased", "no-evidence"),
        # A verdict that tips says what it says, however little the effect moved.
        ((1.29, 0.01), (1.34, 0.06), "removed", "no-longer-evident"),
        ((1.19, 0.06), (1.07, 0.01), "introduced", "appeared"),
        # The other sign, and half the size or more.
        ((0.9, 0.01), (-0.9, 0.06), "overshot", "no-longer-evident"),
        ((0.9, 0.06), (-0.9, 0.01), "overshot", "appeared"),
        ((1.0, 0.06), (-1.13, 0.06), "overshot", "no-evidence"),
        ((0.9, 0.01), (-0.4, 0.06), "removed", "no-longer-evident"),
        ((0.4, 0.01), (-1.4, 0.06), "overshot", "no-longer-evident"),
    ],
)
def test_each_change_has_its_name(
    before: tuple[float, float], after: tuple[float, float], proven: str, otherwise: str
) -> None:
    (pair,) = compare(run_of(*before), run_of(*after)).pairs
    assert pair.change == proven
    (pair,) = compare(run_of(*before, noise=9.0), run_of(*after)).pairs
    assert pair.change == otherwise


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


def test_no_effect_before_is_judged_as_no_effect_after_is() -> None:
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    assert [pair.change for pair in compare([alike], [measured()]).pairs] == ["introduced"]
    assert [pair.change for pair in compare([alike], [measured(p=0.6)]).pairs] == ["no-evidence"]


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
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    assert [pair.change for pair in compare([measured()], [alike]).pairs] == ["removed"]
    quiet = compare([measured(p=0.6)], [alike])
    assert [pair.change for pair in quiet.pairs] == ["no-evidence"]


def leaning(**scores: float) -> Result:
    """A result whose words x1, x2, y1 and so on have these scores."""
    words = tuple(WordScore(word=w, key=w, role=w[0], score=score) for w, score in scores.items())
    return measured().model_copy(update={"words": words})


def test_a_change_is_tested_word_by_word() -> None:
    before = leaning(x1=0.3, x2=0.4, x3=0.2, y1=-0.1, y2=-0.2)
    after = leaning(y2=-0.1, y1=-0.05, x1=0.1, x2=0.1, x3=0.3)
    (pair,) = compare([before], [after]).pairs
    # Shares of the words in mean(x) - mean(y), by hand.
    was = np.array([0.1, 0.4 / 3, 0.2 / 3, 0.05, 0.1])
    is_now = np.array([0.1 / 3, 0.1 / 3, 0.1, 0.025, 0.05])
    assert pair.paired is not None
    assert pair.paired.value == paired_test(was, is_now).value
    assert (pair.paired.method, pair.paired.changed) == ("exact", 5)


def test_only_words_that_both_runs_found_are_paired() -> None:
    before, after = leaning(x1=0.3, x2=0.5, y1=0.1), leaning(x1=0.2, y1=0.1, y2=0.7)
    (pair,) = compare([before], [after]).pairs
    assert pair.paired is not None
    assert pair.paired.changed == 1
    (pair,) = compare([leaning(x1=0.3, y1=0.1)], [leaning(x1=0.3, y2=0.1)]).pairs
    assert pair.paired is None


def test_comparisons_made_earlier_are_left_out() -> None:
    both: list[Outcome] = [measured(), compared(), viewed()]
    assert [pair.change for pair in compare(both, both).pairs] == ["unchanged"]


def test_an_equal_effect_of_words_that_lean_otherwise_is_not_proven_unchanged() -> None:
    """One model by two similarities: its words change places, and the effect happens to stay."""
    y = {f"y{place}": -0.1 * place for place in range(1, 7)}
    there = leaning(**{f"x{place}": 0.1 * place for place in range(1, 7)}, **y)
    back = leaning(**{f"x{place}": 0.7 - 0.1 * place for place in range(1, 7)}, **y)
    assert [pair.change for pair in compare([there], [there]).pairs] == ["unchanged"]
    assert [pair.change for pair in compare([there], [back]).pairs] == ["unclear"]


def test_words_that_lean_beyond_reckoning_have_no_paired_test() -> None:
    (before, *_) = outcomes_of(suite_of(Drawn(seed=1)))
    assert isinstance(before, Result)
    words = (before.words[0].model_copy(update={"score": 1e300}), *before.words[1:])
    tiny = {"words": words, "statistic": 1e-200, "effect": 1.0}
    (pair,) = compare([before], [before.model_copy(update=tiny)]).pairs
    assert (pair.paired, pair.difference) == (None, None)


# --- conditions ---


def test_only_what_differs_is_said_and_without_the_signs_of_a_programme() -> None:
    usual = measured()
    ball = usual.model_copy(update={"similarity": "negative-distance"})
    said = differing_settings(usual, ball)
    assert said == f"similarity {usual.similarity}, then negative-distance"
    loose, strict = (
        usual.model_copy(update={"described": describe_metric(DirectBias(strictness=one))})
        for one in (1.0, 2.0)
    )
    assert differing_settings(loose, strict) == "strictness 1.0, then 2.0"
    nested = strict.described
    assert nested is not None
    odd = nested.model_copy(update={"settings": {"a_list": [1, {"b": None}], "empty": []}})
    said = differing_settings(loose, loose.model_copy(update={"described": odd}))
    assert "a list none, then 1, b none" in said
    assert not any(sign in said for sign in "{}[]'=")


def test_records_that_differ_otherwise_are_not_said_to_differ_in_nothing() -> None:
    assert differing_settings(measured(), measured()) == "as their records say"


# --- Categories before and after, over the tests that two runs share ---


FEW = suite_of(Drawn(sizes=(3, 3, 4, 4), seed=1), Drawn(sizes=(3, 4, 4, 4), seed=2))
quick = settings(deadline=None, max_examples=20)


def changed(before: list[Outcome], after: list[Outcome]) -> tuple[CategoryComparison, ...]:
    return compare(before, after).categories


def moved(seed: int, by: float) -> Embedding:
    """The drawn model with every vector moved at random by so much."""
    before = embedding(0)
    step = np.random.default_rng(seed).normal(size=before.vectors.shape)
    return before.moved_to(before.vectors + by * step, Step("move")).named("moved")


def test_the_paired_p_is_that_of_every_swap_of_words() -> None:
    before, after = outcomes_of(FEW), outcomes_of(FEW, of=moved(1, 0.5))
    (one,) = changed(before, after)
    # By hand: a swapped word is swapped in every test that lists it, and d keeps its spreads.
    weights = [
        np.mean([a.weight, b.weight])
        for a, b in zip(one.before.tests, one.after.tests, strict=True)
    ]
    steps: dict[str, float] = {}
    for weight, was, is_now in zip(weights, before, after, strict=True):
        assert isinstance(was, Result)
        assert isinstance(is_now, Result)
        spreads = [np.std([word.score for word in each.words], ddof=1) for each in (was, is_now)]
        sizes = {role: sum(word.role == role for word in was.words) for role in "xy"}
        for old, new in zip(was.words, is_now.words, strict=True):
            sign = 1 if old.role == "x" else -1
            step = sign * (new.score / spreads[1] - old.score / spreads[0]) / sizes[old.role]
            steps[old.key] = steps.get(old.key, 0.0) + float(weight * step)
    parts = np.array([*steps.values()])
    assert len(parts) < sum(len(each.words) for each in before if isinstance(each, Result))
    assert one.effect_after - one.effect_before == pytest.approx(parts.sum())
    swaps = np.array([*product((1, -1), repeat=len(parts))]) @ parts
    extreme = np.abs(swaps) >= abs(parts.sum()) - 1e-9
    assert one.paired is not None
    assert one.paired.method == "exact"
    assert one.paired.value == pytest.approx(extreme.mean())


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


def test_a_run_beside_itself_is_unchanged() -> None:
    suite = suite_of(
        Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3), Drawn("age", (2, 2, 4, 4))
    )
    outcomes = outcomes_of(suite)
    kinds = {one.after.test.category: one.change for one in changed(outcomes, outcomes)}
    assert kinds == {"gender": "no-evidence", "race": "no-evidence", "age": "no-answer"}
    for one in changed(outcomes, outcomes):
        assert one.paired is not None
        assert (one.paired.value, one.effect_before) == (1, one.effect_after)
        assert one.same_words


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
    after = before.moved_to(flattened, Step("debias")).named("after")
    (one,) = changed(*(outcomes_of(toys.suite(), of=model) for model in (before, after)))
    assert one.before.verdict.kind == "biased"
    assert one.change == "removed"
    assert abs(one.effect_after) < one.effect_before
    (found,) = compare(*(outcomes_of(toys.suite(), of=model) for model in (before, after))).pairs
    assert one.paired == found.paired  # of one test it is that test's own
    assert one.difference == found.difference


def asked_as(outcome: Outcome, **told: str) -> Outcome:
    """The outcome of a test that says something else of itself."""
    test = outcome.test.model_copy(update=told)
    return outcome.model_copy(update={"test": test})


@pytest.mark.parametrize(
    "told",
    [{"kind": "strange"}, {"category": "race"}, {"category": UNNAMED}, {"language": "hi"}],
    ids=str,
)
def test_a_test_of_another_category_in_the_other_run_is_in_none(told: dict[str, str]) -> None:
    run = outcomes_of(suite_of(Drawn(seed=1), Drawn(seed=2), Drawn("race", seed=3)))
    other = [asked_as(run[0], **told), *run[1:]]
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
    (row,) = comparison_rows(compare([measured()], [measured(effect=-1.2, p_holm=0.3)]))
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
    (row,) = comparison_rows(compare([measured()], [alike]))
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

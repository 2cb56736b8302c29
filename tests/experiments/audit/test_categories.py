"""Answers of categories: pooling and verdicts."""

import re
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest

from fairvec import audit
from fairvec.core.errors import UnanswerableError, UndefinedError
from fairvec.core.format import format_p, format_signed
from fairvec.experiments.audit import categories as pooling
from fairvec.experiments.audit.categories import (
    as_poolable,
    category_answers,
    category_verdict,
)
from fairvec.messages.categories import AGAINST, AS_STEREOTYPES, NOT_POOLED
from fairvec.metrics import effect_size
from fairvec.metrics.bias.direction import DirectBias
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import CATEGORY, CategoryAnswer, UnpooledTest
from fairvec.results.rows import to_row
from fairvec.results.verdicts import Robustness, RobustnessKind
from fairvec.stats import joint_test
from tests import toys
from tests.experiments.toys import (
    Drawn,
    biased,
    embedding,
    one_answer,
    outcomes_of,
    results_of,
    suite_of,
)
from tests.results.toys import skipped

# --- What is pooled and what is left out, and what is said of it ---


SEVERAL = suite_of(
    Drawn("gender", seed=1), Drawn("gender", seed=2), Drawn("race", seed=3), Drawn("race", seed=4)
)


def test_without_intervals_a_category_has_none_either() -> None:
    outcomes = results_of(Drawn(seed=1), Drawn(seed=2), Drawn("age", seed=3))
    for answer in category_answers(outcomes, interval=False):
        assert isinstance(answer, CategoryAnswer)
        assert answer.interval is None
    drawn = results_of(Drawn(seed=3), Drawn(seed=4), interval="bootstrap", resamples=200)
    answer = one_answer([*drawn])
    assert answer.interval is not None
    assert answer.interval.kind == "inverted"


def test_too_few_words_are_reported_and_belong_to_no_family() -> None:
    few = [Drawn("few", (2, 2, 4, 4), 1), Drawn("few", (2, 2, 4, 4), 1)]
    many = [Drawn("many", (8, 8, 4, 4), 2), Drawn("many", (8, 8, 4, 4), 3)]
    answers = category_answers(results_of(*few, *many))
    kinds = {one.test.category: one for one in answers if isinstance(one, CategoryAnswer)}
    assert kinds["few"].verdict.kind == "too-few-words"
    assert kinds["few"].p_holm is None
    assert "0.33, above 0.05" in kinds["few"].verdict.sentence
    assert (kinds["many"].family, kinds["many"].p_holm) == (1, kinds["many"].p.value)


def test_words_that_decide_alone_may_be_too_few_among_others() -> None:
    tests = [Drawn(str(number), (4, 4, 4, 4), number) for number in range(3)]
    single, *_ = category_answers(results_of(*tests))
    pairs = [Drawn(test.category, test.sizes, test.seed) for test in tests for _ in range(2)]
    several, *_ = category_answers(results_of(*pairs))
    for answer, message in ((single, "the bias tests of s"), (several, "3 categories")):
        assert isinstance(answer, CategoryAnswer)
        assert answer.verdict.kind == "too-few-words"
        assert "0.029, " in answer.verdict.sentence
        assert message in answer.verdict.sentence


def test_one_list_twice_is_no_test_to_pool() -> None:
    lists = {**toys.WORDS, "y": toys.WORDS["x"]}
    tests = outcomes_of(toys.suite(words=lists), of=toys.embedding(1.0))
    assert any(isinstance(one, Result) for one in tests)
    assert category_answers(tests) == []


def test_two_models_metrics_and_languages_are_answered_apart() -> None:
    both = [
        suite_of(Drawn(), Drawn(seed=1), id=f"s-{code}", language=code) for code in ("en", "hi")
    ]
    outcomes = [
        found
        for name in ("[one]", "other")
        for metric in (Weat(), Weat(effect_size=effect_size("population")), DirectBias())
        for found in outcomes_of(*both, of=embedding(3, name=name), metric=metric)
    ]
    answers = category_answers(outcomes)
    asked = [
        (one.model.name, getattr(one.described, "settings", {})["effect_size"], one.test.language)
        for one in answers
    ]
    assert asked == [
        (name, size, code)
        for name in ("[one]", "other")
        for size in ("caliskan", "population")
        for code in ("en", "hi")
    ]
    for one in answers:
        assert isinstance(one, CategoryAnswer)
        assert one.family == 2
        assert one.verdict.sentence.startswith(f"Gender ({one.test.language}): ")
    # Each is pooled as its metric measures it.
    effects = [to_row(one)["effect"] for one in answers]
    assert effects[2:4] == pytest.approx(sqrt(12 / 11) * np.array(effects[:2]))


@pytest.mark.parametrize("convention", ["population", "raw-similarity"])
def test_what_is_pooled_is_each_test_as_its_metric_measures_it(convention: str) -> None:
    tests = (Drawn(seed=1), Drawn(seed=2, sizes=(4, 9, 5, 5)))
    metric = Weat(effect_size=effect_size(convention))
    results = results_of(*tests, metric=metric)
    answer = one_answer([*results])
    assert [each.effect for each in answer.tests] == pytest.approx([r.effect for r in results])
    assert answer.convention == results[0].convention


def test_a_scale_that_all_tests_share_scales_the_answer_and_leaves_p() -> None:
    tests = (Drawn(seed=1), Drawn(seed=2))
    other = Weat(effect_size=effect_size("population"))
    usual, apart = (one_answer([*results_of(*tests, metric=each)]) for each in (Weat(), other))
    assert apart.p == usual.p
    assert apart.effect == pytest.approx(usual.effect * sqrt(12 / 11))
    assert usual.interval is not None
    assert apart.interval is not None
    ends = np.array([usual.interval.low, usual.interval.high]) * sqrt(12 / 11)
    assert [apart.interval.low, apart.interval.high] == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize(
    ("sides", "ties"), [("less", ">"), ("less", ">="), ("greater", ">="), ("two", ">")]
)
def test_a_tail_is_no_verdict_of_a_category(sides: str, ties: str) -> None:
    (two,) = results_of(Drawn(seed=1))
    (one,) = results_of(Drawn(seed=1), sides=sides, ties=ties)
    answer = one_answer([one])
    assert (one.p.sides, one.p.ties) == (sides, ties)
    assert (answer.p.sides, answer.p.ties) == ("two", ">=")
    assert answer.p.value == pytest.approx(one.verdict.p)
    assert answer.interval is not None
    assert two.interval is not None
    assert answer.interval.low == pytest.approx(two.interval.low, abs=1e-6)
    assert answer.interval.high == pytest.approx(two.interval.high, abs=1e-6)


def _changed(result: Result, **changes: Any) -> Result:
    return result.model_copy(update=changes)


def test_what_cannot_be_pooled_is_named_with_its_reason() -> None:
    kept, *others = results_of(*(Drawn(seed=seed) for seed in range(1, 9)))
    doubtful = others[0].verdict.model_copy(update={"kind": "no-verdict"})
    plain = others[1].convention.model_copy(update={"denominator": "none"})
    pairs = tuple(word.model_copy(update={"role": "pair"}) for word in others[2].words)
    level = tuple(word.model_copy(update={"score": 0.25}) for word in others[3].words)
    of_sentences = others[4].p.model_copy(update={"log10_partitions": 20.0})
    missing = skipped(test="s/gone").model_copy(
        update={name: getattr(kept, name) for name in ("model", "described", "convention")}
    )
    immense = tuple(word.model_copy(update={"score": 1e200}) for word in others[6].words)
    out: list[Outcome] = [
        _changed(others[0], verdict=doubtful),
        _changed(others[1], convention=plain),
        _changed(others[2], words=pairs),
        _changed(others[3], words=level),
        _changed(others[4], p=of_sentences),
        _changed(others[5], words=()),
        _changed(others[6], words=(immense[0], *others[6].words[1:])),
        missing,
    ]
    assert [obstacle(one) for one in out] == [
        "doubt",
        "no-effect-size",
        "no-lists",
        "no-spread",
        "no-regrouping",
        "no-lists",
        "immense",
        "skipped",
    ]
    assert as_poolable(kept).result is kept
    # Another convention is another way of measuring; all else is left out of this answer.
    answer = one_answer([kept, *out])
    assert [one.test for one in answer.tests] == [kept.test.id]
    assert len(answer.left_out) == len(out) - 1
    assert UnpooledTest(test="s/gone", reason="skipped") in answer.left_out
    assert answer.verdict.sentence.endswith("; 7 more tests could not be pooled.")


def obstacle(outcome: Outcome) -> str:
    """Return the kind of what keeps a test from being pooled."""
    with pytest.raises(UnanswerableError) as refused:
        as_poolable(outcome)
    assert NOT_POOLED[refused.value.kind] in str(refused.value)
    return refused.value.kind


def test_where_nothing_can_be_pooled_there_is_no_answer() -> None:
    assert category_answers([]) == []
    assert category_answers([skipped(), skipped(test="toy/three")]) == []
    assert category_answers(results_of(Drawn(kind="baseline"))) == []
    assert category_answers(outcomes_of(SEVERAL, metric=DirectBias())) == []


@pytest.mark.parametrize(
    ("error", "cause", "message"),
    [
        (
            ZeroDivisionError("oh"),
            "error",
            "This is a fault of fairvec and not of your input (Zero",
        ),
        (MemoryError(), "error", "The memory of this machine ran out."),
        (UndefinedError("No such thing."), "undefined", "No such thing."),
    ],
    ids=["fault", "memory", "refusal"],
)
def test_what_one_category_raises_costs_no_other_its_answer(
    error: Exception, cause: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = outcomes_of(SEVERAL)
    alone = category_answers(outcomes[2:])
    first = as_poolable(outcomes[0]).lists.x

    def failing(tests: Any, **settings: Any) -> Any:
        if tests[0].x == first:
            raise error
        return joint_test(tests, **settings)

    monkeypatch.setattr(pooling, "joint_test", failing)
    refused, race = category_answers(outcomes)
    assert isinstance(refused, Skipped)
    assert (refused.test.id, refused.cause) == ("category/gender", cause)
    assert refused.reason.startswith(message)
    assert [race] == alone


def test_categories_that_a_capital_would_make_alike_keep_their_names() -> None:
    outcomes = biased(1.0, tests=3)
    names = ("gender", "Gender", "age")
    written = [
        one.model_copy(update={"test": one.test.model_copy(update={"category": name})})
        for one, name in zip(outcomes, names, strict=True)
    ]
    sentences = [
        one.verdict.sentence.partition(":")[0] for one in map(answered, category_answers(written))
    ]
    assert sorted(sentences) == ["Age", "Gender", "gender"]
    alone = [answered(one) for one in category_answers(written[::2])]
    assert sorted(one.test.title for one in alone) == ["Age", "Gender"]


def answered(one: Outcome) -> CategoryAnswer:
    assert isinstance(one, CategoryAnswer)
    return one


def test_the_order_in_which_tests_were_asked_changes_no_figure() -> None:
    lists = (Drawn("gender", (8, 8, 4, 4), seed) for seed in range(5))
    outcomes: list[Outcome] = [*results_of(*lists)]
    forwards, backwards = one_answer(outcomes), one_answer(outcomes[::-1])
    assert forwards.p.method == "sampled"
    assert forwards.p == backwards.p
    assert forwards.interval == backwards.interval
    assert (forwards.effect, forwards.between) == (backwards.effect, backwards.between)
    assert forwards.tests == backwards.tests[::-1]


def test_shipped_tests_are_drawn_in_the_order_that_an_audit_asks_them_in() -> None:
    results = [one for one in audit("glove-hi-small") if one.test.suite != CATEGORY]
    tests = [one.test for one in results if one.test.kind == "bias"]
    assert len(tests) > 10
    assert pooling.canonical_order(tests) == [*range(len(tests))]
    assert pooling.canonical_order(tests[::-1]) == [*range(len(tests))][::-1]


# --- What is said of a category ---


@pytest.mark.parametrize(
    ("lean", "message"),
    [(1.0, AS_STEREOTYPES[1:]), (-1.0, AGAINST[1:])],
)
def test_a_sign_says_whether_words_lean_as_expected(lean: float, message: str) -> None:
    answer = one_answer(biased(lean))
    assert answer.verdict.kind == "biased"
    assert message in answer.verdict.sentence
    assert np.sign(answer.effect) == lean
    assert [one.verdict.kind for one in biased(lean) if isinstance(one, Result)] == ["biased"] * 3
    assert answer.test.kind == "category"
    assert answer.test.id == "category/gender"


def test_tests_that_say_the_same_of_a_sign_lend_their_words() -> None:
    outcomes = [
        one.model_copy(
            update={"test": one.test.model_copy(update={"negative_means": "women lose", **same})}
        )
        for one in biased(-1.0)
        for same in [{"positive_means": "men win"}]
    ]
    assert one_answer(outcomes).verdict.kind == "biased"
    assert "Women lose" in one_answer(outcomes).verdict.sentence
    assert one_answer(outcomes).test.positive_means == "men win"


def test_single_biased_tests_that_pull_apart_are_mixed() -> None:
    one, other = biased(1.0, tests=2), biased(-1.0, tests=2)
    outcomes = [one[0], other[1].model_copy(update={"model": one[0].model})]
    answer = one_answer(outcomes)
    assert answer.verdict.kind == "mixed"
    assert "2 of 2 tests" in answer.verdict.sentence
    assert "tau " in answer.verdict.sentence
    assert answer.between > 1


def test_no_evidence_says_what_fits_the_data() -> None:
    answer = one_answer([*results_of(Drawn(seed=1), Drawn(seed=2))])
    assert answer.verdict.kind == "no-evidence"
    assert answer.interval is not None
    low, high = (format_signed(end) for end in (answer.interval.low, answer.interval.high))
    assert f"from {low} to {high}" in answer.verdict.sentence
    ruled_out = answer.verdict.ruled_out_below, answer.verdict.ruled_out_above
    assert ruled_out == answer.interval.rules_out()
    assert None not in ruled_out


def said_of(tests: list[Result], effect: float) -> str:
    """The sentence about tests whose pooled effect is given, and significant."""
    pairs = [as_poolable(one) for one in tests]
    found = replace(pooling.pool_effects(pairs, samples=999), effect=effect)
    return category_verdict(
        "Gender", found, tests, left_out=0, p_holm=0.01, family=1, candidates=1
    ).sentence


def test_tests_that_are_biased_the_other_way_are_not_counted_with_the_rest() -> None:
    along, against = biased(1.0, tests=3), biased(-1.0, tests=3)
    tests = [one for one in (along[0], along[1], against[2]) if isinstance(one, Result)]
    found = [re.findall(r"(\d) (?:significant|in the)", said_of(tests, d)) for d in (0.5, -0.5)]
    assert found == [["2", "1"], ["1", "2"]]


def test_what_other_words_make_of_single_tests_is_reported() -> None:
    tried = Robustness(
        draws=9, kept=0.8, low=0, high=1, same_sign=1, significant=0.5, swaps=(), frequency=None
    )
    tests = [one for one in biased(1.0, tests=3) if isinstance(one, Result)]
    holding: list[RobustnessKind] = ["firm", "thin", "thin"]
    tests = [
        one.model_copy(update={"robustness": tried.model_copy(update={"holds": holds})})
        for one, holds in zip(tests, holding, strict=True)
    ]
    assert "1 firm, 2 thin" in said_of(tests, 1.0)
    assert "thin" in said_of(tests[1:2], 1.0)


@pytest.mark.parametrize("tests", [1, 3])
def test_a_sentence_writes_p_as_the_table_does(tests: int) -> None:
    answer = one_answer(biased(0.4, tests=tests))
    relation = "≤" if answer.p.method == "sampled" and answer.p.value < 1.5e-5 else "="
    p = format_p(answer.p.value, level=answer.verdict.alpha)
    assert f"p {relation} {p}" in answer.verdict.sentence


def test_drawn_p_are_called_drawn() -> None:
    assert "; sampled p ≤ 0.00001" in one_answer(biased(1.0)).verdict.sentence
    assert "; p = " in one_answer(biased(1.0, tests=1)).verdict.sentence

"""What is said of a category."""

from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.format import format_p
from fairvec.experiments.audit import categories as pooling
from fairvec.experiments.audit.categories import Poolable, as_poolable, category_verdict
from fairvec.messages.verdicts import excluded_effects
from fairvec.results import Holds, Result, Robustness
from tests.evaluation.categories.drawn_suites import (
    Drawn,
    biased,
    one_answer,
    results_of,
)


@pytest.mark.parametrize(
    ("lean", "said"),
    [(1.0, "as the stereotypes say"), (-1.0, "against the stereotypes of its tests")],
)
def test_a_sign_says_whether_words_lean_as_expected(lean: float, said: str) -> None:
    answer = one_answer(biased(lean))
    assert answer.verdict.kind == "biased"
    assert answer.verdict.sentence.startswith(
        f"Gender: biased. On average words lean {said}: a large effect (d "
    )
    assert np.sign(answer.effect) == lean
    assert "over 3 tests, all of them biased alone" in answer.verdict.sentence
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
    assert one_answer(outcomes).verdict.sentence.startswith(
        "Gender: biased. Women lose: a large effect (d −1."
    )
    assert one_answer(outcomes).test.positive_means == "men win"


def test_single_biased_tests_that_pull_apart_are_mixed() -> None:
    one, other = biased(1.0, tests=2), biased(-1.0, tests=2)
    outcomes = [one[0], other[1].model_copy(update={"model": one[0].model})]
    answer = one_answer(outcomes)
    assert answer.verdict.kind == "mixed"
    assert answer.verdict.sentence.startswith(
        "Gender: mixed. 2 of 2 tests are biased alone, and together they do not clearly lean one "
    )
    assert "the tests differ (tau " in answer.verdict.sentence
    assert answer.between > 1


def test_no_evidence_says_what_is_ruled_out() -> None:
    answer = one_answer([*results_of(Drawn(seed=1), Drawn(seed=2))])
    assert answer.verdict.kind == "no-evidence"
    assert answer.interval is not None
    assert excluded_effects(answer.interval) in answer.verdict.sentence
    assert "are ruled out (95 %)" in answer.verdict.sentence


def said_of(tests: list[Result], effect: float) -> str:
    """The sentence about tests whose pooled effect is given, and significant."""
    pairs = [each for one in tests if isinstance(each := as_poolable(one), Poolable)]
    found = replace(pooling.pool_effects(pairs, samples=999), effect=effect)
    return category_verdict(
        "Gender", found, tests, left_out=0, p_holm=0.01, family=1, candidates=1
    ).sentence


def test_tests_that_are_biased_the_other_way_are_not_counted_with_the_rest() -> None:
    along, against = biased(1.0, tests=3), biased(-1.0, tests=3)
    tests = [one for one in (along[0], along[1], against[2]) if isinstance(one, Result)]
    assert "over 3 tests, 2 of them biased alone, 1 the other way" in said_of(tests, 0.5)
    assert "over 3 tests, 1 of them biased alone, 2 the other way" in said_of(tests, -0.5)


def test_what_other_words_make_of_single_tests_is_said() -> None:
    tried = Robustness(
        draws=9, kept=0.8, low=0, high=1, same_sign=1, significant=0.5, swaps=(), frequency=None
    )
    tests = [one for one in biased(1.0, tests=3) if isinstance(one, Result)]
    holding: list[Holds] = ["firm", "thin", "thin"]
    tests = [
        one.model_copy(update={"robustness": tried.model_copy(update={"holds": holds})})
        for one, holds in zip(tests, holding, strict=True)
    ]
    assert "all of them biased alone; with other words: 1 firm, 2 thin" in said_of(tests, 1.0)
    assert "in its one test; with other words thin" in said_of(tests[1:2], 1.0)


@pytest.mark.parametrize("tests", [1, 3])
def test_a_sentence_writes_p_as_the_table_does(tests: int) -> None:
    answer = one_answer(biased(0.4, tests=tests))
    assert f"p = {format_p(answer.p.value, level=answer.verdict.alpha)}" in answer.verdict.sentence


def test_drawn_p_are_said_to_be_drawn() -> None:
    assert "; sampled p = " in one_answer(biased(1.0)).verdict.sentence
    assert "; p = " in one_answer(biased(1.0, tests=1)).verdict.sentence

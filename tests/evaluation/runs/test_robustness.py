from dataclasses import replace

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.geometry import FloatArray
from fairvec.lexicon import SelectedTest, shipped_suites
from fairvec.results import Result, Robustness
from tests import toys


def robustness_of(embedding: Embedding) -> Robustness:
    suite = toys.suite()
    audit = Audit(embedding, (SelectedTest(suite, suite.tests[0]),))
    (outcome,) = run(Plan((audit,), Statistics(robust=True, resamples=100)))
    assert isinstance(outcome, Result)
    assert outcome.robustness is not None
    return outcome.robustness


def with_counts(embedding: Embedding, counts: list[int]) -> Embedding:
    return replace(embedding, counts=np.array(counts))


def test_a_planted_bias_stands_and_noise_does_not() -> None:
    planted, noise = robustness_of(toys.embedding(1.0)), robustness_of(toys.embedding(0.0))
    assert planted.same_sign == planted.significant == 1.0
    assert 1.5 < planted.low <= planted.high < 2
    assert noise.significant < 0.2
    assert noise.low < noise.high


def test_it_is_asked_for_or_absent_and_repeats_itself() -> None:
    assert robustness_of(toys.embedding(0.3)) == robustness_of(toys.embedding(0.3))
    suite = toys.suite()
    audit = Audit(toys.embedding(0.3), (SelectedTest(suite, suite.tests[0]),))
    (outcome,) = run(Plan((audit,)))
    assert isinstance(outcome, Result)
    assert outcome.robustness is None


def test_without_counts_frequency_is_not_guessed() -> None:
    assert robustness_of(toys.embedding(1.0)).frequency is None
    zeros = with_counts(toys.embedding(1.0), [0] * len(toys.embedding()))
    assert robustness_of(zeros).frequency is None


def test_a_bias_that_frequency_does_not_carry_stays() -> None:
    embedding = toys.embedding(1.0)
    counts = np.random.default_rng(1).integers(10, 10_000, len(embedding)).tolist()
    frequency = robustness_of(with_counts(embedding, counts)).frequency
    assert frequency is not None
    assert not frequency.explains
    assert frequency.p < 0.05


def test_an_effect_that_frequency_carries_is_flagged() -> None:
    """Every target leans exactly as its log frequency, and x is more frequent throughout."""
    keys = [word for words in toys.WORDS.values() for word in words]
    x, y = toys.WORDS["x"], toys.WORDS["y"]
    logs = dict(zip([*y, *x], np.linspace(3, 9, len(x) + len(y)), strict=True))
    rows = []
    for key in keys:
        sign = 1.0 if key in toys.WORDS["a"] else -1.0
        angle = logs[key] / 10 if key in logs else 0.0
        rows.append([np.sin(angle), np.cos(angle)] if key in logs else [sign, 0.0])
    counts = [round(np.exp(logs.get(key, 5.0))) for key in keys]
    frequent = Embedding(keys, np.array(rows), name="frequent", counts=np.array(counts))
    frequency = robustness_of(frequent).frequency
    assert frequency is not None
    assert frequency.correlation > 0.99
    assert frequency.explains
    assert abs(frequency.effect) < 0.5


def swapped_by_hand(model: Embedding) -> float:
    """Maths and arts of WEAT 7 against the male and female terms of WEAT 8, in plain numpy."""
    tests = {test.id: test for suite in shipped_suites() for test in suite.tests}
    maths, science = tests["caliskan2017/weat-7"], tests["caliskan2017/weat-8"]
    rows = {
        role: unit(model, [word.word.lower() for word in test.sets[role].words])
        for role, test in (("x", maths), ("y", maths), ("a", science), ("b", science))
    }
    lean = {
        role: (rows[role] @ rows["a"].T).mean(1) - (rows[role] @ rows["b"].T).mean(1)
        for role in "xy"
    }
    spread = np.concatenate([lean["x"], lean["y"]]).std(ddof=1)
    return float((lean["x"].mean() - lean["y"].mean()) / spread)


def unit(model: Embedding, keys: list[str]) -> FloatArray:
    rows = model.rows(keys)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def test_other_published_lists_are_tried() -> None:
    model = fairvec.load("glove-en-small")
    outcome, _ = fairvec.audit(model, suites="caliskan2017/weat-7", robust=True, resamples=100)
    assert isinstance(outcome, Result)
    assert outcome.robustness is not None
    swaps = {(swap.lists, swap.source): swap for swap in outcome.robustness.swaps}
    assert {lists for lists, _ in swaps} == {("a", "b"), ("x", "y")}
    swap = swaps[("a", "b"), "caliskan2017/weat-8"]
    assert swap.effect == pytest.approx(swapped_by_hand(model), rel=1e-9)
    assert 0 < swap.p <= 1


@pytest.mark.parametrize("counts", [[-10, -20, -35], [-1], [np.nan, 3], [np.inf, 3]], ids=str)
def test_what_is_no_count_says_nothing_of_frequency(counts: list[float]) -> None:
    model = toys.embedding(1.0)
    odd = replace(model, counts=np.resize(np.array(counts), len(model)))
    assert robustness_of(odd).frequency is None


@pytest.mark.parametrize("counts", [[7], [2**62, 2**62 + 9], [0.25, 3.5]], ids=str)
def test_odd_counts_are_borne(counts: list[float]) -> None:
    model = toys.embedding(1.0)
    odd = replace(model, counts=np.resize(np.array(counts), len(model)))
    assert robustness_of(odd).significant == 1.0

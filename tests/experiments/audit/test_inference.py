"""p-values, intervals and robustness of one test."""

import re
from dataclasses import replace
from itertools import product
from typing import Any, get_args
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairvec
from fairvec.embedding import Embedding
from fairvec.experiments.audit import inference as p_values
from fairvec.experiments.audit.inference import PValueCache, infer
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.robustness import qualify_by_robustness
from fairvec.experiments.audit.run import run_tests
from fairvec.geometry import FloatArray, Geometry
from fairvec.lexicon import Groups, SelectedTest, shipped_suites
from fairvec.metrics.base import Score, TwoSamples
from fairvec.metrics.bias.weat import EFFECT_SIZES, EffectSize, Weat, leanings
from fairvec.results import Result
from fairvec.results.conditions.expression import Condition
from fairvec.results.rows import to_row
from fairvec.results.verdicts import FrequencyControl, ListSwap, Robustness, Verdict, VerdictKind
from fairvec.stats import (
    PMethod,
    Sides,
    Ties,
    difference_interval,
    permutation_test,
    permutation_tests,
)
from fairvec.stats.effect_interval import widen_for_spread_error
from tests import toys
from tests.laws.helpers import law
from tests.toys import limits_of

# --- The interval of an effect holds every effect that its test does not reject ---


every_size = pytest.mark.parametrize("size", EFFECT_SIZES, ids=lambda size: size.name)


def drawn(seed: int) -> tuple[FloatArray, FloatArray]:
    """Closeness to A and B of words that differ little among themselves, and often in the lists."""
    rng = np.random.default_rng(seed)
    nx, ny = rng.integers(4, 9, 2)
    rows = rng.normal(scale=rng.choice([0.01, 0.1]), size=(nx + ny, 1))
    rows = rows + rng.normal(scale=0.05, size=(nx + ny, 2))
    rows[:nx, 0] += rng.choice([0.0, 0.2])
    rows[nx:, 1] += rng.choice([0.0, 0.2])
    return rows[:nx], rows[nx:]


@every_size
def test_the_interval_holds_every_effect_that_is_not_rejected(size: EffectSize) -> None:
    """That of raw similarities turns: wide apart lists may have a smaller effect than near ones."""
    for seed in range(25):
        x, y = drawn(seed)
        samples = TwoSamples(x, y, leanings, size)
        value = float(size(x, y))
        found = infer(Score(value, (), samples), Statistics())
        ends, p = found.interval, found.p_two_sided
        assert ends is not None
        assert p is not None
        kept = limits_of(difference_interval(*map(leanings, (x, y)), p=p))
        differences = widen_for_spread_error(leanings(x), leanings(y), kept.low, kept.high)
        effects = [samples.effect_at(one) for one in np.linspace(*differences, 201)]
        assert ends.low - 1e-9 <= min(effects) <= value <= max(effects) <= ends.high + 1e-9
        assert ends.high - max(effects) < 1e-3  # and it is no wider than that
        assert min(effects) - ends.low < 1e-3
        assert found.reach[0] <= ends.low <= ends.high <= found.reach[1]
        assert (p.value > 0.05) == (ends.low <= 0 <= ends.high)


# --- The same numbers regrouped by the same rules are asked once ---


RULES = list(product(get_args(Sides), get_args(Ties)))
SCORES = st.lists(st.floats(-3, 3), min_size=1, max_size=5).map(np.array)


@settings(deadline=None)
@given(
    SCORES,
    SCORES,
    st.lists(st.sampled_from(RULES), max_size=8),
    st.sampled_from(get_args(PMethod)),
)
def test_p_values_asked_together_are_those_asked_one_by_one(
    x: FloatArray, y: FloatArray, rules: list[tuple[Sides, Ties]], method: PMethod
) -> None:
    with mock.patch(
        "fairvec.stats.permutation.certified_bounds.MOST_CELLS", 2**10
    ):  # coarse grids are quick
        together = permutation_tests(x, y, rules, method=method, samples=100)
        assert together == [
            permutation_test(x, y, sides=sides, ties=ties, method=method, samples=100)
            for sides, ties in rules
        ]


@settings(deadline=None)
@given(
    st.lists(st.tuples(SCORES, SCORES, st.lists(st.sampled_from(RULES), max_size=4)), max_size=5)
)
def test_nothing_is_computed_twice(
    asked: list[tuple[FloatArray, FloatArray, list[tuple[Sides, Ties]]]],
) -> None:
    known = PValueCache()
    computed: list[object] = []

    def counted(x: FloatArray, y: FloatArray, rules: list[tuple[Sides, Ties]], seed: int) -> object:
        computed.extend((x.tobytes(), y.tobytes(), each, seed) for each in rules)
        return permutation_tests(x, y, rules, seed=seed)

    with mock.patch.object(p_values, "permutation_tests", counted):
        for (x, y, rules), seed in product([*asked, *asked], (0, 1)):
            for (sides, ties), p in zip(rules, known.of(x, y, rules, seed=seed), strict=True):
                alone = permutation_test(x, y, sides=sides, ties=ties, seed=seed)
                assert (p.value, p.low, p.high) == (alone.value, alone.low, alone.high)
    assert len(computed) == len(set(computed))


# --- robustness ---


def robustness_of(embedding: Embedding) -> Robustness:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(embedding, tests, Weat(), Statistics(robust=True, resamples=100))
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
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(toys.embedding(0.3), tests, Weat())
    assert isinstance(outcome, Result)
    assert outcome.robustness is None


@pytest.mark.parametrize("doubt", ["", "A reason why words may not be regrouped."])
def test_a_score_in_doubt_is_measured_once_and_by_no_other_words(
    doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []
    weat = Weat.measure

    def measure(self: Weat, groups: Groups, geometry: Geometry) -> Score:
        measured.append(1)
        return replace(weat(self, groups, geometry), doubt=doubt)

    monkeypatch.setattr(Weat, "measure", measure)
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(
        toys.embedding(1.0), tests, Weat(), Statistics(robust=True, resamples=100)
    )
    assert isinstance(outcome, Result)
    assert (outcome.robustness is None) == bool(doubt)
    assert (outcome.verdict.kind == "no-verdict") == bool(doubt)
    assert outcome.verdict.doubt == doubt
    assert len(measured) == 1 or not doubt


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


# --- conditions ---


FOUND = "Biased, a large effect: x are associated with a"


def said(kind: VerdictKind = "biased") -> Verdict:
    return Verdict(kind=kind, sentence=f"{FOUND}.", p=0.01, p_holm=0.02, alpha=0.05)


def tried(**changes: Any) -> Robustness:
    plain: dict[str, Any] = {
        "draws": 200,
        "kept": 0.8,
        "low": 0.4,
        "high": 1.6,
        "same_sign": 1.0,
        "significant": 0.9,
        "expected": 0.95,
        "swaps": (),
        "frequency": None,
    }
    return Robustness(**plain | changes)


def swap(effect: float, p: float = 0.3, source: str = "other/one") -> ListSwap:
    return ListSwap(lists=("a", "b"), source=source, effect=effect, p=p)


def control(effect: float, *, explains: bool = True) -> FrequencyControl:
    return FrequencyControl(correlation=0.5, effect=effect, p=0.21, explains=explains)


TABLE: list[tuple[dict[str, Any], str, list[str]]] = [
    ({}, "firm", ["90"]),
    ({"significant": 0.995, "swaps": (swap(0.4), swap(-0.1))}, "firm", ["99.5", "1", "2"]),
    ({"significant": 0.385, "expected": 0.4234}, "thin", ["38.5", "42"]),
    ({"significant": 0.39, "expected": None}, "thin", ["39"]),
    ({"significant": 0.39, "expected": 0.8}, "fragile", ["39", "80"]),
    ({"same_sign": 0.94}, "fragile", ["94"]),
    ({"swaps": (swap(0.4), swap(0.4), swap(-0.9, 0.04, "other/two"))}, "fragile", ["other/two"]),
    ({"swaps": (swap(-0.1),)}, "fragile", ["0", "1"]),
    ({"frequency": control(0.31)}, "frequency", ["31"]),
    (
        {"frequency": control(-0.2), "significant": 0.39, "expected": 0.8},
        "frequency",
        ["39", "80"],
    ),
    ({"frequency": control(1.01)}, "thin", ["0.21", "101"]),
    (
        {"frequency": control(0.9), "significant": 0.7},
        "thin",
        ["0.21", "90", "70", "95"],
    ),
    ({"frequency": control(0.9)}, "thin", ["0.21", "90"]),
    ({"frequency": control(0.1, explains=False)}, "firm", ["90"]),
]


@pytest.mark.parametrize(("changes", "holds", "figures"), TABLE, ids=range(len(TABLE)))
def test_each_doubt_has_its_word_and_its_figures(
    changes: dict[str, Any], holds: str, figures: list[str]
) -> None:
    verdict, robustness = qualify_by_robustness(said(), 1.0, tried(**changes))
    assert robustness is not None
    assert robustness.holds == holds
    clause = verdict.sentence.removeprefix(f"{FOUND}; ")
    assert re.findall(r"other/\w+|\d+\.?\d*", clause.rstrip(".")) == figures


@pytest.mark.parametrize("kind", ["no-evidence", "inconclusive", "too-few-words", "no-verdict"])
def test_where_nothing_is_claimed_nothing_can_hold(kind: VerdictKind) -> None:
    asked = tried(significant=0.0, frequency=control(0.1))
    assert qualify_by_robustness(said(kind), 1.0, asked) == (said(kind), asked)
    assert qualify_by_robustness(said(), 1.0, None) == (said(), None)


SHARES = st.floats(0, 1)


@law
@given(
    st.floats(0.01, 2),
    SHARES,
    SHARES,
    st.none() | SHARES,
    st.lists(st.builds(swap, st.floats(-2, 2), SHARES), max_size=3),
    st.none() | st.builds(control, st.floats(-2, 2), explains=st.booleans()),
)
def test_other_words_change_neither_kind_nor_p_and_signs_mirror(
    effect: float,
    same_sign: float,
    significant: float,
    expected: float | None,
    swaps: list[ListSwap],
    frequency: FrequencyControl | None,
) -> None:
    shares = {"same_sign": same_sign, "significant": significant, "expected": expected}
    asked = tried(**shares, swaps=tuple(swaps), frequency=frequency)
    mirrored = tried(
        **shares,
        swaps=tuple(swap(-one.effect, one.p) for one in swaps),
        frequency=frequency and control(-frequency.effect, explains=frequency.explains),
    )
    verdict, robustness = qualify_by_robustness(said(), effect, asked)
    other, turned = qualify_by_robustness(said(), -effect, mirrored)
    assert verdict.model_copy(update={"sentence": said().sentence}) == said()
    assert robustness is not None
    assert turned is not None
    assert robustness.model_copy(update={"holds": None}) == asked
    assert (verdict.sentence, robustness.holds) == (other.sentence, turned.holds)
    # Frequency is named where it takes evidence and more than half of the effect away.
    takes_half = frequency is not None and frequency.effect < effect / 2
    assert (robustness.holds == "frequency") == (
        frequency is not None and frequency.explains and takes_half
    )
    # Whatever else is found, it is firm only if most shorter lists show it, with its sign.
    assert robustness.holds != "firm" or min(significant / 0.8, same_sign / 0.95) >= 1


def outcome_of(robust: bool, bias: float = 1.0) -> Result:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    (outcome,) = run_tests(toys.embedding(bias), tests, Weat(), Statistics(robust=robust))
    assert isinstance(outcome, Result)
    return outcome


def test_what_a_run_says_of_a_test_does_not_depend_on_robustness_being_asked() -> None:
    plain, robust = outcome_of(False), outcome_of(True)
    assert robust.verdict.sentence.startswith(plain.verdict.sentence.removesuffix("."))
    assert "100 %" in robust.verdict.sentence
    unsaid = {"sentence": plain.verdict.sentence}
    assert robust.verdict.model_copy(update=unsaid) == plain.verdict
    changed = {"verdict": plain.verdict, "robustness": None}
    assert robust.model_copy(update=changed) == plain


def test_a_gate_may_ask_whether_it_holds() -> None:
    gate = Condition("verdict == 'biased' and holds == 'firm'")
    assert gate(to_row(outcome_of(True)))
    assert not gate(to_row(outcome_of(False)))
    assert to_row(outcome_of(True, 0.0))["holds"] is None

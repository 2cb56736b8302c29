"""Laws of the metrics along a direction, on random toys in every geometry they can read."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.geometry import SIMILARITIES, Euclidean, FloatArray, Geometry
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import Suite, parse_suite, resolve
from fairvec.lexicon.suite_files import SelectedTest
from fairvec.metrics import Metric, OneSample, Score
from fairvec.metrics.bias.direction import (
    DirectBias,
    GyrocosineBias,
    Same,
    SignedDirectBias,
    bias_direction,
)
from fairvec.metrics.bias.indirect import IndirectBias
from fairvec.metrics.bias.pairs import PairBias, Ripa
from fairvec.metrics.bias.weat import Weat
from fairvec.results.records import Description
from fairvec.stats import leave_one_out
from fairvec.testing.metric_laws import rotation_of
from fairvec.testing.planted import SPACES
from tests import toys
from tests.laws.helpers import examples
from tests.loops import loop_over

BY_COSINE: list[Metric] = [
    DirectBias(),
    DirectBias(strictness=2, direction="mean-difference"),
    SignedDirectBias(),
    SignedDirectBias(direction="mean-difference"),
    Same(),
    Same("skew"),
    Same("stereotype"),
    PairBias(),
    IndirectBias(),
    IndirectBias(direction="mean-difference"),
]
RIPAS: list[Metric] = [Ripa(), Ripa("per-pair")]
BY_DISTANCE: list[Metric] = [PairBias(similarity) for similarity in SIMILARITIES[1:]]
BOUNDS = {
    "direct-bias": (0, 1),
    "signed-direct-bias": (-1, 1),
    "gyrocosine-bias": (-1, 1),
    "same": (0, 1),
    "same-skew": (-1, 1),
    "same-stereotype": (0, 1),
    "pair-bias": (0, 2),
}


@dataclass(frozen=True)
class Case:
    metric: Metric
    space: Geometry

    def __str__(self) -> str:
        settings = ",".join(str(getattr(v, "name", v)) for v in vars(self.metric).values())
        return f"{self.metric.name}({settings})-{self.space.name}"


BY_COSINE_CASES = [Case(m, s) for m, s in product(BY_COSINE, SPACES)]
CASES = [
    *BY_COSINE_CASES,
    *(Case(metric, space) for metric, space in product(BY_DISTANCE, SPACES)),
    *(Case(metric, Euclidean()) for metric in RIPAS),
    *(Case(GyrocosineBias(), space) for space in SPACES),
]
every_case = loop_over("case", CASES)
every_cosine = loop_over("case", BY_COSINE_CASES)
seeds = st.integers(0, 10_000)
few = examples(15, least=5)


def suite(words: dict[str, list[str]] = toys.WORDS) -> Suite:
    return parse_suite(toys.suite_text(words=words) + "paired = true\n")


def measure(case: Case, embedding: Embedding, words: dict[str, list[str]] = toys.WORDS) -> Score:
    return case.metric.measure(resolve(suite(words).tests[0], embedding), embedding.geometry)


def toy(case: Case, seed: int) -> Embedding:
    """The toy with something in all its words, as in real models: they are alike on the whole."""
    embedding = toys.embedding(0.2, seed=seed, space=case.space)
    return moved(embedding, embedding.vectors + np.array([0, 0, 0, 0, 0, 0.4]))


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-7, abs=1e-10)


def moved(embedding: Embedding, vectors: FloatArray) -> Embedding:
    return embedding.with_vectors(vectors, Step("move", {}))


@every_case
@few
@given(seed=seeds)
def test_swapping_the_sides_turns_what_is_signed_and_leaves_the_rest(case: Case, seed: int) -> None:
    straight = measure(case, toy(case, seed)).value
    words = {**toys.WORDS, "a": toys.WORDS["b"], "b": toys.WORDS["a"]}
    swapped = measure(case, toy(case, seed), words).value
    assert swapped == near(
        -straight if case.metric.traits.swapped_attributes == "turned" else straight
    )


@every_case
@few
@given(seed=seeds, order=st.randoms(use_true_random=False))
def test_the_order_of_words_and_of_pairs_is_irrelevant(
    case: Case, seed: int, order: object
) -> None:
    shuffled = {role: list(words) for role, words in toys.WORDS.items()}
    pairs = list(zip(shuffled["a"], shuffled["b"], strict=True))
    for some in (shuffled["x"], shuffled["y"], pairs):
        order.shuffle(some)  # type: ignore[attr-defined]
    shuffled["a"], shuffled["b"] = (list(side) for side in zip(*pairs, strict=True))
    other = measure(case, toy(case, seed), shuffled)
    assert other.value == near(measure(case, toy(case, seed)).value)


@every_case
@few
@given(seed=seeds)
def test_rotating_the_space_changes_no_figure(case: Case, seed: int) -> None:
    embedding = toy(case, seed)
    turned = moved(embedding, embedding.vectors @ rotation_of(case.space, seed))
    assert measure(case, turned).value == near(measure(case, embedding).value)


@every_cosine
@few
@given(seed=seeds)
def test_the_lengths_of_words_are_irrelevant_to_cosines(case: Case, seed: int) -> None:
    embedding = toy(case, seed)
    shrunk = np.random.default_rng(seed).uniform(0.1, 1, size=(len(embedding), 1))
    scaled = moved(embedding, embedding.vectors * shrunk)
    assert measure(case, scaled).value == near(measure(case, embedding).value)


@pytest.mark.parametrize("metric", RIPAS)
@few
@given(seed=seeds, scale=st.floats(0.1, 10))
def test_ripa_grows_with_the_lengths(metric: Metric, seed: int, scale: float) -> None:
    case = Case(metric, Euclidean())
    embedding = toy(case, seed)
    score = measure(case, embedding)
    scaled = measure(case, moved(embedding, embedding.vectors * np.float64(scale)))
    assert scaled.value == near(scale * score.value)
    lengths = np.linalg.norm(embedding.rows([share.found.key for share in score.words]), axis=1)
    assert (np.abs([share.leaning for share in score.words]) <= lengths * (1 + 1e-12)).all()


@loop_over("case", [case for case in BY_COSINE_CASES if case.metric.name in BOUNDS])
@few
@given(seed=seeds)
def test_the_bounds_hold(case: Case, seed: int) -> None:
    low, high = BOUNDS[case.metric.name]
    assert low <= measure(case, toy(case, seed)).value <= high + 1e-12


@every_case
@few
@given(seed=seeds)
def test_leaving_out_a_word_is_measuring_without_it(case: Case, seed: int) -> None:
    embedding = toy(case, seed)
    score = measure(case, embedding)
    assert isinstance(score.samples, OneSample)
    assert score.samples.effect(score.samples.rows) == near(score.value)
    (without,) = leave_one_out([score.samples.rows], score.samples.effect)
    for share, value in zip(score.words, without, strict=True):
        rest = [word for word in toys.WORDS[share.role] if word != share.found.key]
        fewer = {**toys.WORDS, share.role: rest}
        assert value == near(measure(case, embedding, fewer).value)


@loop_over("metric", [DirectBias(), SignedDirectBias(), IndirectBias(), Ripa()])
@few
@given(seed=seeds)
def test_words_without_the_direction_are_neutral(metric: Metric, seed: int) -> None:
    case = Case(metric, Euclidean())
    embedding = toy(case, seed)
    # At length one the two kinds of first component are the same direction.
    embedding = moved(embedding, normalize_rows(np.array(embedding.vectors)))
    g = bias_direction(resolve(suite().tests[0], embedding))
    vectors = np.array(embedding.vectors)
    vectors[:10] -= np.outer(vectors[:10] @ g, g)
    assert measure(case, embedding).value != near(0)
    assert measure(case, moved(embedding, vectors)).value == near(0)


@every_case
@few
@given(seed=seeds)
def test_one_list_as_both_sides_cannot_be_measured(case: Case, seed: int) -> None:
    words = {**toys.WORDS, "b": toys.WORDS["a"]}
    if case.metric.name == "pair-bias":
        assert measure(case, toy(case, seed), words).value == 0
    else:
        with pytest.raises(UndefinedError):
            measure(case, toy(case, seed), words)


@few
@given(seed=seeds)
def test_same_is_direct_bias_along_the_means_and_its_parts_add_up(seed: int) -> None:
    embedding = toys.embedding(0.2, seed=seed)
    groups = resolve(suite().tests[0], embedding)
    bias, skew, stereotype = (
        Same(part).measure(groups, Euclidean()).value for part in ("bias", "skew", "stereotype")
    )
    direct = DirectBias(direction="mean-difference").measure(groups, Euclidean())
    signed = SignedDirectBias(direction="mean-difference").measure(groups, Euclidean())
    squares = DirectBias(strictness=2, direction="mean-difference").measure(groups, Euclidean())
    assert (bias, skew) == (direct.value, signed.value)
    assert skew**2 + stereotype**2 == near(squares.value)


@few
@given(seed=seeds)
def test_cosines_along_the_means_are_weat_leanings_up_to_one_scale(seed: int) -> None:
    groups = resolve(toys.suite().tests[0], toys.embedding(0.2, seed=seed))
    along = SignedDirectBias(direction="mean-difference").measure(groups, Euclidean()).words
    leanings = Weat().measure(groups, Euclidean()).words
    ratios = [one.leaning / other.leaning for one, other in zip(along, leanings, strict=True)]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-6)
    assert ratios[0] > 0


@every_case
def test_a_run_describes_it_with_an_interval(case: Case) -> None:
    toy_suite = suite()
    tests = tuple(SelectedTest(toy_suite, test) for test in toy_suite.tests)
    (outcome,) = run_tests(toy(case, 1), tests, case.metric, Statistics(resamples=2000))
    assert isinstance(outcome, Description)
    assert outcome.metric == case.metric.name
    assert outcome.neutral == 0
    assert outcome.interval is not None
    assert outcome.interval.low < outcome.value < outcome.interval.high

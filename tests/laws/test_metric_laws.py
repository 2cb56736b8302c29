"""Laws of every metric: what must change its value does, and what must not does not."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

import fairvec
from fairvec.core.errors import NoSpreadError, UndefinedError
from fairvec.core.settings import setting_fields, setting_types
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.run import run_tests
from fairvec.experiments.provenance import describe_metric
from fairvec.geometry import (
    NEGATIVE_DISTANCE,
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.lexicon import Groups, SelectedTest, resolve
from fairvec.metrics import EFFECT_SIZES, METRICS, CorpusMetric, Metric, Score, metric
from fairvec.metrics.bias.indirect import Gipe
from fairvec.metrics.bias.list_means import Ect, Mac, Rnd
from fairvec.metrics.bias.rnsb import Rnsb
from fairvec.metrics.bias.vocabulary import BiasByClassification, BiasByClustering, BiasByNeighbours
from fairvec.papers.variants import MetricVariant
from fairvec.results import Outcome, Result, Skipped
from fairvec.results.records import Description
from fairvec.testing.metric_laws import (
    METRIC_LAWS,
    MetricLaw,
    a_repeated_word_counts_once,
    answer_or_refusal,
    gives_a_score,
    isometries_are_irrelevant,
    lengths_are_as_it_declares,
    odd_vectors_are_answered_or_refused,
    order_is_irrelevant,
    sees_what_it_declares,
    swaps_as_it_declares,
    vectors_of_any_size_are_measured_or_refused,
    vectors_of_these_sizes_are_measured_or_refused,
    with_vectors,
)
from fairvec.testing.planted import SPACES, planted, spaces_of
from tests import toys
from tests.laws.helpers import examples
from tests.laws.metric_laws import as_used
from tests.loops import cover_pairs, loop_over
from tests.metrics.toys import Gap
from tests.metrics.vocabularies import crowd

# --- Every registered metric obeys the laws of metrics, and a broken one does not pass them ---


every_metric = loop_over("known", METRICS)


def test_products_are_real() -> None:
    assert all(space.balls > 1 for space in SPACES if isinstance(space, ProductOfBalls))


@pytest.mark.parametrize("known", METRICS, ids=lambda known: known.name)
@loop_over("law", METRIC_LAWS)
@examples(5, least=3)
@given(seed=st.integers(0, 10_000))
def test_a_metric_obeys(law: MetricLaw, known: Metric, seed: int) -> None:
    for one_metric in as_used(known):
        for space in spaces_of(one_metric):
            law(one_metric, space, seed)


@every_metric
@settings(max_examples=3)
@given(seed=st.integers(0, 10_000))
def test_a_metric_of_our_own_bears_the_ends_of_all_floats(known: Metric, seed: int) -> None:
    for one_metric in as_used(known):
        for space in spaces_of(one_metric):
            vectors_of_these_sizes_are_measured_or_refused(
                one_metric, space, seed, (-660, -480, 480, 600)
            )


@every_metric
def test_a_metric_of_our_own_has_a_neutral_value(known: Metric) -> None:
    # One from outside may have none, and is then held to fewer laws.
    assert known.neutral is not None


@every_metric
def test_every_setting_is_in_the_record(known: Metric) -> None:
    declared = {setting.name: setting for setting in setting_fields(type(known))}
    description = describe_metric(known)
    assert description.settings.keys() == declared.keys()
    assert (description.positive, description.positive_words, description.convention) == (
        known.traits.positive,
        known.traits.positive_words,
        known.convention,
    )
    for setting, field in declared.items():
        others: tuple[Any, ...] = field.choices
        others += EFFECT_SIZES if setting == "effect_size" else ()
        names = {
            str(describe_metric(replace(known, **{setting: other})).settings)  # type: ignore[type-var]
            for other in others
        }
        assert len(names) == len(others)


@dataclass(frozen=True)
class WithFunction(Gap):
    by: Callable[[float], float] = abs


def test_functions_without_a_name_of_their_own_are_other_settings() -> None:
    def times(number: float) -> Callable[[float], float]:
        return lambda value: number * value

    functions: list[Any] = [
        lambda v: v,
        lambda v: v + 1,
        lambda v: v + 2,
        times(2),
        times(3),
        abs,
        round,
    ]
    names = [describe_metric(WithFunction(by=by)).settings["by"] for by in functions]
    assert len({*names}) == len(functions)
    assert names[3] == describe_metric(WithFunction(by=times(2))).settings["by"]


def test_a_set_in_a_function_has_no_order_in_the_record() -> None:
    def is_far(number: float) -> bool:
        return number in {0, 8}

    one, other = frozenset([0, 8]), frozenset([8, 0])  # they collide, so that the first comes first
    assert repr(one) != repr(other)
    code = is_far.__code__
    constants = [code.replace(co_consts=(None, each)) for each in (one, other)]
    recorded = {
        describe_metric(WithFunction(by=FunctionType(each, {}, is_far.__qualname__))).settings["by"]
        for each in constants
    }
    assert len(recorded) == 1


PUBLISHED: dict[str, dict[str, float]] = {
    "direct-bias": {"strictness": 1},
    "rnd": {"unit_vectors": True},
    "ect": {"unit_vectors": False},
    "rnsb": {"penalty": 1},
    "ceat": {"draws": 10_000, "seed": 0},
    "gipe": {"neighbours": 100, "threshold": 0.05},
    "bias-by-neighbours": {"neighbours": 100},
    "bias-by-clustering": {"each": 500, "seed": 0},
    "bias-by-classification": {"each": 2500, "learnt": 500, "seed": 0},
}


@every_metric
def test_the_defaults_of_a_metric_are_those_of_its_paper_unless_documented(
    known: Metric,
) -> None:
    settings = {setting: getattr(known, setting) for setting in setting_types(type(known))}
    numbers = {
        name: value for name, value in settings.items() if isinstance(value, bool | float | int)
    }
    assert numbers == PUBLISHED.get(known.name, {})


Change = Callable[[float, Groups, Metric], float]


@dataclass(frozen=True)
class Broken(MetricVariant):
    """A metric whose value is changed by what it must not depend on."""

    change: Change

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        score = self.metric.measure(groups, geometry)
        return replace(score, value=self.change(score.value, groups, self.metric))


def raises(value: float, groups: Groups, metric: Metric) -> float:
    raise UndefinedError("There is nothing to measure; there never is.")


def without_an_end(value: float, groups: Groups, metric: Metric) -> float:
    return float("nan")


def flipped(value: float, groups: Groups, metric: Metric) -> float:
    return 2 * (metric.neutral or 0.0) - value


def always_positive(value: float, groups: Groups, metric: Metric) -> float:
    return abs(value) + 0.01 * float(groups["a"].vectors[0] @ groups["a"].vectors[0])


def by_the_first_word(value: float, groups: Groups, metric: Metric) -> float:
    return value + 0.01 * float(groups["a"].vectors[0] @ groups["a"].vectors[1])


def by_a_coordinate(value: float, groups: Groups, metric: Metric) -> float:
    return value + 0.1 * float(groups["a"].vectors[:, 0].mean())


def by_length(value: float, groups: Groups, metric: Metric) -> float:
    return value + 0.1 * float((groups["a"].vectors ** 2).mean())


def by_what_is_listed(value: float, groups: Groups, metric: Metric) -> float:
    return value + 0.01 * len(groups["a"].wordset.words)


@loop_over(
    ("change", "law"),
    [
        (without_an_end, gives_a_score),
        (raises, sees_what_it_declares),
        (flipped, sees_what_it_declares),
        (always_positive, swaps_as_it_declares),
        (by_the_first_word, order_is_irrelevant),
        (by_a_coordinate, isometries_are_irrelevant),
        (by_length, lengths_are_as_it_declares),
        (without_an_end, odd_vectors_are_answered_or_refused),
        (by_what_is_listed, a_repeated_word_counts_once),
    ],
)
@every_metric
def test_a_broken_metric_is_caught(known: Metric, change: Change, law: MetricLaw) -> None:
    one_metric = next(as_used(known))
    traits = one_metric.traits
    unbound = traits.lengths == "count" and change is by_length
    if unbound or (traits.swapped_attributes == "changed" and change is always_positive):
        return
    for space in spaces_of(one_metric):
        if not space.curvature or law is not lengths_are_as_it_declares:
            with pytest.raises((AssertionError, UndefinedError)):
                law(Broken(one_metric, change), space, 7)


@loop_over("known", [each for each in METRICS if each.traits.lengths == "ignored"])
def test_a_metric_that_depends_on_scale_is_caught(known: Metric) -> None:
    for change in (by_length, without_an_end):
        metric = next(as_used(known))
        with pytest.raises(AssertionError):
            vectors_of_any_size_are_measured_or_refused(Broken(metric, change), Euclidean(), 7)


@every_metric
def test_a_model_without_a_vector_is_refused_in_a_sentence(known: Metric) -> None:
    for one_metric in as_used(known):
        for space in SPACES:
            model = planted(one_metric, space, 3)
            assert (
                answer_or_refusal(one_metric, with_vectors(model, np.zeros(model.vectors.shape)))
                is None
            )


# --- Laws of the association tests, in every geometry and under every similarity and convention


TESTS = [next(as_used(known)) for known in METRICS if known.convention is not None]
CASES = [
    (replace(test, similarity=similarity, effect_size=size), space)
    for test, similarity, size, space in cover_pairs(TESTS, SIMILARITIES, EFFECT_SIZES, SPACES)
]
few_examples = settings(max_examples=20)
every_case = loop_over(("measure", "space"), CASES)
seeds = st.integers(0, 10_000)


def value(measure: Metric, space: object, seed: int, **roles: str) -> float:
    """The metric on the toy, with the lists playing other roles on request (x="y" swaps)."""
    words = {role: toys.WORDS[roles.get(role, role)] for role in "xyab"}
    embedding = toys.embedding(0.2, seed=seed, space=space)  # type: ignore[arg-type]
    groups = resolve(toys.suite(words=words).tests[0], embedding)
    return measure.measure(groups, embedding.geometry).value


@every_case
@few_examples
@given(seed=seeds)
def test_swapping_targets_or_attributes_flips_the_sign(
    measure: Metric, space: object, seed: int
) -> None:
    straight = value(measure, space, seed)
    assert value(measure, space, seed, x="y", y="x") == pytest.approx(-straight, rel=1e-9)
    assert value(measure, space, seed, a="b", b="a") == pytest.approx(-straight, rel=1e-9)
    assert value(measure, space, seed, x="y", y="x", a="b", b="a") == pytest.approx(straight)


@every_case
@few_examples
@given(seed=seeds, order=st.randoms(use_true_random=False))
def test_the_order_of_words_is_irrelevant(
    measure: Metric, space: object, seed: int, order: object
) -> None:
    shuffled = {role: list(words) for role, words in toys.WORDS.items()}
    for words in shuffled.values():
        order.shuffle(words)  # type: ignore[attr-defined]
    embedding = toys.embedding(0.2, seed=seed, space=space)  # type: ignore[arg-type]
    groups = resolve(toys.suite(words=shuffled).tests[0], embedding)
    other = measure.measure(groups, embedding.geometry).value
    assert other == pytest.approx(value(measure, space, seed), rel=1e-9)


@every_case
@few_examples
@given(seed=seeds)
def test_one_list_as_both_attributes_cannot_be_measured(
    measure: Metric, space: object, seed: int
) -> None:
    words = {**toys.WORDS, "b": toys.WORDS["a"]}
    embedding = toys.embedding(0.2, seed=seed, space=space)  # type: ignore[arg-type]
    groups = resolve(toys.suite(words=words).tests[0], embedding)
    with pytest.raises(NoSpreadError):
        measure.measure(groups, embedding.geometry)


# --- Laws of every registered metric as users meet it: by name, through an audit ---


SMALL = fairvec.load("glove-en-small")


def test_names_are_unique_and_found() -> None:
    names = [known.name for known in METRICS]
    assert len(set(names)) == len(names)
    assert [metric(name).name for name in names] == names


@every_metric
def test_a_metric_explains_itself(known: Metric) -> None:
    assert known.meaning.endswith(".")
    assert set(known.needs) <= {"x", "y", "words", "a", "b"}


@every_metric
def test_an_audit_by_name_answers_or_gives_a_reason(known: Metric) -> None:
    tests = "caliskan2017/weat-7" if "x" in known.needs else "bolukbasi2016"
    outcome, *answers = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    assert [one.status for one in answers] == ["pooled"] * isinstance(outcome, Result)
    assert outcome.metric == known.name
    match outcome:
        case Result():
            assert known.convention is not None
        case Description():
            assert outcome.neutral == known.neutral
            assert outcome.meaning == known.meaning
        case Skipped():
            assert outcome.reason.endswith(".")


@loop_over("name", [known.name for known in METRICS if hasattr(known, "original")])
def test_measures_of_the_vocabulary_answer_on_a_shipped_model_and_name_its_words(name: str) -> None:
    (outcome,) = fairvec.audit(SMALL, suites="bolukbasi2016", metrics=[name])
    assert isinstance(outcome, Description)
    assert outcome.test.title.endswith(", among the 10,799 words of this cut")


@loop_over("known", [each for one in METRICS for each in as_used(one)])
def test_a_figure_that_unlisted_words_move_says_of_a_cut_that_it_is_one(known: Metric) -> None:
    suite = toys.suite()
    tests = (SelectedTest(suite, suite.tests[0]),)
    outcomes = []
    for seed in (1, 2):
        words, others = (crowd(0.3, seed=one) for one in (0, seed))
        listed = len(toys.embedding(0.3))
        vectors = np.concatenate([words.vectors[:listed], others.vectors[listed:]])
        cut = words.with_vectors(vectors, Step("subset", {"of": "a larger one"}))
        outcomes += run_tests(cut, tests, known)
    one, other = outcomes
    if isinstance(one, Skipped):
        assert isinstance(other, Skipped)
        return
    statement = f", among the {len(cut)} words of this cut"
    assert one.test.title == suite.tests[0].title + statement * known.traits.whole_vocabulary
    # What stands around a word in a corpus is not for the metric to choose.
    if not isinstance(known, CorpusMetric) and figure_of(one) != figure_of(other):
        assert known.traits.whole_vocabulary


def figure_of(outcome: Outcome) -> float:
    assert isinstance(outcome, Result | Description)
    return outcome.effect if isinstance(outcome, Result) else outcome.value


@pytest.mark.parametrize("name", ["ripa", "pair-bias"])
@pytest.mark.parametrize(
    ("model", "suite", "paired"),
    [("glove-hi-small", "malik2022", 7), ("navec-ru-small", "pestova", 7)],
)
def test_pairs_are_measured_in_hindi_and_russian(
    model: str, suite: str, paired: int, name: str
) -> None:
    outcomes = fairvec.audit(fairvec.load(model), suites=suite, metrics=[name], resamples=100)
    assert sum(isinstance(outcome, Description) for outcome in outcomes) == paired


@every_metric
def test_what_a_test_cannot_give_is_a_reason(known: Metric) -> None:
    tests = "bolukbasi2016" if "x" in known.needs else "caliskan2017/weat-7"
    (outcome,) = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    if "x" in known.needs:
        assert isinstance(outcome, Skipped)
        assert "has no list 'x'" in outcome.reason


# --- Laws of the measures by group and neighbourhood: what must not matter, and what must ---


BY_GROUP: list[Metric] = [Mac(), Ect(), Ect(NEGATIVE_DISTANCE), Rnd(), Rnd(False), Rnsb()]
BY_VOCABULARY: list[Metric] = [
    Gipe(neighbours=8),
    BiasByNeighbours(neighbours=8),
    BiasByClustering(each=12),
    BiasByClassification(each=12, learnt=6),
]
EVERY = BY_GROUP + BY_VOCABULARY
IN_THE_BALL: list[Metric] = [Mac(), Ect(NEGATIVE_DISTANCE), Rnd()]
few = examples(12, least=6)


def every(metrics: list[Metric]) -> Callable[..., Any]:
    return loop_over("metric", metrics)


def score(metric: Metric, embedding: Embedding, **roles: list[str]) -> Score:
    """The metric on the toy's test, with other lists for some roles."""
    groups = resolve(toys.suite(words={**toys.WORDS, **roles}).tests[0], embedding)
    return metric.measure(groups, embedding.geometry)


def moved_groups(embedding: Embedding, change: Callable[[FloatArray], FloatArray]) -> Embedding:
    return embedding.with_vectors(change(np.asarray(embedding.vectors)), Step("move"))


@every([metric for metric in EVERY if not isinstance(metric, Rnd | Rnsb)])
@few
@given(seed=seeds)
@example(seed=2048)  # where the order of the points once decided between two clusterings
def test_swapping_a_and_b_changes_no_figure(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    swapped = score(metric, model, a=toys.WORDS["b"], b=toys.WORDS["a"]).value
    assert swapped == pytest.approx(score(metric, model).value, abs=1e-9)


@pytest.mark.parametrize("space", [None, Poincare()], ids=["flat", "ball"])
@few
@given(seed=seeds)
def test_swapping_a_and_b_turns_the_relative_norm_distance(
    space: Geometry | None, seed: int
) -> None:
    model = crowd(0.3, seed=seed, space=space)
    swapped = score(Rnd(), model, a=toys.WORDS["b"], b=toys.WORDS["a"]).value
    assert swapped == pytest.approx(-score(Rnd(), model).value, abs=1e-12)


@few
@given(seed=seeds)
def test_a_word_belongs_to_a_or_to_b(seed: int) -> None:
    model = crowd(0.3, seed=seed)
    b = score(Rnsb(), model).words
    a = score(Rnsb(), model, a=toys.WORDS["b"], b=toys.WORDS["a"]).words
    for one, other in zip(a, b, strict=True):
        assert one.leaning + other.leaning == pytest.approx(1, abs=1e-5)


@every(EVERY)
@few
@given(seed=seeds, order=st.randoms(use_true_random=False))
def test_the_order_of_words_is_irrelevant_groups(metric: Metric, seed: int, order: object) -> None:
    model = crowd(0.3, seed=seed)
    shuffled = {role: list(words) for role, words in toys.WORDS.items()}
    for words in shuffled.values():
        order.shuffle(words)  # type: ignore[attr-defined]
    other = score(metric, model, **shuffled).value
    assert other == pytest.approx(score(metric, model).value, rel=1e-5, abs=1e-9)


@every(EVERY)
@few
@given(seed=seeds)
def test_the_lists_x_and_y_are_one_list_of_words(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    swapped = score(metric, model, x=toys.WORDS["y"], y=toys.WORDS["x"]).value
    assert swapped == pytest.approx(score(metric, model).value, rel=1e-9)


@every(EVERY)
@few
@given(seed=seeds)
def test_rotating_the_space_changes_no_figure(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed)
    turn = ortho_group.rvs(6, random_state=seed)
    turned = score(metric, moved_groups(model, lambda v: v @ turn)).value
    assert turned == pytest.approx(score(metric, model).value, rel=1e-5, abs=1e-9)


@every(IN_THE_BALL)
@few
@given(seed=seeds)
def test_rotating_the_ball_changes_no_figure(metric: Metric, seed: int) -> None:
    model = crowd(0.3, seed=seed, space=Poincare())
    turn = ortho_group.rvs(6, random_state=seed)
    turned = score(metric, moved_groups(model, lambda v: v @ turn)).value
    assert turned == pytest.approx(score(metric, model).value, rel=1e-9, abs=1e-12)


@every([metric for metric in EVERY if metric not in (Rnsb(), Rnd(False))])
@few
@given(seed=seeds, scale=st.floats(0.01, 100))
def test_the_unit_of_length_is_irrelevant(metric: Metric, seed: int, scale: float) -> None:
    model = crowd(0.3, seed=seed)
    scaled = score(metric, moved_groups(model, lambda v: v * scale)).value
    assert scaled == pytest.approx(score(metric, model).value, rel=1e-9, abs=1e-12)


BOUNDS: dict[str, tuple[float, float]] = {
    "mac": (0, 2),
    "ect": (-1, 1),
    "rnd": (-2, 2),
    "rnsb": (0, np.log(10)),
    "gipe": (0, 1),
    "bias-by-neighbours": (-1, 1),
    "bias-by-clustering": (0.5, 1),
    "bias-by-classification": (0, 1),
}


@every(EVERY)
@few
@given(seed=seeds, bias=st.floats(0.1, 3))
def test_values_keep_their_bounds_and_every_word_has_its_number(
    metric: Metric, seed: int, bias: float
) -> None:
    found = score(metric, crowd(bias, seed=seed))
    low, high = BOUNDS[metric.name]
    assert low <= found.value <= high
    words = [*toys.WORDS["x"], *toys.WORDS["y"]] if "words" in metric.needs else []
    assert [share.found.key for share in found.words] == words


@few
@given(seed=seeds)
def test_a_relative_norm_distance_is_at_most_that_of_the_means(seed: int) -> None:
    model = crowd(0.3, seed=seed)
    means = [model.rows(toys.WORDS[role]).mean(axis=0) for role in "ab"]
    for share in score(Rnd(False), model).words:
        assert abs(share.leaning) <= np.linalg.norm(means[0] - means[1]) + 1e-12


@every(BY_VOCABULARY)
@few
@given(seed=seeds)
def test_a_changed_embedding_is_measured_by_its_own_vectors(metric: Metric, seed: int) -> None:
    original = crowd(0.3, seed=seed)
    with_original = replace(metric, original=original)  # type: ignore[type-var]
    same = score(with_original, moved_groups(original, lambda v: v * 2)).value
    assert same == pytest.approx(score(metric, original).value, abs=1e-12)


@loop_over("metric", BY_VOCABULARY[1:])
def test_vectors_dealt_out_anew_forget_how_words_leant(metric: Metric) -> None:
    in_place, dealt = [], []
    for seed in range(12):
        original = crowd(1.0, seed=seed)
        order = np.random.default_rng(seed).permutation(len(original))
        with_original = replace(metric, original=original)  # type: ignore[type-var]
        in_place.append(score(metric, original).value)
        dealt.append(score(with_original, moved_groups(original, lambda v, o=order: v[o])).value)  # type: ignore[misc]
    assert metric.neutral is not None
    assert np.mean(in_place) > 0.95
    assert abs(np.mean(dealt) - metric.neutral) < 0.15


def test_lists_of_random_words_score_as_high() -> None:
    """The words are chosen by their lean, so a high figure alone is no evidence of bias."""
    unbiased = crowd(0.0, others=400)
    lists = {"a": ["w1", "w2", "w3"], "b": ["w4", "w5", "w6"]}
    assert score(BiasByClustering(each=30), unbiased, **lists).value > 0.9
    assert score(BiasByClassification(each=60, learnt=20), unbiased, **lists).value > 0.9
    assert score(BiasByNeighbours(neighbours=20), unbiased, **lists).value > 0.5

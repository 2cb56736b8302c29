"""Every registered metric obeys the laws of metrics, and a broken one does not pass them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args, get_origin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import UndefinedError
from fairvec.core.settings import setting_types
from fairvec.experiments.provenance import describe_metric
from fairvec.geometry import Euclidean, Geometry, ProductOfBalls
from fairvec.lexicon import Groups
from fairvec.metrics import EFFECT_SIZES, METRICS, Metric, Score
from fairvec.papers.variants import MetricVariant
from fairvec.testing.metric_laws import (
    METRIC_LAWS,
    MetricLaw,
    a_repeated_word_counts_once,
    answer_or_refusal,
    any_size_of_vectors_is_borne,
    gives_a_score,
    isometries_are_irrelevant,
    lengths_are_as_it_declares,
    moved,
    odd_vectors_are_answered_or_refused,
    order_is_irrelevant,
    sees_what_it_declares,
    swaps_as_it_declares,
    vectors_of_these_sizes_are_borne,
)
from fairvec.testing.planted import SPACES, planted, spaces_of
from tests.laws.metric_laws import as_used

every_metric = pytest.mark.parametrize("known", METRICS, ids=lambda known: known.name)


def test_products_are_real() -> None:
    assert all(space.balls > 1 for space in SPACES if isinstance(space, ProductOfBalls))


@pytest.mark.parametrize("law", METRIC_LAWS, ids=lambda law: law.__name__)
@every_metric
@settings(max_examples=5)
@given(seed=st.integers(0, 10_000))
def test_a_metric_obeys(law: MetricLaw, known: Metric, seed: int) -> None:
    for metric in as_used(known):
        for space in spaces_of(metric):
            law(metric, space, seed)


@every_metric
@settings(max_examples=3)
@given(seed=st.integers(0, 10_000))
def test_a_metric_of_our_own_bears_the_ends_of_all_floats(known: Metric, seed: int) -> None:
    for metric in as_used(known):
        for space in spaces_of(metric):
            vectors_of_these_sizes_are_borne(metric, space, seed, (-660, 600))


@every_metric
def test_a_metric_of_our_own_has_a_neutral_value(known: Metric) -> None:
    # One from outside may have none, and is then held to fewer laws.
    assert known.neutral is not None


@every_metric
def test_every_setting_is_in_the_record(known: Metric) -> None:
    kinds = setting_types(type(known))
    said = describe_metric(known)
    assert said.settings.keys() == kinds.keys()
    assert (said.positive, said.positive_words, said.convention) == (
        known.traits.positive,
        known.traits.positive_words,
        known.convention,
    )
    for setting, kind in kinds.items():
        others = get_args(kind) if get_origin(kind) is Literal else ()
        others += EFFECT_SIZES if setting == "effect_size" else ()
        told = {
            str(describe_metric(replace(known, **{setting: other})).settings)  # type: ignore[type-var]
            for other in others
        }
        assert len(told) == len(others)


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
def test_the_numbers_of_a_metric_are_those_of_its_paper_unless_said_otherwise(
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


@pytest.mark.parametrize(
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
    for metric in as_used(known):
        unbound = metric.traits.lengths == "count" and change is by_length
        if unbound or (metric.traits.swapped_attributes == "changed" and change is always_positive):
            continue
        for space in spaces_of(metric):
            if space.curvature and law is lengths_are_as_it_declares:
                continue
            with pytest.raises((AssertionError, UndefinedError)):
                law(Broken(metric, change), space, 7)


@pytest.mark.parametrize(
    "known",
    [each for each in METRICS if each.traits.lengths == "ignored"],
    ids=lambda each: each.name,
)
def test_a_metric_that_goes_by_the_unit_is_caught(known: Metric) -> None:
    for change in (by_length, without_an_end):
        metric = next(as_used(known))
        with pytest.raises(AssertionError):
            any_size_of_vectors_is_borne(Broken(metric, change), Euclidean(), 7)


@every_metric
def test_a_model_without_a_vector_is_refused_in_a_sentence(known: Metric) -> None:
    for metric in as_used(known):
        for space in SPACES:
            model = planted(metric, space, 3)
            assert answer_or_refusal(metric, moved(model, np.zeros(model.vectors.shape))) is None

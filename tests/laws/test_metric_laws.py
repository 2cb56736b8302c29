"""Laws of the association tests, in every geometry and under every similarity and convention."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import NoSpreadError
from fairvec.geometry import SIMILARITIES
from fairvec.lexicon import resolve
from fairvec.metrics import EFFECT_SIZES, METRICS, Metric
from fairvec.testing.planted import SPACES
from tests import toys
from tests.laws.metric_laws import as_used

TESTS = [next(as_used(known)) for known in METRICS if known.convention is not None]
CASES = [
    (replace(test, similarity=similarity, effect_size=size), space)  # type: ignore[type-var]
    for test, similarity, size, space in product(TESTS, SIMILARITIES, EFFECT_SIZES, SPACES)
]
few_examples = settings(max_examples=20)
every_case = pytest.mark.parametrize(
    ("measure", "space"),
    CASES,
    ids=[
        f"{m.name}-{m.similarity.name}-{m.convention.name}-{s.name}"  # type: ignore[union-attr]
        for m, s in CASES
    ],
)
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
def test_one_list_as_both_attributes_leaves_nothing_to_measure(
    measure: Metric, space: object, seed: int
) -> None:
    words = {**toys.WORDS, "b": toys.WORDS["a"]}
    embedding = toys.embedding(0.2, seed=seed, space=space)  # type: ignore[arg-type]
    groups = resolve(toys.suite(words=words).tests[0], embedding)
    with pytest.raises(NoSpreadError):
        measure.measure(groups, embedding.geometry)

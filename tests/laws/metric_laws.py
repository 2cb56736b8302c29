"""What every metric must obey, as checks of one metric in one space: see test_every_metric.py."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.stats import ortho_group

from fairvec.embedding import Embedding, Step
from fairvec.geometry import (
    SIMILARITIES,
    Euclidean,
    FloatArray,
    Geometry,
    Poincare,
    ProductOfBalls,
)
from fairvec.ground.errors import UndefinedError
from fairvec.ground.settings import kinds_of
from fairvec.lexicon import parse_suite, resolve
from fairvec.metrics import Metric, Score
from fairvec.metrics.traits import Sees
from tests import toys
from tests.metrics.contexts import toy_contexts

SPACES: tuple[Geometry, ...] = (Euclidean(), Poincare(), ProductOfBalls(3))
"""A product is of several balls here: of one ball it is the ball again."""
FEWER = {"neighbours": 8, "each": 12, "learnt": 6, "draws": 12, "contexts": toy_contexts}
"""Settings that ask for more words than a toy has, or for a corpus."""
OTHERS = 40
LEANINGS: dict[Sees, tuple[float, float]] = {
    "X to A, Y to B": (1, -1),
    "words to A": (1, 1),
    "words to A and B": (0, 0),
}
Lists = dict[str, list[str]]


def as_used(known: Metric) -> Iterator[Metric]:
    """Give a registered metric as a toy can bear it, with every similarity and answer it has."""
    has = kinds_of(type(known))
    fewer = {setting: value for setting, value in FEWER.items() if setting in has}
    few = replace(known, **fewer)  # type: ignore[type-var]
    for answer in get_args(has["answer"]) if "answer" in has else ():
        yield replace(few, answer=answer)  # type: ignore[type-var]
    for similarity in SIMILARITIES if "similarity" in has else ():
        yield replace(few, similarity=similarity)  # type: ignore[type-var]
    if "similarity" not in has:
        yield few


def spaces_of(metric: Metric) -> tuple[Geometry, ...]:
    return SPACES[:1] if metric.traits.flat_only else SPACES


def planted(metric: Metric, space: Geometry, seed: int, *, sign: int = 1) -> Embedding:
    """A vocabulary in which all words are alike, and lean as the metric says that it sees.

    With `sign` -1 they lean the other way.
    """
    rng = np.random.default_rng(seed)
    x, y = (sign * each for each in LEANINGS[metric.traits.sees])
    lean = {"x": x, "y": y, "a": 1.0, "b": -1.0}
    leanings = [lean[role] for role, words in toys.WORDS.items() for _ in words]
    leanings += [*rng.choice([-1.0, 1.0], size=OTHERS)]
    keys = [word for words in toys.WORDS.values() for word in words]
    keys += [f"w{number}" for number in range(OTHERS)]
    vectors: FloatArray = rng.normal(size=(len(keys), 6)) * 0.08
    vectors[:, 0] += 0.3 * np.array(leanings)
    vectors[:, 5] += 0.3
    return Embedding(keys, vectors, space, "planted")


def measured(metric: Metric, embedding: Embedding, lists: Lists = toys.WORDS) -> Score:
    suite = parse_suite(toys.suite_text(words=lists) + "paired = true\n")
    return metric.measure(resolve(suite.tests[0], embedding), embedding.geometry)


def moved(embedding: Embedding, vectors: FloatArray) -> Embedding:
    return embedding.moved_to(vectors, Step("move", {}))


def turn_of(space: Geometry, seed: int) -> FloatArray:
    """An isometry of six dimensions that fixes the origin: each ball is turned on its own."""
    balls = space.balls if isinstance(space, ProductOfBalls) else 1
    size = 6 // balls
    turns = ortho_group.rvs(size, size=balls, random_state=seed).reshape(balls, size, size)
    return np.asarray(block_diag(*turns))


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-5, abs=1e-8)


def sees_what_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """A bias that was put there takes the value, and each word's number, to the declared side."""
    traits, neutral = metric.traits, metric.neutral
    score = measured(metric, planted(metric, space, seed))
    assert neutral is not None
    assert np.sign(score.value - neutral) == (1 if traits.shown == "above" else -1)
    if traits.swapped_attributes == "turned":
        assert traits.positive
        against = measured(metric, planted(metric, space, seed, sign=-1))
        assert np.sign(against.value - neutral) == -np.sign(score.value - neutral)
    if traits.positive_words:
        by_list = {
            role: np.mean([share.leaning for share in score.words if share.role == role])
            for role in "xy"
        }
        to_a = 1 if traits.positive_words == "a" else -1
        for role, leans in zip("xy", LEANINGS[traits.sees], strict=True):
            assert np.sign(by_list[role]) == to_a * leans


def swaps_as_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """Lists that change places turn the value about the neutral one, or keep it, as declared."""
    model = planted(metric, space, seed)
    value = measured(metric, model).value
    assert metric.neutral is not None
    turned = 2 * metric.neutral - value
    for one, other, does in (
        ("a", "b", metric.traits.swapped_attributes),
        ("x", "y", metric.traits.swapped_targets),
    ):
        lists = toys.WORDS | {one: toys.WORDS[other], other: toys.WORDS[one]}
        swapped = measured(metric, model, lists).value
        if does == "changed":
            assert swapped != near(value)
        else:
            assert swapped == near(turned if does == "turned" else value)


def order_is_irrelevant(metric: Metric, space: Geometry, seed: int) -> None:
    """Words of a list may change places, those of A and B pair by pair."""
    rng = np.random.default_rng(seed)
    # Turned round first, so that no list stays as it was.
    orders = {role: rng.permutation(len(toys.WORDS[role]) - 1) + 1 for role in "xya"}
    orders |= {"b": orders["a"]}
    lists = {role: [words[at] for at in (*orders[role], 0)] for role, words in toys.WORDS.items()}
    model = planted(metric, space, seed)
    score, other = measured(metric, model), measured(metric, model, lists)
    assert other.value == near(score.value)
    numbers = {share.found.key: share.leaning for share in score.words}
    assert {share.found.key: share.leaning for share in other.words} == {
        key: near(leaning) for key, leaning in numbers.items()
    }


def isometries_are_irrelevant(metric: Metric, space: Geometry, seed: int) -> None:
    """A turn of the space, or of each ball of a product, changes nothing."""
    model = planted(metric, space, seed)
    turned = moved(model, np.asarray(model.vectors) @ turn_of(space, seed))
    assert measured(metric, turned).value == near(measured(metric, model).value)


def lengths_are_as_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """In flat space lengths are ignored, or a common unit is, or they count."""
    if space.curvature:
        return
    rng, model = np.random.default_rng(seed), planted(metric, space, seed)
    vectors = np.asarray(model.vectors)
    value = measured(metric, model).value
    unit = rng.choice([0.1, 0.4, 3.0])
    scaled = measured(metric, moved(model, vectors * unit)).value
    assert (scaled == near(value)) == (metric.traits.lengths != "count")
    if metric.traits.lengths == "ignored":
        each = rng.uniform(0.2, 2, size=(len(model), 1))
        assert measured(metric, moved(model, vectors * each)).value == near(value)


def a_repeated_word_counts_once(metric: Metric, space: Geometry, seed: int) -> None:
    """A word that a list has twice, in two spellings of one key, changes nothing."""
    model = planted(metric, space, seed)
    twice = {role: [*words, words[0].capitalize()] for role, words in toys.WORDS.items()}
    score, other = measured(metric, model), measured(metric, model, twice)
    assert other.value == near(score.value)
    assert [share.found.key for share in other.words] == [share.found.key for share in score.words]


def the_ball_is_refused_where_declared(metric: Metric, space: Geometry, seed: int) -> None:
    """A metric that has a meaning in flat space alone says so in the ball."""
    for curved in SPACES[1:] if metric.traits.flat_only else ():
        with pytest.raises(UndefinedError, match=r"\bball\b"):
            measured(metric, planted(metric, curved, seed))


Law = Callable[[Metric, Geometry, int], None]
LAWS: tuple[Law, ...] = (
    sees_what_it_declares,
    swaps_as_it_declares,
    order_is_irrelevant,
    isometries_are_irrelevant,
    lengths_are_as_it_declares,
    a_repeated_word_counts_once,
    the_ball_is_refused_where_declared,
)

"""The laws of metrics: one function per law, each about one metric in one space."""

import re
import warnings
from collections.abc import Callable, Sequence
from math import isclose, isfinite

import numpy as np

from fairvec.core.errors import FairvecError, UndefinedError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import FloatArray, Geometry, ProductOfBalls
from fairvec.metrics import Metric, OneSample, Score, TwoSamples
from fairvec.testing.planted import (
    COLUMNS,
    LEANINGS,
    SPACES,
    WORDS,
    close,
    measured,
    planted,
    require,
)


def with_vectors(embedding: Embedding, vectors: FloatArray) -> Embedding:
    """Return a vocabulary with other vectors."""
    return embedding.with_vectors(vectors, Step("move", {}))


def rotation_of(space: Geometry, seed: int) -> FloatArray:
    """Return an isometry that fixes the origin: a rotation of each ball."""
    balls = space.balls if isinstance(space, ProductOfBalls) else 1
    size, rng = COLUMNS // balls, np.random.default_rng(seed)
    turn = np.zeros((COLUMNS, COLUMNS))
    for start in range(0, COLUMNS, size):
        block = slice(start, start + size)
        turn[block, block] = np.linalg.qr(rng.normal(size=(size, size)))[0]
    return turn


def gives_a_score(metric: Metric, space: Geometry, seed: int) -> None:
    """The answer is a finite Score, the same each time, and its samples give its value."""
    model = planted(metric, space, seed)
    score, repeat = measured(metric, model), measured(metric, model)
    require(isinstance(score, Score), f"it gives {type(score).__name__} instead of a Score.")
    require(isfinite(score.value), f"its value is {score.value}; raise UndefinedError instead.")
    require(
        score.value == repeat.value,
        f"it gives {score.value:g} and then {repeat.value:g} on the same words; draw with a seed.",
    )
    for share in score.words:
        require(
            isfinite(share.leaning),
            f"the number of the word {share.found.key!r} is {share.leaning}.",
        )
    match score.samples:
        case TwoSamples(x=x, y=y, effect=effect):
            require(metric.convention, "its words can be regrouped, so it needs a convention.")
            from_samples = float(effect(x, y))
        case OneSample(rows=rows, effect=effect_of_one):
            from_samples = float(effect_of_one(rows))
        case _:
            return
    require(
        close(from_samples, score.value),
        f"its value is {score.value:g} and that of its samples {from_samples:g}.",
    )


def sees_what_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """A bias that was put there takes the value, and each word's number, to the declared side."""
    traits, neutral = metric.traits, metric.neutral
    score = measured(metric, planted(metric, space, seed))
    if neutral is not None:
        side = 1 if traits.shown == "above" else -1
        require(
            np.sign(score.value - neutral) == side,
            f"where {traits.sees} it gives {score.value:g}, which is not {traits.shown} the "
            f"neutral {neutral:g} as declared.",
        )
    if traits.swapped_attributes == "turned":
        require(traits.positive, "its value has a sign, so `positive` must say what that means.")
        against = measured(metric, planted(metric, space, seed, sign=-1))
        about = neutral or 0.0
        require(
            np.sign(against.value - about) == -np.sign(score.value - about),
            f"the opposite bias gives {against.value:g}, on the same side as {score.value:g}.",
        )
    if traits.positive_words:
        to_a = 1 if traits.positive_words == "a" else -1
        for role, leans in zip("xy", LEANINGS[traits.sees], strict=True):
            numbers = [share.leaning for share in score.words if share.role == role]
            mean = float(np.mean(numbers)) if numbers else 0.0
            require(
                np.sign(mean) == to_a * leans,
                f"the words of {role} have the mean number {mean:g}, whose sign is not that of "
                f"words which lean to {traits.positive_words} when positive.",
            )


def swaps_as_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """Lists that change places turn the value about the neutral one, or keep it, as declared."""
    model = planted(metric, space, seed)
    value = measured(metric, model).value
    turned = 2 * (metric.neutral or 0.0) - value
    for one, other, declared in (
        ("a", "b", metric.traits.swapped_attributes),
        ("x", "y", metric.traits.swapped_targets),
    ):
        lists = WORDS | {one: WORDS[other], other: WORDS[one]}
        swapped = measured(metric, model, lists).value
        change = f"swapping {one} and {other} takes {value:g} to {swapped:g}"
        if declared == "changed":
            require(not close(value, swapped), f"{change}: it is kept, and declared changed.")
        else:
            expected = turned if declared == "turned" else value
            require(
                close(expected, swapped),
                f"{change}: it is declared {declared}, so {expected:g} is due.",
            )


def order_is_irrelevant(metric: Metric, space: Geometry, seed: int) -> None:
    """Words of a list may change places, those of A and B pair by pair."""
    rng = np.random.default_rng(seed)
    # Turned round first, so that no list stays as it was.
    orders = {role: rng.permutation(len(WORDS[role]) - 1) + 1 for role in "xya"}
    orders |= {"b": orders["a"]}
    lists = {role: [words[at] for at in (*orders[role], 0)] for role, words in WORDS.items()}
    model = planted(metric, space, seed)
    score, other = measured(metric, model), measured(metric, model, lists)
    require(
        close(score.value, other.value),
        f"the words in another order take {score.value:g} to {other.value:g}.",
    )
    numbers = {share.found.key: share.leaning for share in score.words}
    others = {share.found.key: share.leaning for share in other.words}
    require(
        numbers.keys() == others.keys(), "the order of words decides which of them have numbers."
    )
    for key, leaning in numbers.items():
        require(
            close(leaning, others[key]),
            f"another order takes the number of {key!r} from {leaning:g} to {others[key]:g}.",
        )


def isometries_are_irrelevant(metric: Metric, space: Geometry, seed: int) -> None:
    """A turn of the space, or of each ball of a product, changes nothing."""
    model = planted(metric, space, seed)
    turned = with_vectors(model, np.asarray(model.vectors) @ rotation_of(space, seed))
    value, other = measured(metric, model).value, measured(metric, turned).value
    require(close(value, other), f"turning the space takes {value:g} to {other:g}.")


def lengths_are_as_it_declares(metric: Metric, space: Geometry, seed: int) -> None:
    """In flat space lengths are ignored, or a common unit is, or they count."""
    if space.curvature:
        return
    rng, model = np.random.default_rng(seed), planted(metric, space, seed)
    vectors, lengths = np.asarray(model.vectors), metric.traits.lengths
    value = measured(metric, model).value
    unit = rng.choice([0.1, 0.4, 3.0])
    scaled = measured(metric, with_vectors(model, vectors * unit)).value
    change = f"{unit:g} times as long vectors take {value:g} to {scaled:g}"
    require(
        close(value, scaled) == (lengths != "count"), f"{change}: lengths are declared {lengths}."
    )
    if lengths == "ignored":
        each = rng.uniform(0.2, 2, size=(len(model), 1))
        other = measured(metric, with_vectors(model, vectors * each)).value
        require(
            close(value, other),
            f"other lengths take {value:g} to {other:g}, and are declared ignored.",
        )


def vectors_of_any_size_are_measured_or_refused(metric: Metric, space: Geometry, seed: int) -> None:
    """Vectors as small or large as single floats are have the value of others, or are refused."""
    vectors_of_these_sizes_are_measured_or_refused(metric, space, seed, (-120, 120))


def vectors_of_these_sizes_are_measured_or_refused(
    metric: Metric, space: Geometry, seed: int, powers: Sequence[int]
) -> None:
    """Vectors times powers of two, which rounds nothing, have the value of others, or are refused.

    No warning comes of it.
    """
    if space.curvature:
        return
    model = planted(metric, space, seed)
    vectors = np.asarray(model.vectors)
    value = measured(metric, model).value
    for power in powers:
        other = answer_or_refusal(metric, with_vectors(model, np.ldexp(vectors, power)))
        if other is not None and metric.traits.lengths != "count":
            require(
                isclose(value, other, rel_tol=1e-9, abs_tol=1e-9),
                f"vectors 2^{power} times as long take {value:g} to {other:g}.",
            )


def odd_vectors_are_answered_or_refused(metric: Metric, space: Geometry, seed: int) -> None:
    """Words that are zero, tiny, equal or on one line have a finite value, or are refused.

    No warning comes of it, and an error is one of fairvec's own.
    """
    model = planted(metric, space, seed)
    vectors = np.asarray(model.vectors)
    some, line = vectors.copy(), np.outer(vectors[:, 0], vectors[0])
    some[::3], some[1::3] = 0, 1e-30 * some[1::3]
    line[1::2] = line[::2]
    for odd in (np.repeat(vectors[:1], len(vectors), 0), some, line):
        answer_or_refusal(metric, with_vectors(model, odd))


def answer_or_refusal(metric: Metric, model: Embedding) -> float | None:
    """Return the value, or None if it is refused; warnings and infinite values break the law."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            score = measured(metric, model)
        except FairvecError:
            return None
    require(isfinite(score.value), f"its value is {score.value}; raise UndefinedError instead.")
    for share in score.words:
        require(isfinite(share.leaning), f"the number of {share.found.key!r} is {share.leaning}.")
    return score.value


def a_repeated_word_counts_once(metric: Metric, space: Geometry, seed: int) -> None:
    """A word that a list has twice, in two spellings of one key, changes nothing."""
    model = planted(metric, space, seed)
    twice = {role: [*words, words[0].capitalize()] for role, words in WORDS.items()}
    score, other = measured(metric, model), measured(metric, model, twice)
    require(
        close(score.value, other.value),
        f"a word listed twice takes {score.value:g} to {other.value:g}.",
    )
    require(
        [share.found.key for share in other.words] == [share.found.key for share in score.words],
        "a word listed twice has two numbers.",
    )


def the_ball_is_refused_where_declared(metric: Metric, space: Geometry, seed: int) -> None:
    """A metric that has a meaning in flat space alone says so in the ball."""
    for curved in SPACES[1:] if metric.traits.flat_only else ():
        try:
            measured(metric, planted(metric, curved, seed))
        except UndefinedError as error:
            require(re.search(r"\bball\b", str(error)), f"it does not name the ball: {error}")
        else:
            require(False, "it is declared flat only, and measures in the ball.")


MetricLaw = Callable[[Metric, Geometry, int], None]
METRIC_LAWS: tuple[MetricLaw, ...] = (
    gives_a_score,
    sees_what_it_declares,
    swaps_as_it_declares,
    order_is_irrelevant,
    isometries_are_irrelevant,
    lengths_are_as_it_declares,
    vectors_of_any_size_are_measured_or_refused,
    odd_vectors_are_answered_or_refused,
    a_repeated_word_counts_once,
    the_ball_is_refused_where_declared,
)

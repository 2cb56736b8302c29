"""Analogies that a model draws between two groups: he is to x as she is to y."""

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import normalize_residual
from fairvec.geometry.nearest import IntArray
from fairvec.geometry.norms import normalize_rows
from fairvec.metrics.utility.analogy import Analogies, most_frequent

Manner = Literal["pairs", "answers"]

FARTHEST = 1.0
"""Words of a pair are no farther apart than this, at length one: a cosine of 0.5 or more."""
PARTNERS = 5
"""So many partners are kept for each word, for some will be taken."""
SMALLEST = 1e-12
ROWS_AT_A_TIME = 256


class BiasedAnalogy(NamedTuple):
    """The first key of the pair is to x as the second is to y; score = cos(a - b, x - y)."""

    x: str
    y: str
    score: float


def biased_analogies(
    embedding: Embedding,
    pair: tuple[str, str],
    *,
    count: int = 20,
    manner: Manner = "pairs",
    words: int = 10_000,
    among: Sequence[str] = (),
    without: Collection[str] = (),
) -> tuple[BiasedAnalogy, ...]:
    """Return the analogies a : x :: b : y that most resemble the pair (a, b), strongest first.

    score(x, y) = cos(a - b, x - y) of unit vectors, for |x - y| <= 1

    1: x and y differ in nothing but what a and b differ in; 0: in other things altogether. In the
    manner "pairs" any two words may meet (Bolukbasi et al. 2016, arXiv:1607.06520, section 4); in
    the manner "answers" y is what the model answers to a : x :: b : ?, by 3CosAdd in flat space
    and by gyro-translation in the ball (the kind of Kumar et al. 2020, arXiv:2109.13767, Table 1).
    Words are those among the `words` most frequent ones that hold a letter and no digit and are
    not in `without`; each is used once. If x shall be one of the keys `among`, each of these has
    its own best y, however far and weak. In the ball unit vectors are directions seen from the
    origin.
    """
    if count < 1:
        raise SettingError(f"One analogy or more can be asked for, not {count}.")
    candidates = _candidates(embedding, (*pair, *dict.fromkeys(among)), words, without)
    units = normalize_rows(candidates.rows(candidates.keys))
    direction = normalize_residual(units[0] - units[1], compared_with=units[0])
    x_rows = np.arange(2, len({*pair, *among}) if among else len(candidates))
    if manner == "answers":
        x, y = _answers(candidates, x_rows)
    else:
        x, y = _partners(units, units @ direction, x_rows)
    apart = units[x] - units[y]
    lengths = np.linalg.norm(apart, axis=1)
    scores = apart @ direction / np.maximum(lengths, SMALLEST)
    usable = ((scores > 0) & (lengths <= FARTHEST)) | bool(among)
    used: set[int] = set()
    chosen: list[BiasedAnalogy] = []
    for rank in np.argsort(-scores, kind="stable"):
        pair_rows = {int(x[rank])} if among else {int(x[rank]), int(y[rank])}
        if len(chosen) < count and usable[rank] and used.isdisjoint(pair_rows):
            used |= pair_rows
            x_key, y_key = candidates.keys[x[rank]], candidates.keys[y[rank]]
            chosen.append(BiasedAnalogy(x_key, y_key, float(scores[rank])))
    return tuple(chosen)


def _candidates(
    embedding: Embedding, first: tuple[str, ...], words: int, without: Collection[str]
) -> Embedding:
    """Return an embedding of the `first` keys and of those that may form analogies."""
    frequent = most_frequent(embedding, words)
    nonzero = np.asarray(np.asarray(frequent.vectors).any(axis=1)).tolist()
    excluded = {*without, *first}
    keys = [
        key
        for key, is_nonzero in zip(frequent.keys, nonzero, strict=True)
        if is_nonzero and key not in excluded and _is_word(key)
    ]
    if len(keys) < 2:
        raise UndefinedError(
            f"{embedding.name} has {len(keys)} frequent words besides those left out, and two are "
            "needed for an analogy; take more words."
        )
    vectors = embedding.rows([*first, *keys])
    return Embedding([*first, *keys], vectors, embedding.geometry, embedding.name)


def _is_word(key: str) -> bool:
    return any(map(str.isalpha, key)) and not any(map(str.isdigit, key))


def _partners(
    units: FloatArray, leanings: FloatArray, x_rows: IntArray
) -> tuple[IntArray, IntArray]:
    """Return words x, each several times, and near words y with which it scores highest."""
    count = min(PARTNERS, len(units) - 2)
    pairs = []
    for start in range(0, len(x_rows), ROWS_AT_A_TIME):
        x = x_rows[start : start + ROWS_AT_A_TIME]
        squares = 2 - 2 * units[x] @ units[2:].T
        is_near = (squares <= FARTHEST**2) & (squares > SMALLEST)
        scores = (leanings[x, None] - leanings[2:]) / np.sqrt(np.where(is_near, squares, 1))
        scores[~is_near] = -np.inf
        y = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        which, place = np.nonzero(np.isfinite(np.take_along_axis(scores, y, 1)))
        pairs.append(np.stack([x[which], y[which, place] + 2]))
    x, y = np.concatenate(pairs, axis=1)
    return x, y


def _answers(candidates: Embedding, x: IntArray) -> tuple[IntArray, IntArray]:
    """Return words x and the answers to a : x :: b : ?."""
    questions = np.column_stack([np.zeros_like(x), x, np.ones_like(x)])
    metric = Analogies("gyro-translation" if candidates.geometry.curvature else "3cosadd")
    return x, metric.answers(questions, candidates)[0]

"""Choosing t of the gyro-translation by cross-validation, as the papers do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Similarity
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.utility.analogy import TS, Analogies

Pair = tuple[str, str]


@dataclass(frozen=True)
class Fold:
    """Pairs of one half, the t that is best on the other half, and the score it has here."""

    pairs: tuple[Pair, ...]
    t: float
    score: float


@dataclass(frozen=True)
class ChosenT:
    """The t with the largest mean score over both halves, the smallest of several.

    `scores` is that mean for each t; each half also says how the t that the other one would have
    chosen does on it, which is what to expect on unseen pairs.
    """

    t: float
    scores: dict[float, float]
    folds: tuple[Fold, Fold]
    seed: int


def choose_t(
    pairs: Sequence[Pair],
    embedding: Embedding,
    *,
    similarity: Similarity | None = None,
    ts: Sequence[float] = TS,
    seed: int = 0,
) -> ChosenT:
    """Choose t by two-fold cross-validation over analogies between pairs of keys.

    The pairs are shuffled and halved, so that no pair is in both halves. Each half asks a : b ::
    c : ? for every two of its pairs, both ways round in order, of the whole vocabulary; its score
    is the share of right answers.

    Kumar et al. (2020), arXiv:2109.13767, section 4.2, where t = 0.3 came out.
    """
    known = [pair for pair in dict.fromkeys(pairs) if {*pair} <= embedding.positions.keys()]
    if len(known) < 4:
        raise UndefinedError(
            f"{embedding.name} knows both words of {len(known)} of the {len(pairs)} pairs, and two "
            "halves of two pairs are needed to choose t; give more pairs, or t itself."
        )
    order = np.random.default_rng(seed).permutation(len(known))
    halves = [[known[i] for i in sorted(half)] for half in np.array_split(order, 2)]
    metric = Analogies("gyro-translation", similarity=similarity)
    scores = np.array([_scores(half, embedding, metric, ts) for half in halves])
    one, other = scores.argmax(axis=1)
    mean = scores.mean(axis=0)
    return ChosenT(
        t=ts[int(mean.argmax())],
        scores=dict(zip(ts, mean.tolist(), strict=True)),
        folds=(
            Fold(tuple(halves[0]), ts[int(other)], float(scores[0, other])),
            Fold(tuple(halves[1]), ts[int(one)], float(scores[1, one])),
        ),
        seed=seed,
    )


def _scores(
    pairs: Sequence[Pair], embedding: Embedding, metric: Analogies, ts: Sequence[float]
) -> list[float]:
    at = embedding.positions
    asked = np.array(
        [[at[a], at[b], at[c], at[d]] for a, b in pairs for c, d in pairs if len({a, b, c, d}) == 4]
    )
    if not len(asked):
        raise UndefinedError("The pairs share their words; give pairs of different words.")
    right = metric.answers(asked[:, :3], embedding, ts) == asked[:, 3]
    means: list[float] = right.mean(axis=1).tolist()
    return means

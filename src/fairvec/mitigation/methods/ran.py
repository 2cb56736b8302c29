"""RAN: turn words away from biased neighbours and the concept, and keep them near where they were.

F has a dual: x = y / |y| with y = a w / 2 - sum_i b_i f_i, f_i the forces and -1 <= b_i <= 1, so
that the minimum is exact and the gap to it known (`solve_ran`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.settings import NotNegative, Positive, PositiveInt, settings
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.geometry.directions import beta
from fairvec.geometry.nearest import nearest
from fairvec.geometry.norms import norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    IDEMPOTENT,
    NORM_KEPT,
    Debiaser,
    Strength,
    check_lengths,
    describe_fit,
)
from fairvec.mitigation.concept_direction import concept_direction, tangent_vectors
from fairvec.mitigation.moves import Projection, at_lengths
from fairvec.mitigation.specific_words import Specific, specific_split
from fairvec.mitigation.transform import Transform


@dataclass(frozen=True)
class RanWeights:
    """What repulsion, attraction and neutralisation count: r, a and s."""

    repulsion: float
    attraction: float
    neutralisation: float


@dataclass(frozen=True, eq=False)
class RanSolution:
    """The minimisers x, one row a word, and by how much each F(x) may exceed its minimum.

    Words that are not `attracted` are pushed harder than attraction holds them (y = 0): their row
    is w.
    """

    rows: FloatArray
    gaps: FloatArray
    attracted: NDArray[np.bool_]


BLOCK = 256
"""How many words are solved at a time; their neighbours lie in memory together."""
RanLengths = Literal["kept", "unit"]


@settings
class RAN(Debiaser):
    """Turn each neutral word w to where repulsion, attraction and neutralisation are least.

    F(x) = r mean_i |cos(x, n_i)| + a (1 - cos(x, w))/2 + s |cos(x, g)|

    n_i are those of w's `neighbours` nearest whose indirect bias beta(w, n_i) is `theta` or more:
    which are near through the concept's direction g. Only the direction of w changes; `lengths` are
    kept, or brought to one as published. The first `words` of the vocabulary are looked at: they
    move unless they are specific, and neighbours are found among them; all others stay. At a
    strength below 1 words turn a part of the way.

    The publication descends by Adam (300 steps of .01, a word at a time), and its program weighs
    neutralisation like attraction. Here the minimum is exact, as F has a dual that can be solved
    (see solve_ran), with the published weights. `words`, and neighbours among them, are ours.

    Kumar, Bhotia, Kumar & Chakraborty (2020), Nurse is Closer to Woman than Surgeon? Mitigating
    Gender-Biased Proximities in Word Embeddings, TACL 8, 486-503; arXiv:2006.01938.
    """

    name = "ran"

    repulsion: Annotated[
        NotNegative,
        Field(description="Weight of keeping off neighbours that are near through the direction."),
    ] = 1 / 8
    attraction: Annotated[
        Positive, Field(description="Weight of staying near the place from before.")
    ] = 6 / 8
    neutralisation: Annotated[
        NotNegative, Field(description="Weight of leaning to neither side.")
    ] = 1 / 8
    theta: Annotated[
        float, Field(description="From which indirect bias on a neighbour repels.")
    ] = 0.05
    neighbours: Annotated[
        PositiveInt, Field(description="Nearest words of each word that are looked at.")
    ] = 100
    words: Annotated[
        int,
        Field(
            description="Most frequent words that move, and among which neighbours are found.", ge=2
        ),
    ] = 20_000
    strength: Strength = 1.0
    lengths: Annotated[
        RanLengths, Field(description="Words keep their length, or are brought to length one.")
    ] = "kept"
    specific: Specific = "listed"

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the places of the neutral words; other words have none and do not move."""
        check_lengths(self.lengths, embedding.geometry)
        words = ConceptWords(concept, embedding)
        direction = concept_direction(words, concept.definition, concept.name)
        split = specific_split(words, self.specific)
        keys = embedding.keys[: self.words]
        raw = tangent_vectors(embedding, keys, raw=True)
        lengths = norms(raw)
        units = at_lengths(raw, np.ones(len(raw)), before=raw)
        moving = np.array(
            [row for row, key in enumerate(keys) if lengths[row] and key not in split.keys], np.intp
        )
        if len(moving) < 2:
            raise UndefinedError(
                f"{concept.name}: of the first {len(keys)} words of {embedding.name} {len(moving)} "
                "are not specific, and two are needed; look at more words."
            )
        solution, repelled = self._solve(units, moving, direction.vector)
        turned = (1 - self.strength) * units[moving] + self.strength * solution.rows
        target_lengths = lengths[moving] if self.lengths == "kept" else np.ones(len(moving))
        places = at_lengths(turned, target_lengths, before=turned)
        not_attracted = [keys[row] for row in moving[~solution.attracted]]
        summary = (
            f"{len(moving)} words of the first {len(keys)}, each repelled from {repelled:.1f} "
            f"neighbours on average; no objective is more than {solution.gaps.max():.0e} from its "
            "minimum"
        )
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(direction.keys),
            guarantees=frozenset({IDEMPOTENT, *([NORM_KEPT] if self.lengths == "kept" else [])}),
            move=Projection(np.empty((0, embedding.dimensions)), self.strength),
            lengths="unit" if self.lengths == "unit" else "free",
            unmoved=split.keys,
            placed=dict(zip((keys[row] for row in moving), places, strict=True)),
            remarks={"moved": [summary]}
            | direction.remarks
            | ({"not_held": not_attracted} if not_attracted else {})
            | split.remarks,
        )

    def _solve(
        self, units: FloatArray, moving: NDArray[np.intp], g: FloatArray
    ) -> tuple[RanSolution, float]:
        """Return the solution for the moving rows, and how many neighbours push on average."""
        weights = RanWeights(self.repulsion, self.attraction, self.neutralisation)
        leaning = units @ g
        count = min(self.neighbours, int(units.any(axis=1).sum()) - 1)
        near = nearest(units[moving], units, count, Euclidean(), COSINE, excluded=moving[:, None])
        betas = beta(near.similarities, leaning[moving, None], leaning[near.rows])
        repelled = betas >= self.theta
        parts = []
        for start in range(0, len(moving), BLOCK):
            block = slice(start, start + BLOCK)
            # Most neighbours do not repel, and need not be fetched.
            widest = int(repelled[block].sum(axis=1).max())
            first = np.argsort(~repelled[block], axis=1, kind="stable")[:, :widest]
            rows = np.take_along_axis(near.rows[block], first, 1)
            pushing = np.take_along_axis(repelled[block], first, 1)
            pushes = forces(units[rows], pushing, g, weights)
            parts.append(solve_ran(units[moving[block]], pushes, self.attraction))
        joined = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("rows", "gaps", "attracted")
        )
        return RanSolution(*joined), float(repelled.sum(axis=1).mean())


TOLERANCE = 1e-9
SWEEPS = 1000
"""After how many rounds over all neighbours a word is left as it is; two or three are usual."""


def forces(
    neighbours: FloatArray, repelled: NDArray[np.bool_], g: FloatArray, weights: RanWeights
) -> FloatArray:
    """Return (r/m) n_i of each word's repelled neighbours (others count 0), and s g at the end.

    `neighbours` has a matrix of unit vectors a word.
    """
    shares = weights.repulsion / np.maximum(repelled.sum(axis=1, keepdims=True), 1) * repelled
    along = np.broadcast_to(weights.neutralisation * g, (len(neighbours), 1, len(g)))
    return np.concatenate([neighbours * shares[..., None], along], axis=1)


def objective(
    x: FloatArray, words: FloatArray, pushes: FloatArray, attraction: float
) -> FloatArray:
    """Return F(x) for unit vectors x, the words w and their forces."""
    alike = np.einsum("wd,wd->w", words, x)
    values: FloatArray = attraction * (1 - alike) / 2 + np.abs(_along(pushes, x)).sum(axis=1)
    return values


def solve_ran(words: FloatArray, pushes: FloatArray, attraction: float) -> RanSolution:
    """Return the minimisers of F for the same words, by descent along one bound after the other."""
    # Starting where every neighbour pushes with all its might, most words are solved at once.
    bounds = np.sign(_along(pushes, words))
    bounds[:, -1] = 0
    y = attraction / 2 * words - np.einsum("wn,wnd->wd", bounds, pushes)
    _turn(y, bounds, pushes, -1)
    gaps = _gaps(y, words, pushes, attraction)
    for _ in range(SWEEPS):
        (open_,) = (gaps > TOLERANCE).nonzero()
        if not len(open_):
            break
        open_y, open_bounds, open_pushes = y[open_], bounds[open_], pushes[open_]
        for column in range(pushes.shape[1]):
            _turn(open_y, open_bounds, open_pushes, column)
        y[open_], bounds[open_] = open_y, open_bounds
        gaps[open_] = _gaps(open_y, words[open_], open_pushes, attraction)
    lengths = np.linalg.norm(y, axis=1)
    attracted = lengths > TOLERANCE
    rows = np.where(attracted[:, None], y / np.where(attracted, lengths, 1)[:, None], words)
    return RanSolution(rows, gaps, attracted)


def _turn(y: FloatArray, bounds: FloatArray, pushes: FloatArray, column: int) -> None:
    """Set one bound of each word to its best value, in place."""
    push, current = pushes[:, column], bounds[:, column]
    square = np.einsum("wd,wd->w", push, push)
    step = np.divide(
        np.einsum("wd,wd->w", push, y), square, out=np.zeros_like(square), where=square > 0
    )
    best = np.clip(current + step, -1, 1)
    y -= (best - current)[:, None] * push
    bounds[:, column] = best


def _gaps(y: FloatArray, words: FloatArray, pushes: FloatArray, attraction: float) -> FloatArray:
    lengths = np.linalg.norm(y, axis=1)
    x = y / np.maximum(lengths, TOLERANCE)[:, None]
    gaps: FloatArray = objective(x, words, pushes, attraction) - attraction / 2 + lengths
    return gaps


def _along(pushes: FloatArray, x: FloatArray) -> FloatArray:
    products: FloatArray = np.matmul(pushes, x[:, :, None])[..., 0]
    return products

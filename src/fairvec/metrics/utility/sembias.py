"""SemBias: of which kind is the pair of words that is most like he and she?

Two definitions of most like: by the angle of the offset (`nearest_in_angle`), or by which second
word gyro-translation predicts best (`best_predicted`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field

from fairvec.benchmarks import Choice, SemBiasSet, find_words, text_vectors
from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.settings import Share, settings
from fairvec.encoders import Representation
from fairvec.geometry import FloatArray, Geometry, Similarity, default_similarity
from fairvec.geometry.norms import normalize, norms
from fairvec.metrics.base import OneSample, overall_mean
from fairvec.metrics.bias.vocabulary import require_vocabulary
from fairvec.metrics.utility.analogy import choose_t
from fairvec.metrics.utility.base import UtilityScore
from fairvec.metrics.utility.gyro_analogy import gyro_translate

KINDS = {"definition": [0], "stereotype": [3], "none": [1, 2]}
HELD_OUT = ", held out"

SemBiasDefinition = Literal["offset-angle", "gyro-translation"]
"""How the pair that is most like the reference pair is found."""

_BEST = (
    "is of this kind: best is 1 for definition and 0 for stereotype and none; by chance it is "
    "0.25, 0.25 and 0.5."
)


@settings(called="sembias")
class SemBias:
    """The share of rows in which the pair of words most like he and she is of a kind.

    A row has four pairs (a, b): one differs in gender by definition, one by stereotype, two not at
    all. `definition` says how one of them is chosen:

    offset-angle: the one with the largest cos(a - b, he - she); in the ball the offset is the
    gyrovector -a (+) b, in a product of balls its tangent vector at the origin. A pair whose words
    are one point is never chosen.
    gyro-translation: the one whose b is most similar to the point that is to a as she is to he:
    a + she - he in flat space, and in the ball the point at the share `t` of the way between the
    two gyro-translations. `similarity` is the geometry's own (cosine in flat space, -distance in
    the ball) unless one is named; `t` is chosen by cross-validation on the definition pairs unless
    it is given (see `with_chosen_t`).

    Pairs that tie share the choice. Rows of which a word has no vector are left out. An embedding
    that keeps gender and no stereotype has definition 1, stereotype 0 and none 0; one that knows
    nothing of gender has 0.25, 0.25 and 0.5. The parts "..., held out" are those of the rows with
    words that no training list had; they are there if such a row was found.

    Zhao et al. (2018), arXiv:1809.01496, section 4.2; Kumar et al. (2020), arXiv:2109.13767,
    section 4.2 and appendix 2.3.
    """

    definition: Annotated[
        SemBiasDefinition, Field(description="How the pair that fits best is chosen.")
    ] = "offset-angle"
    similarity: Annotated[
        Similarity | None,
        Field(
            description="Of gyro-translation: how two points are compared; by default the "
            "geometry's own way."
        ),
    ] = None
    t: Annotated[
        Share | None,
        Field(
            description="Of gyro-translation: the share of the way between its two translations; "
            "by default chosen by cross-validation."
        ),
    ] = None
    reference: Annotated[
        tuple[str, str],
        Field(description="The two words whose difference the pairs are compared with."),
    ] = ("he", "she")

    def __post_init__(self) -> None:
        if not self.is_translated and (self.similarity or self.t is not None):
            raise SettingError("offset-angle has no similarity and no t; use gyro-translation.")

    @property
    def is_translated(self) -> bool:
        """Whether second words are predicted."""
        return self.definition == "gyro-translation"

    @property
    def name(self) -> str:
        """The two definitions are two measures: on the same model they differ by half of all."""
        return "sembias-gyro-translation" if self.is_translated else "sembias"

    @property
    def meaning(self) -> str:
        """What a share says, with the t by which words were predicted."""
        first, second = self.reference
        if not self.is_translated:
            return f"The share of rows in which the pair nearest to {first} - {second} {_BEST}"
        t = "" if self.t is None else f" (gyro-translation, t = {self.t:g})"
        return (
            "The share of rows in which the pair whose second word is best predicted from the "
            f"first as {second} from {first}{t} {_BEST}"
        )

    def with_chosen_t(self, benchmark: SemBiasSet, model: Representation) -> Self:
        """Return the metric with the t that cross-validation chooses, so that a record names it.

        Analogies between the definition pairs decide, asked of the whole vocabulary; where no t is
        needed, or one is given, nothing changes.
        """
        if not self.is_translated or self.t is not None or not model.geometry.curvature:
            return self
        embedding = require_vocabulary(model)
        pairs = dict.fromkeys(row.definition for row in benchmark.rows)
        words = [word for pair in pairs for word in pair]
        found = find_words(words, embedding, benchmark.language)
        key = {word: match.key for word, match in found.items() if not match.parts}
        known = [(key[a], key[b]) for a, b in pairs if a in key and b in key]
        return replace(self, t=choose_t(known, embedding, similarity=self.similarity).t)

    def measure(self, benchmark: SemBiasSet, model: Representation) -> tuple[UtilityScore, ...]:
        """Return the share of each kind, over all rows and over those held out."""
        t = self.with_chosen_t(benchmark, model).t
        vectors = text_vectors((*self.reference, *benchmark.texts), model, benchmark.language)
        if absent := [word for word in self.reference if word not in vectors]:
            raise UndefinedError(
                f"{model.name} lacks {' and '.join(absent)}, with which the pairs of "
                f"{benchmark.title} are compared; name another reference pair."
            )
        items = [i for i, row in enumerate(benchmark.rows) if vectors.keys() >= {*_words([row])}]
        if not items:
            raise UndefinedError(
                f"{model.name} knows all words of none of the {len(benchmark.rows)} rows of "
                f"{benchmark.title}; use a model that knows more of them."
            )
        pairs = [
            [[vectors[word] for word in pair] for pair in benchmark.rows[i].pairs] for i in items
        ]
        reference = np.array([vectors[word] for word in self.reference])
        chosen = self._choose(np.array(pairs), reference, model.geometry, t)
        choices = dict(zip(items, chosen, strict=True))

        def parts(suffix: str, rows: range) -> Iterator[UtilityScore]:
            answered = tuple(row for row in rows if row in choices)
            words = dict.fromkeys(_words(benchmark.rows[row] for row in rows))
            missing = tuple(word for word in words if word not in vectors)
            for kind, columns in KINDS.items() if answered else ():
                shares = np.array([choices[row][columns].sum(keepdims=True) for row in answered])
                yield UtilityScore(
                    kind + suffix,
                    float(shares.mean()),
                    OneSample(shares, overall_mean),
                    answered,
                    len(rows),
                    missing,
                    shared=tuple(_shared_pairs(benchmark.rows[row]) for row in answered),
                )

        count = len(benchmark.rows)
        held_out = range(count - benchmark.held_out, count)
        return *parts("", range(count)), *parts(HELD_OUT, held_out)

    def _choose(
        self, pairs: FloatArray, reference: FloatArray, geometry: Geometry, t: float | None
    ) -> FloatArray:
        if not self.is_translated:
            return nearest_in_angle(pairs, reference, geometry)
        similarity = self.similarity or default_similarity(geometry)
        return best_predicted(pairs, reference, geometry, similarity, t or 0.0)


def _shared_pairs(row: Choice) -> tuple[str, str]:
    """Return the pairs of which a row is a combination: by definition and by stereotype."""
    return " ".join(row.definition), " ".join(row.stereotype)


def _words(rows: Iterable[Choice]) -> list[str]:
    return [word for row in rows for pair in row.pairs for word in pair]


def nearest_in_angle(pairs: FloatArray, reference: FloatArray, geometry: Geometry) -> FloatArray:
    """Return 1 for the pair of each row that is nearest in angle to the reference pair, else 0.

    `pairs` has the axes row, pair, first or second word, dimension; ties share the 1.
    """
    towards = _offsets(reference, geometry)
    if not towards.any():
        raise UndefinedError(
            "The two words of the reference pair are one point; name another pair."
        )
    offsets = _offsets(pairs, geometry)
    lengths = norms(offsets)
    cosines = np.divide(
        offsets @ normalize(towards),
        lengths,
        where=lengths > 0,
        out=np.full_like(lengths, -np.inf),
    )
    return _share_of_best(cosines)


def best_predicted(
    pairs: FloatArray, reference: FloatArray, geometry: Geometry, similarity: Similarity, t: float
) -> FloatArray:
    """Return 1 for the pair of each row whose second word is most like its prediction, else 0.

    `pairs` has the axes row, pair, first or second word, dimension; ties share the 1.
    """
    first, second = pairs[..., 0, :], pairs[..., 1, :]
    start, end = (np.broadcast_to(point, first.shape) for point in reference)
    predicted = gyro_translate(start, end, first, t, geometry)
    similarities = [
        np.diagonal(similarity.between(*row, geometry))
        for row in zip(predicted, second, strict=True)
    ]
    return _share_of_best(np.array(similarities))


def _share_of_best(scores: FloatArray) -> FloatArray:
    """Return 1 for the largest score of each row, shared by those that tie, and else 0."""
    best = scores == scores.max(axis=-1, keepdims=True)
    shares: FloatArray = best / best.sum(axis=-1, keepdims=True)
    return shares


def _offsets(pairs: FloatArray, geometry: Geometry) -> FloatArray:
    """Return the way from the first to the second word of each pair, as seen from the origin."""
    return geometry.log0(geometry.gyrovector(pairs[..., 0, :], pairs[..., 1, :]))

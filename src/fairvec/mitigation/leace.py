"""LEACE: the smallest affine change after which a concept cannot be read linearly."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.settings import Count, Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import NOT_READABLE, promised
from fairvec.mitigation.moves.linear_moves import Affine
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.labelled import Words, labelled


@dataclass(frozen=True)
class LEACE:
    """Take out of words what is correlated with the labels of a concept, and as little else.

    w' = w - strength W^+ Q W (w - m),   Q the projection onto the columns of W S_xz,

    m the mean of the labelled words, W = (S_xx^1/2)^+ from their covariance, S_xz the
    cross-covariance with their labels. At strength 1 that cross-covariance is zero, and then, by
    the paper's theorem, no linear classifier reads the labels off these words better than a
    constant does; of all affine maps with that property this one moves them least (in the mean
    square, whatever the norm). Words count with their lengths.

    `words` and `each` say which words are labelled, and how many (see debias.labelled).

    Belrose et al. (2023), LEACE: Perfect linear concept erasure in closed form, NeurIPS;
    arXiv:2306.03819, theorem 4.3.
    """

    name: ClassVar[str] = "leace"

    words: Words = "leaning"
    each: Count | None = None
    strength: Share = 1.0

    def __post_init__(self) -> None:
        check_settings(self)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the affine map that erases the concept from its labelled words."""
        found = labelled(ConceptWords(concept, embedding), self.words, self.each)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=found.fitted_on,
            guarantees=promised(NOT_READABLE, strength=self.strength),
            geometry=embedding.geometry,
            move=Affine(
                -readable(found.rows, found.labels), found.rows.mean(axis=0), self.strength
            ),
            remarks=found.remarks,
        )


def readable(rows: FloatArray, labels: NDArray[np.intp]) -> FloatArray:
    """Return the oblique projection of row vectors onto what tells their labels: (W^+ Q W)^T."""
    centred = rows - rows.mean(axis=0)
    chosen = labels[:, None] == np.unique(labels)
    # With centred = U s V^T, W is V s^-1 V^T but for a factor: the projection does not change.
    sides, spreads, axes = np.linalg.svd(centred, full_matrices=False)
    usable = spreads > len(rows) * np.finfo(np.float64).eps * spreads[0]
    sides, spreads, axes = sides[:, usable], spreads[usable], axes[usable]
    found, sizes, _ = np.linalg.svd(sides.T @ (chosen - chosen.mean(axis=0)), full_matrices=False)
    read = found[:, sizes > 1e-9 * np.sqrt(len(rows))]
    oblique: FloatArray = ((axes.T / spreads) @ read) @ ((read.T * spreads) @ axes)
    return oblique

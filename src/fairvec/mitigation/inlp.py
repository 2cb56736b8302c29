"""INLP: project words, again and again, to where the next classifier is blind."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.sizes import lengths
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.ground.hearing import hearing
from fairvec.ground.settings import Count, Seed, Share, check_settings
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import DIRECTION_REMOVED, NOT_READABLE, promised
from fairvec.mitigation.moves.linear_moves import Projection, removed
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.words.labelled import Words, labelled

FEWEST = 4
ENOUGH = 100
"""With fewer labelled words, guessing and reading cannot be told apart by those held out."""


@dataclass(frozen=True)
class INLP:
    """Take out of words every direction by which a linear classifier tells the sides apart.

    w' = w - strength B^T B w,   B an orthonormal basis of all the normals.

    In turn a classifier is trained on seven tenths of the labelled words, its normals are added to
    B, and B is taken out of the words, until it guesses the labels of the other three tenths no
    better than by naming the most frequent one. If that takes more than `iterations`, or more
    directions than there are, or if fewer than a hundred words are labelled, the transform does not
    promise that the concept is unreadable; its remarks give the accuracy. (Held-out words must have
    no part in any normal: words from which their own normal was taken are guessed worse than by
    chance, and the end would come too soon.)

    The classifier is a logistic regression (C = 1, words scaled to a mean length of one), with two
    normals if there are neutral words among the labels. The paper takes a support-vector machine
    without intercept, and 35 turns whatever its accuracy. `words` and `each` say which words are
    labelled (see debias.labelled), `seed` which of them are held out.

    Ravfogel et al. (2020), Null It Out: Guarding Protected Attributes by Iterative Nullspace
    Projection, ACL, 7237-7256; arXiv:2004.07667.
    """

    name: ClassVar[str] = "inlp"

    iterations: Count = 35
    words: Words = "leaning"
    each: Count | None = None
    strength: Share = 1.0
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_settings(self)

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection onto the intersection of the null spaces."""
        found = labelled(ConceptWords(concept, embedding), self.words, self.each)
        if min(np.bincount(found.labels)) < FEWEST:
            raise SettingError(
                f"{concept.name}: {len(found.keys)} labelled words are too few to learn from and "
                f"to hold some out, for which {FEWEST} of every label are needed; use more."
            )
        scaled = found.rows / lengths(found.rows).mean()
        basis, accuracies, guessing = read_away(scaled, found.labels, self.iterations, self.seed)
        if not len(basis):
            raise UndefinedError(
                f"{concept.name}: a linear classifier cannot tell its sides apart in "
                f"{embedding.name} to begin with, so there is nothing to take out."
            )
        first, last = accuracies[0], accuracies[-1]
        unread = last <= guessing and len(found.keys) >= ENOUGH
        names = (DIRECTION_REMOVED, *([NOT_READABLE] if unread else []))
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=found.fitted_on,
            guarantees=promised(*names, strength=self.strength),
            geometry=embedding.geometry,
            move=Projection(basis, self.strength),
            remarks={
                **found.remarks,
                "directions_removed": (str(len(basis)),),
                "accuracy": (f"{first:.3f} before, {last:.3f} after, {guessing:.3f} by guessing",),
            },
        )


def read_away(
    rows: FloatArray, labels: NDArray[np.intp], iterations: int, seed: int
) -> tuple[FloatArray, list[float], float]:
    """Return a basis of what classifiers read, their accuracies in turn, and that of guessing."""
    from sklearn.model_selection import train_test_split

    split = train_test_split(rows, labels, test_size=0.3, stratify=labels, random_state=seed)
    taught, held_out, known, asked = split
    guessing = float(np.bincount(asked).max() / len(asked))
    basis: FloatArray = np.empty((0, rows.shape[1]))
    accuracies: list[float] = []
    while True:
        normals, guess = _classifier(removed(taught, basis), known)
        accuracies.append(float((guess(removed(held_out, basis)) == asked).mean()))
        longer = np.concatenate([basis, _orthonormal(removed(normals, basis))])
        done = accuracies[-1] <= guessing or len(accuracies) > iterations
        if done or len(longer) >= rows.shape[1]:
            return basis, accuracies, guessing
        basis = longer


def _classifier(
    rows: FloatArray, labels: NDArray[np.intp]
) -> tuple[FloatArray, Callable[[FloatArray], NDArray[np.intp]]]:
    """Return the normals of a logistic regression, and what it guesses of other rows."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    # A classifier that is not quite done is a plane to project along all the same.
    with hearing("ignore", ConvergenceWarning):
        fitted = LogisticRegression(max_iter=200).fit(rows, labels)
    return np.asarray(fitted.coef_, np.float64), fitted.predict


def _orthonormal(normals: FloatArray) -> FloatArray:
    _, strengths, axes = np.linalg.svd(normals, full_matrices=False)
    # The normals of several labels add up to zero, so that one of them is rounding.
    spanned: FloatArray = axes[strengths > 1e-6 * max(strengths[0], 1e-6)]
    return spanned

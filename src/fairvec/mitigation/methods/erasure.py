"""INLP and LEACE: make a concept unreadable for linear classifiers.

Both learn from words with labels, the side of the concept that each is on (`label_words`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import SettingError, UndefinedError, filter_warnings
from fairvec.core.format import method_setting_hint
from fairvec.core.settings import PositiveInt, Seed, check_choice, settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.norms import norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    NOT_READABLE,
    Debiaser,
    Strength,
    describe_fit,
    guarantees_at,
)
from fairvec.mitigation.concept_direction import concept_direction, tangent_vectors
from fairvec.mitigation.moves import Affine, Projection, remove_subspace, tangent_blocks
from fairvec.mitigation.transform import Transform

Words = Annotated[
    Literal["leaning", "defining"],
    Field(description="Which words are labelled: those that lean most, or those that define it."),
]
LabelCount = Annotated[
    PositiveInt | None,
    Field(
        description="Labelled words of each label; by default a twentieth of the vocabulary, 7,500 "
        "at most."
    ),
]

FEWEST = 4
ENOUGH = 100
"""With fewer labelled words, guessing and reading cannot be told apart by those held out."""


@settings
class INLP(Debiaser):
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
    labelled (see label_words), `seed` which of them are held out.

    Ravfogel et al. (2020), Null It Out: Guarding Protected Attributes by Iterative Nullspace
    Projection, ACL, 7237-7256; arXiv:2004.07667.
    """

    name = "inlp"

    iterations: Annotated[
        PositiveInt, Field(description="Classifiers trained in turn at the most.")
    ] = 35
    words: Words = "leaning"
    each: LabelCount = None
    strength: Strength = 1.0
    seed: Annotated[Seed, Field(description="Seed of the choice of held-out words.")] = 0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection onto the intersection of the null spaces."""
        words = label_words(ConceptWords(concept, embedding), self.words, self.each)
        if min(np.bincount(words.labels)) < FEWEST:
            raise SettingError(
                f"{concept.name}: {len(words.keys)} labelled words are too few to learn from and "
                f"to hold some out, for which {FEWEST} of every label are needed; use more."
            )
        rows = words.rows / norms(words.rows).mean()
        basis, accuracies, guessing = iterative_nullspace(
            rows, words.labels, self.iterations, self.seed
        )
        if not len(basis):
            raise UndefinedError(
                f"{concept.name}: a linear classifier cannot tell its sides apart in "
                f"{embedding.name} to begin with, so there is nothing to take out."
            )
        first, last = accuracies[0], accuracies[-1]
        is_unreadable = last <= guessing and len(words.keys) >= ENOUGH
        names = (DIRECTION_REMOVED, *([NOT_READABLE] if is_unreadable else []))
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=words.fitted_on,
            guarantees=guarantees_at(*names, strength=self.strength),
            move=Projection(basis, self.strength),
            remarks={
                **words.remarks,
                "directions_removed": (str(len(basis)),),
                "accuracy": (f"{first:.3f} before, {last:.3f} after, {guessing:.3f} by guessing",),
            },
        )


def iterative_nullspace(
    rows: FloatArray, labels: NDArray[np.intp], iterations: int, seed: int
) -> tuple[FloatArray, list[float], float]:
    """Return a basis of the classifiers' normals, their accuracies, and that of guessing."""
    from sklearn.model_selection import train_test_split

    split = train_test_split(rows, labels, test_size=0.3, stratify=labels, random_state=seed)
    training, held_out, training_labels, held_out_labels = split
    guessing = float(np.bincount(held_out_labels).max() / len(held_out_labels))
    basis: FloatArray = np.empty((0, rows.shape[1]))
    accuracies: list[float] = []
    while True:
        normals, predict = _classifier(remove_subspace(training, basis), training_labels)
        accuracies.append(
            float((predict(remove_subspace(held_out, basis)) == held_out_labels).mean())
        )
        extended = np.concatenate([basis, _orthonormal(remove_subspace(normals, basis))])
        done = accuracies[-1] <= guessing or len(accuracies) > iterations
        if done or len(extended) >= rows.shape[1]:
            return basis, accuracies, guessing
        basis = extended


def _classifier(
    rows: FloatArray, labels: NDArray[np.intp]
) -> tuple[FloatArray, Callable[[FloatArray], NDArray[np.intp]]]:
    """Return the normals of a logistic regression, and its prediction function."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    # A classifier that is not quite done is a plane to project along all the same.
    with filter_warnings("ignore", ConvergenceWarning):
        fitted = LogisticRegression(max_iter=200).fit(rows, labels)
    return np.asarray(fitted.coef_, np.float64), fitted.predict


def _orthonormal(normals: FloatArray) -> FloatArray:
    _, strengths, axes = np.linalg.svd(normals, full_matrices=False)
    # The normals of several labels add up to zero, so that one of them is rounding.
    spanned: FloatArray = axes[strengths > 1e-6 * max(strengths[0], 1e-6)]
    return spanned


@settings
class LEACE(Debiaser):
    """Take out of words what is correlated with the labels of a concept, and as little else.

    w' = w - strength W^+ Q W (w - m),   Q the projection onto the columns of W S_xz,

    m the mean of the labelled words, W = (S_xx^1/2)^+ from their covariance, S_xz the
    cross-covariance with their labels. At strength 1 that cross-covariance is zero, and then, by
    the paper's theorem, no linear classifier reads the labels off these words better than a
    constant does; of all affine maps with that property this one moves them least (in the mean
    square, whatever the norm). Words count with their lengths.

    `words` and `each` say which words are labelled, and how many (see label_words).

    Belrose et al. (2023), LEACE: Perfect linear concept erasure in closed form, NeurIPS;
    arXiv:2306.03819, theorem 4.3.
    """

    name = "leace"

    words: Words = "leaning"
    each: LabelCount = None
    strength: Strength = 1.0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the affine map that erases the concept from its labelled words."""
        words = label_words(ConceptWords(concept, embedding), self.words, self.each)
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=words.fitted_on,
            guarantees=guarantees_at(NOT_READABLE, strength=self.strength),
            move=Affine(
                -leace_projection(words.rows, words.labels), words.rows.mean(axis=0), self.strength
            ),
            remarks=words.remarks,
        )


def leace_projection(rows: FloatArray, labels: NDArray[np.intp]) -> FloatArray:
    """Return the oblique projection of row vectors onto what tells their labels: (W^+ Q W)^T."""
    centred = rows - rows.mean(axis=0)
    one_hot = labels[:, None] == np.unique(labels)
    # With centred = U s V^T, W is V s^-1 V^T but for a factor: the projection does not change.
    left, spreads, axes = np.linalg.svd(centred, full_matrices=False)
    usable = spreads > len(rows) * np.finfo(np.float64).eps * spreads[0]
    left, spreads, axes = left[:, usable], spreads[usable], axes[usable]
    correlated, sizes, _ = np.linalg.svd(
        left.T @ (one_hot - one_hot.mean(axis=0)), full_matrices=False
    )
    readable = correlated[:, sizes > 1e-9 * np.sqrt(len(rows))]
    oblique: FloatArray = ((axes.T / spreads) @ readable) @ ((readable.T * spreads) @ axes)
    return oblique


MOST_LABELLED = 7500
"""How many words Ravfogel et al. (2020) label to either side, of a vocabulary of 150,000."""
LABELLED_PART = 20


@dataclass(frozen=True, eq=False)
class LabelledWords:
    """Keys, their tangent vectors with lengths, and labels.

    Labels count the sides of the concept from 0; among leaning words 2 is neutral. `fitted_on` adds
    the words that decided which side is which; `remarks` say how many there are.
    """

    keys: tuple[str, ...]
    rows: FloatArray
    labels: NDArray[np.intp]
    fitted_on: tuple[str, ...]
    remarks: dict[str, tuple[str, ...]]


def label_words(words: ConceptWords, choice: str, each: int | None) -> LabelledWords:
    """Return the labelled words of a concept in an embedding.

    `leaning`: the `each` words of the vocabulary whose cosine with the concept's direction is
    largest, the `each` with the smallest, and the `each` nearest to zero. By default a twentieth of
    the vocabulary each, 7,500 at most. (The paper draws its neutral words at random from those
    with a cosine below .03.)
    `defining`: the concept's defining words alone, by their place in their pair or set; those of a
    list by the side of its mean on which they lie.

    Ravfogel et al. (2020), section 6.1.
    """
    check_choice("choice of words to label", choice, Words)
    concept, embedding = words.concept, words.embedding
    found = concept_direction(words, concept.definition, concept.name)
    remarks = found.remarks
    if choice == "leaning":
        keys, labels = _leaning(words, found.vector, each)
        counts = np.bincount(labels)
        summary = f"{counts[0]:,} words to either side, {counts[2]:,} neutral ones"
        remarks |= {"labelled": (summary,)}
    elif concept.definition.words:
        keys, units = found.keys, tangent_vectors(embedding, found.keys)
        labels = ((units - units.mean(axis=0)) @ found.vector < 0).astype(np.intp)
    else:
        sets = words.sets_of(concept.definition, concept.name).sets
        sides = {key: side for group in sets for side, key in enumerate(group)}
        keys, labels = tuple(sides), np.array([*sides.values()], np.intp)
    rows = tangent_vectors(embedding, keys, raw=True)
    return LabelledWords(keys, rows, labels, tuple(dict.fromkeys((*keys, *found.keys))), remarks)


def _leaning(
    words: ConceptWords, direction: FloatArray, each: int | None
) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    embedding = words.embedding
    cosines = _cosines(embedding, direction)
    cosines[[embedding.positions[key] for key in words.held_out]] = np.nan
    (usable,) = np.isfinite(cosines).nonzero()
    if each is None:
        each = min(MOST_LABELLED, len(usable) // LABELLED_PART)
    if not FEWEST <= each <= len(usable) // 3:
        raise SettingError(
            f"{each} words cannot be labelled on either side and as neutral in {embedding.name} "
            f"({len(usable)} words); set each between {FEWEST} and a third, or "
            f"{method_setting_hint('words', 'defining')}."
        )
    order = usable[cosines[usable].argsort(kind="stable")]
    middle = order[each:-each]
    neutral = middle[np.abs(cosines[middle]).argsort(kind="stable")[:each]]
    chosen = np.concatenate([order[::-1][:each], order[:each], neutral])
    return tuple(embedding.keys[row] for row in chosen), np.repeat([0, 1, 2], each)


def _cosines(embedding: Embedding, direction: FloatArray) -> FloatArray:
    """Return the cosine of every word with a direction, and NaN for words that have none."""
    cosines = np.full(len(embedding), np.nan)
    for block, rows in tangent_blocks(embedding):
        usable = np.isfinite(rows).all(axis=1) & rows.any(axis=1)
        cosines[block][usable] = (rows[usable] @ direction) / norms(rows[usable])
    return cosines

"""INLP and LEACE: a concept made unreadable for linear classifiers."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.format import method_setting_hint
from fairvec.core.settings import PositiveInt, Seed, Share, check_choice, check_settings
from fairvec.core.warnings import filter_warnings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.norms import norms, rescaled_rows_and_norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import DIRECTION_REMOVED, NOT_READABLE, guarantees_at
from fairvec.mitigation.concept_direction import concept_direction, tangent_vectors
from fairvec.mitigation.moves import Affine, Projection, removed, tangent_blocks
from fairvec.mitigation.transform import Transform

# Words with the side of a concept that they are on: what a classifier is trained on.


Words = Literal["leaning", "defining"]

MOST = 7500
"""How many words Ravfogel et al. (2020) label to either side, of a vocabulary of 150,000."""
SHARE = 20


@dataclass(frozen=True, eq=False)
class Labelled:
    """Keys, their tangent vectors with lengths, and labels.

    Labels count the sides of the concept from 0; among leaning words 2 is neutral. `fitted_on` adds
    the words that decided which side is which; `remarks` say how many there are.
    """

    keys: tuple[str, ...]
    rows: FloatArray
    labels: NDArray[np.intp]
    fitted_on: tuple[str, ...]
    remarks: dict[str, tuple[str, ...]]


def labelled(words: ConceptWords, which: str, each: int | None) -> Labelled:
    """Return the labelled words of a concept in an embedding.

    `leaning`: the `each` words of the vocabulary whose cosine with the concept's direction is
    largest, the `each` with the smallest, and the `each` nearest to zero. By default a twentieth of
    the vocabulary each, 7,500 at most. (The paper draws its neutral words at random from those
    with a cosine below .03.)
    `defining`: the concept's defining words alone, by their place in their pair or set; those of a
    list by the side of its mean on which they lie.

    Ravfogel et al. (2020), section 6.1.
    """
    check_choice("choice of words to label", which, Words)
    concept, embedding = words.concept, words.embedding
    found = concept_direction(words, concept.definition, concept.name)
    remarks = found.remarks
    if which == "leaning":
        keys, labels = _leaning(words, found.vector, each)
        counts = np.bincount(labels)
        told = f"{counts[0]:,} words to either side, {counts[2]:,} neutral ones"
        remarks |= {"labelled": (told,)}
    elif concept.definition.words:
        keys, units = found.keys, tangent_vectors(embedding, found.keys)
        labels = ((units - units.mean(axis=0)) @ found.vector < 0).astype(np.intp)
    else:
        aligned = words.sets_of(concept.definition, concept.name).sets
        sides = {key: side for each_set in aligned for side, key in enumerate(each_set)}
        keys, labels = tuple(sides), np.array([*sides.values()], np.intp)
    rows = tangent_vectors(embedding, keys, raw=True)
    return Labelled(keys, rows, labels, tuple(dict.fromkeys((*keys, *found.keys))), remarks)


def _leaning(
    words: ConceptWords, towards: FloatArray, each: int | None
) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    embedding = words.embedding
    cosines = _cosines(embedding, towards)
    cosines[[embedding.positions[key] for key in words.held_out]] = np.nan
    (usable,) = np.isfinite(cosines).nonzero()
    if each is None:
        each = min(MOST, len(usable) // SHARE)
    if not FEWEST <= each <= len(usable) // 3:
        raise SettingError(
            f"{each} words cannot be labelled on either side and as neutral in {embedding.name} "
            f"({len(usable)} words); set each between {FEWEST} and a third, or "
            f"{method_setting_hint('words', 'defining')}."
        )
    order = usable[cosines[usable].argsort(kind="stable")]
    rest = order[each:-each]
    neutral = rest[np.abs(cosines[rest]).argsort(kind="stable")[:each]]
    chosen = np.concatenate([order[::-1][:each], order[:each], neutral])
    return tuple(embedding.keys[row] for row in chosen), np.repeat([0, 1, 2], each)


def _cosines(embedding: Embedding, towards: FloatArray) -> FloatArray:
    """Return the cosine of every word with a direction, and NaN for words that have none."""
    cosines = np.full(len(embedding), np.nan)
    for some, rows in tangent_blocks(embedding):
        usable = np.isfinite(rows).all(axis=1) & rows.any(axis=1)
        pointing, far = rescaled_rows_and_norms(rows[usable])
        cosines[some][usable] = (pointing @ towards) / far
    return cosines


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

    iterations: PositiveInt = 35
    words: Words = "leaning"
    each: PositiveInt | None = None
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
        scaled = found.rows / norms(found.rows).mean()
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
            guarantees=guarantees_at(*names, strength=self.strength),
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
    with filter_warnings("ignore", ConvergenceWarning):
        fitted = LogisticRegression(max_iter=200).fit(rows, labels)
    return np.asarray(fitted.coef_, np.float64), fitted.predict


def _orthonormal(normals: FloatArray) -> FloatArray:
    _, strengths, axes = np.linalg.svd(normals, full_matrices=False)
    # The normals of several labels add up to zero, so that one of them is rounding.
    spanned: FloatArray = axes[strengths > 1e-6 * max(strengths[0], 1e-6)]
    return spanned


# LEACE: the smallest affine change after which a concept cannot be read linearly.


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
    each: PositiveInt | None = None
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
            guarantees=guarantees_at(NOT_READABLE, strength=self.strength),
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

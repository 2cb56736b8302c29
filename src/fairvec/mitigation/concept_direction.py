"""The direction or subspace of a concept in an embedding, how stable it is, and vocabulary PCA.

A direction is taken from pairs, sets or a list of words (`DirectionRule`); its stability is how
well it is found again with one of them left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from fairvec.core.errors import SettingError, UndefinedError, filter_warnings
from fairvec.core.settings import check_choice
from fairvec.core.text import short_repr
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import (
    between_means,
    explained_variance_ratio,
    first_component,
    leading_components,
)
from fairvec.geometry.norms import norm, normalize, normalize_rows
from fairvec.lexicon import ConceptWords, Definition
from fairvec.mitigation.moves import tangent_blocks

Sets = Sequence[tuple[str, ...]]

STEADINESS = "steadiness"
"""The remark of a transform about the stability of its directions."""


@dataclass(frozen=True)
class DirectionStability:
    """How well a direction, or the subspace of k, is found again without one of its pairs.

    `cosines` has the |cosine| between what is found without a pair (a set, a word of a list) and
    what all give, of two subspaces that of their largest angle. 1: the pair makes no difference; 0:
    without it there is another direction, or none. `explained` is the share of the k components in
    what the words of a pair differ in; None of a direction that is no principal component. Near 1
    all pairs differ in the same; n pairs that have nothing in common give 1/n.
    """

    kind: str
    count: int
    k: int
    explained: float | None
    cosines: Mapping[str, float]

    @property
    def summary(self) -> str:
        """One sentence for the remarks of a transform."""
        if not self.cosines:
            return "rests on one pair alone, which no other confirms"
        explained = ""
        if self.explained is not None:
            components = "component holds" if self.k == 1 else f"{self.k} components hold"
            explained = (
                f"the first {components} {self.explained:.0%} of what {self.kind} differ in; "
            )
        low, high = (choose(self.cosines, key=self.cosines.__getitem__) for choose in (min, max))
        return (
            f"{explained}with one of {self.count} {self.kind} left out the |cosine| with this "
            f"direction is {self.cosines[low]:.3f} (without {low}) to {self.cosines[high]:.3f} "
            f"(without {high})"
        )


SMALLEST_LEARNT, LARGEST_LEARNT = 1e-70, 1e70
"""Between these lengths covariances, their inverses and the strength of a penalty make sense."""

MOST_STEPS = 1_000_000
"""Limit of a support vector machine's steps: on long vectors it would never end."""

DirectionRule = Literal["auto", "one-pair", "pairs-pca", "two-means", "svm", "sets-pca", "list-pca"]
"""How a direction is taken from words; `auto` follows what the words are: pairs, sets, a list."""


@dataclass(frozen=True, eq=False)
class ConceptDirection:
    """A unit vector, the keys it was taken from and the entries that had to be left out.

    `what` names it in messages; `measure_stability` finds it again without each of its pairs.
    """

    what: str
    vector: FloatArray
    keys: tuple[str, ...]
    left_out: tuple[str, ...]
    measure_stability: Callable[[], DirectionStability]

    @cached_property
    def stability(self) -> DirectionStability:
        """How well it is found again without one of its pairs; measured when it is first read."""
        return self.measure_stability()

    @property
    def remarks(self) -> dict[str, tuple[str, ...]]:
        """What a transform says about the direction."""
        return remarks_of(self)


def concept_direction(
    words: ConceptWords, definition: Definition, what: str, *, how: str = "auto", raw: bool = False
) -> ConceptDirection:
    """Return the direction of a definition, named `what` in errors.

    Words count by their directions alone, or with their lengths if `raw`.
    """
    check_choice("rule for a direction", how, DirectionRule)
    how = _resolve_rule(definition, what, how)
    if how == "list-pca":
        listed = words.list_of(definition, what)
        keys, left_out = listed.keys, listed.missing
        sets: tuple[tuple[str, ...], ...] = (listed.keys,)
    else:
        found = words.sets_of(definition, what)
        keys, left_out, sets = found.keys, tuple(map("-".join, found.left_out)), found.sets
    points = dict(zip(keys, tangent_vectors(words.embedding, keys, raw=raw), strict=True))

    def rows(groups: Sets) -> list[FloatArray]:
        return [np.array([points[key] for key in each]) for each in groups]

    def find(groups: Sets) -> FloatArray:
        return _find_direction(how, rows(groups))

    try:
        vector = find(sets)
    except UndefinedError as error:
        reason = f"{str(error)[:1].lower()}{str(error)[1:]}"
        raise UndefinedError(f"{what} ({', '.join(keys)}): {reason}") from None

    def measure_stability() -> DirectionStability:
        explained = explained_by(rows(sets)) if how.endswith("-pca") else None
        return stability(vector, sets, find, explained)

    return ConceptDirection(what, vector, keys, left_out, measure_stability)


def _find_direction(how: str, sets: Sequence[FloatArray]) -> FloatArray:
    if how in ("list-pca", "sets-pca"):
        axis: FloatArray = subspace(sets, 1)[0]
        # The sign means nothing here, but must not be left to the machine.
        return axis if axis[np.abs(axis).argmax()] > 0 else -axis
    a, b = (np.array([pair[side] for pair in sets]) for side in (0, 1))
    match how:
        case "two-means":
            return between_means(a, b)
        case "svm":
            return svm_normal(a, b)
    return first_component(a, b)


def _resolve_rule(definition: Definition, what: str, how: str) -> str:
    kinds = {"list-pca": "a list", "sets-pca": "sets"}
    default = "list-pca" if definition.words else "sets-pca" if definition.sets else "pairs-pca"
    if how == "auto":
        return default
    if how != default and {how, default} & kinds.keys():
        actual, needed = kinds.get(default, "pairs"), kinds.get(how, "pairs")
        raise SettingError(
            f"{what} is {actual}, not {needed}, so {how} has nothing to work on; use auto."
        )
    if how == "one-pair" and len(definition.pairs) > 1:
        raise SettingError(
            f"{what} has {len(definition.pairs)} pairs; choose a variant with one, or pairs-pca."
        )
    return how


def subspace(sets: Sequence[FloatArray], k: int, *, by_word: bool = False) -> FloatArray:
    """Return the first k principal components of sets of vectors, each centred at its mean.

    C = sum_i sum_(w in D_i) (w - m_i)(w - m_i)^T / |D_i|, so that each set counts alike, however
    many words it has; `by_word` without the weights 1/|D_i|. Sets of one size give the same.

    Bolukbasi et al. (2016), section 6, and Bharti (2021), 3.3.2; without weights Manzini et al.
    (2019).
    """
    return leading_components(_centred(sets, by_word), k, of=np.concatenate(sets))


def _centred(sets: Sequence[FloatArray], by_word: bool) -> FloatArray:
    return np.concatenate(
        [(each - each.mean(axis=0)) / (1 if by_word else np.sqrt(len(each))) for each in sets]
    )


def svm_normal(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the normal of the plane that parts a from b with the widest margin (C = 1)."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    sides = np.repeat([1, 0], [len(a), len(b)])
    # The default tolerance would leave four digits to the order of the machine's sums.
    classifier = SVC(kernel="linear", C=1.0, tol=1e-10, max_iter=MOST_STEPS)
    with filter_warnings("error", ConvergenceWarning):
        try:
            fitted = classifier.fit(np.concatenate([a, b]), sides)
        except ConvergenceWarning:
            raise UndefinedError(
                f"No widest margin between the two lists was found in {MOST_STEPS:,} steps; use "
                "words at length one, or another rule for the direction."
            ) from None
    normal: FloatArray = np.asarray(fitted.coef_[0], np.float64)
    if norm(normal) <= 1e-9:
        raise UndefinedError("No plane parts the two lists; use lists with different words.")
    return normalize(normal)


def remarks_of(*found: ConceptDirection) -> dict[str, tuple[str, ...]]:
    """Return the remarks of a transform on its directions: stability, and entries left out."""
    left_out = tuple(dict.fromkeys(entry for direction in found for entry in direction.left_out))
    remarks = {
        STEADINESS: tuple(f"{direction.what}: {direction.stability.summary}" for direction in found)
    }
    return remarks | ({"left_out": left_out} if left_out else {})


def tangent_vectors(embedding: Embedding, keys: Sequence[str], *, raw: bool = False) -> FloatArray:
    """Return words as tangent vectors at the origin, at length one unless `raw`."""
    rows = embedding.geometry.log0(embedding.rows(keys))
    if raw:
        check_magnitude(rows, embedding.name)
        return rows
    if not (nonzero := rows.any(axis=1)).all():
        raise UndefinedError(
            f"{embedding.name}: the vector of {short_repr(keys[int(nonzero.argmin())])} has length "
            "zero and so no direction; leave that word out."
        )
    return normalize_rows(rows)


def check_magnitude(rows: FloatArray, name: str) -> None:
    """Raise UndefinedError if vectors are too long or too short to reckon with their squares."""
    largest = float(np.abs(rows).max(initial=0))
    if largest and not SMALLEST_LEARNT <= largest <= LARGEST_LEARNT:
        raise UndefinedError(
            f"The largest number in the vectors of {name} that this method learns from is "
            f"{largest:.1g}, and it reckons with squares; multiply all vectors by one number (in a "
            "ball divide c by its square), so that their lengths are near 1."
        )


def stability(
    found: FloatArray,
    sets: Sets,
    find: Callable[[Sets], FloatArray],
    explained: float | None = None,
) -> DirectionStability:
    """Leave out one pair or set after the other, or one word of a list, and compare.

    `found` is what `find` makes of all of them: a direction, or a basis of orthonormal rows.
    """
    listed = len(sets) == 1 and len(sets[0]) > 2
    parts: Sets = [(key,) for key in sets[0]] if listed else sets
    cosines: dict[str, float] = {}
    if len(parts) > 1:
        for number, part in enumerate(parts):
            rest = [*parts[:number], *parts[number + 1 :]]
            remaining = [tuple(key for (key,) in rest)] if listed else rest
            cosines["-".join(part)] = _cosine_with(found, remaining, find)
    kind = "words" if listed else "pairs" if all(len(each) == 2 for each in sets) else "sets"
    return DirectionStability(kind, len(parts), len(np.atleast_2d(found)), explained, cosines)


def explained_by(sets: Sequence[FloatArray], k: int = 1, *, by_word: bool = False) -> float:
    """Return the share of the first k principal components of sets centred at their means."""
    return float(explained_variance_ratio(_centred(sets, by_word))[:k].sum())


def _cosine_with(found: FloatArray, sets: Sets, find: Callable[[Sets], FloatArray]) -> float:
    try:
        found_again = find(sets)
    except UndefinedError:
        return 0.0
    products = np.atleast_2d(found) @ np.atleast_2d(found_again).T
    return float(min(1.0, np.linalg.svd(products, compute_uv=False).min()))


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """The mean of tangent vectors, and the directions in which they vary most about it.

    The rows of `axes` are orthonormal, the one with the largest variance first; a sign means
    nothing.
    """

    mean: FloatArray
    axes: FloatArray


def vocabulary_pca(embedding: Embedding, count: int) -> PrincipalAxes:
    """Return the mean and the first `count` components, or as many as there are columns."""
    with np.errstate(over="ignore"):  # what is too large is refused below
        mean = sum(rows.sum(axis=0) for _, rows in tangent_blocks(embedding)) / len(embedding)
    spread = np.zeros((embedding.dimensions, embedding.dimensions))
    for _, rows in tangent_blocks(embedding):
        check_magnitude(rows, embedding.name)
        spread += (rows - mean).T @ (rows - mean)
    return PrincipalAxes(np.asarray(mean), np.linalg.eigh(spread)[1].T[::-1][:count])


def without_axis(rows: FloatArray, mean: FloatArray, axis: FloatArray) -> FloatArray:
    """Return rows less the mean, and then less their component along an axis."""
    centred = rows - mean
    left: FloatArray = centred - np.outer(centred @ axis, axis)
    return left

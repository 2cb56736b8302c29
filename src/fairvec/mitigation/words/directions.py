"""The direction of a concept in an embedding, found from its words by a named rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import between_means, first_component, leading_axes, unit
from fairvec.geometry.sizes import length, unit_vector
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.ground.hearing import hearing
from fairvec.ground.settings import check_choice
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import ConceptWords, Definition
from fairvec.mitigation.words.steadiness import (
    STEADINESS,
    DirectionSteadiness,
    Sets,
    explained_by,
    steadiness,
)

SMALLEST_LEARNT, LARGEST_LEARNT = 1e-70, 1e70
"""Between these lengths covariances, their inverses and the strength of a penalty make sense."""

MOST_STEPS = 1_000_000
"""Of a support vector machine, which long vectors would keep busy for ever."""

From = Literal["auto", "one-pair", "pairs-pca", "two-means", "svm", "sets-pca", "list-pca"]
"""How a direction is taken from words; `auto` follows what the words are: pairs, sets, a list."""


@dataclass(frozen=True, eq=False)
class FoundDirections:
    """A unit vector, the keys it was taken from and the entries that had to be left out.

    `what` is taken, and `steady` says how much it hangs on single pairs.
    """

    what: str
    vector: FloatArray
    keys: tuple[str, ...]
    left_out: tuple[str, ...]
    steady: DirectionSteadiness

    @property
    def remarks(self) -> dict[str, tuple[str, ...]]:
        """What a transform says about the direction."""
        return remarks_of(self)


def direction(
    words: ConceptWords, definition: Definition, what: str, *, how: str = "auto", raw: bool = False
) -> FoundDirections:
    """Return the direction of a definition, named `what` in errors.

    Words count by their directions alone, or with their lengths if `raw`.
    """
    check_choice("rule for a direction", how, From)
    how = _rule(definition, what, how)
    if how == "list-pca":
        listed = words.list_of(definition, what)
        keys, left_out = listed.keys, listed.missing
        sets: tuple[tuple[str, ...], ...] = (listed.keys,)
    else:
        found = words.sets_of(definition, what)
        keys, left_out, sets = found.keys, tuple(map("-".join, found.left_out)), found.sets
    points = dict(zip(keys, vectors(words.embedding, keys, raw=raw), strict=True))

    def rows(some: Sets) -> list[FloatArray]:
        return [np.array([points[key] for key in each]) for each in some]

    def taken(some: Sets) -> FloatArray:
        return _taken(how, rows(some))

    try:
        vector = taken(sets)
    except UndefinedError as error:
        reason = f"{str(error)[:1].lower()}{str(error)[1:]}"
        raise UndefinedError(f"{what} ({', '.join(keys)}): {reason}") from None
    explained = explained_by(rows(sets)) if how.endswith("-pca") else None
    return FoundDirections(what, vector, keys, left_out, steadiness(vector, sets, taken, explained))


def remarks_of(*found: FoundDirections) -> dict[str, tuple[str, ...]]:
    """Return what a transform says about its directions: how steady, and what was left out."""
    left_out = tuple(dict.fromkeys(entry for each in found for entry in each.left_out))
    said = {STEADINESS: tuple(f"{each.what}: {each.steady.said}" for each in found)}
    return said | ({"left_out": left_out} if left_out else {})


def vectors(embedding: Embedding, keys: Sequence[str], *, raw: bool = False) -> FloatArray:
    """Return words as tangent vectors at the origin, at length one unless `raw`."""
    rows = embedding.geometry.log0(embedding.rows(keys))
    if raw:
        check_reach(rows, embedding.name)
        return rows
    if not (there := rows.any(axis=1)).all():
        raise UndefinedError(
            f"{embedding.name}: the vector of {shown(keys[int(there.argmin())])} has length zero "
            "and so no direction; leave that word out."
        )
    return unit(rows)


def check_reach(rows: FloatArray, name: str) -> None:
    """Refuse vectors of a model that are too long or too short for their squares to be learnt."""
    largest = float(np.abs(rows).max(initial=0))
    if largest and not SMALLEST_LEARNT <= largest <= LARGEST_LEARNT:
        raise UndefinedError(
            f"The largest number in the vectors of {name} that this method learns from is "
            f"{largest:.1g}, and it reckons with squares; multiply all vectors by one number (in a "
            "ball divide c by its square), so that their lengths are near 1."
        )


def subspace(sets: Sequence[FloatArray], k: int) -> FloatArray:
    """Return the first k principal components of sets of vectors, each centred at its mean."""
    centred = np.concatenate([each - each.mean(axis=0) for each in sets])
    return leading_axes(centred, k, of=np.concatenate(sets))


def svm_normal(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the normal of the plane that parts a from b with the widest margin (C = 1)."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    sides = np.repeat([1, 0], [len(a), len(b)])
    # The default tolerance would leave four digits to the order of the machine's sums.
    machine = SVC(kernel="linear", C=1.0, tol=1e-10, max_iter=MOST_STEPS)
    with hearing("error", ConvergenceWarning):
        try:
            fitted = machine.fit(np.concatenate([a, b]), sides)
        except ConvergenceWarning:
            raise UndefinedError(
                f"No widest margin between the two lists was found in {MOST_STEPS:,} steps; use "
                "words at length one, or another rule for the direction."
            ) from None
    normal: FloatArray = np.asarray(fitted.coef_[0], np.float64)
    if length(normal) <= 1e-9:
        raise UndefinedError("No plane parts the two lists; use lists with different words.")
    return unit_vector(normal)


def _taken(how: str, sets: Sequence[FloatArray]) -> FloatArray:
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


def _rule(definition: Definition, what: str, how: str) -> str:
    kinds = {"list-pca": "a list", "sets-pca": "sets"}
    own = "list-pca" if definition.words else "sets-pca" if definition.sets else "pairs-pca"
    if how == "auto":
        return own
    if how != own and {how, own} & kinds.keys():
        given, wanted = kinds.get(own, "pairs"), kinds.get(how, "pairs")
        raise SettingError(
            f"{what} is {given}, not {wanted}, so {how} has nothing to work on; use auto."
        )
    if how == "one-pair" and len(definition.pairs) > 1:
        raise SettingError(
            f"{what} has {len(definition.pairs)} pairs; choose a variant with one, or pairs-pca."
        )
    return how

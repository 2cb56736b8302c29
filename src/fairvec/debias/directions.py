"""The direction of a concept in an embedding, found from its words by a named rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairvec.debias.base import check_choice
from fairvec.debias.tangent import to_tangent
from fairvec.embedding import Embedding
from fairvec.errors import SettingError, UndefinedError
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import between_means, first_axis, first_component, unit
from fairvec.lexicon import ConceptWords, Definition

From = Literal["auto", "one-pair", "pairs-pca", "two-means", "svm", "list-pca"]
"""How a direction is taken from words; `auto` follows what the words are: pairs or a list."""


@dataclass(frozen=True, eq=False)
class Found:
    """A unit vector, the keys it was taken from and the entries that had to be left out."""

    vector: FloatArray
    keys: tuple[str, ...]
    left_out: tuple[str, ...]


def direction(
    words: ConceptWords, definition: Definition, what: str, *, how: str = "auto", raw: bool = False
) -> Found:
    """Return the direction of a definition, named `what` in errors.

    Words count by their directions alone, or with their lengths if `raw`.
    """
    check_choice("rule for a direction", how, From)
    how = _rule(definition, what, how)
    if how == "list-pca":
        listed = words.list_of(definition, what)
        keys, left_out = listed.keys, listed.missing
    else:
        found = words.pairs_of(definition, what)
        keys, left_out = found.keys, tuple(f"{a}-{b}" for a, b in found.left_out)
    try:
        return Found(_taken(how, vectors(words.embedding, keys, raw=raw)), keys, left_out)
    except UndefinedError as error:
        reason = f"{str(error)[:1].lower()}{str(error)[1:]}"
        raise UndefinedError(f"{what} ({', '.join(keys)}): {reason}") from None


def vectors(embedding: Embedding, keys: Sequence[str], *, raw: bool = False) -> FloatArray:
    """Return words as tangent vectors at the origin, at length one unless `raw`."""
    rows = to_tangent(embedding.rows(keys), embedding.geometry)
    return rows if raw else unit(rows)


def svm_normal(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the normal of the plane that parts a from b with the widest margin (C = 1)."""
    from sklearn.svm import SVC

    sides = np.repeat([1, 0], [len(a), len(b)])
    # The default tolerance would leave four digits to the order of the machine's sums.
    fitted = SVC(kernel="linear", C=1.0, tol=1e-10).fit(np.concatenate([a, b]), sides)
    normal: FloatArray = np.asarray(fitted.coef_[0], np.float64)
    length = np.linalg.norm(normal)
    if length <= 1e-9:
        raise UndefinedError("No plane parts the two lists; use lists with different words.")
    return normal / length


def _taken(how: str, rows: FloatArray) -> FloatArray:
    a, b = rows[::2], rows[1::2]
    match how:
        case "list-pca":
            return first_axis(rows)
        case "two-means":
            return between_means(a, b)
        case "svm":
            return svm_normal(a, b)
    return first_component(a, b)


def _rule(definition: Definition, what: str, how: str) -> str:
    if how == "auto":
        return "list-pca" if definition.words else "pairs-pca"
    if (how == "list-pca") != bool(definition.words):
        kind = "a list, not pairs" if definition.words else "pairs, not a list"
        raise SettingError(f"{what} is {kind}, so {how} has nothing to work on; use auto.")
    if how == "one-pair" and len(definition.pairs) > 1:
        raise SettingError(
            f"{what} has {len(definition.pairs)} pairs; choose a variant with one, or pairs-pca."
        )
    return how

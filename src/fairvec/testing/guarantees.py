"""What each guarantee of a transform means, as a check of an embedding before and after."""

from collections.abc import Callable

import numpy as np

from fairvec.embedding import Embedding
from fairvec.lexicon import ConceptWords
from fairvec.mitigation import Transform
from fairvec.mitigation.words.directions import vectors
from fairvec.mitigation.words.labelled import labelled
from fairvec.testing.planted_concept import planted_concept

FOLDS = 5


def moved(transform: Transform, model: Embedding) -> list[str]:
    """Return the keys that simply move."""
    return [key for key in model.keys if key not in transform.unmoved | transform.placed.keys()]


def direction_removed(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Nothing is left along the basis of the move; one without a basis cannot promise it."""
    basis = transform.move.tensors().get("basis")
    rows = vectors(after, moved(transform, after), raw=True)
    if basis is None:
        return False
    along = rows @ basis.T
    return bool((np.abs(along) < 1e-12 * np.linalg.norm(rows, axis=1)[:, None] + 1e-15).all())


def pairs_equidistant(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """A moved word is as far from one word of every equality pair as from the other."""
    concept = planted_concept()
    pairs = ConceptWords(concept, before).pairs(concept.equalise).pairs
    a, b = (after.rows([pair[side] for pair in pairs]) for side in (0, 1))
    neutral = after.rows(moved(transform, after))
    apart = after.geometry.distances(neutral, a) - after.geometry.distances(neutral, b)
    return bool(apart.size and (np.abs(apart) < 1e-6).all())


def kept_untouched(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Along the direction of the verbs nothing has changed."""
    rows = before.rows(["goes-m", "goes-f", "sees-m", "sees-f", "eats-m", "eats-f"])
    units = rows / np.linalg.norm(rows, axis=1)[:, None]
    verbs = np.linalg.svd(units[::2] - units[1::2])[2][0]
    return bool(np.allclose(before.vectors @ verbs, after.vectors @ verbs, atol=1e-12))


def idempotent(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Transforming again changes nothing."""
    again = transform.transform(after)
    return bool(np.allclose(again.vectors, after.vectors, rtol=1e-9, atol=1e-12))


def norm_kept(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Every word is as far from the origin as it was."""
    both = (vectors(each, each.keys, raw=True) for each in (before, after))
    was, now = (np.linalg.norm(each, axis=1) for each in both)
    return bool(np.allclose(was, now, rtol=1e-12))


def not_readable(before: Embedding, after: Embedding, transform: Transform) -> bool:
    """Classifiers trained on four fifths of the words guess the labels of the last by chance.

    The words are those that the settings `words` and `each` say, else the defining ones.
    """
    # Here and not above: it takes a while to load.
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    settings = transform.settings
    which, each = settings.get("words", "defining"), settings.get("each")
    found = labelled(ConceptWords(planted_concept(), before), which, each)
    rows = vectors(after, found.keys, raw=True)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=7)
    right = cross_val_score(
        LogisticRegression(max_iter=2000), rows / rows.std(), found.labels, cv=folds
    ).mean()
    chance = np.bincount(found.labels).max() / len(rows)
    return bool(right <= chance + 2 * np.sqrt(chance * (1 - chance) / len(rows)))


CHECKS: dict[str, Callable[[Embedding, Embedding, Transform], bool]] = {
    "direction-removed": direction_removed,
    "pairs-equidistant": pairs_equidistant,
    "kept-directions-untouched": kept_untouched,
    "idempotent": idempotent,
    "norm-kept": norm_kept,
    "not-linearly-readable": not_readable,
}
SEEN_BEFORE = ("direction-removed", "pairs-equidistant", "not-linearly-readable")
"""Guarantees that the planted embedding does not meet before it is changed."""

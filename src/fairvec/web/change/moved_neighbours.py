"""The nearest words of a word before and after a change."""

from dataclasses import dataclass, replace

from fairvec.embedding import Embedding
from fairvec.evaluation.near_words import NearWords, keys_of_words, near_words
from fairvec.mitigation import Transform
from fairvec.mitigation.transform.moved_vectors import lazily


@dataclass(frozen=True)
class NeighboursAround:
    """The key of a word, its nearest before and after, and among how many words."""

    before: NearWords
    after: NearWords
    among: int
    remarks: tuple[str, ...]


def neighbours_around(
    model: Embedding, transform: Transform, word: str, count: int, among: int
) -> NeighboursAround:
    """Look among the first words of a model, which are moved block by block and never held."""
    remarks: list[str] = []
    (key,) = keys_of_words([word], model, remarks.append)
    first = _first(model, among, key)
    moved = lazily(transform, first)
    (was,), (is_now,) = (near_words(one, [key], count) for one in (first, moved))
    return NeighboursAround(was, is_now, len(first), tuple(remarks))


def _first(model: Embedding, among: int, key: str) -> Embedding:
    """Return the first words, and the one that is asked about wherever it stands."""
    if len(model) <= among:
        return model
    own = model.positions[key]
    if own < among:
        keys, vectors = model.keys[:among], model.vectors[:among]
        return replace(model, keys=keys, vectors=vectors, counts=None)
    # The look-up takes few rows, so that the rest of the model stays where it is.
    rows = [*range(among), own]
    keys = [*model.keys[:among], key]
    return replace(model, keys=keys, vectors=model.vectors[rows], counts=None)

"""Words with the side of a concept that they are on: what a classifier is trained on."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.sizes import sized
from fairvec.ground.errors import SettingError
from fairvec.ground.settings import check_choice
from fairvec.ground.text.remedies import method_setting
from fairvec.lexicon import ConceptWords
from fairvec.mitigation.moves.tangent import tangent_blocks
from fairvec.mitigation.words.directions import direction, vectors

Words = Literal["leaning", "defining"]

MOST = 7500
"""How many words Ravfogel et al. (2020) label to either side, of a vocabulary of 150,000."""
SHARE = 20
FEWEST = 4


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
    found = direction(words, concept.definition, concept.name)
    remarks = found.remarks
    if which == "leaning":
        keys, labels = _leaning(words, found.vector, each)
        counts = np.bincount(labels)
        told = f"{counts[0]:,} words to either side, {counts[2]:,} neutral ones"
        remarks |= {"labelled": (told,)}
    elif concept.definition.words:
        keys, units = found.keys, vectors(embedding, found.keys)
        labels = ((units - units.mean(axis=0)) @ found.vector < 0).astype(np.intp)
    else:
        aligned = words.sets_of(concept.definition, concept.name).sets
        sides = {key: side for each_set in aligned for side, key in enumerate(each_set)}
        keys, labels = tuple(sides), np.array([*sides.values()], np.intp)
    rows = vectors(embedding, keys, raw=True)
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
            f"{method_setting('words', 'defining')}."
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
        pointing, far = sized(rows[usable])
        cosines[some][usable] = (pointing @ towards) / far
    return cosines

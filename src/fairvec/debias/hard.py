"""Hard debiasing: neutralise words, equalise pairs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

import numpy as np

from fairvec.debias.base import (
    DIRECTION_REMOVED,
    PAIRS_EQUIDISTANT,
    check_lengths,
    check_strength,
    promised,
)
from fairvec.debias.directions import vectors
from fairvec.debias.moves import Projection, removed
from fairvec.debias.specific import specific_keys
from fairvec.debias.transform import Transform
from fairvec.embedding import Embedding
from fairvec.errors import SettingError, UndefinedError
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import leading_axes
from fairvec.lexicon import Concept, ConceptWords


@dataclass(frozen=True)
class HardDebiasing:
    """Take a subspace out of neutral words, and let equality pairs differ in nothing else.

    neutralise  w' = w - w_B                                for every word that is not specific
    equalise    e' = v + sqrt(1 - |v|^2) (e_B - m_B)/|e_B - m_B|,  v = m - m_B, m the pair's mean

    B is spanned by the first k principal components of the defining sets, each centred at its mean;
    all words count at unit length. Afterwards a neutral word is as far from one word of a pair as
    from the other. Specific words (listed, defining and equality words) are not neutralised. A
    concept without equality pairs has its defining pairs equalised.

    `lengths`: unit as published (auto, in flat space), kept (auto, in the ball), or free; except at
    unit length a pair is placed at the mean of its two lengths. At a strength below 1 words go that
    share of the way.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 6.
    """

    name: ClassVar[str] = "hard"

    k: int = 1
    strength: float = 1.0
    lengths: Literal["auto", "free", "kept", "unit"] = "auto"

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the neutralising projection and the places of the equalised words."""
        check_strength(self.strength)
        lengths = self.lengths
        if lengths == "auto":
            lengths = "kept" if embedding.geometry.curvature else "unit"
        check_lengths(lengths, embedding.geometry)
        words = ConceptWords(concept, embedding)
        basis, defining, left_out = _subspace(words, self.k)
        equal = words.pairs(concept.equalise or concept.definition.pairs)
        pairs = [pair for pair in equal.pairs if _differ(embedding, pair, basis)]
        idle = [f"{a}-{b}" for a, b in equal.pairs if (a, b) not in pairs]
        remarks = {
            "left_out": left_out,
            "pairs_not_equalised": [*(f"{a}-{b}" for a, b in equal.left_out), *idle],
        }
        placed = _places(embedding, pairs, basis, self.strength, lengths)
        names = (DIRECTION_REMOVED, *([PAIRS_EQUIDISTANT] if placed else []))
        # An equalised word is given its pair's length.
        norms = "free" if placed and lengths == "kept" else lengths
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=tuple(dict.fromkeys((*defining, *(key for pair in pairs for key in pair)))),
            guarantees=promised(*names, strength=self.strength, lengths=norms),
            geometry=embedding.geometry,
            move=Projection(basis, self.strength),
            lengths=lengths,
            unmoved=specific_keys(words) - placed.keys(),
            placed=placed,
            remarks={name: each for name, each in remarks.items() if each},
        )


def subspace(sets: Sequence[FloatArray], k: int) -> FloatArray:
    """Return the first k principal components of sets of unit vectors, each centred at its mean."""
    rows = np.concatenate(sets)
    centred = np.concatenate([each - each.mean(axis=0) for each in sets])
    return leading_axes(centred, k, of=rows)


def equalised(pair: FloatArray, basis: FloatArray) -> FloatArray:
    """Return the places of two words (rows of length one) that then differ in B alone."""
    mean = pair.mean(axis=0)
    outside = removed(mean, basis)
    apart = (pair[0] - mean) - removed(pair[0] - mean, basis)
    apart = apart * np.sqrt(max(0.0, 1 - float(outside @ outside))) / np.linalg.norm(apart)
    return np.array([outside + apart, outside - apart])


def _subspace(words: ConceptWords, k: int) -> tuple[FloatArray, tuple[str, ...], tuple[str, ...]]:
    concept, definition = words.concept, words.concept.definition
    if definition.words:
        listed = words.list_of(definition, concept.name)
        keys, left_out, most = listed.keys, listed.missing, len(listed.keys) - 1
        sets = [vectors(words.embedding, keys)]
    else:
        found = words.pairs_of(definition, concept.name)
        keys, most = found.keys, len(found.pairs)
        left_out = tuple(f"{a}-{b}" for a, b in found.left_out)
        sets = [vectors(words.embedding, pair) for pair in found.pairs]
    if not 1 <= k <= most:
        raise SettingError(
            f"k is {k} and must lie between 1 and {most}, the number of directions that the "
            f"defining words of {concept.name} can span ({', '.join(keys)})."
        )
    try:
        return subspace(sets, k), keys, left_out
    except UndefinedError as error:
        raise UndefinedError(f"{concept.name} ({', '.join(keys)}): {error}") from None


def _differ(embedding: Embedding, pair: tuple[str, str], basis: FloatArray) -> bool:
    a, b = vectors(embedding, pair)
    return bool(np.linalg.norm((a - b) @ basis.T) > 1e-9)


def _places(
    embedding: Embedding,
    pairs: Sequence[tuple[str, str]],
    basis: FloatArray,
    strength: float,
    lengths: str,
) -> dict[str, FloatArray]:
    places: dict[str, FloatArray] = {}
    for pair in pairs:
        units, raw = vectors(embedding, pair), vectors(embedding, pair, raw=True)
        start = units if lengths == "unit" else raw
        length = np.linalg.norm(start, axis=1).mean()
        ends = length * equalised(units, basis)
        for key, place in zip(pair, (1 - strength) * start + strength * ends, strict=True):
            places[key] = place / np.linalg.norm(place) if lengths == "unit" else place
    return places

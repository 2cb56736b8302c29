"""Double-hard debiasing: take out one principal component of the vocabulary, then debias hard."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError, filter_warnings
from fairvec.core.settings import PositiveInt, Seed, settings
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.norms import norms
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.base import (
    DIRECTION_REMOVED,
    IDEMPOTENT,
    Debiaser,
    Strength,
    describe_fit,
    guarantees_at,
)
from fairvec.mitigation.concept_direction import tangent_vectors, vocabulary_pca, without_axis
from fairvec.mitigation.methods.hard import (
    ComponentCount,
    DefiningSets,
    EqualitySets,
    HardLengths,
    Keys,
    Rows,
    pairs_guarantee,
    resolve_lengths,
    without_empty,
)
from fairvec.mitigation.moves import CentredProjection, at_lengths, remove_subspace
from fairvec.mitigation.specific_words import MOST_FREQUENT, Specific, specific_split
from fairvec.mitigation.transform import Transform


@settings
class DoubleHard(Debiaser):
    """Take one principal component u of the vocabulary out of all words, then debias them hard.

    w' = (I - u u^T)(w - mean),   then w' is neutralised and equalised as in hard debiasing

    Frequency and the like are strong components that twist the concept's direction. Of the first
    `components` u is the one without which hard debiasing mixes the sides best: the `extremes` most
    biased words of either side then agree least with two k-means clusters. Specific words lose u,
    but not the concept. All words lie about the origin afterwards; to transform twice is not to
    transform once.

    Ours, where text and program differ or say nothing: biased words are the two ends of the
    defining direction among the first 50,000 words that are not specific (theirs are nearer to he
    than to she; 500 a side in the text, 1,000 in the program); clusters are those of unit vectors,
    as hard debiasing leaves them; u is taken out of the centred word, so that nothing is left along
    it (the program subtracts (u.w) u from it, which leaves the same vector on every word).

    Wang, Lin, Rajani, McCann, Ordonez & Xiong (2020), Double-Hard Debias: Tailoring Word Embeddings
    for Gender Bias Mitigation, ACL, 5443-5453; arXiv:2005.00965.
    """

    name = "double-hard"

    k: ComponentCount = 1
    strength: Strength = 1.0
    lengths: HardLengths = "auto"
    specific: Specific = "listed"
    components: Annotated[
        PositiveInt,
        Field(description="Principal components of the vocabulary among which one is chosen."),
    ] = 20
    extremes: Annotated[
        int, Field(description="Most biased words of either side by which it is chosen.", ge=2)
    ] = 500
    seed: Annotated[Seed, Field(description="Seed of the clustering.")] = 0

    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the projection beside u and the subspace, and the places of specific words."""
        lengths = resolve_lengths(embedding.geometry, self.lengths)
        words = ConceptWords(concept, embedding)
        defining, split = DefiningSets.of(words, self.k), specific_split(words, self.specific)

        def stored(keys: Sequence[str]) -> FloatArray:
            return tangent_vectors(embedding, keys, raw=True)

        biased = self._most_biased(
            embedding, defining.basis(stored)[0], split.keys | words.held_out
        )
        pca = vocabulary_pca(embedding, self.components)
        agreements = [
            agreement(biased, defining, _cleaner(stored, pca.mean, axis), self.seed)
            for axis in pca.axes
        ]
        chosen = int(np.argmin(agreements))
        cleaned = _cleaner(stored, pca.mean, pca.axes[chosen])
        basis = defining.basis(cleaned)
        equal = EqualitySets.of(words, basis, cleaned)
        equalised = equal.places(stored, cleaned, basis, self.strength, lengths)
        other_specific = tuple(key for key in split.keys if key not in equalised)
        names = (DIRECTION_REMOVED, *pairs_guarantee(equalised, embedding.geometry))
        kept_lengths = "free" if equalised and lengths == "kept" else lengths
        remark = (
            f"{chosen + 1} of {len(agreements)}: without it the clusters agree with the sides of "
            f"{agreements[chosen]:.1%} of {len(biased)} words"
        )
        if others_agree := [*np.delete(agreements, chosen)]:
            remark += f", without others {min(others_agree):.1%} or more"
        return Transform(
            **describe_fit(self, embedding, concept),
            fitted_on=split.fitted_on(defining.keys, equalised, biased),
            guarantees=guarantees_at(*names, strength=self.strength, lengths=kept_lengths)
            - {IDEMPOTENT},
            move=CentredProjection(np.vstack([pca.axes[chosen], basis]), pca.mean, self.strength),
            lengths=lengths,
            placed=equalised | self._cleaned_places(other_specific, stored, cleaned, lengths),
            remarks=defining.remarks(cleaned, basis)
            | without_empty(pairs_not_equalised=equal.left_out)
            | {"component": [remark]}
            | split.remarks,
        )

    def _most_biased(
        self, embedding: Embedding, direction: FloatArray, excluded: frozenset[str]
    ) -> Keys:
        """Return the most biased words: those of one side, then as many of the other."""
        keys = [key for key in embedding.keys[:MOST_FREQUENT] if key not in excluded]
        rows = tangent_vectors(embedding, keys, raw=True)
        lengths = norms(rows)
        (usable,) = lengths.nonzero()
        size = min(self.extremes, len(usable) // 2)
        if size < 2:
            raise UndefinedError(
                f"{embedding.name} has {len(usable)} words to learn from, too few for a "
                "most biased part; use a model with more words."
            )
        order = usable[np.argsort((rows[usable] @ direction) / lengths[usable], kind="stable")]
        return tuple(keys[row] for row in (*order[:size], *order[::-1][:size]))

    def _cleaned_places(
        self, keys: Keys, stored: Rows, cleaned: Rows, lengths: str
    ) -> dict[str, FloatArray]:
        """Return where specific words go: they lose u, and keep the concept."""
        start = stored(keys)
        moved = start + self.strength * (cleaned(keys) - start)
        if lengths != "free":
            target_lengths = norms(start) if lengths == "kept" else np.ones(len(start))
            moved = at_lengths(moved, target_lengths, before=start)
        return dict(zip(keys, moved, strict=True))


def agreement(biased: Keys, defining: DefiningSets, cleaned: Rows, seed: int) -> float:
    """Return the share of words that two clusters put on their side, once debiased hard.

    The first half of `biased` is one side. 1: clusters are sides; 1/2: they have nothing to do with
    one another.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    rows = cleaned(biased)
    debiased = at_lengths(
        remove_subspace(rows, defining.basis(cleaned)), np.ones(len(rows)), before=rows
    )
    # Words that coincide are one cluster, which agrees with the sides by half.
    with filter_warnings("ignore", ConvergenceWarning):
        clusters = KMeans(2, n_init=10, random_state=seed).fit_predict(debiased)
    accuracy = float(np.mean(clusters == (np.arange(len(biased)) < len(biased) // 2)))
    return max(accuracy, 1 - accuracy)


def _cleaner(stored: Rows, mean: FloatArray, axis: FloatArray) -> Rows:
    return lambda keys: without_axis(stored(keys), mean, axis)

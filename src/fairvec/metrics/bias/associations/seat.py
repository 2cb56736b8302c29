"""The Sentence Encoder Association Test."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar, Literal

import numpy as np

from fairvec.encoders import Encodes
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.errors import UndefinedError, UnknownNameError
from fairvec.ground.settings import check_settings
from fairvec.lexicon import Groups
from fairvec.lexicon.sentence_templates import Templates
from fairvec.lexicon.sentence_templates import templates as shipped_templates
from fairvec.metrics.bias.parts.association import association, closeness, pair_by_pair
from fairvec.metrics.bias.parts.effect_size import CALISKAN, EffectSize, leanings
from fairvec.metrics.score import Score, TwoSamples
from fairvec.metrics.sentences import (
    AttributeTemplates,
    TargetTemplates,
    chosen_templates,
    doubt_about,
    in_sentences,
    usual_reading,
)
from fairvec.metrics.traits import Traits
from fairvec.results import Convention

Permuted = Literal["words", "sentences"]

_REGROUPS = {
    "words": "words, each with all its sentences",
    "sentences": "sentences as if they were independent",
}


@dataclass(frozen=True)
class Seat:
    """Does WEAT's answer hold for words in sentences that say nothing but the word?

    Every word becomes the sentences of its templates. With s(t, A, B), the mean similarity of a
    sentence t to the sentences of A minus that to those of B, and every sentence counted once,

    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over X and Y

    Positive: X leans to A and Y to B; zero: no difference. With the one template `_` it is WEAT.

    Sentences of one word are alike, so they are no independent evidence. `permute` "words"
    regroups whole words, each with the mean of its sentences; "sentences" does as the papers did,
    which finds bias far too often where there is none.

    Words can change places only if they stand in the same sentences. `target_templates` "shared"
    gives X and Y those that all their parts of speech have, or else those for any word, and
    `attribute_templates` does so for A and B; "own" goes by part of speech, as the papers did, and
    where the lists then differ there is no verdict. "targets" gives the attributes the targets'
    templates, as Malik et al. did for their first tables.

    May et al. (2019), doi:10.18653/v1/N19-1063; for Hindi Malik et al. (2022),
    doi:10.18653/v1/2022.naacl-main.76.
    """

    name: ClassVar[str] = "seat"
    needs: ClassVar[tuple[str, ...]] = ("x", "y", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "Positive: X leans to A and Y to B; negative: the other way round; 0: no difference."
    )
    traits: ClassVar[Traits] = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive="X leans to A and Y to B",
        positive_words="a",
        swapped_attributes="turned",
        swapped_targets="turned",
        lengths="common",
    )

    similarity: Similarity = COSINE
    effect_size: EffectSize = CALISKAN
    permute: Permuted = "words"
    target_templates: TargetTemplates = "shared"
    attribute_templates: AttributeTemplates = "shared"
    templates: Callable[[str], Templates] = shipped_templates
    encoder: Callable[[Groups, str], Encodes] = usual_reading

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def convention(self) -> Convention:
        """The convention of the effect size, the templates, and what a permutation regroups."""
        size = self.effect_size.convention
        text = (
            f"{size.denominator}, once per sentence (templates of targets: "
            f"{self.target_templates}, of attributes: {self.attribute_templates}); "
            f"p regroups {_REGROUPS[self.permute]}"
        )
        return size.model_copy(update={"denominator": text})

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's mean leaning, and the closeness of its sentences to regroup."""
        language = groups.test.language
        chosen = chosen_templates(
            groups, self._templates(language), self.target_templates, self.attribute_templates
        )
        sentences = in_sentences(groups, chosen)
        vectors = {
            role: self.encoder(groups, role).encode([*chain(*each)])
            for role, each in sentences.items()
        }
        rows, words, by_word = {}, [], {}
        sizes = {role: [len(each) for each in own] for role, own in sentences.items()}
        for role in ("x", "y"):
            near = closeness(vectors[role], vectors["a"], vectors["b"], self.similarity, geometry)
            rows[role] = _rows(near.means, sizes[role])
            averaged = near.averaged(sizes[role])
            words += averaged.shares(groups[role], ddof=self.convention.ddof)
            by_word[role] = averaged.to_words(sizes)
        regrouped = _of_words if self.permute == "words" else _of_sentences
        score = association(
            TwoSamples(rows["x"], rows["y"], regrouped, self._effect),
            words,
            self.similarity,
            groups.source,
        )
        table = pair_by_pair(by_word["x"], by_word["y"])
        return replace(score, doubt=doubt_about(chosen), near=table)

    def _templates(self, language: str) -> Templates:
        try:
            return self.templates(language)
        except UnknownNameError as error:
            raise UndefinedError(
                f"There are no sentence templates for the language {language!r}, which SEAT needs; "
                "use the metric weat."
            ) from error

    def _effect(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return d over the sentences of each batch of words."""
        return self.effect_size(x.reshape(*x.shape[:-2], -1, 2), y.reshape(*y.shape[:-2], -1, 2))


def _rows(means: FloatArray, sizes: list[int]) -> FloatArray:
    """Return a row a word: its sentences' closeness to A and to B, and nan where it has fewer."""
    rows = np.full((len(sizes), max(sizes), 2), np.nan)
    rows[np.arange(max(sizes)) < np.array(sizes)[:, None]] = means
    return rows.reshape(len(sizes), -1)


def _of_words(rows: FloatArray) -> FloatArray:
    """Return each word's leaning, the mean of its sentences'."""
    means: FloatArray = np.nanmean(_leanings(rows), axis=-1)
    return means


def _of_sentences(rows: FloatArray) -> FloatArray:
    """Return the leaning of every sentence."""
    each = _leanings(rows)
    return each[~np.isnan(each)]


def _leanings(rows: FloatArray) -> FloatArray:
    return leanings(rows.reshape(*rows.shape[:-1], -1, 2))

"""The Sentence Encoder Association Test (SEAT): WEAT over template sentences.

Every word of a test is put into templates that add no meaning ("This is a _."), by its part of
speech or shared by the lists that are compared.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from fairvec.core.errors import UndefinedError, UnknownNameError
from fairvec.core.settings import settings
from fairvec.encoders import SentenceEncoder, sentence_encoder
from fairvec.geometry import FloatArray, Geometry
from fairvec.languages.sentences import ANY_WORD, Sentence, Templates, sentence_with_word
from fairvec.languages.sentences import templates as shipped_templates
from fairvec.lexicon import Found, Group, Groups
from fairvec.metrics.base import Score, TwoSamples
from fairvec.metrics.bias.weat import (
    AssociationTest,
    association_score,
    attribute_similarities,
    leanings,
    similarity_table,
)
from fairvec.results.identities import Convention

TargetTemplates = Literal["shared", "own"]
AttributeTemplates = Literal["shared", "own", "targets"]


def usual_reading(groups: Groups, role: str) -> SentenceEncoder:
    """Return what reads the sentences of any list: an encoder, or the mean of word vectors."""
    return sentence_encoder(groups.source, groups.test.language)


Permuted = Literal["words", "sentences"]

_REGROUPS = {
    "words": "words, each with all its sentences",
    "sentences": "sentences as if they were independent",
}


@settings
class Seat(AssociationTest):
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

    name = "seat"

    permute: Annotated[
        Permuted,
        Field(
            description="What p regroups: words, each with the mean of its sentences, or "
            "sentences, as the papers did."
        ),
    ] = "words"
    target_templates: Annotated[
        TargetTemplates,
        Field(
            description="Templates of X and Y: those that all their words share, or each word's "
            "own by its part of speech."
        ),
    ] = "shared"
    attribute_templates: Annotated[
        AttributeTemplates,
        Field(
            description="Templates of A and B: those that all their words share, each word's own, "
            "or those of the targets."
        ),
    ] = "shared"
    templates: Annotated[
        Callable[[str], Templates], Field(description="Gives the templates of a language.")
    ] = shipped_templates
    encoder: Annotated[
        Callable[[Groups, str], SentenceEncoder],
        Field(description="Gives what reads the sentences of a test; by default the model itself."),
    ] = usual_reading

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
        chosen = choose_templates(
            groups, self._templates(language), self.target_templates, self.attribute_templates
        )
        sentences = fill_templates(groups, chosen)
        vectors = {
            role: self.encoder(groups, role).encode([*chain(*by_word)])
            for role, by_word in sentences.items()
        }
        rows, words, word_similarities = {}, [], {}
        sizes = {role: [len(own) for own in by_word] for role, by_word in sentences.items()}
        for role in ("x", "y"):
            similarities = attribute_similarities(
                vectors[role], vectors["a"], vectors["b"], self.similarity, geometry
            )
            rows[role] = _sentence_rows(similarities.means, sizes[role])
            by_target = similarities.mean_by_target(sizes[role])
            words += by_target.shares(groups[role], ddof=self.convention.ddof)
            word_similarities[role] = by_target.mean_by_attribute(sizes)
        regroup = _word_leanings if self.permute == "words" else _sentence_leanings
        score = association_score(
            TwoSamples(rows["x"], rows["y"], regroup, self._effect),
            words,
            self.similarity,
            groups.source,
        )
        table = similarity_table(word_similarities["x"], word_similarities["y"])
        return replace(score, doubt=template_mismatch(chosen), near=table)

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


TemplatesByRole = Mapping[str, Sequence[tuple[str, ...]]]
"""The templates of each word, list by list."""

_TARGETS, _ATTRIBUTES = ("x", "y"), ("a", "b")


def choose_templates(
    groups: Groups,
    templates: Templates,
    target_templates: TargetTemplates = "shared",
    attribute_templates: AttributeTemplates = "shared",
) -> TemplatesByRole:
    """Return which templates each word takes.

    "shared": all words of X and Y take the templates that their parts of speech have in common, or
    else those for any word; so do all words of A and B. "own": a word takes the templates of its
    part of speech, or of its list's, as the language has it, and so it does where nothing is
    shared. "targets": the words of A and B take all templates of X and Y, each once.
    """
    parts_by_role = {
        role: _parts_of_speech(groups[role], templates) for role in (*_TARGETS, *_ATTRIBUTES)
    }
    chosen = {
        role: [templates.of(pos) for pos in parts_of_speech]
        for role, parts_of_speech in parts_by_role.items()
    }
    for roles, rule in ((_TARGETS, target_templates), (_ATTRIBUTES, attribute_templates)):
        shared: tuple[str, ...] = ()
        if rule == "targets":
            shared = tuple(dict.fromkeys(chain(*chosen["x"], *chosen["y"])))
        elif rule == "shared":
            shared = templates.shared_by(chain.from_iterable(parts_by_role[role] for role in roles))
        if shared:
            chosen |= {role: [shared] * len(parts_by_role[role]) for role in roles}
    return chosen


def _parts_of_speech(group: Group, templates: Templates) -> list[str | None]:
    return [templates.pos_of(found.word, group.wordset) for found in group.found]


def fill_templates(groups: Groups, chosen: TemplatesByRole) -> dict[str, list[list[Sentence]]]:
    """Return the sentences of each word, list by list."""
    return {
        role: [
            _sentences(found, templates, groups.test.language)
            for found, templates in zip(groups[role].found, by_word, strict=True)
        ]
        for role, by_word in chosen.items()
    }


def _sentences(found: Found, templates: Sequence[str], language: str) -> list[Sentence]:
    sentences = (
        sentence_with_word(template, found.word.word, language, found.keys)
        for template in templates
    )
    return [*{sentence.text: sentence for sentence in sentences}.values()]


def template_mismatch(chosen: TemplatesByRole) -> str:
    """Return a sentence that says which lists stand in different sentences; empty if none do.

    A leaning then depends on the list a word is in, so that words of the two lists cannot change
    places even if there is no bias.
    """
    differing = [
        f"{first.upper()} and {second.upper()}"
        for first, second in (_TARGETS, _ATTRIBUTES)
        if _shares(chosen[first]) != _shares(chosen[second])
    ]
    if not differing:
        return ""
    return (
        f"The lists {', '.join(differing)} stand in different sentences, which alone can make an "
        f"effect; let them share templates, and give their language some of the kind {ANY_WORD} "
        "if they have none in common."
    )


def _shares(templates: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Fraction]:
    return {own: Fraction(count, len(templates)) for own, count in Counter(templates).items()}


def _sentence_rows(means: FloatArray, sizes: list[int]) -> FloatArray:
    """Return a row a word: its sentences' closeness to A and to B, and nan where it has fewer."""
    rows = np.full((len(sizes), max(sizes), 2), np.nan)
    rows[np.arange(max(sizes)) < np.array(sizes)[:, None]] = means
    return rows.reshape(len(sizes), -1)


def _word_leanings(rows: FloatArray) -> FloatArray:
    """Return each word's leaning, the mean of its sentences'."""
    means: FloatArray = np.nanmean(_leanings(rows), axis=-1)
    return means


def _sentence_leanings(rows: FloatArray) -> FloatArray:
    """Return the leaning of every sentence."""
    all_leanings = _leanings(rows)
    return all_leanings[~np.isnan(all_leanings)]


def _leanings(rows: FloatArray) -> FloatArray:
    return leanings(rows.reshape(*rows.shape[:-1], -1, 2))

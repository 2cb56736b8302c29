"""The Contextualized Embedding Association Test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

from fairvec.encoders import Sentence
from fairvec.encoders.contexts import Contexts
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.ground.errors import UndefinedError
from fairvec.ground.numbers import p_value
from fairvec.ground.settings import Count, Seed, check_settings
from fairvec.lexicon import Groups, Test
from fairvec.metrics.bias.parts.association import association, pair_by_pair
from fairvec.metrics.bias.parts.context_closeness import context_closeness, error_of_attributes
from fairvec.metrics.bias.parts.effect_size import CALISKAN, EffectSize, leanings
from fairvec.metrics.bias.parts.single_contexts import (
    CombinedEffect,
    closeness_of_draws,
    drawn_contexts,
    mean_leanings,
)
from fairvec.metrics.contexts import (
    NO_CONTEXT,
    asked_contexts,
    no_corpus,
    read_contexts,
    readable_contexts,
)
from fairvec.metrics.score import Score, TwoSamples, WordShare
from fairvec.metrics.traits import Traits
from fairvec.results import Convention

Answered = Literal["words", "as-published"]


@dataclass(frozen=True)
class Ceat:
    """Does WEAT's answer hold for words in the sentences that people write?

    Every word stands in sentences of a corpus. `answer` "words" is the one to rely on: with
    s(w, A, B) the mean over the contexts of w of their mean similarity to A minus that to B, every
    attribute word the mean of its contexts and counted once,

    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over X and Y

    Positive: X leans to A and Y to B; zero: no difference. p regroups words, and the interval knows
    the contexts of the attributes too. A word without a context is missing.

    "as-published" draws one context a word, `draws` times, and joins the d of all draws by random
    effects. It gets no verdict: every draw has the same words, and it takes each for a study of its
    own.

    Guo & Caliskan (2021), doi:10.1145/3461702.3462536.
    """

    name: ClassVar[str] = "ceat"
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
    contexts: Contexts = no_corpus
    answer: Answered = "words"
    draws: Count = 10_000
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def convention(self) -> Convention:
        """The convention of the effect size, and what is made of a word's contexts."""
        size = self.effect_size.convention
        how = (
            "each the mean over its contexts"
            if self.answer == "words"
            else f"each in one context, joined over {self.draws:,} draws by random effects"
        )
        return size.model_copy(
            update={"denominator": f"{size.denominator}, {how}; p regroups words"}
        )

    def prepare(self, tests: Sequence[Test]) -> None:
        """Find the contexts of all words of several tests in one pass over the corpus."""
        self._contexts_of(
            [
                word.spellings
                for test in tests
                for role in self.needs
                for name in test.filling(role)
                for word in test.sets[name].words
            ]
        )

    def usable(self, groups: Groups) -> Groups:
        """Return the lists with those words as missing that have no context."""
        lists = {role: groups[role] for role in self.needs}
        own = self._sentences(groups)
        kept = {
            role: group.keeping([row for row, some in enumerate(own[role]) if some], NO_CONTEXT)
            for role, group in lists.items()
        }
        return replace(groups, groups={**groups.groups, **kept})

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's leaning, and the closeness of each word to A and B to regroup."""
        groups = self.usable(groups)
        for role in self.needs:
            if not groups[role].found:
                raise UndefinedError(
                    f"No word of {groups[role].wordset.title} stands in the corpus; give a larger "
                    "one."
                )
        own = self._sentences(groups)
        vectors = {role: read_contexts(groups, role, own[role]) for role in self.needs}
        measured = self._words if self.answer == "words" else self._as_published
        return measured(groups, vectors, geometry)

    def _words(
        self, groups: Groups, vectors: dict[str, list[FloatArray]], geometry: Geometry
    ) -> Score:
        near = {
            role: context_closeness(
                vectors[role], vectors["a"], vectors["b"], self.similarity, geometry
            )
            for role in ("x", "y")
        }
        by_word = {role: one.by_word for role, one in near.items()}
        words = [
            share
            for role, one in by_word.items()
            for share in one.shares(groups[role], ddof=self.convention.ddof)
        ]
        samples = TwoSamples(
            by_word["x"].means,
            by_word["y"].means,
            leanings,
            self.effect_size,
            error=error_of_attributes(near["x"], near["y"]),
            error_of="the contexts of the attributes",
        )
        score = association(samples, words, self.similarity, groups.source)
        return replace(score, near=pair_by_pair(by_word["x"], by_word["y"]))

    def _as_published(
        self, groups: Groups, vectors: dict[str, list[FloatArray]], geometry: Geometry
    ) -> Score:
        chosen = {
            role: drawn_contexts(
                groups[role].keys, [len(one) for one in own], role, self.draws, self.seed
            )
            for role, own in vectors.items()
        }
        rows = closeness_of_draws(vectors, chosen, self.similarity, geometry)
        effect = CombinedEffect(self.effect_size)
        words = []
        for role, own in rows.items():
            means = own.reshape(len(own), -1, 2).mean(axis=1)
            for found, (a, b) in zip(groups[role].found, means.tolist(), strict=True):
                words.append(WordShare(found, role, a - b, None, (a, b)))
        samples = TwoSamples(rows["x"], rows["y"], mean_leanings, effect)
        score = association(samples, words, self.similarity, groups.source)
        published = float(effect.combined(rows["x"], rows["y"]).p_above)
        return replace(score, doubt=_doubt(published))

    @cached_property
    def _held(self) -> dict[tuple[str, ...], tuple[Sentence, ...]]:
        return {}

    def _sentences(self, groups: Groups) -> dict[str, list[tuple[Sentence, ...]]]:
        """Return for each list the contexts of each of its words, all asked for at once."""
        asked = {
            role: [found.word.spellings for found in groups[role].found] for role in self.needs
        }
        self._contexts_of([word for words in asked.values() for word in words])
        return {
            role: readable_contexts(groups, role, [self._held[word] for word in words])
            for role, words in asked.items()
        }

    def _contexts_of(self, words: Sequence[tuple[str, ...]]) -> None:
        """Ask for the contexts of words that are not held yet, of all of them in one call."""
        lacking = [word for word in dict.fromkeys(words) if word not in self._held]
        if lacking:
            self._held.update(zip(lacking, asked_contexts(self.contexts, lacking), strict=True))


def _doubt(p: float) -> str:
    """Say why the published p decides nothing; the figures are those of docs/metrics.md."""
    return (
        f"CEAT as published (one-sided p = {p_value(p)}) finds 74 to 99 % of cases without bias "
        "significant, one way or the other, since it takes every draw of the same words for a "
        "study of its own; take the answer 'words'."
    )

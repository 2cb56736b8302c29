"""The Contextualized Embedding Association Test (CEAT): WEAT over sentences of a corpus.

Two answers: `words` averages over the contexts of each word and regroups words; `as-published`
draws one context a word many times and joins the effects of all draws by random effects, as Guo &
Caliskan did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from math import sqrt
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.format import format_p
from fairvec.core.settings import PositiveInt, Seed, settings
from fairvec.embedding import Embedding
from fairvec.encoders.contexts import Contexts, contexts_in
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.geometry import FloatArray, Geometry, Similarity
from fairvec.languages.sentences import Sentence
from fairvec.lexicon import Found, Groups, Test
from fairvec.metrics.base import Score, TwoSamples, WordShare
from fairvec.metrics.bias.seat import usual_reading
from fairvec.metrics.bias.weat import (
    AssociationTest,
    AttributeSimilarities,
    EffectSize,
    association_score,
    attribute_similarities,
    leanings,
    similarity_table,
)
from fairvec.results.identities import Convention
from fairvec.stats.joint.random_effects import RandomEffects, random_effects


def no_corpus(words: Sequence[tuple[str, ...]]) -> Sequence[Sequence[Sentence]]:
    """Raise UndefinedError: no corpus was given."""
    raise UndefinedError(
        "CEAT reads words in the sentences of a corpus, and none was given; give text files, as in "
        "Ceat(contexts=Corpus((path,))) or --contexts FILE, or choose the metric seat."
    )


Answered = Literal["words", "as-published"]


@settings
class Ceat(AssociationTest):
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

    name = "ceat"

    contexts: Annotated[
        Contexts, Field(description="Where the sentences around words come from.")
    ] = no_corpus
    answer: Annotated[
        Answered, Field(description="That of words, or the published one, which gets no verdict.")
    ] = "words"
    draws: Annotated[
        PositiveInt, Field(description="Contexts drawn of each word for the published answer.")
    ] = 10_000
    seed: Annotated[Seed, Field(description="Seed of these draws.")] = 0

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
        for language in dict.fromkeys(test.language for test in tests):
            self._cache_contexts(
                language,
                [
                    word.spellings
                    for test in tests
                    for role in self.needs
                    for name in test.filling(role)
                    for word in test.sets[name].words
                    if test.language == language
                ],
            )

    def usable(self, groups: Groups) -> Groups:
        """Return the lists with those words as missing that have no context."""
        lists = {role: groups[role] for role in self.needs}
        contexts = self._contexts_by_role(groups)
        usable = {
            role: group.keeping(
                [row for row, sentences in enumerate(contexts[role]) if sentences], NO_CONTEXT
            )
            for role, group in lists.items()
        }
        return replace(groups, groups={**groups.groups, **usable})

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return d, each word's leaning, and the closeness of each word to A and B to regroup."""
        groups = self.usable(groups)
        for role in self.needs:
            if not groups[role].found:
                raise UndefinedError(
                    f"No word of {groups[role].wordset.title} stands in the corpus; give a larger "
                    "one."
                )
        contexts = self._contexts_by_role(groups)
        vectors = {role: read_contexts(groups, role, contexts[role]) for role in self.needs}
        score = self._score_words if self.answer == "words" else self._score_as_published
        return score(groups, vectors, geometry)

    def _score_words(
        self, groups: Groups, vectors: dict[str, list[FloatArray]], geometry: Geometry
    ) -> Score:
        similarities = {
            role: context_similarities(
                vectors[role], vectors["a"], vectors["b"], self.similarity, geometry
            )
            for role in ("x", "y")
        }
        by_word = {role: own.by_word for role, own in similarities.items()}
        words = [
            share
            for role, own in by_word.items()
            for share in own.shares(groups[role], ddof=self.convention.ddof)
        ]
        samples = TwoSamples(
            by_word["x"].means,
            by_word["y"].means,
            leanings,
            self.effect_size,
            error=attribute_standard_error(similarities["x"], similarities["y"]),
            error_of="the contexts of the attributes",
        )
        score = association_score(samples, words, self.similarity, groups.source)
        return replace(score, near=similarity_table(by_word["x"], by_word["y"]))

    def _score_as_published(
        self, groups: Groups, vectors: dict[str, list[FloatArray]], geometry: Geometry
    ) -> Score:
        chosen = {
            role: sample_contexts(
                groups[role].keys, [len(contexts) for contexts in own], role, self.draws, self.seed
            )
            for role, own in vectors.items()
        }
        rows = similarities_by_draw(vectors, chosen, self.similarity, geometry)
        effect = CombinedEffect(self.effect_size)
        words = []
        for role, own in rows.items():
            means = own.reshape(len(own), -1, 2).mean(axis=1)
            for found, (a, b) in zip(groups[role].found, means.tolist(), strict=True):
                words.append(WordShare(found, role, a - b, None, (a, b)))
        samples = TwoSamples(rows["x"], rows["y"], mean_leanings, effect)
        score = association_score(samples, words, self.similarity, groups.source)
        published = float(effect.combined(rows["x"], rows["y"]).p_above)
        return replace(score, doubt=_no_verdict_reason(published))

    @cached_property
    def _cached_contexts(self) -> dict[tuple[str, tuple[str, ...]], tuple[Sentence, ...]]:
        """The contexts of words, by their language and spellings."""
        return {}

    def _contexts_by_role(self, groups: Groups) -> dict[str, list[tuple[Sentence, ...]]]:
        """Return the contexts of each word, list by list, with one pass over the corpus."""
        spellings = {
            role: [found.word.spellings for found in groups[role].found] for role in self.needs
        }
        language = groups.test.language
        self._cache_contexts(language, [word for words in spellings.values() for word in words])
        return {
            role: drop_unreadable_contexts(
                groups, role, [self._cached_contexts[language, word] for word in words]
            )
            for role, words in spellings.items()
        }

    def _cache_contexts(self, language: str, words: Sequence[tuple[str, ...]]) -> None:
        """Find the contexts of all words of a language that are not cached yet in one call."""
        cached = self._cached_contexts
        missing = [word for word in dict.fromkeys(words) if (language, word) not in cached]
        if missing:
            found = get_contexts(contexts_in(self.contexts, language), missing)
            cached.update(zip(((language, word) for word in missing), found, strict=True))


def _no_verdict_reason(p: float) -> str:
    """Return why the published p decides nothing; the figures are those of docs/metrics.md."""
    return (
        f"CEAT as published (one-sided p = {format_p(p)}) finds 74 to 99 % of cases without bias "
        "significant, one way or the other, since it takes every draw of the same words for a "
        "study of its own; take the answer 'words'."
    )


NO_CONTEXT = "no context in the corpus that the model can read"


def get_contexts(
    contexts: Contexts, words: Sequence[tuple[str, ...]]
) -> list[tuple[Sentence, ...]]:
    """Return the sentences of each word; raise UndefinedError if `contexts` gives anything else."""
    found: Any = contexts(words)
    rows = [tuple(sentences) for sentences in found] if isinstance(found, Sequence) else []
    if len(rows) != len(words) or not all(
        isinstance(sentence, Sentence) for sentences in rows for sentence in sentences
    ):
        raise UndefinedError(
            f"The contexts {getattr(contexts, '__qualname__', type(contexts).__name__)} must give "
            f"a list of Sentence objects for each of the {len(words)} words, and do not."
        )
    return rows


def drop_unreadable_contexts(
    groups: Groups, role: str, sentences: Sequence[Sequence[Sentence]]
) -> list[tuple[Sentence, ...]]:
    """Return the contexts that are not too long for an encoder; word vectors read any."""
    if isinstance(groups.source, Embedding):
        return [tuple(own) for own in sentences]
    unreadable = unreadable_sentences(
        groups.source, [sentence for own in sentences for sentence in own]
    )
    return [
        tuple(sentence for sentence in own if sentence.text not in unreadable) for own in sentences
    ]


def read_contexts(
    groups: Groups, role: str, sentences: Sequence[Sequence[Sentence]]
) -> list[FloatArray]:
    """Return the vectors of the contexts of each word, one array a word."""
    found = groups[role].found
    with_keys = [
        _with_keys(sentence, word)
        for word, own in zip(found, sentences, strict=True)
        for sentence in own
    ]
    rows = usual_reading(groups, role).encode(with_keys)
    return np.split(rows, np.cumsum([len(own) for own in sentences])[:-1])


def _with_keys(sentence: Sentence, found: Found) -> Sentence:
    """Return a context that a mean of word vectors can read: it asks for the word by its keys."""
    return replace(sentence, keys=found.keys)


@dataclass(frozen=True, eq=False)
class ContextSimilarities:
    """The mean similarity of each target's contexts (rows) to every context of A and of B.

    The contexts of an attribute follow one another; `sizes_a` and `sizes_b` count those of each.
    """

    to_a: FloatArray
    to_b: FloatArray
    sizes_a: tuple[int, ...]
    sizes_b: tuple[int, ...]

    @property
    def by_word(self) -> AttributeSimilarities:
        """The same to every word of A and of B, each counted once however many contexts it has."""
        return AttributeSimilarities(
            _mean_columns(self.to_a, self.sizes_a), _mean_columns(self.to_b, self.sizes_b)
        )


def context_similarities(
    targets: Sequence[FloatArray],
    a: Sequence[FloatArray],
    b: Sequence[FloatArray],
    similarity: Similarity,
    geometry: Geometry,
) -> ContextSimilarities:
    """Compare every context of every target with every context of A and of B.

    A word's similarity is the mean of its contexts', not that of their mean vector: a mean of few
    contexts is noisier and so less similar to everything, and a rare word would lean less for its
    rarity alone.
    """
    all_a, all_b = np.concatenate(a), np.concatenate(b)
    # Word by word: all contexts of all words at once would not fit into memory.
    by_target = [
        attribute_similarities(contexts, all_a, all_b, similarity, geometry) for contexts in targets
    ]
    return ContextSimilarities(
        np.array([similarities.to_a.mean(axis=0) for similarities in by_target]),
        np.array([similarities.to_b.mean(axis=0) for similarities in by_target]),
        tuple(map(len, a)),
        tuple(map(len, b)),
    )


def attribute_standard_error(x: ContextSimilarities, y: ContextSimilarities) -> float:
    """Return the standard error of mean_x s - mean_y s that the contexts of A and B leave.

    With g(c) the mean closeness of X to a context c minus that of Y, the difference is the mean of
    g over the words of A minus that over B, each word the mean of its contexts:

        error^2 = sum over words of A of var(g over its contexts) / (contexts * words of A^2) + B's

    A word with one context has the variance of the others, on average. Zero: attributes read in
    other contexts would say the same. The words of A and B themselves are taken as given.
    """
    lists = [
        _split(x.to_a.mean(axis=0) - y.to_a.mean(axis=0), x.sizes_a),
        _split(x.to_b.mean(axis=0) - y.to_b.mean(axis=0), x.sizes_b),
    ]
    variances = [own.var(ddof=1) for words in lists for own in words if len(own) > 1]
    mean_variance = float(np.mean(variances)) if variances else 0.0
    return sqrt(
        sum(
            (float(own.var(ddof=1)) if len(own) > 1 else mean_variance)
            / (len(own) * len(words) ** 2)
            for words in lists
            for own in words
        )
    )


def _split(contexts: FloatArray, sizes: Sequence[int]) -> list[FloatArray]:
    return np.split(contexts, np.cumsum(sizes)[:-1])


def _mean_columns(columns: FloatArray, sizes: Sequence[int]) -> FloatArray:
    starts = np.cumsum([0, *sizes[:-1]])
    means: FloatArray = np.add.reduceat(columns, starts, axis=1) / np.array(sizes)
    return means


_STREAMS = {"x": 0, "y": 0, "a": 1, "b": 1}
"""The random streams of targets and attributes differ, so that a word which is both is not always
compared with itself."""


def sample_contexts(
    keys: Sequence[str], sizes: Sequence[int], role: str, draws: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return which context each word (rows) has in each draw (columns), with replacement.

    It depends on the word and the seed, neither on the other words nor on their order.
    """
    chosen = []
    for key, size in zip(keys, sizes, strict=True):
        word = int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())
        generator = np.random.default_rng([seed, _STREAMS[role], word])
        chosen.append(generator.integers(size, size=draws))
    return np.array(chosen)


def similarities_by_draw(
    contexts: Mapping[str, Sequence[FloatArray]],
    chosen: Mapping[str, npt.NDArray[np.int64]],
    similarity: Similarity,
    geometry: Geometry,
) -> dict[str, FloatArray]:
    """Return for X and Y one row a word: its mean similarity to A and to B in each draw in turn."""
    x_words = len(contexts["x"])
    draws = chosen["x"].shape[1]
    rows = np.empty((x_words + len(contexts["y"]), draws, 2))
    for draw in range(draws):
        x, y, a, b = (
            np.array(
                [
                    own[index]
                    for own, index in zip(contexts[role], chosen[role][:, draw], strict=True)
                ]
            )
            for role in "xyab"
        )
        rows[:, draw] = attribute_similarities(
            np.concatenate([x, y]), a, b, similarity, geometry
        ).means
    flat = rows.reshape(len(rows), -1)
    return {"x": flat[:x_words], "y": flat[x_words:]}


@dataclass(frozen=True)
class CombinedEffect:
    """The effects of all draws, joined as if every draw were a study of its own.

    The variance of a draw is that of s(w, A, B) over X and Y, with ddof 1, as the authors' program
    takes it: not the variance of d.
    """

    effect_size: EffectSize

    def __call__(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the joint effect of each batch (..., words, draws times two)."""
        return self.combined(x, y).effect

    def combined(self, x: FloatArray, y: FloatArray) -> RandomEffects:
        """Return the joint effect with its error."""
        x, y = (np.swapaxes(_pairs(rows), -3, -2) for rows in (x, y))
        lean = leanings(np.concatenate([x, y], axis=-2))
        return random_effects(self.effect_size(x, y), np.nanvar(lean, axis=-1, ddof=1))


def mean_leanings(rows: FloatArray) -> FloatArray:
    """Return each word's leaning, the mean over the draws."""
    means: FloatArray = leanings(_pairs(rows)).mean(axis=-1)
    return means


def _pairs(rows: FloatArray) -> FloatArray:
    return rows.reshape(*rows.shape[:-1], -1, 2)

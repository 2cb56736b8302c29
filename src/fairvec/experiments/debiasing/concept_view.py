"""Two figures about a concept in an embedding: components of its pairs, and words by two axes."""

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

import numpy as np

from fairvec.core.errors import LexiconError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders.encoder import versions
from fairvec.experiments.provenance import among_words, describe_model
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import SMALLEST, between_means, explained_variance_ratio
from fairvec.geometry.norms import normalize, normalize_rows, norms
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, ConceptWords, shipped_suites
from fairvec.mitigation.concept_direction import tangent_vectors
from fairvec.mitigation.specific_words import (
    SpecificWords,
    fit_hyperplane,
    training_words,
)
from fairvec.results.identities import TestIdentity
from fairvec.results.records import Component, ConceptView, ProjectedWord

PAIRS = 10
"""As many pairs as Bolukbasi et al. and the thesis compare."""
DRAWS = 1000
"""How often random pairs are drawn."""
SPECIFIC, TESTED = 24, 36
"""How many listed words and how many tested ones are shown at most."""


def concept_view(
    embedding: Embedding, concept: Concept, after: Embedding | None = None, *, seed: int = 0
) -> ConceptView | None:
    """Return two figures about a concept, or None where it has too few pairs or specific words.

    The first: the share of each principal component of the differences of ten pairs, each brought
    to length one, beside the same of random pairs of words. One tall component: the pairs differ in
    one direction, and not only in that. The second: words on two axes; x is the cosine with the
    difference of one pair (and x_after that of the word `after` a change, along the same
    direction), y the place along the direction of a linear SVM between the concept's specific words
    and the others: above 0 neutral, below specific. 0 lies half way between the means of both kinds
    of words that teach; at C = 1 the SVM's own threshold leaves nearly all on the side of the many.

    Bharti (2021), Figures 3.1 and 3.2, after Bolukbasi et al. (2016), arXiv:1607.06520, Figures 6
    and 7.
    """
    words = ConceptWords(concept, embedding)
    pairs = words.pairs(
        pair for pair in (*concept.definition.pairs, *concept.equalise) if len(pair) == 2
    ).pairs[:PAIRS]
    if len(pairs) < 2:
        return None
    try:
        training = training_words(embedding, concept)
        axis = _axis(words, pairs)
        direction = between_means(*(tangent_vectors(embedding, [key]) for key in axis))
        components = _components(embedding, pairs, training.units, seed)
    except (LexiconError, UndefinedError):
        return None
    shown_words = _shown_words(words, training.listed)
    towards_specific = normalize(fit_hyperplane(training.units, training.sides).normal)
    taught = training.units @ towards_specific
    line = (taught[training.sides].mean() + taught[~training.sides].mean()) / 2
    units = tangent_vectors(embedding, [*shown_words])
    recognised = taught[training.sides] > line
    return ConceptView(
        test=among_words(_identity(concept, axis), embedding),
        model=describe_model(embedding),
        after=describe_model(after) if after else None,
        metric="concept-view",
        similarity="cosine",
        coverage=(),
        seed=seed,
        versions=versions(),
        concept=concept.name,
        pairs=pairs,
        draws=DRAWS,
        components=components,
        axis=axis,
        plane=f"a linear SVM (C = 1) between {training.sides.sum():,} specific words and "
        f"{(~training.sides).sum():,} others, moved half way between their means; "
        f"{(taught[~training.sides] <= line).mean():.0%} of the others lie above",
        recognised=(int(recognised.sum()), len(recognised)),
        words=tuple(
            _place_word(key, shown_words[key], training.listed, *numbers)
            for key, *numbers in zip(
                shown_words,
                units @ direction,
                line - units @ towards_specific,
                _cosines_after(after, [*shown_words], direction),
                strict=True,
            )
        ),
    )


def _components(
    embedding: Embedding, pairs: tuple[tuple[str, str], ...], units: FloatArray, seed: int
) -> tuple[Component, ...]:
    """Compare the pairs of a concept with as many random ones of the words that teach."""
    a, b = (tangent_vectors(embedding, [pair[side] for pair in pairs]) for side in (0, 1))
    usable = units[units.any(axis=1)]
    generator = np.random.default_rng(seed)
    first = generator.integers(len(usable), size=(DRAWS, len(pairs)))
    second = (first + generator.integers(1, len(usable), size=first.shape)) % len(usable)
    random = usable[first] - usable[second]
    # Two words may have one vector: their difference then counts for nothing.
    random /= np.maximum(np.linalg.norm(random, axis=-1, keepdims=True), SMALLEST)
    by_chance = explained_variance_ratio(random)
    shares = zip(
        explained_variance_ratio(normalize_rows(a - b)).tolist(),
        by_chance.mean(axis=0).tolist(),
        np.quantile(by_chance, 0.975, axis=0).tolist(),
        strict=True,
    )
    return tuple(Component(share=s, by_chance=m, by_chance_high=q) for s, m, q in shares)


def _axis(words: ConceptWords, pairs: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    keys = words.words(words.concept.axis).keys
    return (keys[0], keys[1]) if len(keys) == 2 else pairs[0]


def _shown_words(words: ConceptWords, specific_words: SpecificWords) -> dict[str, Word]:
    """Return the most frequent listed words and tested ones, by key, listed ones first."""
    concept = words.concept
    equal = chain.from_iterable(concept.equalise)
    listed = _by_frequency((*concept.specific, *concept.definition.entries, *equal), words)
    specific = [entry for entry in listed if entry[0] in specific_words.keys][:SPECIFIC]
    # One list after the other gives a word, so that long ones do not crowd out the short.
    rounds = zip_longest(*(_by_frequency(entry, words) for entry in _tested_lists(concept)))
    tested = dict(entry for round_of_words in rounds for entry in round_of_words if entry)
    unlisted = [entry for entry in tested.items() if entry[0] not in dict(specific)]
    return dict([*specific, *unlisted[:TESTED]])


def _tested_lists(concept: Concept) -> Iterator[tuple[Word, ...]]:
    """Return the target lists of the bias tests about a concept in its language."""
    for suite in shipped_suites():
        for test in suite.tests:
            test_about = (suite.language, test.category, test.kind)
            if test_about == (concept.language, concept.about, "bias"):
                yield from (test.sets[role].words for role in test.filling("words"))


def _by_frequency(entries: Iterable[Word], words: ConceptWords) -> list[tuple[str, Word]]:
    """Return the words of a list that were found, those first that a vocabulary has first."""
    found: dict[str, Word] = {}
    for word in entries:
        for key in words.words([word]).keys:
            found.setdefault(key, word)
    return sorted(found.items(), key=lambda item: words.embedding.positions[item[0]])


def _cosines_after(
    after: Embedding | None, keys: list[str], direction: FloatArray
) -> list[float | None]:
    if after is None:
        return [None] * len(keys)
    rows = after.geometry.log0(after.rows(keys))
    return [
        float(along / length) if length else None
        for along, length in zip(rows @ direction, norms(rows), strict=True)
    ]


def _place_word(
    key: str, word: Word, specific_words: SpecificWords, x: float, y: float, x_after: float | None
) -> ProjectedWord:
    return ProjectedWord(
        word=word.word,
        key=key,
        kind="listed" if key in specific_words.keys else "learnt" if y < 0 else "neutral",
        x=float(x),
        y=float(y),
        x_after=x_after,
        transliteration=word.transliteration,
        gloss=word.gloss,
    )


def _identity(concept: Concept, axis: tuple[str, str]) -> TestIdentity:
    return TestIdentity(
        suite=concept.id,
        suite_version=concept.version,
        id=concept.name,
        title=concept.title,
        category=concept.about,
        kind="concept",
        language=concept.language,
        source=concept.source,
        positive_means=f"a word is nearer to {axis[0]}",
        negative_means=f"a word is nearer to {axis[1]}",
        sensitive=concept.sensitive_reason,
    )

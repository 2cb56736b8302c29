"""A concept seen in an embedding: what its pairs share, and where words stand towards it."""

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

import numpy as np

from fairvec.core.errors import LexiconError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders.versions import versions
from fairvec.experiments.provenance import describe_model
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import SMALLEST, between_means, explained_variance_ratio
from fairvec.geometry.norms import normalize_rows, rescaled_rows_and_norms
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, ConceptWords, shipped_suites
from fairvec.mitigation.concept_direction import tangent_vectors
from fairvec.mitigation.specific_words import SpecificWords, fit_hyperplane, training_words
from fairvec.results import Component, ConceptView, PlacedWord, TestIdentity

PAIRS = 10
"""As many pairs as Bolukbasi et al. and the thesis compare."""
DRAWS = 1000
"""How often random pairs are drawn."""
SPECIFIC, TESTED = 24, 36
"""How many listed words and how many tested ones are shown at most."""
AXES = {"en/gender": ("he", "she"), "hi/gender": ("हमारा", "हमारी"), "ru/gender": ("он", "она")}
"""The pair along which words are shown; of another concept it is the first of its pairs."""


def concept_view(
    embedding: Embedding, concept: Concept, after: Embedding | None = None, *, seed: int = 0
) -> ConceptView | None:
    """Return two figures about a concept, or None where it has too few pairs or specific words.

    The first: the share of each principal component of the differences of ten pairs, each brought
    to length one, beside the same of random pairs of words. One tall component: the pairs differ in
    one direction, and not only in that. The second: words on two axes; x is the cosine with the
    difference of one pair (and x_after that of the word `after` a change, along the same
    direction), y the distance from the plane of a linear SVM between the concept's specific words
    and the others: above 0 neutral, below specific.

    Bharti (2021), Figures 3.1 and 3.2, after Bolukbasi et al. (2016), arXiv:1607.06520, Figures 6
    and 7.
    """
    words = ConceptWords(concept, embedding)
    pairs = words.pairs(
        each for each in (*concept.definition.pairs, *concept.equalise) if len(each) == 2
    ).pairs[:PAIRS]
    if len(pairs) < 2:
        return None
    try:
        teaching = training_words(embedding, concept)
        axis = _axis(words, pairs)
        direction = between_means(*(tangent_vectors(embedding, [key]) for key in axis))
        components = _components(embedding, pairs, teaching.units, seed)
    except (LexiconError, UndefinedError):
        return None
    shown = _shown(words, teaching.listed)
    between = fit_hyperplane(teaching.units, teaching.sides)
    units = tangent_vectors(embedding, [*shown])
    lean = (units @ between.normal + between.offset) / np.linalg.norm(between.normal)
    recognised = teaching.units[teaching.sides] @ between.normal + between.offset > 0
    return ConceptView(
        test=_identity(concept, axis),
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
        plane=f"a linear SVM (C = 1) between {teaching.sides.sum():,} specific words and "
        f"{(~teaching.sides).sum():,} others",
        recognised=(int(recognised.sum()), len(recognised)),
        words=tuple(
            _placed(key, shown[key], teaching.listed, *numbers)
            for key, *numbers in zip(
                shown, units @ direction, -lean, _after(after, [*shown], direction), strict=True
            )
        ),
    )


def _components(
    embedding: Embedding, pairs: tuple[tuple[str, str], ...], units: FloatArray, seed: int
) -> tuple[Component, ...]:
    """Compare the pairs of a concept with as many random ones of the words that teach."""
    a, b = (tangent_vectors(embedding, [pair[side] for pair in pairs]) for side in (0, 1))
    usable = units[units.any(axis=1)]
    draw = np.random.default_rng(seed)
    one = draw.integers(len(usable), size=(DRAWS, len(pairs)))
    other = (one + draw.integers(1, len(usable), size=one.shape)) % len(usable)
    random = usable[one] - usable[other]
    # Two words may have one vector: their difference then counts for nothing.
    random /= np.maximum(np.linalg.norm(random, axis=-1, keepdims=True), SMALLEST)
    by_chance = explained_variance_ratio(random)
    found = zip(
        explained_variance_ratio(normalize_rows(a - b)).tolist(),
        by_chance.mean(axis=0).tolist(),
        np.quantile(by_chance, 0.975, axis=0).tolist(),
        strict=True,
    )
    return tuple(Component(share=s, by_chance=m, by_chance_high=q) for s, m, q in found)


def _axis(words: ConceptWords, pairs: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    usual = words.words([Word(word=word) for word in AXES.get(words.concept.id, ())]).keys
    return (usual[0], usual[1]) if len(usual) == 2 else pairs[0]


def _shown(words: ConceptWords, given: SpecificWords) -> dict[str, Word]:
    """Return the most frequent listed words and tested ones, by key, listed ones first."""
    concept = words.concept
    equal = chain.from_iterable(concept.equalise)
    listed = _by_frequency((*concept.specific, *concept.definition.entries, *equal), words)
    specific = [each for each in listed if each[0] in given.keys][:SPECIFIC]
    # One list after the other gives a word, so that long ones do not crowd out the short.
    turns = zip_longest(*(_by_frequency(each, words) for each in _tested(concept)))
    tested = dict(each for turn in turns for each in turn if each)
    fresh = [each for each in tested.items() if each[0] not in dict(specific)]
    return dict([*specific, *fresh[:TESTED]])


def _tested(concept: Concept) -> Iterator[tuple[Word, ...]]:
    """Return the target lists of the bias tests about a concept in its language."""
    for suite in shipped_suites():
        for test in suite.tests:
            about = (suite.language, test.category, test.kind)
            if about == (concept.language, concept.about, "bias"):
                yield from (test.sets[role].words for role in test.filling("words"))


def _by_frequency(listed: Iterable[Word], words: ConceptWords) -> list[tuple[str, Word]]:
    """Return the words of a list that were found, those first that a vocabulary has first."""
    found: dict[str, Word] = {}
    for word in listed:
        for key in words.words([word]).keys:
            found.setdefault(key, word)
    return sorted(found.items(), key=lambda each: words.embedding.positions[each[0]])


def _after(after: Embedding | None, keys: list[str], direction: FloatArray) -> list[float | None]:
    if after is None:
        return [None] * len(keys)
    rows, lengths = rescaled_rows_and_norms(after.geometry.log0(after.rows(keys)))
    return [
        float(along / length) if length else None
        for along, length in zip(rows @ direction, lengths, strict=True)
    ]


def _placed(
    key: str, word: Word, given: SpecificWords, x: float, y: float, x_after: float | None
) -> PlacedWord:
    return PlacedWord(
        word=word.word,
        key=key,
        kind="listed" if key in given.keys else "learnt" if y < 0 else "neutral",
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

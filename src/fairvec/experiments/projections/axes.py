"""The axes of a word map: the direction of a concept, or the contrast of two word lists."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from fairvec.core.errors import FairvecError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.suites import tests_in_language
from fairvec.geometry import FloatArray, default_similarity
from fairvec.geometry.directions import mean_difference
from fairvec.geometry.norms import normalize_rows
from fairvec.lexicon import Concept, ConceptWords, Test, resolve, shipped_concepts, shipped_suites
from fairvec.lexicon.python_lists import as_wordset
from fairvec.metrics.bias.weat import AttributeSimilarities, leanings
from fairvec.mitigation.concept_direction import concept_direction
from fairvec.mitigation.specific_words import fit_hyperplane, training_words

SVM = "svm"
"""Stands in the place of a variant of a concept, for the SVM that its specific words teach."""

END_WORDS = 3
"""How many words name the end of an axis that has no title."""


@dataclass(frozen=True, eq=False)
class MapAxis:
    """What an axis means and the leaning of points on it; positive is `towards`.

    `words` are those it is taken from, `missing` those of them that the model lacks, and `towards`
    and `away` say what stands at its ends. `formula` says how a leaning is measured; `direction` is
    its unit vector seen from the origin.
    """

    id: str
    title: str
    about: str
    towards: str
    away: str
    formula: Callable[[], str]
    words: tuple[str, ...]
    missing: tuple[str, ...]
    source: str
    sensitive: str
    leaning: Callable[[FloatArray], FloatArray]
    direction: Callable[[], FloatArray]

    @property
    def description(self) -> dict[str, object]:
        """The fields of the axis as JSON holds them."""
        copied = ("id", "title", "about", "towards", "away", "source", "sensitive")
        lists = {"words": list(self.words), "missing": list(self.missing)}
        return {name: getattr(self, name) for name in copied} | {"formula": self.formula()} | lists


def axis_of_concept(concept: Concept, embedding: Embedding) -> MapAxis:
    """Return the axis of a concept: cos(w, g), g being the direction that methods take out.

    1: a word lies in the direction of the first words of the pairs; -1: of the second; 0: at a
    right angle. Of sets and lists the sign means nothing, so the ends are named by their own words.
    In the ball a word counts by the direction in which it is seen from the origin.
    """
    found = concept_direction(ConceptWords(concept, embedding), concept.definition, concept.name)

    def leaning(points: FloatArray) -> FloatArray:
        cosines: FloatArray = normalize_rows(embedding.geometry.log0(points)) @ found.vector
        return cosines

    by_leaning = [found.keys[row] for row in np.argsort(-leaning(embedding.rows(found.keys)))]
    one_side = max(1, min(END_WORDS, len(by_leaning) // 2))
    return MapAxis(
        id=concept.name,
        title=concept.title,
        about=concept.about,
        towards=", ".join(by_leaning[:one_side]),
        away=", ".join(by_leaning[-one_side:][::-1]),
        formula=lambda: f"cosine with the direction of {concept.name}; {found.stability.summary}",
        words=found.keys,
        missing=found.left_out,
        source=concept.source,
        sensitive=concept.sensitive_reason,
        leaning=leaning,
        direction=lambda: found.vector,
    )


def axis_of_svm(concept: Concept, embedding: Embedding) -> MapAxis:
    """Return the axis from neutral to specific words: cos(w, n), n the normal of a linear SVM.

    The SVM is taught by the concept's specific words against the others, as published (C = 1).
    Positive: on the side of the specific words; the line itself, and its threshold, lie elsewhere.
    Bharti (2021), Figure 3.2, draws it upside down, as the direction of neutrality.
    """
    training = training_words(embedding, concept)

    @cache
    def normal() -> FloatArray:
        plane = fit_hyperplane(training.units, training.sides)
        unit: FloatArray = plane.normal / np.linalg.norm(plane.normal)
        return unit

    def leaning(points: FloatArray) -> FloatArray:
        cosines: FloatArray = normalize_rows(embedding.geometry.log0(points)) @ normal()
        return cosines

    id = f"{concept.id}:{SVM}"
    return MapAxis(
        id=id,
        title=_svm_title(concept),
        about=concept.about,
        towards="specific words",
        away="neutral words",
        formula=lambda: f"cosine with the normal of a linear SVM (C = 1) between words, {id}",
        words=training.listed.seed,
        missing=ConceptWords(concept, embedding).words(concept.specific).missing,
        source=concept.source,
        sensitive=concept.sensitive_reason,
        leaning=leaning,
        direction=normal,
    )


def _svm_title(concept: Concept) -> str:
    return f"{concept.title}: specific and neutral words, by a linear SVM"


def axis_of_lists(
    test: Test, embedding: Embedding, *, id: str = "", title: str = "", source: str = ""
) -> MapAxis:
    """Return the axis from list b to list a of a test: what association tests call a leaning.

    s(w, A, B) = mean_a sim(w, a) - mean_b sim(w, b), by the cosine in flat space and by the
    negative distance in the ball. Positive: w is nearer to A; 0: as near to one as to the other.
    Caliskan, Bryson & Narayanan (2017), Science 356, 183-186.
    """
    (test,) = tests_in_language([test], [embedding])  # type: ignore[assignment]
    groups = resolve(test, embedding)
    a, b = groups["a"], groups["b"]
    missing = tuple(missing_word.word.word for side in (a, b) for missing_word in side.missing)
    if not (a.found and b.found):
        raise UndefinedError(
            f"{embedding.name} knows {len(a.found)} of the words at one end of the axis "
            f"({a.wordset.title}) and {len(b.found)} at the other ({b.wordset.title}), and one of "
            "each must be; use words that it knows."
        )
    if {*a.keys} == {*b.keys}:
        raise UndefinedError(
            "Both ends of the axis have the same words, so nothing lies between them; use lists "
            "with different words."
        )
    similarity = default_similarity(embedding.geometry)
    return MapAxis(
        id=id or test.id,
        title=title or f"{a.wordset.title} – {b.wordset.title}",
        about=test.category,
        towards=a.wordset.title,
        away=b.wordset.title,
        formula=lambda: f"mean {similarity.name} with the first list minus that with the second",
        words=(*a.keys, *b.keys),
        missing=missing,
        source=source,
        sensitive=" ".join(
            dict.fromkeys(
                reason
                for reason in (a.wordset.sensitive_reason, b.wordset.sensitive_reason)
                if reason
            )
        ),
        leaning=partial(_leanings, embedding, a.vectors, b.vectors),
        direction=lambda: mean_difference(
            embedding.geometry.log0(a.vectors), embedding.geometry.log0(b.vectors)
        ),
    )


def axis_of_own_lists(
    a: Sequence[str], b: Sequence[str], embedding: Embedding, title: str = ""
) -> MapAxis:
    """Return the axis between two lists of words given as text."""
    test = Test(sets={"a": as_wordset("a", a), "b": as_wordset("b", b)})
    return axis_of_lists(test, embedding, id="own", title=title, source="typed here")


def _leanings(embedding: Embedding, a: FloatArray, b: FloatArray, points: FloatArray) -> FloatArray:
    similarity = default_similarity(embedding.geometry)
    # Both lists at once, so that thousands of points are brought to length one but once.
    every = np.concatenate([a, b])
    to_all = similarity.measured(points, every, embedding.geometry)
    return leanings(AttributeSimilarities(to_all[:, : len(a)], to_all[:, len(a) :]).means)


SIDES = {"xy": ("x", "y"), "ab": ("a", "b")}
"""The lists of a test that can be the ends of an axis."""


@dataclass(frozen=True)
class OfferedAxis:
    """An axis by its name; `usual` is one for each category, and `trouble` why it cannot be had."""

    id: str
    title: str
    about: str
    usual: bool
    trouble: str = ""


@dataclass(frozen=True)
class _Contrast:
    """Two lists of a test as its a and b, and in how many tests of the category they stand."""

    id: str
    test: Test
    source: str
    tests: int = 1

    @property
    def titles(self) -> frozenset[str]:
        return frozenset(each.title for each in self.test.sets.values())


def offered_axes(embedding: Embedding) -> tuple[OfferedAxis, ...]:
    """Return the axes of a model's languages, concepts first; none where no language is known.

    A concept has an axis for each of its variants, and one by an SVM that its specific words teach.
    """
    languages = languages_of(embedding)
    concepts = [axis for axis in shipped_concepts() if axis.language in languages]
    contrasts = [axis for language in languages for axis in _contrasts(language)]
    default_ids = _default_ids(concepts, contrasts)
    candidates = [axis for concept in concepts for axis in _axes_of_concept(concept)] + [
        (axis.id, " – ".join(axis.test.sets[end].title for end in "ab"), axis.test.category)
        for axis in contrasts
    ]
    return tuple(
        OfferedAxis(id, title, about, id in default_ids, _error(id, embedding))
        for id, title, about in candidates
    )


def _axes_of_concept(concept: Concept) -> Iterator[tuple[str, str, str]]:
    """Yield id, title and category of the axes of a concept, that of its default first."""
    yield concept.id, concept.title, concept.about
    for variant, definition in concept.variants.items():
        if variant != concept.default:
            title = f"{concept.title}: {definition.title or variant}"
            yield f"{concept.id}:{variant}", title, concept.about
    if concept.specific:
        yield f"{concept.id}:{SVM}", _svm_title(concept), concept.about


def find_axis(id: str, embedding: Embedding) -> MapAxis:
    """Return a shipped concept's axis (hi/gender, hi/gender:our, hi/gender:svm), or a test's.

    `caliskan2017/weat-10:xy` are the targets of a test, and :ab its attributes. No file is read for
    a name: what is asked over a wire must not open any.
    """
    name, _, variant = id.partition(":")
    for concept in shipped_concepts():
        if concept.id == name:
            if variant == SVM:
                return axis_of_svm(concept, embedding)
            return axis_of_concept(concept.choosing(variant) if variant else concept, embedding)
    for suite in shipped_suites():
        for test in suite.tests:
            if test.id == name and variant in SIDES and {*SIDES[variant]} <= {*test.sets}:
                return axis_of_lists(
                    _pole_test(test, variant), embedding, id=id, source=suite.source
                )
    hint = "Two lists of a test are named as in caliskan2017/weat-10:xy."
    raise UnknownNameError(
        "axis", id, [concept_entry.id for concept_entry in shipped_concepts()], hint=hint
    )


def _contrasts(language: str) -> list[_Contrast]:
    """Return the pairs of lists of a language's bias tests; of equal titles the first."""
    by_lists: dict[tuple[str, frozenset[str]], _Contrast] = {}
    for suite in shipped_suites():
        for test in suite.tests if suite.language == language else ():
            for sides, roles in SIDES.items():
                if test.kind != "bias" or not {*roles} <= {*test.sets}:
                    continue
                contrast = _Contrast(f"{test.id}:{sides}", _pole_test(test, sides), suite.source)
                key = test.category, contrast.titles
                known = by_lists.get(key)
                by_lists[key] = replace(known, tests=known.tests + 1) if known else contrast
    return [*by_lists.values()]


def _pole_test(test: Test, sides: str) -> Test:
    """Return a test that has two lists alone, as its a and b."""
    ends = zip("ab", SIDES[sides], strict=True)
    return test.model_copy(update={"sets": {end: test.sets[role] for end, role in ends}})


def _default_ids(concepts: list[Concept], contrasts: list[_Contrast]) -> frozenset[str]:
    """Choose an axis for each category: one whose ends have a meaning comes first.

    That are the two lists which most of its tests share and no other category has (pleasant words
    are measured with all); else a concept of pairs; else one of sets or of a list.
    """
    chosen: dict[str, str] = {}
    for contrast in sorted(contrasts, key=lambda candidate: -candidate.tests):
        others = (
            candidate
            for candidate in contrasts
            if candidate.test.category != contrast.test.category
        )
        if all(contrast.titles != other.titles for other in others):
            chosen.setdefault(contrast.test.category, contrast.id)
    for concept in sorted(concepts, key=lambda candidate: not candidate.definition.pairs):
        chosen.setdefault(concept.about, concept.id)
    return frozenset(chosen.values())


def _error(id: str, embedding: Embedding) -> str:
    try:
        find_axis(id, embedding)
    except FairvecError as error:
        return str(error)
    return ""

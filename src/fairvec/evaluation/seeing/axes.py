"""An axis of a map: which words stand at its ends, and how far any other leans to either."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.geometry import FloatArray, natural_similarity
from fairvec.geometry.directions import mean_difference, unit
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Concept, ConceptWords, Test, resolve
from fairvec.lexicon.in_python import as_wordset
from fairvec.metrics.bias.parts.association import Closeness
from fairvec.metrics.bias.parts.effect_size import leanings
from fairvec.mitigation.words.directions import direction

ENDS = 3
"""How many words name the end of an axis that has no title."""


@dataclass(frozen=True, eq=False)
class MapAxis:
    """What an axis means and the leaning of points on it; positive is `towards`.

    `words` are those it is taken from, `missing` those of them that the model lacks, and `towards`
    and `away` say what stands at its ends. `direction` is its unit vector seen from the origin.
    """

    id: str
    title: str
    about: str
    towards: str
    away: str
    formula: str
    words: tuple[str, ...]
    missing: tuple[str, ...]
    source: str
    sensitive: str
    leaning: Callable[[FloatArray], FloatArray]
    direction: Callable[[], FloatArray]

    @property
    def told(self) -> dict[str, object]:
        """What a page writes beside it."""
        named = ("id", "title", "about", "towards", "away", "formula", "source", "sensitive")
        lists = {"words": list(self.words), "missing": list(self.missing)}
        return {name: getattr(self, name) for name in named} | lists


def axis_of_concept(concept: Concept, embedding: Embedding) -> MapAxis:
    """Return the axis of a concept: cos(w, g), g being the direction that methods take out.

    1: a word lies in the direction of the first words of the pairs; -1: of the second; 0: at a
    right angle. Of sets and lists the sign means nothing, so the ends are named by their own words.
    In the ball a word counts by the direction in which it is seen from the origin.
    """
    found = direction(ConceptWords(concept, embedding), concept.definition, concept.name)

    def leaning(points: FloatArray) -> FloatArray:
        along: FloatArray = unit(embedding.geometry.log0(points)) @ found.vector
        return along

    by_leaning = [found.keys[row] for row in np.argsort(-leaning(embedding.rows(found.keys)))]
    one_side = max(1, min(ENDS, len(by_leaning) // 2))
    return MapAxis(
        id=concept.name,
        title=concept.title,
        about=concept.about,
        towards=", ".join(by_leaning[:one_side]),
        away=", ".join(by_leaning[-one_side:][::-1]),
        formula=f"cosine with the direction of {concept.name}; {found.steady.said}",
        words=found.keys,
        missing=found.left_out,
        source=concept.source,
        sensitive=concept.sensitive_reason,
        leaning=leaning,
        direction=lambda: found.vector,
    )


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
    lost = tuple(each.word.word for side in (a, b) for each in side.missing)
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
    similarity = natural_similarity(embedding.geometry)
    return MapAxis(
        id=id or test.id,
        title=title or f"{a.wordset.title} – {b.wordset.title}",
        about=test.category,
        towards=a.wordset.title,
        away=b.wordset.title,
        formula=f"mean {similarity.name} with the first list minus that with the second",
        words=(*a.keys, *b.keys),
        missing=lost,
        source=source,
        sensitive=" ".join(
            dict.fromkeys(s for s in (a.wordset.sensitive_reason, b.wordset.sensitive_reason) if s)
        ),
        leaning=partial(_leanings, embedding, a.vectors, b.vectors),
        direction=lambda: mean_difference(
            embedding.geometry.log0(a.vectors), embedding.geometry.log0(b.vectors)
        ),
    )


def axis_of_own_lists(
    a: Sequence[str], b: Sequence[str], embedding: Embedding, title: str = ""
) -> MapAxis:
    """Return the axis between two lists that somebody typed."""
    test = Test(sets={"a": as_wordset("a", a), "b": as_wordset("b", b)})
    return axis_of_lists(test, embedding, id="own", title=title, source="typed here")


def _leanings(embedding: Embedding, a: FloatArray, b: FloatArray, points: FloatArray) -> FloatArray:
    similarity = natural_similarity(embedding.geometry)
    # Both lists at once, so that thousands of points are brought to length one but once.
    every = np.concatenate([a, b])
    to_all = similarity.measured(points, every, embedding.geometry)
    return leanings(Closeness(to_all[:, : len(a)], to_all[:, len(a) :]).means)

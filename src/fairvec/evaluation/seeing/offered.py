"""The axes that a model can be seen on: the concepts of its language, and lists of its tests."""

from dataclasses import dataclass, replace

from fairvec.embedding import Embedding
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.seeing.axes import MapAxis, axis_of_concept, axis_of_lists
from fairvec.ground.errors import FairvecError, UnknownNameError
from fairvec.lexicon import Concept, Test, concepts, shipped_suites

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
    """Return the axes of a model's languages, concepts first; none where no language is known."""
    languages = languages_of(embedding)
    own = [each for each in concepts() if each.language in languages]
    contrasts = [each for language in languages for each in _contrasts(language)]
    usual = _usual(own, contrasts)
    named = [(each.id, each.title, each.about) for each in own] + [
        (each.id, " – ".join(each.test.sets[end].title for end in "ab"), each.test.category)
        for each in contrasts
    ]
    return tuple(
        OfferedAxis(id, title, about, id in usual, _trouble(id, embedding))
        for id, title, about in named
    )


def axis_named(id: str, embedding: Embedding) -> MapAxis:
    """Return a shipped concept's axis (hi/gender, hi/gender:pairs), or that of a test's lists.

    `caliskan2017/weat-10:xy` are the targets of a test, and :ab its attributes. No file is read for
    a name: what is asked over a wire must not open any.
    """
    wanted, _, variant = id.partition(":")
    for concept in concepts():
        if concept.id == wanted:
            return axis_of_concept(concept.choosing(variant) if variant else concept, embedding)
    for suite in shipped_suites():
        for test in suite.tests:
            if test.id == wanted and variant in SIDES and {*SIDES[variant]} <= {*test.sets}:
                return axis_of_lists(_ends(test, variant), embedding, id=id, source=suite.source)
    hint = "Two lists of a test are named as in caliskan2017/weat-10:xy."
    raise UnknownNameError("axis", id, [each.id for each in concepts()], hint=hint)


def _contrasts(language: str) -> list[_Contrast]:
    """Return the pairs of lists of a language's bias tests; of equal titles the first."""
    found: dict[tuple[str, frozenset[str]], _Contrast] = {}
    for suite in shipped_suites():
        for test in suite.tests if suite.language == language else ():
            for sides, roles in SIDES.items():
                if test.kind != "bias" or not {*roles} <= {*test.sets}:
                    continue
                new = _Contrast(f"{test.id}:{sides}", _ends(test, sides), suite.source)
                what = test.category, new.titles
                old = found.get(what)
                found[what] = replace(old, tests=old.tests + 1) if old else new
    return [*found.values()]


def _ends(test: Test, sides: str) -> Test:
    """Return a test that has two lists alone, as its a and b."""
    ends = zip("ab", SIDES[sides], strict=True)
    return test.model_copy(update={"sets": {end: test.sets[role] for end, role in ends}})


def _usual(own: list[Concept], contrasts: list[_Contrast]) -> frozenset[str]:
    """Choose an axis for each category: one whose ends have a meaning comes first.

    That are the two lists which most of its tests share and no other category has (pleasant words
    are measured with all); else a concept of pairs; else one of sets or of a list.
    """
    chosen: dict[str, str] = {}
    for each in sorted(contrasts, key=lambda one: -one.tests):
        elsewhere = (one for one in contrasts if one.test.category != each.test.category)
        if all(each.titles != other.titles for other in elsewhere):
            chosen.setdefault(each.test.category, each.id)
    for concept in sorted(own, key=lambda one: not one.definition.pairs):
        chosen.setdefault(concept.about, concept.id)
    return frozenset(chosen.values())


def _trouble(id: str, embedding: Embedding) -> str:
    try:
        axis_named(id, embedding)
    except FairvecError as error:
        return str(error)
    return ""

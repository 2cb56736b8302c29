"""The linter of concepts: what could make a method learn less, or other, than its words say."""

from collections.abc import Iterable, Iterator, Sequence

from fairvec.languages.scripts import script_of_language
from fairvec.lexicon.concept_lists.concept import Concept
from fairvec.lexicon.concept_lists.definition import Definition
from fairvec.lexicon.linting.lint_words import Forms, forms_of, repeated, troubles
from fairvec.lexicon.linting.waivers import LintFinding, with_waivers
from fairvec.lexicon.words import Word

FEWEST_WORDS = 3
"""So many words a plain list needs to have a direction."""


def lint_concept(concept: Concept) -> tuple[LintFinding, ...]:
    """Return every finding about a concept's words, waived ones included, then idle waivers.

    A finding is about variants.NAME, keep.NAME, equalise or specific, as the file writes them.
    """
    return tuple(with_waivers(_findings(concept), concept.waivers))


def _findings(concept: Concept) -> Iterator[LintFinding]:
    # Published lists have Dad and dad on purpose, and a model may know both.
    forms = forms_of(concept.language, cased=True)
    definitions: dict[str, Definition] = {
        f"{kind}.{name}": each
        for kind, named in (("variants", concept.variants), ("keep", concept.keep))
        for name, each in named.items()
    }
    words = {place: each.entries for place, each in definitions.items()}
    words["equalise"] = tuple(word for each in concept.equalise for word in each)
    words["specific"] = concept.specific
    expected = script_of_language(
        concept.language, (word.word for each in words.values() for word in each)
    )
    for place, listed in words.items():
        for word in dict.fromkeys(listed):
            for code, message in troubles(word, expected):
                yield LintFinding(code, place, (word.word,), f"{message} ({place})")
    for place, each in definitions.items():
        yield from _aligned(place, each.pairs, forms)
        yield from _aligned(place, each.sets, forms, shared=True)
        yield from _listed(place, each.words, forms)
        if 0 < len(each.words) < FEWEST_WORDS:
            message = f"{place} has {len(each.words)} words, and a list needs {FEWEST_WORDS}"
            yield LintFinding("too-few-words", place, (), message)
    yield from _aligned("equalise", concept.equalise, forms)
    yield from _listed("specific", concept.specific, forms)


def _listed(place: str, words: Iterable[Word], forms: Forms) -> Iterator[LintFinding]:
    for word, earlier in repeated(words, forms):
        message = f"{word.word!r} repeats {earlier.word!r} in {place} and will count once"
        yield LintFinding("duplicate-word", place, (word.word,), message)


def _aligned(
    place: str, sets: Sequence[tuple[Word, ...]], forms: Forms, *, shared: bool = False
) -> Iterator[LintFinding]:
    """Find pairs and sets that stand there twice or turned round, or share a word if none may."""
    seen: dict[tuple[frozenset[str], ...], str] = {}
    owners: dict[str, str] = {}
    for words in sets:
        named, spelt = " - ".join(word.word for word in words), tuple(map(forms, words))
        listed = tuple(word.word for word in words)
        taken = [
            (word.word, owners[form]) for word in words for form in forms(word) if form in owners
        ]
        if spelt in seen:
            message = f"{named} is in {place} twice and will count once"
            yield LintFinding("duplicate-word", place, listed, message)
        elif len(words) == 2 and spelt[::-1] in seen:
            message = f"{named} in {place} is {seen[spelt[::-1]]} turned round, and is left out"
            yield LintFinding("reversed-pair", place, listed, message)
        elif taken and not shared:
            (word, earlier), *_ = taken
            message = f"{word!r} in {place} is in {earlier} already, so {named} is left out"
            yield LintFinding("duplicate-word", place, listed, message)
        seen.setdefault(spelt, named)
        for form in (form for each in spelt for form in each):
            owners.setdefault(form, named)

"""Words that tell somebody's sex and that a swap would leave as they are."""

import unicodedata
from collections.abc import Mapping
from functools import cache

from fairvec.lexicon.people import people_lists
from fairvec.tasks.documents.rewriting.english.pronouns import double_places
from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence, EnglishWord
from fairvec.tasks.documents.rewriting.english.table import listed, terms


def has_unpaired_person(sentence: EnglishSentence, swapped: Mapping[int, str]) -> bool:
    """Whether a word tells a sex (groom, dad-to-be, best man) and is none of those to be swapped.

    `swapped` has the spelling of each term by the place of its word. He or she tells none.
    """
    inside = {
        place for first, last, _ in double_places(sentence) for place in range(first, last + 1)
    }
    return any(
        _tells_a_sex(word, swapped.get(place, ""))
        for place, word in enumerate(sentence.words)
        if place not in inside
    )


def _tells_a_sex(word: EnglishWord, swapped: str) -> bool:
    core = unicodedata.normalize("NFC", word.core)
    if core == swapped or core in listed("no_swap_needed"):
        return False
    parts = core.removesuffix(swapped).split("-")
    if not swapped and (core in _gendered() or word.text in _gendered()):
        return True
    return len(parts) > 1 and any(part in _gendered() for part in parts)


@cache
def _gendered() -> frozenset[str]:
    """Return the words that tell a sex; one with a capital (Sir) tells it only as written."""
    people = {
        entry
        for roles in people_lists("en").persons.values()
        for role, entries in roles.items()
        if role != "name"
        for entry in entries
    }
    return frozenset(people | terms().keys()) | listed("unpaired_people")

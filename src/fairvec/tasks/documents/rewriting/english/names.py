"""Which capitalised words may be a person's name."""

from collections.abc import Sequence
from typing import Protocol

from fairvec.tasks.documents.rewriting.english.table import function_words, listed, terms

_ALSO_NAMES = frozenset({"may", "will", "can", "mark", "bill", "art", "miss"})


class Capitalised(Protocol):
    """A word of which it is asked."""

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def core(self) -> str: ...  # noqa: D102
    @property
    def ending(self) -> str: ...  # noqa: D102
    @property
    def gap(self) -> str: ...  # noqa: D102


def named_places(words: Sequence[Capitalised]) -> frozenset[int]:
    """Return the places of words that may be a name: capitals that no list explains.

    A capital after in, at or near (in Paris, at New College) is a place's, unless it is possessive,
    and so is one after University of and the like.
    """
    found: set[int] = set()
    of_place: set[int] = set()
    for place, word in enumerate(words):
        if not word.text[0].isupper():
            continue
        if _is_of_a_place(words, place, of_place):
            of_place.add(place)
        elif not (_may_begin(word) if place == 0 else _is_no_name(word)):
            found.add(place)
    return frozenset(found)


def _is_no_name(word: Capitalised) -> bool:
    short = word.text.isupper() and 2 <= len(word.text) <= 5
    return short or word.core in listed("not_names")


def _may_begin(word: Capitalised) -> bool:
    """Whether a first word needs no name to be capital."""
    if word.core in _ALSO_NAMES:
        return False
    if word.core in listed("known_words", "adverbs", "plural_people", "person_nouns", "not_names"):
        return True
    term = terms().get(word.core)
    if term:
        # King was born in 1950: without an article a rank in the singular is a name.
        return term.rule not in ("person", "kinship") or word.core.endswith(("s", "en"))
    return word.core in function_words()


def _is_of_a_place(words: Sequence[Capitalised], place: int, of_place: set[int]) -> bool:
    word = words[place]
    if place == 0 or word.ending or word.gap != " ":
        return False
    before = words[place - 1].core
    if word.core in listed("countries") and before in ("to", "from", "for"):
        return True
    if before in ("in", "at", "near") or place - 1 in of_place:
        return True
    of_what = words[place - 2].core if place > 1 else ""
    return before == "of" and of_what in listed("institutions")

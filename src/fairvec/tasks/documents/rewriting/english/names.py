"""Which capitalised words may be a person's name, and which are a first name with a pair."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from fairvec.lexicon import paired_names
from fairvec.tasks.documents.rewriting.english.table import function_words, listed, terms

_ALSO_NAMES = frozenset({"may", "will", "can", "mark", "bill", "art", "miss"})


class Capitalised(Protocol):
    """A word of which it is asked."""

    @property
    def text(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def core(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def ending(self) -> str: ...  # noqa: D102 - the name says it
    @property
    def gap(self) -> str: ...  # noqa: D102 - the name says it


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


class NamesFound(NamedTuple):
    """The places of first names with a counterpart, and of the surnames after them."""

    first: frozenset[int]
    surnames: frozenset[int]


def first_names_in(words: Sequence[Capitalised], named: frozenset[int]) -> NamesFound:
    """Return the listed first names among what may be names.

    Not after another capital (Mary Thomas, King George): there it may be a surname or a title's.
    """
    first = frozenset(
        place
        for place in named
        if words[place].core in other_names() and not _goes_on(words, place, named)
    )
    after = (place + 1 for place in first if not words[place].ending)
    return NamesFound(
        first, frozenset(place for place in after if place in named and words[place].gap == " ")
    )


def _goes_on(words: Sequence[Capitalised], place: int, named: frozenset[int]) -> bool:
    """Whether a name follows a capital that is not only that of a sentence's first word."""
    if place == 0 or words[place].gap != " " or not words[place - 1].text[0].isupper():
        return False
    return place > 1 or 0 in named or words[0].core in terms()


@cache
def other_names() -> dict[str, str]:
    """Return the counterpart of each listed first name, in small letters."""
    return dict(paired_names("en"))


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

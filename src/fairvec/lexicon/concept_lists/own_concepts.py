"""What a concept made in Python is defined by, and what it is called."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from fairvec.ground.errors import LexiconError
from fairvec.lexicon.in_python import OWN, ListOfWords, a_kind, as_words
from fairvec.lexicon.words import Word

Kind = Literal["pairs", "sets", "words"]


def defined(
    *,
    pairs: Iterable[ListOfWords] | None,
    sets: Iterable[ListOfWords] | None,
    words: ListOfWords | None,
) -> tuple[Kind, Sequence[Any]]:
    """Return which of the three defines a concept, and its words."""
    given: dict[Kind, Any] = {"pairs": pairs, "sets": sets, "words": words}
    said = [kind for kind, lists in given.items() if lists is not None]
    if len(said) != 1:
        raise LexiconError(
            f"A concept is defined by {' and '.join(said) or 'nothing'}; give either pairs=, as in "
            '[("he", "she")], or sets= or words=.'
        )
    kind = said[0]
    if kind == "words":
        return kind, as_words("words", given[kind])
    if not (found := aligned(kind, given[kind])):
        raise LexiconError(f'{kind} is an empty list; give some, as in [("he", "she")].')
    return kind, found


def aligned(kind: str, lists: Any) -> list[list[Word]]:
    """Return lists of words that differ in nothing but the concept, each as a list."""
    if isinstance(lists, str) or not isinstance(lists, Iterable):
        raise LexiconError(f'{kind} must be a list of lists, as in [("he", "she")].')
    return [[*as_words(f"{kind}[{place}]", each)] for place, each in enumerate(lists, start=1)]


def id_of_concept(id: str) -> str:
    """Return the full id; one without a place is of one's own."""
    if not isinstance(id, str):
        raise LexiconError(f"The id of a concept is text, not {a_kind(id)}; say id='gender'.")
    return id if "/" in id else f"{OWN}/{id}"

"""A word in the place of another: its capitals, its possessive ending and the article before it."""

from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence, EnglishWord
from fairvec.tasks.documents.rewriting.proposal import Edit

_VOWELLED = ("hour", "honest", "honour", "honor", "heir")
_CONSONANTAL = ("uni", "use", "eu", "one", "once", "ura")


def cased_like(old: str, new: str) -> str:
    """Return the new word with the capitals of the old: all, the first or none."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[0].upper() + new[1:] if old[0].isupper() else new


def in_place_of(word: EnglishWord, new: str, old: str = "") -> Edit:
    """Return the edit that puts `new` for a word, or for the part `old` at its end.

    The possessive 's stays, and is an apostrophe after a plural in s: workmen's, workers'.
    """
    end = word.end - len(word.ending)
    start = end - len(old) if old else word.start
    text = word.text[: len(word.text) - len(word.ending)][start - word.start :]
    ending = word.ending
    plural = word.core.endswith(("men", "s")) and not word.core.endswith("ss")
    if ending and plural and new.endswith("s"):
        ending = ending[0]
    return Edit(start, word.end, text + word.ending, cased_like(text, new) + ending)


def article_edits(sentence: EnglishSentence, place: int, new: str) -> tuple[Edit, ...]:
    """Return the edit of an a or an right before where `new` shall stand, if it needs one."""
    before = sentence.before(place)
    if before is None or before.core not in ("a", "an") or before.ending:
        return ()
    wanted = "an" if _begins_with_vowel(new) else "a"
    if wanted == before.core:
        return ()
    return (Edit(before.start, before.end, before.text, cased_like(before.text, wanted)),)


def _begins_with_vowel(word: str) -> bool:
    small = word.lower()
    return small.startswith(_VOWELLED) or (
        small[0] in "aeiou" and not small.startswith(_CONSONANTAL)
    )

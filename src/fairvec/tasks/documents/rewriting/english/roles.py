"""Whether his and her stand before what is owned, or alone."""

from typing import Literal

from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence, EnglishWord
from fairvec.tasks.documents.rewriting.english.table import function_words, listed

HisRole = Literal["owner", "owned", ""]
HerRole = Literal["owner", "object", ""]

_ALONE_AFTER = frozenset({"of", "is", "was", "than", "be", "are", "were", "became"})


def his_role(sentence: EnglishSentence, place: int) -> HisRole:
    """Return owner for his book, owned for a friend of his, nothing where neither is certain."""
    follows = sentence.after(place) or sentence.after(place, ' "') or sentence.after(place, " “")
    if follows and follows.core not in function_words():
        return "owner"
    if follows and follows.core in listed("numbers"):
        return "owner"
    before = sentence.before(place)
    return "owned" if before and before.core in _ALONE_AFTER else ""


def her_role(sentence: EnglishSentence, place: int) -> HerRole:
    """Return owner for her book, object for met her, nothing where neither is certain."""
    follows = sentence.after(place)
    if follows is None:
        return "object" if _ends_a_phrase(sentence.ends_with(place)) else ""
    if follows.core == "own":
        return "owner"
    before = sentence.before(place)
    after_preposition = before is not None and before.core in listed("prepositions") - {"than"}
    if follows.core in listed("ordering") | listed("numbers"):
        return "owner" if after_preposition else ""
    if follows.core in listed("also_nouns"):
        return ""
    if follows.core in function_words():
        return "object"
    if follows.core in listed("singly_owned"):
        # A noun that is counted needs an owner or an article: left her job, gave her father.
        return "" if before and before.core in listed("naming") else "owner"
    if follows.core in listed("possessed"):
        known = before is None or before.core not in listed("before_object")
        return "owner" if known else ""
    if not _is_noun_like(follows):
        return ""
    if after_preposition or before is None:
        return "owner"
    joined = before.core in listed("conjunctions")
    past = before.core.endswith("ed") or before.core in listed("past_forms")
    known_verb = past and before.core not in listed("before_object")
    return "owner" if joined or known_verb else ""


def _ends_a_phrase(gap: str) -> bool:
    return gap.strip()[:1] in tuple(".,;:!?)")


def _is_noun_like(word: EnglishWord) -> bool:
    """Whether a word that no list knows can hardly be a verb or an adverb."""
    if word.core in listed("adverbs", "before_object", "past_forms"):
        return False
    return not word.core.endswith(("ing", "ly", "ed")) and word.core.isalpha()

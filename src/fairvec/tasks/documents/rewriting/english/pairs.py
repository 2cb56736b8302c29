"""Brothers and sisters as siblings: two words for the two sexes and the one for both."""

from collections.abc import Iterator

from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence
from fairvec.tasks.documents.rewriting.english.spelling import article_edits, cased_like
from fairvec.tasks.documents.rewriting.english.table import (
    counterpart,
    function_words,
    listed,
    table,
    terms,
)
from fairvec.tasks.documents.rewriting.proposal import Edit, Proposal

_OWNERS = frozenset({"my", "your", "his", "her", "its", "our", "their"})
_ONE = _OWNERS | {"a", "an", "the", "any", "each", "every", "no", "this", "that"}
_WHY = "The two words name both sexes; {new} is the one word for them."


def paired(sentence: EnglishSentence) -> Iterator[tuple[set[int], Proposal]]:
    """Give each pair that has a word for both, with the places it covers.

    Certain are plurals (sons and daughters), one of two (a husband or wife), and somebody's two
    (his father and mother); only where the noun phrase ends after them.
    """
    if any(word.core in ("latter", "former", "respectively") for word in sentence.words):
        return
    for place in range(len(sentence.words) - 2):
        first, joint, second = sentence.words[place : place + 3]
        if first.core not in terms() or second.core != counterpart(first.core):
            continue
        if joint.core not in ("and", "or") or joint.gap != " " or second.gap != " ":
            continue
        if first.quoted or first.fixed or second.capital or first.ending or second.ending:
            continue
        new = _word_for_both(sentence, place, first.core, joint.core)
        if not new:
            continue
        old = sentence.text[first.start - sentence.start : second.end - sentence.start]
        edit = Edit(first.start, second.end, old, cased_like(first.text, new))
        edits = (*article_edits(sentence, place, new), edit)
        said = _WHY.format(new=new)
        yield (
            {place, place + 1, place + 2},
            Proposal(first.start, second.end, "pair", said, edits),
        )


def _word_for_both(sentence: EnglishSentence, place: int, core: str, joint: str) -> str:
    term = terms()[core]
    if not term.neutral or term.rule not in ("job", "kinship") or not _ends(sentence, place + 2):
        return ""
    plurals = table().tables["plurals"]
    if term.neutral in plurals.values():
        return term.neutral
    plural = plurals.get(term.neutral, "")
    before = sentence.before(place)
    if joint == "or":
        return term.neutral if before and before.core in _ONE else ""
    return plural if before and before.core in _OWNERS and term.rule == "kinship" else ""


def _ends(sentence: EnglishSentence, place: int) -> bool:
    """Whether the noun phrase ends with the word at a place."""
    gap = sentence.ends_with(place)
    after = sentence.after(place)
    if after is None:
        return gap[:1] not in ("'", "’", "-")
    verb = after.core.endswith("ed") or after.core in listed("past_forms")
    return after.core in function_words() or verb

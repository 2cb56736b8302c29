"""The phrase around a gendered noun: what agrees with it, where it starts, what may precede it."""

from collections.abc import Sequence

from fairvec.tasks.documents.rewriting.hindi.paradigms import agreeing, listed, nouns
from fairvec.tasks.documents.rewriting.hindi.reading import HindiNoun, HindiSentence
from fairvec.tasks.documents.rewriting.hindi.verbs import bare_verbs, is_finite


class UnsureError(Exception):
    """Why it is not certain how a noun stands in its sentence; the place is then flagged."""


def lemma_at(sentence: HindiSentence, at: int) -> str:
    """Return the masculine singular of what agrees at a place; empty if nothing there does."""
    return agreeing().get(sentence.keys[at], ("", ""))[0]


def phrase(
    sentence: HindiSentence, noun: HindiNoun, *, direct: bool
) -> tuple[tuple[int, ...], int]:
    """Return what agrees before a noun, and the word at which its phrase starts."""
    found: list[int] = []
    at = noun.first
    while at > 0 and at not in sentence.breaks:
        before = sentence.keys[at - 1]
        if before in agreeing():
            found.append(at - 1)
            at -= 1
            if lemma_at(sentence, at) == "का":
                if at in sentence.breaks or sentence.keys[at - 1] not in listed("measures"):
                    return tuple(found), _owner(sentence, at)
                at -= 1
        elif _invariable(before) or (direct and before in listed("demonstratives")):
            at -= 1
        else:
            break
    return tuple(found), at


def own_words(sentence: HindiSentence, noun: HindiNoun) -> frozenset[str]:
    """Return the words before a noun that are about it: not those before its owner."""
    at = noun.first
    while at > 0 and at not in sentence.breaks and _modifies(sentence, at - 1):
        at -= 1
    return frozenset(sentence.keys[at : noun.first])


def _invariable(word: str) -> bool:
    return word in listed("invariable") or word.isdecimal()


def _owner(sentence: HindiSentence, genitive: int) -> int:
    """Return where the owner starts whose का, की or के is at `genitive`.

    What agrees before the owner may belong to the noun if it ends alike: समुदाय के 25 साल के युवक.
    """
    ending = agreeing()[sentence.keys[genitive]][1]
    at = genitive - 1
    if at < 0 or genitive in sentence.breaks or not _may_be_noun(sentence, at):
        raise UnsureError("whose it is cannot be told")
    while at > 0 and at not in sentence.breaks:
        before = sentence.keys[at - 1]
        if agreeing().get(before, ("", ""))[1] == ending:
            raise UnsureError(f"{sentence.words[at - 1].text} before it may agree with it")
        if before in agreeing() and lemma_at(sentence, at - 1) == "का":
            at -= 1
            if at == 0 or at in sentence.breaks or not _may_be_noun(sentence, at - 1):
                raise UnsureError("whose it is cannot be told")
        elif before not in agreeing() and not _invariable(before):
            break
        at -= 1
    _check_no_genitive_before(sentence, at, ending)
    return at


def _check_no_genitive_before(sentence: HindiSentence, start: int, ending: str) -> None:
    """Raise UnsureError if a genitive near by may be the noun's: स्कूल के 11वीं कक्षा के छात्र."""
    for at in range(start - 1, max(start - 5, 0), -1):
        if at + 1 in sentence.breaks or sentence.keys[at] in listed("adverbs") - {"ही", "भी"}:
            return
        if sentence.keys[at] in listed("postpositions") and lemma_at(sentence, at) != "का":
            return
        if agreeing().get(sentence.keys[at], ("", ""))[1] == ending:
            if sentence.keys[at + 1] in listed("relations"):
                return
            raise UnsureError(f"{sentence.words[at].text} before it may agree with it")


def _modifies(sentence: HindiSentence, at: int) -> bool:
    lemma = lemma_at(sentence, at)
    return bool(lemma and lemma != "का") or _invariable(sentence.keys[at])


def _may_be_noun(sentence: HindiSentence, at: int) -> bool:
    word = sentence.keys[at]
    if word in bare_verbs():
        return False
    taken = ("postpositions", "clause_markers", "ergative", "oblique_pronouns", "negations")
    return not is_finite(word) and not any(word in listed(name) for name in taken)


def check_endings(sentence: HindiSentence, modifiers: Sequence[int], ending: str) -> None:
    """Raise UnsureError unless all that agrees has this ending."""
    for at in modifiers:
        if agreeing()[sentence.keys[at]][1] != ending:
            raise UnsureError(f"{sentence.words[at].text} before it does not agree with it")


def check_circumstances(sentence: HindiSentence, end: int) -> None:
    """Raise UnsureError unless what precedes `end` are adverbs and phrases with a postposition.

    Two unknown words before a postposition (सीता बाज़ार में) may be a subject and a place.
    """
    keys = sentence.keys
    at = 1 if end > 0 and keys[0] in listed("openers") else 0
    while at < end:
        if keys[at] in listed("adverbs") or keys[at] in listed("oblique_pronouns"):
            at += 1
            continue
        at = _circumstance(sentence, at, end)


def _circumstance(sentence: HindiSentence, at: int, end: int) -> int:
    keys = sentence.keys
    unsure = UnsureError("what precedes it may be the subject")
    while True:
        owned = False
        while at < end and _modifies(sentence, at):
            owned = lemma_at(sentence, at) in {
                "उसका",
                "उनका",
                "मेरा",
                "तुम्हारा",
                "हमारा",
                "आपका",
                "अपना",
            }
            at += 1
        if owned and at < end and keys[at] in listed("relations"):
            return at + 1
        if at + 1 >= end or not _may_be_noun(sentence, at):
            raise unsure
        after = keys[at + 1]
        if after == "ने" or after not in listed("postpositions"):
            raise unsure
        at += 2
        if lemma_at(sentence, at - 1) != "का":
            return at
        if at < end and keys[at] in listed("relations"):
            return at + 1


def check_name(sentence: HindiSentence, noun: HindiNoun) -> None:
    """Raise UnsureError if the word after a subject may be its name, or make a compound."""
    at = noun.last + 1
    while at < len(sentence.keys) - 1 and sentence.keys[at] in listed("negations"):
        at += 1
    word = sentence.keys[at]
    known = ("adverbs", "things", "oblique_pronouns")
    if word in nouns() or not (
        any(word in listed(name) for name in known) or lemma_at(sentence, at) not in ("", "का")
    ):
        raise UnsureError(f"{sentence.words[at].text} after it may be its name")

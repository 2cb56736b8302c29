"""Swap every gendered word of an English paragraph for its counterpart: all of them or none."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from fairvec.languages.en.nouns import find_nouns
from fairvec.languages.en.pronouns import her_role, his_role, paired_pronouns, single_pronouns
from fairvec.languages.en.sentences import (
    EnglishSentence,
    EnglishWord,
    Side,
    counterpart,
    fix_article,
    listed,
    match_case,
    name_counterparts,
    read_paragraphs,
    replace_word,
    side_of,
    terms,
)
from fairvec.languages.language import scripts
from fairvec.languages.people import people_lists
from fairvec.languages.rewriting import Edit, Proposal, apply_edits
from fairvec.languages.text import parse_document


def has_unpaired_word(sentence: EnglishSentence, swapped_terms: Mapping[int, str]) -> bool:
    """Whether a word names a sex (groom, dad-to-be, best man) and is not among those to be swapped.

    `swapped_terms` has the spelling of each term by the place of its word. He or she tells none.
    """
    inside = {
        place for first, last, _ in paired_pronouns(sentence) for place in range(first, last + 1)
    }
    return any(
        _is_gendered(word, swapped_terms.get(place, ""))
        for place, word in enumerate(sentence.words)
        if place not in inside
    )


def _is_gendered(word: EnglishWord, swapped_term: str) -> bool:
    core = unicodedata.normalize("NFC", word.lowercase)
    if core == swapped_term or core in listed("no_swap_needed"):
        return False
    parts = core.removesuffix(swapped_term).split("-")
    if not swapped_term and (core in _gendered_words() or word.text in _gendered_words()):
        return True
    return len(parts) > 1 and any(part in _gendered_words() for part in parts)


@cache
def _gendered_words() -> frozenset[str]:
    """Return the words that tell a sex; one with a capital (Sir) tells it only as written."""
    people = {
        entry
        for roles in people_lists("en").persons.values()
        for role, entries in roles.items()
        if role != "name"
        for entry in entries
    }
    return frozenset(people | terms().keys()) | listed("unpaired_people")


_SEXES = frozenset({"male", "female", "males", "females"})
_COUNTERPARTS = {"he": "she", "she": "he", "himself": "herself", "herself": "himself", "him": "her"}
_COUNTERPARTS |= {"hers": "his"}
_HIS = {"owner": "her", "owned": "hers", "": ""}
_HER = {"owner": "his", "object": "him", "": ""}
_SCRIPTS_READ = frozenset({"LATIN", "MICRO", "MODIFIER", "FEMININE", "MASCULINE"})
"""Besides Latin the signs that Unicode has as letters of no script: µ, ʻ, ª, º."""
_MALE_NAMES = frozenset([*name_counterparts()][::2])
"""Each pair of names stands there both ways, that of a man first."""


@dataclass(frozen=True)
class GenderedWord:
    """A gendered word: where it stands, its group, and the edits to the other one, if certain."""

    start: int
    end: int
    lowercase: str
    side: Side
    edits: tuple[Edit, ...]
    word: int
    """Its place among the words of its sentence."""


def gendered_words(sentence: EnglishSentence) -> list[GenderedWord]:
    """Return the gendered words that a swap concerns, in their order.

    Not he or she and its like, which are of both; nor fixed expressions.
    """
    inside = {
        place for first, last, _ in paired_pronouns(sentence) for place in range(first, last + 1)
    }
    found = [_pronoun(sentence, place) for place in single_pronouns(sentence, inside)]
    found += [
        _noun(sentence, place, count, core)
        for place, count, core, _ in find_nouns(sentence)
        if not sentence.words[place].in_idiom and core not in listed("no_swap_needed")
    ]
    found += [_first_name(sentence, place) for place in sentence.first_names]
    return sorted(found, key=lambda place: place.start)


def swap_obstacle(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> str:
    """Return why the swap of a sentence is not certain; nothing if it is.

    One without a word to swap has a reason too if the rest of its paragraph may be about somebody
    in it: the groom smiled, and then he left.
    """
    if not places:
        return _context_obstacle(sentence, places)
    words = sentence.words
    if sentence.too_long:
        return "So many words without a stop are hardly a sentence."
    if any(words[place.word].quoted for place in places):
        return "Within quotation marks stands what somebody said, or what a work is called."
    if has_name(sentence, places):
        return "It holds what may be a name, and names are kept."
    if reason := _context_obstacle(sentence, places):
        return reason
    if any(word.lowercase in listed("bound_to_sex") for word in words):
        return "It tells of something that goes with one sex, or of animals or ships."
    if any(words[place.word].capital and place.word > 0 and _is_pronoun(place) for place in places):
        return "A pronoun with a capital within a sentence is not of a person."
    if any(_is_capital_noun(sentence, place) for place in places):
        return "One of its words has a capital and may be a part of a name."
    if len({place.side for place in places} & {"a", "b"}) == 2 and any(
        place.lowercase in _SEXES | listed("groups") | {"man", "woman"} for place in places
    ):
        return "It speaks of both sexes, and a swap would change what it says of them."
    if any(_means_a_sex(sentence, place) for place in places):
        return "It says something of a whole sex, which would be another claim of the other."
    if not _generic_words_are_bound(places):
        return "One of its words is also used for both sexes."
    if any(not place.edits for place in places):
        return "One of its words has no certain counterpart here."
    return ""


def _context_obstacle(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> str:
    """Return what else in a sentence may tell somebody's sex and would stay; nothing if none."""
    if has_unpaired_word(sentence, {place.word: place.lowercase for place in places}):
        return "It names somebody by a word that tells the sex and has no certain counterpart."
    if scripts(sentence.text) - _SCRIPTS_READ:
        return "It has words of another script, which are not read."
    return ""


def has_name(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> bool:
    """Whether the sentence holds what may be a name, besides a surname after Mr or Ms."""
    titled = {place.word + 1 for place in places if place.lowercase in ("mr", "ms")}
    return bool(sentence.names - titled - {place - 1 for place in titled})


def _means_a_sex(sentence: EnglishSentence, place: GenderedWord) -> bool:
    """Whether a word stands for a sex (women vote, the rights of man), not for people.

    Some people of a sex have an article, a number or an owner before them: these two men.
    """
    before = sentence.before(place.word)
    of_all = place.lowercase in ("man", "woman") and before is not None and before.lowercase == "of"
    if place.lowercase in _SEXES or of_all:
        return True
    term = terms().get(place.lowercase)
    if term is None or term.rule not in ("person", "job"):
        return False
    if place.lowercase.endswith("men") and term.rule == "job":
        return True
    if place.lowercase in listed("groups") and not _is_definite(sentence, place.word):
        return True
    general = any(word.lowercase in listed("unique", "ruling") for word in sentence.words)
    return general and term.rule == "person"


def _is_definite(sentence: EnglishSentence, place: int) -> bool:
    for back in range(3):
        before = sentence.before(place - back)
        if before is None or before.lowercase in listed(
            "prepositions", "conjunctions", "auxiliaries"
        ):
            return False
        if before.lowercase in listed("definite"):
            return True
    return False


def _is_capital_noun(sentence: EnglishSentence, place: GenderedWord) -> bool:
    inside = place.word > 0 and place.lowercase not in ("mr", "ms")
    inside = inside and place.word not in sentence.first_names
    return inside and sentence.words[place.word].capital


def _is_pronoun(place: GenderedWord) -> bool:
    return place.lowercase not in terms() and place.lowercase not in name_counterparts()


def _first_name(sentence: EnglishSentence, place: int) -> GenderedWord:
    word = sentence.words[place]
    side: Side = "a" if word.lowercase in _MALE_NAMES else "b"
    edits = (replace_word(word, name_counterparts()[word.lowercase]),)
    return GenderedWord(word.start, word.end, word.lowercase, side, edits, place)


def _pronoun(sentence: EnglishSentence, place: int) -> GenderedWord:
    word = sentence.words[place]
    stem, mark, _ = word.lowercase.partition("'")
    if stem == "his":
        new = _HIS[his_role(sentence, place)]
    elif stem == "her":
        new = _HER[her_role(sentence, place)]
    else:
        new = _COUNTERPARTS[stem]
    side = side_of(stem)
    if not new:
        return GenderedWord(word.start, word.end, word.lowercase, side, (), place)
    tail = word.text[len(stem) :] if mark else ""
    head = word.text[: len(stem)]
    edit = Edit(word.start, word.end, word.text, match_case(head, new) + tail)
    return GenderedWord(word.start, word.end, word.lowercase, side, (edit,), place)


def _noun(sentence: EnglishSentence, place: int, count: int, core: str) -> GenderedWord:
    word = sentence.words[place]
    end = sentence.words[place + count - 1].end
    new = counterpart(core) if count == 1 else ""
    compound = word.lowercase != core
    known = not compound or word.lowercase.removesuffix(core).rstrip("-") in listed("may_precede")
    verb = core in ("man", "host", "father", "mother") and sentence.has_phrase(
        place - 1, "to", core
    )
    before = sentence.before(place)
    if (
        core in ("fathers", "mothers")
        and before
        and before.lowercase in ("he", "she", "who", "that")
    ):
        verb = True
    misplaced = core in ("mr", "ms") and not _before_surname(sentence, place)
    if not new or not known or verb or misplaced:
        return GenderedWord(word.start, end, core, side_of(core), (), place)
    edit = replace_word(word, new, core if compound else "")
    edits = (*(() if compound else fix_article(sentence, place, new)), edit)
    return GenderedWord(word.start, end, core, side_of(core), edits, place)


def _before_surname(sentence: EnglishSentence, place: int) -> bool:
    """Whether one capitalised word follows a title, and not two."""
    if not sentence.words[place].capital or place + 1 >= len(sentence.words):
        return False
    name = sentence.words[place + 1]
    after = sentence.after(place + 1)
    return name.capital and name.gap in (" ", ". ") and not (after and after.capital)


def _generic_words_are_bound(places: Sequence[GenderedWord]) -> bool:
    """Whether each word like actor is one person's whose sex the sentence says besides."""
    generic = [place for place in places if place.lowercase in listed("also_generic")]
    if not generic:
        return True
    plural = any(
        place.lowercase.endswith("s") and not place.lowercase.endswith("ss") for place in generic
    )
    others = {place.side for place in places if place not in generic}
    return not plural and others == {place.side for place in generic} and len(others) == 1


_NOT_REVERSIBLE = "Swapping it back would not give the text again, so that it is not certain."
_UNCERTAIN_PARAGRAPH = (
    "Another sentence of the paragraph is not certain, and half a swap would be wrong."
)
_NAME_IN_PARAGRAPH = (
    "The paragraph holds what may be a name, which its words may mean, and names are kept."
)
_SWAP_REASON = "Each gendered word of the sentence becomes its counterpart."


def swap_paragraph(
    text: str, paragraph: Sequence[EnglishSentence], *, swap_names: bool = False
) -> list[Proposal]:
    """Return the swap of each sentence of a paragraph, or flags at all its gendered words.

    Half a swap is wrong (the queen ... he), so that one uncertain sentence holds back the others;
    and it is certain only if swapping twice gives the paragraph again.
    """
    found = _swap_sentences(paragraph)
    if not found or not all(proposal.certain for proposal in found):
        return found
    start = paragraph[0].start
    end = paragraph[-1].start + len(paragraph[-1].text)
    inside = text[start:end]
    once = apply_edits(inside, (_shift(proposal, -start) for proposal in found))
    document = parse_document(once, "en", blocks=((0, len(once)),))
    swapped_again = read_paragraphs(document, swap_names=swap_names)
    back = [proposal for again in swapped_again for proposal in _swap_sentences(again)]
    if apply_edits(once, back) == inside:
        return found
    return [
        flag for sentence in paragraph for flag in _flags(gendered_words(sentence), _NOT_REVERSIBLE)
    ]


def _swap_sentences(paragraph: Sequence[EnglishSentence]) -> list[Proposal]:
    places = [gendered_words(sentence) for sentence in paragraph]
    reasons = [swap_obstacle(*item) for item in zip(paragraph, places, strict=True)]
    if any(has_name(*item) for item in zip(paragraph, places, strict=True)):
        reasons = [reason or _NAME_IN_PARAGRAPH for reason in reasons]
    if not any(reasons):
        return [_joint_proposal(item) for item in places if item]
    return [
        flag
        for item, reason in zip(places, reasons, strict=True)
        for flag in _flags(item, reason or _UNCERTAIN_PARAGRAPH)
    ]


def _joint_proposal(places: Sequence[GenderedWord]) -> Proposal:
    edits = tuple(edit for place in places for edit in place.edits)
    sides = {place.side for place in places}
    side = places[0].side if len(sides) == 1 else ""
    start, end = places[0].start, places[-1].end
    return Proposal(start, end, "swap", _SWAP_REASON, edits, side)


def _flags(places: Sequence[GenderedWord], why: str) -> Iterator[Proposal]:
    for place in places:
        yield Proposal(place.start, place.end, "swap-held", why, (), place.side)


def _shift(proposal: Proposal, by: int) -> Proposal:
    edits = tuple(
        replace(edit, start=edit.start + by, end=edit.end + by) for edit in proposal.edits
    )
    return replace(proposal, start=proposal.start + by, end=proposal.end + by, edits=edits)

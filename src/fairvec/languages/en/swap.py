"""Swap every gendered word of an English paragraph for its counterpart: all of them or none."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from fairvec.languages.en.homographs import is_homograph
from fairvec.languages.en.nouns import find_nouns
from fairvec.languages.en.pronouns import her_role, his_role, paired_pronouns, single_pronouns
from fairvec.languages.en.sentences import (
    EnglishSentence,
    EnglishWord,
    Paragraph,
    counterpart,
    fix_article,
    listed,
    name_counterparts,
    read_paragraphs,
    replace_word,
    side_of,
    table,
    terms,
)
from fairvec.languages.language import scripts
from fairvec.languages.people import names_of_men, people_lists
from fairvec.languages.rewriting import (
    UncertainError,
    match_case,
    obstacle,
    reason_sentence,
    suggest_at,
)
from fairvec.languages.text import parse_document
from fairvec.results.documents import Edit, Side, Suggestion, apply_edits


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
        if place not in inside and not _is_verb(sentence, word)
    )


def _is_verb(sentence: EnglishSentence, word: EnglishWord) -> bool:
    return is_homograph(sentence.text, word.start - sentence.start, word.end - sentence.start)


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


_HIS = {"owner": "her", "owned": "hers", "": ""}
_HER = {"owner": "his", "object": "him", "": ""}
_SCRIPTS_READ = frozenset({"LATIN", "MICRO", "MODIFIER", "FEMININE", "MASCULINE"})
"""Besides Latin the signs that Unicode has as letters of no script: µ, ʻ, ª, º."""


class GenderedWord(NamedTuple):
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


def check_swap(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> None:
    """Raise UncertainError if the swap of a sentence is not certain.

    Also for one without a word to swap, if the rest of its paragraph may be about somebody in it:
    the groom smiled, and then he left.
    """
    if not places:
        _check_context(sentence, places)
        return
    words = sentence.words
    if sentence.too_long:
        raise UncertainError("too-long")
    if any(words[place.word].quoted for place in places):
        raise UncertainError("quoted-or-work")
    if has_name(sentence, places):
        raise UncertainError("name")
    _check_context(sentence, places)
    bound = next((word for word in words if word.lowercase in listed("bound_to_sex")), None)
    if bound is not None:
        raise UncertainError("bound-to-sex", word=bound.text)
    if any(words[place.word].capital and place.word > 0 and _is_pronoun(place) for place in places):
        raise UncertainError("capital-pronoun")
    if any(_is_capital_noun(sentence, place) for place in places):
        raise UncertainError("capital-noun")
    if len({place.side for place in places} & {"a", "b"}) == 2 and any(
        place.lowercase in listed("sexes", "groups") | {"man", "woman"} for place in places
    ):
        raise UncertainError("both-sexes")
    for place in places:
        _check_claim(sentence, place)
    if not _generic_words_are_bound(places):
        raise UncertainError("also-generic")
    if any(not place.edits for place in places):
        raise UncertainError("no-counterpart")


def _check_context(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> None:
    """Raise UncertainError if something else in a sentence may tell a sex and would stay."""
    if has_unpaired_word(sentence, {place.word: place.lowercase for place in places}):
        raise UncertainError("unpaired-word")
    if scripts(sentence.text) - _SCRIPTS_READ:
        raise UncertainError("other-script")


def has_name(sentence: EnglishSentence, places: Sequence[GenderedWord]) -> bool:
    """Whether the sentence holds what may be a name, besides a surname after Mr or Ms."""
    titled = {place.word + 1 for place in places if place.lowercase in ("mr", "ms")}
    return bool(sentence.names - titled - {place - 1 for place in titled})


def _check_claim(sentence: EnglishSentence, place: GenderedWord) -> None:
    """Raise UncertainError if a word may stand for a sex (women vote, the rights of man).

    Some people of a sex have an article, a number or an owner before them: these two men.
    """
    text = sentence.words[place.word].text
    before = sentence.before(place.word)
    if place.lowercase in listed("sexes"):
        raise UncertainError("names-the-sex", word=text)
    if place.lowercase in ("man", "woman") and before is not None and before.lowercase == "of":
        raise UncertainError("sex-or-all-people", word=text)
    term = terms().get(place.lowercase)
    if term is None or term.rule not in ("person", "job"):
        return
    if place.lowercase.endswith("men") and term.rule == "job":
        raise UncertainError("group-of-both-sexes", word=text)
    if place.lowercase in listed("groups") and not _is_definite(sentence, place.word):
        raise UncertainError("whole-sex", word=text)
    if term.rule == "person" and any(
        word.lowercase in listed("unique", "ruling") for word in sentence.words
    ):
        raise UncertainError("one-sex-alone")


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
    side: Side = "a" if word.lowercase in names_of_men("en") else "b"
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
        new = table().tables["counterparts"][stem]
    side = side_of(stem)
    if not new or sentence.too_long:  # what is never swapped needs no edits
        return GenderedWord(word.start, word.end, word.lowercase, side, (), place)
    tail = word.text[len(stem) :] if mark else ""
    head = word.text[: len(stem)]
    edit = Edit(start=word.start, end=word.end, old=word.text, new=match_case(head, new) + tail)
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


def swap_paragraph(
    text: str, paragraph: Paragraph, *, swap_names: bool = False
) -> list[Suggestion]:
    """Return the swap of each sentence of a paragraph, or flags at all its gendered words.

    Half a swap is wrong (the queen ... he), so that one uncertain sentence holds back the others;
    and it is certain only if swapping twice gives the paragraph again.
    """
    found = _swap_sentences(paragraph)
    if not found or not all(suggestion.certain for suggestion in found):
        return found
    sentences = paragraph.sentences
    start = sentences[0].start
    end = sentences[-1].start + len(sentences[-1].text)
    once = apply_edits(text, found, start, end)
    document = parse_document(once, "en", blocks=((0, len(once)),))
    swapped_again = read_paragraphs(document, swap_names=swap_names)
    back = [suggestion for again in swapped_again for suggestion in _swap_sentences(again)]
    if apply_edits(once, back) == text[start:end]:
        return found
    uncertain = UncertainError("not-reversible")
    return [flag for sentence in sentences for flag in _flags(gendered_words(sentence), uncertain)]


class _CheckedSentence(NamedTuple):
    """The gendered words of a sentence, why their swap is not certain, and if a name is among."""

    places: list[GenderedWord]
    problem: UncertainError | None
    has_name: bool


def _checked(sentence: EnglishSentence) -> _CheckedSentence:
    places = gendered_words(sentence)
    problem = obstacle(check_swap, sentence, places)
    return _CheckedSentence(places, problem, has_name(sentence, places))


def _swap_sentences(paragraph: Paragraph) -> list[Suggestion]:
    checked = {sentence.start: _checked(sentence) for sentence in paragraph.gendered}
    # The sentences around give no reason where all those with gendered words have one.
    decided = any(one.has_name for one in checked.values()) or all(
        one.problem for one in checked.values()
    )
    if not decided:
        checked = {
            sentence.start: checked.get(sentence.start) or _checked(sentence)
            for sentence in paragraph.sentences
        }
    problems = [one.problem for one in checked.values()]
    if any(one.has_name for one in checked.values()):
        problems = [problem or UncertainError("name-in-paragraph") for problem in problems]
    if not any(problems) and paragraph.in_part:
        problems = [UncertainError("endless") for _ in problems]
    if not any(problems):
        return [_joint_suggestion(one.places) for one in checked.values() if one.places]
    return [
        flag
        for one, problem in zip(checked.values(), problems, strict=True)
        for flag in _flags(one.places, problem or UncertainError("paragraph"))
    ]


def _joint_suggestion(places: Sequence[GenderedWord]) -> Suggestion:
    edits = tuple(edit for place in places for edit in place.edits)
    sides = {place.side for place in places}
    side = places[0].side if len(sides) == 1 else ""
    reason = reason_sentence("en", "swapped")
    return suggest_at(places[0], places[-1], "swap", reason, side, edits=edits)


def _flags(places: Sequence[GenderedWord], uncertain: UncertainError) -> Iterator[Suggestion]:
    reason, known = uncertain.sentence("en"), terms()
    for place in places:
        words = (counterpart(place.lowercase),) if place.lowercase in known else ()
        yield suggest_at(place, place, "swap-held", reason, place.side, candidates=words)

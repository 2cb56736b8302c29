"""Mentions of persons in a Russian sentence, by noun or by pronoun, and what each becomes."""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from fairvec.languages.rewriting import GenderedTerm, rewrite_table
from fairvec.languages.ru.morphology import WordForm, gender_of, noun_form
from fairvec.languages.ru.sentences import (
    RussianSentence,
    RussianWord,
    agree,
    disambiguate_case,
    head_noun,
    may_be_subject,
    modifiers_before,
    plain,
    word_before,
)

GENDERS: dict[Literal["a", "b"], str] = {"a": "masc", "b": "femn"}


@dataclass(frozen=True)
class Mention:
    """A gendered noun in a sentence, its possible readings there, and the words that agree."""

    word: RussianWord
    term: GenderedTerm
    side: Literal["a", "b"]
    forms: tuple[WordForm, ...]
    run: tuple[RussianWord, ...] = ()
    """Adjectives, possessives and the like directly before it."""
    counted: bool = False
    """Whether a number stands before it."""
    problem: str = ""
    """Why nothing is certain about it, if so."""

    @property
    def gender(self) -> str:
        """The gender of its people."""
        return GENDERS[self.side]

    @property
    def singular(self) -> bool:
        """Whether it may be one person."""
        return any(form.number == "sing" for form in self.forms)

    @property
    def subject(self) -> bool:
        """Whether it may be the subject of a verb that shows gender."""
        return any(form.number == "sing" and form.case == "nomn" for form in self.forms)

    @property
    def indices(self) -> frozenset[int]:
        """The places of its words in the sentence."""
        return frozenset(word.index for word in (self.word, *self.run))


@cache
def terms_by_lemma() -> dict[str, tuple[GenderedTerm, Literal["a", "b"]]]:
    """Return each lemma of the table with its term and its side there."""
    found: dict[str, tuple[GenderedTerm, Literal["a", "b"]]] = {}
    for term in rewrite_table("ru").terms:
        if term.a:
            found[term.a] = (term, "a")
        if term.b:
            found[term.b] = (term, "b")
    return found


def find_mentions(sentence: RussianSentence) -> tuple[Mention, ...]:
    """Return the gendered nouns of a sentence that are not parts of fixed expressions."""
    found = (_mention(sentence, word) for word in sentence.words)
    return tuple(mention for mention in found if mention is not None)


def _mention(sentence: RussianSentence, word: RussianWord) -> Mention | None:
    terms = terms_by_lemma()
    nouns = [
        form
        for form in word.forms
        if form.pos == "NOUN"
        and form.known
        and form.lemma in terms
        and form.gender == GENDERS[terms[form.lemma][1]]
    ]
    if not nouns or word.index in sentence.fixed or word.forms[0].lemma not in terms:
        return None
    if word.may_be("ADJF") and head_noun(sentence, word):
        return None
    term, side = terms[nouns[0].lemma]
    mention = Mention(word, term, side, tuple(nouns))
    if sentence.long:
        return replace(mention, problem="the sentence is too long to be sure of anything")
    if word.quoted:
        return replace(mention, problem="it is somebody's words, in quotation marks")
    if not word.opening and word.text[0].isupper():
        return replace(mention, problem="its capital letter makes it part of a name")
    if any(form not in nouns for form in word.likely_forms) or len({f.lemma for f in nouns}) > 1:
        return replace(mention, problem="its form belongs to several words")
    if any(form.case == "voct" for form in nouns):
        return replace(mention, problem="it is an address")
    if any("inan" in form.tags for form in nouns):
        return replace(mention, problem="the word has a meaning that is no person")
    run, forms = modifiers_before(sentence, word, nouns)
    before = word_before(sentence, run, word)
    first = min(near.index for near in (*run, word))
    digits = first > 0 and sentence.words[first - 1].text.isdigit()
    counted = digits or (before is not None and before.may_be("NUMR"))
    forms = disambiguate_case(sentence, word, run, forms)
    mention = replace(mention, run=run, forms=forms, counted=counted)
    return replace(mention, problem=_problem(sentence, mention))


def _problem(sentence: RussianSentence, mention: Mention) -> str:
    if not mention.forms:
        return "its case does not fit the words around it"
    before = word_before(sentence, mention.run, mention.word)
    lists = rewrite_table("ru").lists
    if before is not None and (
        before.lowercase in lists["counting"] or (mention.counted and mention.run)
    ):
        return "the number before it shows gender too"
    if before is not None and before.lowercase == "из" and before.index:
        previous = sentence.words[before.index - 1]
        if any(f.number == "sing" and f.gender == mention.gender for f in previous.likely_forms):
            return f"{previous.text} before it shows gender too"
    first = sentence.words[min(mention.indices)]
    if first.index and re.search("[-—–]", first.gap) and "," not in first.gap:
        thing = sentence.words[first.index - 1]
        if all("inan" in form.tags for form in thing.likely_forms):
            return "it may be said of a thing"
    if mention.singular and (described := _description_after(sentence, mention)):
        return f"{described} after it may say what person it is"
    if _is_address(sentence, mention):
        return "it is an address"
    if _is_of_speaker(sentence, mention):
        return "it is said of the speaker or the one spoken to"
    lemma = mention.forms[0].lemma
    if lemma in lists["partners"] and any(
        form.tags & {"Apro"} and form.lemma in {"мой", "твой", "свой", "его", "её", "наш", "ваш"}
        for word in mention.run
        for form in word.forms
    ):
        return "with a possessive it may name a partner"
    near = sentence.clause(mention.word.clause)
    owned = any(
        previous.lowercase == "у" and next_word.may_be("NPRO")
        for previous, next_word in pairwise(near)
    )
    if lemma in lists["partners"] and mention.subject and owned:
        return "whom somebody has may be a partner"
    return ""


def _description_after(sentence: RussianSentence, mention: Mention) -> str:
    """Return an adjective or participle that opens the clause after it and agrees with it."""
    for near in sentence.words[mention.word.index + 1 : mention.word.index + 2]:
        for form in near.likely_forms:
            own = "Fixd" in form.tags or form.lemma in {"который", "чей"}
            fits = any(agree(form, noun) for noun in mention.forms)
            if near.clause != mention.word.clause and fits and not own:
                return near.text
    return ""


def _is_address(sentence: RussianSentence, mention: Mention) -> bool:
    """Whether it may call somebody in a manner of speech: ты, брат, пиши."""
    alone = {word.index for word in sentence.clause(mention.word.clause)} <= mention.indices
    phrases = rewrite_table("ru").lists["addresses"]
    spoken = any(
        word.lowercase in {"ты", "тебя", "тебе", "вы", "вас", "вам"} for word in sentence.words
    )
    if spoken and mention.subject and mention.forms[0].lemma in phrases:
        return True
    if not alone or len(sentence.clauses) == 1 or not mention.subject:
        return False
    shown = any(
        form.number == "sing" and form.gender == mention.gender and form.pos in {"VERB", "ADJS"}
        for word in sentence.words
        for form in word.likely_forms
    )
    return mention.forms[0].lemma in phrases or (spoken and shown)


def _is_of_speaker(sentence: RussianSentence, mention: Mention) -> bool:
    """Whether it may say who я or ты is, whose gender nothing else in the sentence need show."""
    near = sentence.clause(mention.word.clause)
    first = sentence.words[min(mention.indices)]
    if first.index and re.search("[-—–]", first.gap):
        near = (sentence.words[first.index - 1], *near)
    copulas = rewrite_table("ru").lists["copulas"]
    linked = any(form.lemma in copulas for word in near for form in word.likely_forms)
    return any(word.lowercase in {"я", "ты", "вы"} for word in near) and any(
        form.case == "nomn" or (form.case == "ablt" and linked) for form in mention.forms
    )


def inflect_mention(mention: Mention, lemma: str) -> dict[int, str]:
    """Return what the noun and its run become with another lemma, or nothing if not certain."""
    gender = gender_of(lemma)
    special = rewrite_table("ru").tables["forms"]
    results = set()
    for form in mention.forms:
        noun = special.get(f"{lemma} {form.case} {form.number}") or noun_form(
            lemma, form.case, form.number
        )
        new = [(mention.word.index, noun)]
        if form.number == "sing" and gender != form.gender:
            new += [(word.index, _inflect_modifier(word, form, gender)) for word in mention.run]
        results.add(tuple(new))
    if len(results) != 1 or not all(text for _, text in next(iter(results))):
        return {}
    return dict(results.pop())


def _inflect_modifier(word: RussianWord, noun: WordForm, gender: str) -> str:
    """Return an adjective of the run in another gender, or nothing if not certain."""
    forms = [form for form in word.forms if agree(form, noun)]
    if all("Fixd" in form.tags for form in forms):
        return word.lowercase
    alive = ["anim"] if noun.case == "accs" and gender == "masc" else []
    results = {form.changed(gender, noun.case, "sing", *alive) for form in forms}
    return results.pop() if len(results) == 1 else ""


PRONOUNS = {
    **dict.fromkeys(("он", "его", "ему", "него", "нему", "ним", "нем"), "masc"),
    **dict.fromkeys(("она", "ее", "ей", "ею", "нее", "ней", "нею"), "femn"),
}
"""The gender of each pronoun, written without ё; им is more often the plural's."""

_COUNTERPARTS = {
    "он": "она",
    "она": "он",
    "его": "её",
    "ее": "его",
    "него": "неё",
    "нее": "него",
    "ему": "ей",
    "нему": "ней",
    "нем": "ней",
}


@dataclass(frozen=True)
class PronounChange:
    """A pronoun that stands for a person, and what stands for one of the other gender."""

    word: RussianWord
    gender: str
    new: str

    @property
    def subject(self) -> bool:
        """Whether it is in the nominative."""
        return self.word.lowercase in {"он", "она"}


def find_pronouns(sentence: RussianSentence) -> list[RussianWord]:
    """Return the words that are pronouns of the third person singular, masculine or feminine."""
    found = []
    for word in sentence.words:
        folded = plain(word.text)
        plural = folded == "ним" and _preposition_before(sentence, word) in {
            "к",
            "ко",
            "по",
            "благодаря",
        }
        is_adjective = folded == "нем" and not _preposition_before(sentence, word)
        if folded in PRONOUNS and not plural and not is_adjective:
            found.append(word)
    return found


def pronoun_changes(
    sentence: RussianSentence, mentions: tuple[Mention, ...]
) -> tuple[list[PronounChange], str]:
    """Return what each pronoun of a sentence becomes, or why one of them is not certain."""
    if sentence.long:
        return [], "the sentence is too long to be sure of anything"
    changes: list[PronounChange] = []
    people = {
        mention.word.index: mention.gender
        for mention in mentions
        if mention.singular
        and not {near.index for near in sentence.clause(mention.word.clause)} <= mention.indices
    }
    for word in find_pronouns(sentence):
        gender = PRONOUNS[plain(word.text)]
        new = _other_pronoun(sentence, word)
        if word.quoted or not new or not _is_person(sentence, word, gender, people, mentions):
            return [], f"it is not certain whom {word.text} stands for, or in which case"
        changes.append(PronounChange(word, gender, new))
        people[word.index] = gender
    if any(word.lowercase == "им" for word in sentence.words) and "masc" in people.values():
        return [], "им may stand for one person or for several"
    return changes, ""


def _preposition_before(sentence: RussianSentence, word: RussianWord) -> str:
    """Return the preposition before a pronoun, if one is there."""
    previous = sentence.words[word.index - 1].lowercase if word.index else ""
    return previous if previous in rewrite_table("ru").tables["prepositions"] else ""


def _other_pronoun(sentence: RussianSentence, word: RussianWord) -> str:
    folded = plain(word.text)
    if folded == "ней":
        return rewrite_table("ru").tables["with_her"].get(_preposition_before(sentence, word), "")
    if folded == "ним":
        with_him = rewrite_table("ru").tables["with_her"].get(_preposition_before(sentence, word))
        return "ней" if with_him == "ним" else ""
    if folded == "ей" and not _has_dative_verb(sentence, word):
        return ""
    return _COUNTERPARTS.get(folded, "")


def _has_dative_verb(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a verb that takes the dative stands directly beside a pronoun."""
    verbs = rewrite_table("ru").lists["dative_verbs"]
    neighbours = (i for i in (word.index - 1, word.index + 1) if 0 <= i < len(sentence.words))
    near = (sentence.words[i] for i in neighbours)
    return any(
        neighbour.clause == word.clause
        and all(form.lemma in verbs for form in neighbour.likely_forms)
        for neighbour in near
    )


def _is_person(
    sentence: RussianSentence,
    word: RussianWord,
    gender: str,
    people: dict[int, str],
    mentions: tuple[Mention, ...],
) -> bool:
    if any(
        mention.term.rule == "kinship" and word.index in mention.indices for mention in mentions
    ):
        return True
    if _refers_back(sentence, word, gender, people):
        return True
    if word.lowercase in {"ему", "ей"}:
        return _has_dative_verb(sentence, word)
    return word.lowercase in {"он", "она"} and (
        _acts_as_people_do(sentence, word, mentions) or _is_said_to_be(sentence, word, mentions)
    )


def _refers_back(
    sentence: RussianSentence, word: RussianWord, gender: str, people: dict[int, str]
) -> bool:
    """Whether a person came before it, and nothing else that it could stand for.

    The subject of its own clause does not count: of that one Russian would say себя or свой.
    """
    genders = {gender, "neut"} if gender == "masc" else {gender}
    others = (
        form
        for near in sentence.words[: word.index]
        if near.index not in people
        for form in near.likely_forms
        if form.pos == "NOUN" and form.number == "sing"
    )
    named = any(
        people.get(near.index) == gender
        and (near.clause != word.clause or all(form.case != "nomn" for form in near.likely_forms))
        for near in sentence.words[: word.index]
    )
    return named and not any(form.gender in {*genders, ""} for form in others)


def _acts_as_people_do(
    sentence: RussianSentence, word: RussianWord, mentions: tuple[Mention, ...]
) -> bool:
    """Whether a pronoun is the subject of a verb that has only people for subjects."""
    verbs = rewrite_table("ru").lists["human_verbs"]
    clause = sentence.clause(word.clause)
    others = {m.word.index for m in mentions if all(form.case != "nomn" for form in m.forms)}
    others.add(word.index)
    rival = any(
        (form.pos == "NPRO" and form.case == "nomn")
        or (may_be_subject(sentence, near, form) and not _thing_after(near, word))
        for near in clause
        if near.index not in others
        for form in near.likely_forms
    )
    first = [near for near in clause if near.index > word.index and near.may_be("VERB")][:1]
    first += [near for near in clause if near.index == word.index - 1]
    return not rival and any(
        form.pos == "VERB" and form.lemma in verbs for near in first for form in near.likely_forms
    )


def _thing_after(near: RussianWord, word: RussianWord) -> bool:
    return near.index > word.index and all("inan" in form.tags for form in near.likely_forms)


def _is_said_to_be(
    sentence: RussianSentence, word: RussianWord, mentions: tuple[Mention, ...]
) -> bool:
    """Whether a pronoun is said to be somebody: он был учителем."""
    copulas = rewrite_table("ru").lists["copulas"]
    after = sentence.words[word.index + 1 : word.index + 2]
    return any(form.lemma in copulas for near in after for form in near.likely_forms) and any(
        mention.word.clause == word.clause and all(f.case == "ablt" for f in mention.forms)
        for mention in mentions
        if mention.word.index > word.index
    )

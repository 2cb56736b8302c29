"""A person named by a gendered noun: which case it stands in, and what agrees with it before it."""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from fairvec.lexicon.rewrites import GenderedTerm, rewrite_table
from fairvec.tasks.documents.rewriting.russian.context import in_context
from fairvec.tasks.documents.rewriting.russian.government import (
    agree,
    agreeing_run,
    attached,
    word_before,
)
from fairvec.tasks.documents.rewriting.russian.morphology import (
    WordForm,
    gender_of,
    noun_form,
)
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence, RussianWord

GENDERS: dict[Literal["a", "b"], str] = {"a": "masc", "b": "femn"}


@dataclass(frozen=True)
class PersonMention:
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


def mentions_of(sentence: RussianSentence) -> tuple[PersonMention, ...]:
    """Return the gendered nouns of a sentence that are not parts of fixed expressions."""
    found = (_mention(sentence, word) for word in sentence.words)
    return tuple(mention for mention in found if mention is not None)


def _mention(sentence: RussianSentence, word: RussianWord) -> PersonMention | None:
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
    if word.may_be("ADJF") and attached(sentence, word):
        return None
    term, side = terms[nouns[0].lemma]
    mention = PersonMention(word, term, side, tuple(nouns))
    if sentence.long:
        return replace(mention, problem="the sentence is too long to be sure of anything")
    if word.quoted:
        return replace(mention, problem="it is somebody's words, in quotation marks")
    if not word.opening and word.text[0].isupper():
        return replace(mention, problem="its capital letter makes it part of a name")
    if any(form not in nouns for form in word.likely) or len({f.lemma for f in nouns}) > 1:
        return replace(mention, problem="its form belongs to several words")
    if any(form.case == "voct" for form in nouns):
        return replace(mention, problem="it is an address")
    if any("inan" in form.tags for form in nouns):
        return replace(mention, problem="the word has a meaning that is no person")
    run, forms = agreeing_run(sentence, word, nouns)
    before = word_before(sentence, run, word)
    first = min(near.index for near in (*run, word))
    digits = first > 0 and sentence.words[first - 1].text.isdigit()
    counted = digits or (before is not None and before.may_be("NUMR"))
    forms = in_context(sentence, word, run, forms)
    mention = replace(mention, run=run, forms=forms, counted=counted)
    return replace(mention, problem=_problem(sentence, mention))


def _problem(sentence: RussianSentence, mention: PersonMention) -> str:
    if not mention.forms:
        return "its case does not fit the words around it"
    before = word_before(sentence, mention.run, mention.word)
    lists = rewrite_table("ru").lists
    if before is not None and (
        before.low in lists["counting"] or (mention.counted and mention.run)
    ):
        return "the number before it shows gender too"
    if before is not None and before.low == "из" and before.index:
        one = sentence.words[before.index - 1]
        if any(f.number == "sing" and f.gender == mention.gender for f in one.likely):
            return f"{one.text} before it shows gender too"
    first = sentence.words[min(mention.indices)]
    if first.index and re.search("[-—–]", first.gap) and "," not in first.gap:
        thing = sentence.words[first.index - 1]
        if all("inan" in form.tags for form in thing.likely):
            return "it may be said of a thing"
    if mention.singular and (described := _described(sentence, mention)):
        return f"{described} after it may say what person it is"
    if _address(sentence, mention):
        return "it is an address"
    if _said_of_speaker(sentence, mention):
        return "it is said of the speaker or the one spoken to"
    lemma = mention.forms[0].lemma
    if lemma in lists["partners"] and any(
        form.tags & {"Apro"} and form.lemma in {"мой", "твой", "свой", "его", "её", "наш", "ваш"}
        for word in mention.run
        for form in word.forms
    ):
        return "with a possessive it may name a partner"
    near = sentence.clause(mention.word.clause)
    owned = any(one.low == "у" and two.may_be("NPRO") for one, two in pairwise(near))
    if lemma in lists["partners"] and mention.subject and owned:
        return "whom somebody has may be a partner"
    return ""


def _described(sentence: RussianSentence, mention: PersonMention) -> str:
    """Return an adjective or participle that opens the clause after it and agrees with it."""
    for near in sentence.words[mention.word.index + 1 : mention.word.index + 2]:
        for form in near.likely:
            own = "Fixd" in form.tags or form.lemma in {"который", "чей"}
            fits = any(agree(form, noun) for noun in mention.forms)
            if near.clause != mention.word.clause and fits and not own:
                return near.text
    return ""


def _address(sentence: RussianSentence, mention: PersonMention) -> bool:
    """Whether it may call somebody in a manner of speech: ты, брат, пиши."""
    alone = {word.index for word in sentence.clause(mention.word.clause)} <= mention.indices
    phrases = rewrite_table("ru").lists["addresses"]
    spoken = any(word.low in {"ты", "тебя", "тебе", "вы", "вас", "вам"} for word in sentence.words)
    if spoken and mention.subject and mention.forms[0].lemma in phrases:
        return True
    if not alone or len(sentence.clauses) == 1 or not mention.subject:
        return False
    shown = any(
        form.number == "sing" and form.gender == mention.gender and form.pos in {"VERB", "ADJS"}
        for word in sentence.words
        for form in word.likely
    )
    return mention.forms[0].lemma in phrases or (spoken and shown)


def _said_of_speaker(sentence: RussianSentence, mention: PersonMention) -> bool:
    """Whether it may say who я or ты is, whose gender nothing else in the sentence need show."""
    near = sentence.clause(mention.word.clause)
    first = sentence.words[min(mention.indices)]
    if first.index and re.search("[-—–]", first.gap):
        near = (sentence.words[first.index - 1], *near)
    copulas = rewrite_table("ru").lists["copulas"]
    linked = any(form.lemma in copulas for word in near for form in word.likely)
    return any(word.low in {"я", "ты", "вы"} for word in near) and any(
        form.case == "nomn" or (form.case == "ablt" and linked) for form in mention.forms
    )


def replaced_by(mention: PersonMention, lemma: str) -> dict[int, str]:
    """Return what the noun and its run become with another lemma, or nothing if not certain."""
    gender = gender_of(lemma)
    special = rewrite_table("ru").tables["forms"]
    ways = set()
    for form in mention.forms:
        noun = special.get(f"{lemma} {form.case} {form.number}") or noun_form(
            lemma, form.case, form.number
        )
        new = [(mention.word.index, noun)]
        if form.number == "sing" and gender != form.gender:
            new += [(word.index, _adjusted(word, form, gender)) for word in mention.run]
        ways.add(tuple(new))
    if len(ways) != 1 or not all(text for _, text in next(iter(ways))):
        return {}
    return dict(ways.pop())


def _adjusted(word: RussianWord, noun: WordForm, gender: str) -> str:
    """Return an adjective of the run in another gender, or nothing if not certain."""
    forms = [form for form in word.forms if agree(form, noun)]
    if all("Fixd" in form.tags for form in forms):
        return word.low
    alive = ["anim"] if noun.case == "accs" and gender == "masc" else []
    ways = {form.changed(gender, noun.case, "sing", *alive) for form in forms}
    return ways.pop() if len(ways) == 1 else ""

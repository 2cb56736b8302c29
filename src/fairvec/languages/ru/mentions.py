"""Mentions of persons in a Russian sentence, by noun or by pronoun, and what each becomes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from fairvec.languages.rewriting import GenderedTerm, UncertainError, obstacle, rewrite_table
from fairvec.languages.ru.morphology import WordForm, forms_of, gender_of, noun_form
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
    problem: UncertainError | None = None
    """Why nothing is certain about it, if so."""

    @property
    def gender(self) -> str:
        """The gender of its people."""
        return GENDERS[self.side]

    @property
    def counterpart(self) -> str:
        """The lemma of the other gender; empty if there is no certain one."""
        return self.term.b if self.side == "a" else self.term.a

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

    def check(self) -> None:
        """Raise its problem, if it has one."""
        if self.problem:
            raise self.problem


@cache
def terms_by_lemma() -> dict[str, tuple[GenderedTerm, Literal["a", "b"]]]:
    """Return each lemma of the table with its term and its side there."""
    terms: dict[str, tuple[GenderedTerm, Literal["a", "b"]]] = {}
    for term in rewrite_table("ru").terms:
        if term.a:
            terms[term.a] = (term, "a")
        if term.b:
            terms[term.b] = (term, "b")
    return terms


@cache
def term_forms() -> frozenset[str]:
    """Return every form of every term, in small letters and with е for ё."""
    return frozenset(
        plain(written)
        for lemma in terms_by_lemma()
        for form in forms_of(lemma)
        if form.lemma == lemma
        for written in form.lexeme()
    )


@lru_cache(20_000)
def is_term_form(text: str) -> bool:
    """Whether a word may be a form of a term."""
    return plain(text) in term_forms()


def find_mentions(sentence: RussianSentence) -> tuple[Mention, ...]:
    """Return the gendered nouns of a sentence that are not parts of fixed expressions."""
    mentions = (_mention(sentence, word) for word in sentence.words if is_term_form(word.text))
    return tuple(mention for mention in mentions if mention is not None)


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
    if problem := obstacle(_check_word, sentence, word, nouns):
        return replace(mention, problem=problem)
    run, forms = modifiers_before(sentence, word, nouns)
    before = word_before(sentence, run, word)
    first = min(near.index for near in (*run, word))
    digits = first > 0 and sentence.words[first - 1].text.isdigit()
    counted = digits or (before is not None and before.may_be("NUMR"))
    forms = disambiguate_case(sentence, word, run, forms)
    mention = replace(mention, run=run, forms=forms, counted=counted)
    return replace(mention, problem=obstacle(_check_mention, sentence, mention))


def _check_word(sentence: RussianSentence, word: RussianWord, nouns: Sequence[WordForm]) -> None:
    """Raise UncertainError unless a word is one noun for a person, and the writer's own."""
    if sentence.long:
        raise UncertainError("too-long")
    if word.quoted:
        raise UncertainError("quoted")
    if not word.opening and word.text[0].isupper():
        raise UncertainError("capital")
    if any(form not in nouns for form in word.likely_forms) or len({f.lemma for f in nouns}) > 1:
        raise UncertainError("several-words")
    if any(form.case == "voct" for form in nouns):
        raise UncertainError("address")
    if any("inan" in form.tags for form in nouns):
        raise UncertainError("no-person")


def _check_mention(sentence: RussianSentence, mention: Mention) -> None:
    """Raise UncertainError if what stands around a noun shows its gender or makes it another."""
    if not mention.forms:
        raise UncertainError("case-and-context")
    before = word_before(sentence, mention.run, mention.word)
    lists = rewrite_table("ru").lists
    if before is not None and (
        before.lowercase in lists["counting"] or (mention.counted and mention.run)
    ):
        raise UncertainError("number")
    if before is not None and before.lowercase == "из" and before.index:
        previous = sentence.words[before.index - 1]
        if any(f.number == "sing" and f.gender == mention.gender for f in previous.likely_forms):
            raise UncertainError("gender-before", word=previous.text)
    first = sentence.words[min(mention.indices)]
    if first.index and re.search("[-—–]", first.gap) and "," not in first.gap:
        thing = sentence.words[first.index - 1]
        if all("inan" in form.tags for form in thing.likely_forms):
            raise UncertainError("of-a-thing")
    if mention.singular and (described := _description_after(sentence, mention)):
        raise UncertainError("description-after", word=described)
    if _is_address(sentence, mention):
        raise UncertainError("address")
    if _is_of_speaker(sentence, mention):
        raise UncertainError("speaker")
    lemma = mention.forms[0].lemma
    if lemma in lists["partners"] and any(
        form.tags & {"Apro"} and form.lemma in lists["possessives"]
        for word in mention.run
        for form in word.forms
    ):
        raise UncertainError("own-partner")
    near = sentence.clause(mention.word.clause)
    owned = any(
        previous.lowercase == "у" and next_word.may_be("NPRO")
        for previous, next_word in pairwise(near)
    )
    if lemma in lists["partners"] and mention.subject and owned:
        raise UncertainError("partner")


def _description_after(sentence: RussianSentence, mention: Mention) -> str:
    """Return an adjective or participle that opens the clause after it and agrees with it."""
    for near in sentence.words[mention.word.index + 1 : mention.word.index + 2]:
        for form in near.likely_forms:
            own = "Fixd" in form.tags or form.lemma in rewrite_table("ru").lists["relative"]
            fits = any(agree(form, noun) for noun in mention.forms)
            if near.clause != mention.word.clause and fits and not own:
                return near.text
    return ""


def _is_address(sentence: RussianSentence, mention: Mention) -> bool:
    """Whether it may be an address: ты, брат, пиши."""
    alone = {word.index for word in sentence.clause(mention.word.clause)} <= mention.indices
    lists = rewrite_table("ru").lists
    phrases = lists["addresses"]
    in_speech = any(word.lowercase in lists["spoken_to"] for word in sentence.words)
    if in_speech and mention.subject and mention.forms[0].lemma in phrases:
        return True
    if not alone or len(sentence.clauses) == 1 or not mention.subject:
        return False
    marked = any(
        form.number == "sing" and form.gender == mention.gender and form.pos in {"VERB", "ADJS"}
        for word in sentence.words
        for form in word.likely_forms
    )
    return mention.forms[0].lemma in phrases or (in_speech and marked)


def _is_of_speaker(sentence: RussianSentence, mention: Mention) -> bool:
    """Whether it may be the predicate of я or ты, whose gender may be shown nowhere else."""
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
    """Return the forms of the noun and its run with another lemma, or raise UncertainError."""
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
        raise UncertainError("case", word=mention.word.text)
    return dict(results.pop())


def _inflect_modifier(word: RussianWord, noun: WordForm, gender: str) -> str:
    """Return an adjective of the run in another gender; empty if not certain."""
    forms = [form for form in word.forms if agree(form, noun)]
    if all("Fixd" in form.tags for form in forms):
        return word.lowercase
    alive = ["anim"] if noun.case == "accs" and gender == "masc" else []
    results = {form.changed(gender, noun.case, "sing", *alive) for form in forms}
    return results.pop() if len(results) == 1 else ""


def pronoun_gender(word: RussianWord) -> str:
    """Return the gender of a pronoun; empty for any other word."""
    return _pronoun_gender(word.text)


@lru_cache(20_000)
def _pronoun_gender(text: str) -> str:
    return rewrite_table("ru").tables["pronouns"].get(plain(text), "")


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
    pronouns = []
    for word in filter(pronoun_gender, sentence.words):
        folded = plain(word.text)
        plural = folded == "ним" and _preposition_before(sentence, word) in {
            "к",
            "ко",
            "по",
            "благодаря",
        }
        is_adjective = folded == "нем" and not _preposition_before(sentence, word)
        if not plural and not is_adjective:
            pronouns.append(word)
    return pronouns


def pronoun_changes(
    sentence: RussianSentence, mentions: tuple[Mention, ...]
) -> list[PronounChange]:
    """Return the change of each pronoun of a sentence, or raise UncertainError."""
    if sentence.long:
        raise UncertainError("too-long")
    changes: list[PronounChange] = []
    people = {
        mention.word.index: mention.gender
        for mention in mentions
        if mention.singular
        and not {near.index for near in sentence.clause(mention.word.clause)} <= mention.indices
    }
    for word in find_pronouns(sentence):
        gender = pronoun_gender(word)
        new = _other_pronoun(sentence, word)
        if word.quoted or not new or not _is_person(sentence, word, gender, people, mentions):
            raise UncertainError("pronoun", word=word.text)
        changes.append(PronounChange(word, gender, new))
        people[word.index] = gender
    if any(word.lowercase == "им" for word in sentence.words) and "masc" in people.values():
        raise UncertainError("one-or-several", word="им")
    return changes


def _preposition_before(sentence: RussianSentence, word: RussianWord) -> str:
    """Return the preposition before a pronoun, if one is there."""
    previous = sentence.words[word.index - 1].lowercase if word.index else ""
    return previous if previous in rewrite_table("ru").tables["prepositions"] else ""


def _other_pronoun(sentence: RussianSentence, word: RussianWord) -> str:
    tables, folded = rewrite_table("ru").tables, plain(word.text)
    if folded == "ней":
        return tables["with_her"].get(_preposition_before(sentence, word), "")
    if folded == "ним":
        with_him = tables["with_her"].get(_preposition_before(sentence, word))
        return "ней" if with_him == "ним" else ""
    if folded == "ей" and not _has_dative_verb(sentence, word):
        return ""
    return tables["pronoun_counterparts"].get(folded, "")


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
        _acts_as_people_do(sentence, word, mentions)
        or _has_personal_predicate(sentence, word, mentions)
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
    has_antecedent = any(
        people.get(near.index) == gender
        and (near.clause != word.clause or all(form.case != "nomn" for form in near.likely_forms))
        for near in sentence.words[: word.index]
    )
    return has_antecedent and not any(form.gender in {*genders, ""} for form in others)


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


def _has_personal_predicate(
    sentence: RussianSentence, word: RussianWord, mentions: tuple[Mention, ...]
) -> bool:
    """Whether the predicate of a pronoun is a person: он был учителем."""
    copulas = rewrite_table("ru").lists["copulas"]
    after = sentence.words[word.index + 1 : word.index + 2]
    return any(form.lemma in copulas for near in after for form in near.likely_forms) and any(
        mention.word.clause == word.clause and all(f.case == "ablt" for f in mention.forms)
        for mention in mentions
        if mention.word.index > word.index
    )

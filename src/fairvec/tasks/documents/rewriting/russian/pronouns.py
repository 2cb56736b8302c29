"""He and she: when a pronoun of the third person is certainly a person, and what it becomes."""

from dataclasses import dataclass

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.rewriting.russian.government import may_be_subject
from fairvec.tasks.documents.rewriting.russian.mentions import PersonMention
from fairvec.tasks.documents.rewriting.russian.sentence import (
    RussianSentence,
    RussianWord,
    plain,
)

PRONOUNS = {
    **dict.fromkeys(("он", "его", "ему", "него", "нему", "ним", "нем"), "masc"),
    **dict.fromkeys(("она", "ее", "ей", "ею", "нее", "ней", "нею"), "femn"),
}
"""The gender of each pronoun, written without ё; им is more often the plural's."""

_PLAIN = {
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
        return self.word.low in {"он", "она"}


def pronouns_in(sentence: RussianSentence) -> list[RussianWord]:
    """Return the words that are pronouns of the third person singular, masculine or feminine."""
    found = []
    for word in sentence.words:
        low = plain(word.text)
        plural = low == "ним" and _before(sentence, word) in {"к", "ко", "по", "благодаря"}
        mute = low == "нем" and not _before(sentence, word)
        if low in PRONOUNS and not plural and not mute:
            found.append(word)
    return found


def pronoun_changes(
    sentence: RussianSentence, mentions: tuple[PersonMention, ...]
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
    for word in pronouns_in(sentence):
        gender = PRONOUNS[plain(word.text)]
        new = _other(sentence, word)
        if word.quoted or not new or not _person(sentence, word, gender, people, mentions):
            return [], f"it is not certain whom {word.text} stands for, or in which case"
        changes.append(PronounChange(word, gender, new))
        people[word.index] = gender
    if any(word.low == "им" for word in sentence.words) and "masc" in people.values():
        return [], "им may stand for one person or for several"
    return changes, ""


def _before(sentence: RussianSentence, word: RussianWord) -> str:
    """Return the preposition before a pronoun, if one is there."""
    low = sentence.words[word.index - 1].low if word.index else ""
    return low if low in rewrite_table("ru").tables["prepositions"] else ""


def _other(sentence: RussianSentence, word: RussianWord) -> str:
    low = plain(word.text)
    if low == "ней":
        return rewrite_table("ru").tables["with_her"].get(_before(sentence, word), "")
    if low == "ним":
        with_him = rewrite_table("ru").tables["with_her"].get(_before(sentence, word))
        return "ней" if with_him == "ним" else ""
    if low == "ей" and not _told(sentence, word):
        return ""
    return _PLAIN.get(low, "")


def _told(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a verb that takes the dative stands directly beside a pronoun."""
    verbs = rewrite_table("ru").lists["dative_verbs"]
    beside = (i for i in (word.index - 1, word.index + 1) if 0 <= i < len(sentence.words))
    near = (sentence.words[i] for i in beside)
    return any(
        one.clause == word.clause and all(form.lemma in verbs for form in one.likely)
        for one in near
    )


def _person(
    sentence: RussianSentence,
    word: RussianWord,
    gender: str,
    people: dict[int, str],
    mentions: tuple[PersonMention, ...],
) -> bool:
    if any(
        mention.term.rule == "kinship" and word.index in mention.indices for mention in mentions
    ):
        return True
    if _follows(sentence, word, gender, people):
        return True
    if word.low in {"ему", "ей"}:
        return _told(sentence, word)
    return word.low in {"он", "она"} and (
        _acts_as_people_do(sentence, word, mentions) or _is(sentence, word, mentions)
    )


def _follows(
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
        for form in near.likely
        if form.pos == "NOUN" and form.number == "sing"
    )
    named = any(
        people.get(near.index) == gender
        and (near.clause != word.clause or all(form.case != "nomn" for form in near.likely))
        for near in sentence.words[: word.index]
    )
    return named and not any(form.gender in {*genders, ""} for form in others)


def _acts_as_people_do(
    sentence: RussianSentence, word: RussianWord, mentions: tuple[PersonMention, ...]
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
        for form in near.likely
    )
    first = [near for near in clause if near.index > word.index and near.may_be("VERB")][:1]
    first += [near for near in clause if near.index == word.index - 1]
    return not rival and any(
        form.pos == "VERB" and form.lemma in verbs for near in first for form in near.likely
    )


def _thing_after(near: RussianWord, word: RussianWord) -> bool:
    return near.index > word.index and all("inan" in form.tags for form in near.likely)


def _is(sentence: RussianSentence, word: RussianWord, mentions: tuple[PersonMention, ...]) -> bool:
    """Whether a pronoun is said to be somebody: он был учителем."""
    copulas = rewrite_table("ru").lists["copulas"]
    after = sentence.words[word.index + 1 : word.index + 2]
    return any(form.lemma in copulas for near in after for form in near.likely) and any(
        mention.word.clause == word.clause and all(f.case == "ablt" for f in mention.forms)
        for mention in mentions
        if mention.word.index > word.index
    )

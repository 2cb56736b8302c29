"""Suggest changes to gendered nouns in a Hindi text, with all that agrees with them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from fairvec.languages.hi.morphology import (
    DIRECT,
    DIRECT_PLURAL,
    OBLIQUE,
    OBLIQUE_PLURAL,
    Gender,
    fold,
    forms_of,
    inflect_adjective,
    listed,
    verb_key,
)
from fairvec.languages.hi.syntax import (
    HindiSentence,
    Noun,
    NounUse,
    UncertainError,
    analyse_noun,
    lemma_at,
    modifiers_of,
    nouns_in,
    read_sentence,
)
from fairvec.languages.rewriting import Aim, Edit, Proposal, rewrite_table
from fairvec.languages.text import Document


def inflect_noun(lemma: str, gender: Gender, found: NounUse) -> str:
    """Return the form of a noun in its place; UncertainError if its number cannot be told."""
    forms = forms_of(lemma)
    if found.role == "oblique":
        return forms[OBLIQUE_PLURAL if found.plural else OBLIQUE]
    if found.plural is None and forms[DIRECT] != forms[DIRECT_PLURAL]:
        raise UncertainError("it may be several people, or one who is spoken of with respect")
    if found.many and not found.plural and gender == "m" and forms[DIRECT] != forms[DIRECT_PLURAL]:
        raise UncertainError("one person is spoken of with respect")
    if found.plural and fold(lemma) in listed("honoured"):
        raise UncertainError("several people would read as one who is spoken of with respect")
    return forms[DIRECT_PLURAL if found.plural else DIRECT]


def swapped_gender(sentence: HindiSentence, noun: Noun, found: NounUse) -> Gender:
    """Return the other gender; a husband or wife is swapped only where the other half is a pronoun.

    The wife of Ram cannot be made a husband without saying something about Ram.
    """
    _check_swap(sentence, noun, found)
    if noun.form.term.rule == "spouse":
        owners = {lemma_at(sentence, at) for at in found.modifiers}
        own = "अपना" in owners and listed("ergative") & set(sentence.keys)
        if "कि" in sentence.keys[: noun.first] or any(at <= noun.first for at in sentence.breaks):
            raise UncertainError("the other half may have been spoken of before")
        if not own and not owners & set(rewrite_table("hi").lists["owners"]):
            raise UncertainError("it says something about the other half too")
    return "f" if noun.form.gender == "m" else "m"


def _check_swap(sentence: HindiSentence, noun: Noun, found: NounUse) -> None:
    """Raise UncertainError where somebody who keeps the sex may be the person who would not."""
    keys, after = set(sentence.keys), sentence.keys[noun.last + 1 : noun.last + 3]
    ergative = listed("ergative") & keys
    if keys & listed("contests"):
        raise UncertainError("a contest or award of one sex has winners of it")
    if _gives_birth(sentence):
        raise UncertainError("only one sex gives birth")
    named = {fold(other.form.lemma) for other in nouns_in(sentence)}
    if named & listed("comparing_men") and named & listed("comparing_women"):
        raise UncertainError("the sexes may be compared")
    if sentence.keys[noun.last] in listed("said_of_all"):
        raise UncertainError("the masculine plural is said of all")
    if keys & listed("weddings"):
        raise UncertainError("a couple is spoken of")
    if noun.form.term.rule == "kin" and keys & listed("sacred"):
        raise UncertainError("a god may be meant")
    if fold(noun.form.lemma) in listed("also_names") and not found.modifiers:
        raise UncertainError("it may be a name")
    if {"नाम", "नामक"} & set(sentence.keys[max(0, noun.first - 4) : noun.first]):
        raise UncertainError("a name is told")
    if found.role == "oblique":
        if {"नाम", "उपनाम"} & set(sentence.keys[noun.last + 2 : noun.last + 6]):
            raise UncertainError("a name is told")
        if set(after[1:]) & listed("parts"):
            raise UncertainError("somebody else may play the part")
        if set(after[1:]) & listed("posts") and not ergative:
            raise UncertainError("somebody else may be said to be one")
        if after[0] == "में" and found.plural:
            raise UncertainError("somebody else may be said to be one of them")


def _gives_birth(sentence: HindiSentence) -> bool:
    """Whether a form of देना follows जन्म, with one word between at most (जन्म भी दिया)."""
    keys, birth = sentence.keys, fold("जन्म")
    return any(
        word == birth and listed("giving") & set(keys[at + 1 : at + 3])
        for at, word in enumerate(keys)
    )


def neutral_gender(sentence: HindiSentence, noun: Noun, found: NounUse) -> Gender:
    """Return the gender with which the neutral word agrees, or raise UncertainError.

    A word said of both sexes agrees with the person: in the direct case what agrees would tell the
    sex all the same. Before a postposition the masculine form is that of all.
    """
    neutral = noun.form.term.neutral
    gender = rewrite_table("hi").tables["grammatical_gender"][neutral]
    if fold(neutral) in listed("said_which"):
        _check_individual(sentence, noun, found)
    if fold(neutral) in listed("said_whose"):
        owners = {*rewrite_table("hi").lists["owners"], "अपना", "का"}
        if not found.modifiers or lemma_at(sentence, found.modifiers[0]) not in owners:
            raise UncertainError("it is not said whose, or which of several")
        if found.modifiers[0] != noun.first - 1:
            raise UncertainError("one of several is told apart by the sex")
        owned = lemma_at(sentence, noun.first - 1) == "का"
        if owned and (found.plural or sentence.keys[noun.first - 2] in listed("places")):
            raise UncertainError("it may be a figure of speech")
    if gender == "m" or gender == "f":
        return "m" if gender == "m" else "f"
    if found.role == "oblique":
        if noun.form.gender == "f" and len(nouns_in(sentence)) > 1:
            raise UncertainError("the sentence may be about the sex itself")
        return "m"
    shows_gender = found.modifiers or (found.verbs is not None and found.verbs.agreeing)
    if shows_gender and not (noun.form.gender == "m" and found.many):
        raise UncertainError("what agrees with it would tell the sex all the same")
    return noun.form.gender


def is_generic_plural(sentence: HindiSentence, noun: Noun) -> bool:
    """Whether the neutral word fits whatever stands around: छात्रों is विद्यार्थियों everywhere.

    So it is of the masculine oblique plural, which is said of all, unless the other sex or a
    contest of one sex is spoken of too.
    """
    genders = rewrite_table("hi").tables["grammatical_gender"]
    return (
        noun.form.gender == "m"
        and noun.form.cells == {OBLIQUE_PLURAL}
        and genders.get(noun.form.term.neutral) == "common"
        and all(other.form.gender == "m" for other in nouns_in(sentence))
        and not listed("contests") & set(sentence.keys)
    )


def _check_individual(sentence: HindiSentence, noun: Noun, found: NounUse) -> None:
    """Men and women in general are not somebody: only this one, that one or some one is."""
    before = modifiers_of(sentence, noun)
    after = sentence.keys[noun.last + 1]
    if after in ("सहित", "समेत"):
        raise UncertainError("one of several people is told apart by the sex")
    if len(nouns_in(sentence)) > 1:
        raise UncertainError("people are told apart by the sex")
    if found.plural or not before & {"एक", "इस", "उस"}:
        raise UncertainError("the sentence may be about the sex itself")


MOST_WORDS = 100
"""Words of a sentence that is read: what is longer is a list, or a text without marks."""


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Return what could be changed at each gendered noun: a change if it is certain, else a flag.

    A paragraph is swapped as a whole or not at all, and a sentence in one proposal: a man swapped
    beside a woman who is only flagged would be two women.
    """
    found: list[Proposal] = []
    by_paragraph = groupby(document.sentences, key=lambda sentence: sentence.paragraph)
    paragraphs = [
        [read_sentence(document.text, sentence) for sentence in group] for _, group in by_paragraph
    ]
    for number, paragraph in enumerate(paragraphs):
        proposed = [
            [_suggest(words, noun, aim, document.text) for noun in nouns_in(words)]
            for words in paragraph
        ]
        if aim == "swap":
            after = [words for group in paragraphs[number + 1 : number + 2] for words in group[:1]]
            reason = _paragraph_obstacle([*paragraph, *after], proposed)
            proposed = [
                [_as_flag(proposal, document.text, reason) for proposal in group]
                if reason
                else _joint_proposal(group)
                for group in proposed
            ]
        found += [proposal for group in proposed for proposal in group]
    return tuple(found)


def _paragraph_obstacle(
    sentences: Sequence[HindiSentence], proposed: Sequence[Sequence[Proposal]]
) -> str:
    """Return why a paragraph is not swapped; empty if it is.

    The verb of वह or वे tells the gender of somebody whom another sentence has named; the last of
    the sentences is the one after the paragraph.
    """
    if not all(proposal.certain for some in proposed for proposal in some):
        return "somebody else in the paragraph cannot be swapped with certainty"
    pronouns = {n for n, words in enumerate(sentences) if listed("third_persons") & set(words.keys)}
    named = {n for n, some in enumerate(proposed) if some}
    if named and any(pronouns - {n} for n in named):
        return "another sentence near by may be about the same person"
    return ""


def _as_flag(proposal: Proposal, text: str, reason: str) -> Proposal:
    """Return a certain change as a flag."""
    if not proposal.certain:
        return proposal
    word = text[proposal.start : proposal.end]
    return replace(proposal, why=f"{word} tells the sex; left as it is, for {reason}.", edits=())


def _joint_proposal(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the changes of a sentence as one, which is accepted or not."""
    if len(proposals) < 2:
        return list(proposals)
    edits = {edit for proposal in proposals for edit in proposal.edits}
    groups = {proposal.group for proposal in proposals}
    return [
        Proposal(
            proposals[0].start,
            proposals[-1].end,
            proposals[0].rule,
            " ".join(proposal.why for proposal in proposals),
            tuple(sorted(edits, key=lambda edit: edit.start)),
            proposals[0].group if len(groups) == 1 else "",
        )
    ]


def _suggest(sentence: HindiSentence, noun: Noun, aim: Aim, text: str) -> Proposal:
    try:
        return _certain_change(sentence, noun, aim, text)
    except UncertainError as reason:
        return _flag(sentence, noun, str(reason), aim)


def _flag(sentence: HindiSentence, noun: Noun, reason: str, aim: Aim) -> Proposal:
    term = noun.form.term
    name = noun.form.lemma
    advice = ""
    if aim == "neutral":
        advice = f" {term.neutral} would say it without the sex." if term.neutral else ""
        advice = f" {term.why}" if term.why else advice
    start, end = sentence.words[noun.first].start, sentence.words[noun.last].end
    why = f"{name} tells the sex; left as it is, for {reason}.{advice}"
    return Proposal(start, end, term.rule, why, (), _group(noun))


def _group(noun: Noun) -> Literal["a", "b"]:
    return "a" if noun.form.gender == "m" else "b"


def _certain_change(sentence: HindiSentence, noun: Noun, aim: Aim, text: str) -> Proposal:
    if len(sentence.words) > MOST_WORDS:
        raise UncertainError(f"the sentence has more than {MOST_WORDS} words")
    lemma = noun.form.counterpart if aim == "swap" else noun.form.term.neutral
    if not lemma:
        raise UncertainError("there is no certain word to put in its place")
    is_free = aim == "neutral" and is_generic_plural(sentence, noun)
    found = NounUse("oblique", plural=True, many=True) if is_free else analyse_noun(sentence, noun)
    gender = (swapped_gender if aim == "swap" else neutral_gender)(sentence, noun, found)
    start, end = sentence.words[noun.first].start, sentence.words[noun.last].end
    edits = [
        Edit(start, end, text[start:end], inflect_noun(lemma, gender, found)),
        *_agreement(sentence, found, gender),
    ]
    relation = "its counterpart" if aim == "swap" else "said of all"
    agreement = ", and what agrees with it follows" if len(edits) > 1 else ""
    why = f"{noun.form.lemma} tells the sex; {lemma} is {relation}{agreement}."
    edits.sort(key=lambda edit: edit.start)
    return Proposal(start, end, noun.form.term.rule, why, tuple(edits), _group(noun))


def _agreement(sentence: HindiSentence, found: NounUse, gender: Gender) -> Iterator[Edit]:
    """Give the edits of what agrees, where its form changes."""
    masculine = "ा" if found.role != "oblique" and not found.many else "े"
    ending = "ी" if gender == "f" else masculine
    forms = [(at, inflect_adjective(lemma_at(sentence, at), ending)) for at in found.modifiers]
    if found.verbs is not None:
        new = found.verbs.inflected(gender, many=found.many)
        forms += zip(found.verbs.agreeing, new, strict=True)
    for at, form in forms:
        word = sentence.words[at]
        if verb_key(word.text) != verb_key(form):
            yield Edit(word.start, word.end, word.text, form)

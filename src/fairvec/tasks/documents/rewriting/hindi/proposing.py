"""What could be changed in a Hindi text: gendered nouns with what agrees with them."""

from collections.abc import Iterator
from typing import Literal

from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.hindi.paradigms import (
    Gender,
    agreed,
    key,
    listed,
    verb_key,
)
from fairvec.tasks.documents.rewriting.hindi.phrases import UnsureError, lemma_at
from fairvec.tasks.documents.rewriting.hindi.reading import (
    FoundNoun,
    Reading,
    ReadSentence,
    nouns_in,
    read,
)
from fairvec.tasks.documents.rewriting.hindi.replacing import (
    form_in,
    gender_of_neutral,
    gender_swapped,
    needs_no_agreement,
)
from fairvec.tasks.documents.rewriting.hindi.roles import reading
from fairvec.tasks.documents.rewriting.proposal import Aim, Edit, Proposal

LONGEST = 100
"""Words of a sentence that is read: what is longer is a list, or a text without marks."""


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Return a proposal for each gendered noun: a change where it is certain, else a flag.

    A sentence is swapped as a whole or not at all: a man swapped beside a woman who is only flagged
    would be two women. For the same reason it is only flagged where the next sentence of the
    paragraph goes on about वह or वे, whose verb tells the gender.
    """
    found: list[Proposal] = []
    for number, sentence in enumerate(document.sentences):
        words = read(document.text, sentence)
        nouns = nouns_in(words)
        if not nouns:
            continue
        if aim == "neutral":
            found += [_proposal(words, noun, aim, document.text) for noun in nouns]
            continue
        some = [_proposal(words, noun, aim, document.text) for noun in nouns]
        following = document.sentences[number + 1 : number + 2]
        goes_on = any(
            key(token.text) in listed("third_persons")
            for other in following
            if other.paragraph == sentence.paragraph
            for token in other.tokens
        )
        reason = ""
        if goes_on:
            reason = "the next sentence may be about the same person"
        elif not all(proposal.certain for proposal in some):
            reason = "somebody else in the sentence cannot be swapped with certainty"
        found += [
            _flag(words, noun, reason) if reason and proposal.certain else proposal
            for noun, proposal in zip(nouns, some, strict=True)
        ]
    return tuple(found)


def _proposal(sentence: ReadSentence, noun: FoundNoun, aim: Aim, text: str) -> Proposal:
    try:
        return _certain(sentence, noun, aim, text)
    except UnsureError as reason:
        return _flag(sentence, noun, str(reason), aim)


def _flag(sentence: ReadSentence, noun: FoundNoun, reason: str, aim: Aim = "swap") -> Proposal:
    term = noun.form.term
    name = noun.form.lemma
    better = ""
    if aim == "neutral":
        better = f" {term.neutral} would say it without the sex." if term.neutral else ""
        better = f" {term.why}" if term.why else better
    start, end = sentence.words[noun.first].start, sentence.words[noun.last].end
    why = f"{name} tells the sex; left as it is, for {reason}.{better}"
    return Proposal(start, end, term.rule, why, (), _group(noun))


def _group(noun: FoundNoun) -> Literal["a", "b"]:
    return "a" if noun.form.gender == "m" else "b"


def _certain(sentence: ReadSentence, noun: FoundNoun, aim: Aim, text: str) -> Proposal:
    if len(sentence.words) > LONGEST:
        raise UnsureError(f"the sentence has more than {LONGEST} words")
    lemma = noun.form.counterpart if aim == "swap" else noun.form.term.neutral
    if not lemma:
        raise UnsureError("there is no certain word to put in its place")
    free = aim == "neutral" and needs_no_agreement(sentence, noun)
    found = Reading("oblique", plural=True, many=True) if free else reading(sentence, noun)
    gender = (gender_swapped if aim == "swap" else gender_of_neutral)(sentence, noun, found)
    start, end = sentence.words[noun.first].start, sentence.words[noun.last].end
    edits = [
        Edit(start, end, text[start:end], form_in(lemma, gender, found)),
        *_agreement(sentence, found, gender),
    ]
    what = "its counterpart" if aim == "swap" else "said of all"
    also = ", and what agrees with it follows" if len(edits) > 1 else ""
    why = f"{noun.form.lemma} tells the sex; {lemma} is {what}{also}."
    edits.sort(key=lambda edit: edit.start)
    return Proposal(start, end, noun.form.term.rule, why, tuple(edits), _group(noun))


def _agreement(sentence: ReadSentence, found: Reading, gender: Gender) -> Iterator[Edit]:
    """Give the edits of what agrees, where its form changes."""
    masculine = "ा" if found.role != "oblique" and not found.many else "े"
    ending = "ी" if gender == "f" else masculine
    forms = [(at, agreed(lemma_at(sentence, at), ending)) for at in found.modifiers]
    if found.verbs is not None:
        new = found.verbs.agreed(gender, many=found.many)
        forms += zip(found.verbs.agreeing, new, strict=True)
    for at, form in forms:
        word = sentence.words[at]
        if verb_key(word.text) != verb_key(form):
            yield Edit(word.start, word.end, word.text, form)

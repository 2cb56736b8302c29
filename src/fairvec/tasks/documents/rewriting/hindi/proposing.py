"""What could be changed in a Hindi text: gendered nouns with what agrees with them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.hindi.paradigms import (
    Gender,
    agreed,
    listed,
    verb_key,
)
from fairvec.tasks.documents.rewriting.hindi.phrases import UnsureError, lemma_at
from fairvec.tasks.documents.rewriting.hindi.reading import (
    HindiNoun,
    HindiSentence,
    NounReading,
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
    """Return what could be changed at each gendered noun: a change if it is certain, else a flag.

    A paragraph is swapped as a whole or not at all, and a sentence in one proposal: a man swapped
    beside a woman who is only flagged would be two women.
    """
    found: list[Proposal] = []
    by_paragraph = groupby(document.sentences, key=lambda sentence: sentence.paragraph)
    paragraphs = [[read(document.text, each) for each in some] for _, some in by_paragraph]
    for number, paragraph in enumerate(paragraphs):
        proposed = [
            [_proposal(words, noun, aim, document.text) for noun in nouns_in(words)]
            for words in paragraph
        ]
        if aim == "swap":
            after = [words for some in paragraphs[number + 1 : number + 2] for words in some[:1]]
            reason = _reason_to_keep([*paragraph, *after], proposed)
            proposed = [
                [_kept(proposal, document.text, reason) for proposal in some]
                if reason
                else _together(some)
                for some in proposed
            ]
        found += [proposal for some in proposed for proposal in some]
    return tuple(found)


def _reason_to_keep(
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


def _kept(proposal: Proposal, text: str, reason: str) -> Proposal:
    """Return a certain change as a flag."""
    if not proposal.certain:
        return proposal
    word = text[proposal.start : proposal.end]
    return replace(proposal, why=f"{word} tells the sex; left as it is, for {reason}.", edits=())


def _together(some: Sequence[Proposal]) -> list[Proposal]:
    """Return the changes of a sentence as one, which is accepted or not."""
    if len(some) < 2:
        return list(some)
    edits = {edit for proposal in some for edit in proposal.edits}
    groups = {proposal.group for proposal in some}
    return [
        Proposal(
            some[0].start,
            some[-1].end,
            some[0].rule,
            " ".join(proposal.why for proposal in some),
            tuple(sorted(edits, key=lambda edit: edit.start)),
            some[0].group if len(groups) == 1 else "",
        )
    ]


def _proposal(sentence: HindiSentence, noun: HindiNoun, aim: Aim, text: str) -> Proposal:
    try:
        return _certain(sentence, noun, aim, text)
    except UnsureError as reason:
        return _flag(sentence, noun, str(reason), aim)


def _flag(sentence: HindiSentence, noun: HindiNoun, reason: str, aim: Aim) -> Proposal:
    term = noun.form.term
    name = noun.form.lemma
    better = ""
    if aim == "neutral":
        better = f" {term.neutral} would say it without the sex." if term.neutral else ""
        better = f" {term.why}" if term.why else better
    start, end = sentence.words[noun.first].start, sentence.words[noun.last].end
    why = f"{name} tells the sex; left as it is, for {reason}.{better}"
    return Proposal(start, end, term.rule, why, (), _group(noun))


def _group(noun: HindiNoun) -> Literal["a", "b"]:
    return "a" if noun.form.gender == "m" else "b"


def _certain(sentence: HindiSentence, noun: HindiNoun, aim: Aim, text: str) -> Proposal:
    if len(sentence.words) > LONGEST:
        raise UnsureError(f"the sentence has more than {LONGEST} words")
    lemma = noun.form.counterpart if aim == "swap" else noun.form.term.neutral
    if not lemma:
        raise UnsureError("there is no certain word to put in its place")
    free = aim == "neutral" and needs_no_agreement(sentence, noun)
    found = NounReading("oblique", plural=True, many=True) if free else reading(sentence, noun)
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


def _agreement(sentence: HindiSentence, found: NounReading, gender: Gender) -> Iterator[Edit]:
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

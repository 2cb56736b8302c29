"""What could be changed in a Russian text: the changes that are certain, and flags for the rest."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Literal

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal
from fairvec.tasks.documents.rewriting.russian.bystanders import bystander
from fairvec.tasks.documents.rewriting.russian.mentions import terms_by_lemma
from fairvec.tasks.documents.rewriting.russian.morphology import OTHER_GENDER, forms_of
from fairvec.tasks.documents.rewriting.russian.neutral import FOUNDERS, neutral_proposals
from fairvec.tasks.documents.rewriting.russian.pronouns import PRONOUNS
from fairvec.tasks.documents.rewriting.russian.sentence import (
    RussianSentence,
    plain,
    sentences_of_document,
)
from fairvec.tasks.documents.rewriting.russian.subjects import agreement
from fairvec.tasks.documents.rewriting.russian.swapping import SentencePlan, swap_plan
from fairvec.tasks.documents.rewriting.russian.writing import edits_of

_SIDES: dict[str, Literal["a", "b"]] = {"masc": "a", "femn": "b"}


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Return what could be changed in a Russian text, in the order of its sentences."""
    found: list[Proposal] = []
    paragraphs = groupby(sentences_of_document(document), key=lambda pair: pair[0])
    for _, pairs in paragraphs:
        sentences = [sentence for _, sentence in pairs]
        plans = _settled([swap_plan(one) for one in sentences]) if aim == "swap" else []
        for number, sentence in enumerate(sentences):
            found += _flags(sentence, aim)
            if aim == "swap":
                found += _swaps(document, plans[number])
            else:
                found += neutral_proposals(document, sentence)
    return tuple(found)


def _settled(plans: list[SentencePlan]) -> list[SentencePlan]:
    """Return the plans of a paragraph, less those that another sentence of it would contradict."""
    if any(plan.sentence.named for plan in plans):
        why = "a name in the paragraph may be of the same person"
        plans = [_stopped(plan, why) if plan.genders else plan for plan in plans]
    if any(_keeps_somebody(plan) for plan in plans):
        why = "a pronoun in the paragraph may stand for somebody who keeps a gender"
        plans = [_stopped(plan, why) if plan.pronouns else plan for plan in plans]
    for gender in OTHER_GENDER:
        if not any(gender in plan.genders and not plan.problem for plan in plans):
            continue
        if _unsettled(plans, gender):
            why = "another sentence of the paragraph would still show the gender"
            plans = [_stopped(plan, why) if gender in plan.genders else plan for plan in plans]
    # A sentence that was stopped for one gender keeps the other one too.
    stopped = {gender for plan in plans if plan.problem for gender in plan.genders}
    why = "another sentence of the paragraph is left alone"
    return [
        _stopped(plan, why) if plan.pronouns and plan.genders & stopped else plan for plan in plans
    ]


def _keeps_somebody(plan: SentencePlan) -> bool:
    taken = {place for mention in plan.mentions for place in mention.indices}
    unchanged = bool(plan.problem) or not plan.changes
    return unchanged and bool(bystander(plan.sentence, taken, ()))


def _unsettled(plans: list[SentencePlan], gender: str) -> bool:
    for plan in plans:
        if plan.problem and any(PRONOUNS[plain(word.text)] == gender for word in plan.pronouns):
            return True
        if gender not in plan.genders:
            taken = frozenset(i for mention in plan.mentions for i in mention.indices)
            if agreement(plan.sentence, gender, frozenset(), taken).problem:
                return True
    return False


def _stopped(plan: SentencePlan, why: str) -> SentencePlan:
    return replace(plan, changes={}, problem=plan.problem or why)


def _swaps(document: Document, plan: SentencePlan) -> Iterator[Proposal]:
    """Give the proposals of a plan: one for each person where nothing else has to agree."""
    sentence = plan.sentence
    if plan.problem:
        for mention in plan.mentions:
            word = mention.word
            why = f"{word.text} shows gender; left alone: {plan.problem}."
            yield Proposal(word.start, word.end, mention.term.rule, why, (), mention.side)
        for word in () if plan.mentions else plan.pronouns[:1]:
            why = f"{word.text} shows gender; left alone: {plan.problem}."
            group = _SIDES[PRONOUNS[plain(word.text)]]
            yield Proposal(word.start, word.end, "pronoun", why, (), group)
        return
    own = {i for mention in plan.mentions for i in mention.indices}
    if plan.pronouns or (len(plan.mentions) > 1 and set(plan.changes) - own):
        sides = {_SIDES[gender] for gender in plan.genders}
        rule = "pronoun" if plan.pronouns else plan.mentions[0].term.rule
        edits = edits_of(document, sentence, plan.changes)
        why = "Everybody in the sentence changes gender, and what agrees with them."
        side: Literal["a", "b", ""] = sides.pop() if len(sides) == 1 else ""
        yield Proposal(edits[0].start, edits[-1].end, rule, why, edits, side)
        return
    for mention in plan.mentions:
        mine = {i: new for i, new in plan.changes.items() if i in mention.indices or i not in own}
        edits = edits_of(document, sentence, mine)
        other = mention.term.b if mention.side == "a" else mention.term.a
        why = f"{other} is the counterpart, and what agrees with it changes."
        rule = mention.term.rule
        yield Proposal(edits[0].start, edits[-1].end, rule, why, edits, mention.side)


def _flags(sentence: RussianSentence, aim: Aim) -> Iterator[Proposal]:
    """Give what no rule rewrites: pairs of pronouns meant for everybody, and compounds."""
    lists = rewrite_table("ru").lists
    for phrase in lists["both_pronouns"]:
        for match in re.finditer(rf"(?<!\w){phrase}(?!\w)", plain(sentence.text)):
            start, end = match.start() + sentence.start, match.end() + sentence.start
            why = "The pair is meant for everybody; the plural or the noun shows no gender."
            yield Proposal(start, end, "both-pronouns", why)
    terms = terms_by_lemma()
    for word in sentence.words:
        parts = word.low.split("-")
        if len(parts) == 1 or plain(word.text) in lists["fixed_compounds"] or word.low in terms:
            continue
        if aim == "neutral" and FOUNDERS.fullmatch(word.text) and not word.quoted:
            continue
        halves = [next(iter(forms_of(part)), None) for part in parts if part]
        if any(half is not None and half.known and half.lemma in terms for half in halves):
            why = f"A half of {word.text} shows gender; without it the word may be for both."
            yield Proposal(word.start, word.end, "compound", why)

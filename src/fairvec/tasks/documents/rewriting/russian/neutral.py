"""Feminine words for people become the word for both, where nothing else must change."""

import re
from collections.abc import Iterator

from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.proposal import Proposal
from fairvec.tasks.documents.rewriting.russian.mentions import (
    PersonMention,
    mentions_of,
    replaced_by,
    terms_by_lemma,
)
from fairvec.tasks.documents.rewriting.russian.morphology import gender_of
from fairvec.tasks.documents.rewriting.russian.pronouns import PRONOUNS, pronouns_in
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence, plain
from fairvec.tasks.documents.rewriting.russian.swapping import (
    agreeing_changes,
    is_woman_without_pair,
    told_one_by_one,
)
from fairvec.tasks.documents.rewriting.russian.writing import edits_of

_CERTAIN = ("occupation", "marked", "trade")
_NEUTRAL_ALREADY = ("occupation", "marked", "role")
_MEN = ("муж", "жених", "супруг")
FOUNDERS = re.compile(r"отцы?[а-яё]*-(основател[а-яё]+)", re.IGNORECASE)


def neutral_proposals(document: Document, sentence: RussianSentence) -> Iterator[Proposal]:
    """Give what could be said without gender in a sentence."""
    for mention in mentions_of(sentence):
        word, term = mention.word, mention.term
        if mention.side == "a" and term.rule in _NEUTRAL_ALREADY:
            if mention.run and any(f.lemma == "каждый" for w in mention.run for f in w.forms):
                why = f"каждый and {word.text} are meant for everybody; the plural shows no gender."
                yield Proposal(mention.run[0].start, word.end, "each", why, (), "a")
            continue
        problem = mention.problem or _problem(sentence, mention)
        new = {} if problem else replaced_by(mention, term.neutral)
        if new:
            why = f"{term.neutral} is said of men and women."
            edits = edits_of(document, sentence, new)
            yield Proposal(edits[0].start, edits[-1].end, term.rule, why, edits, mention.side)
            continue
        problem = problem or f"the case of {word.text} is not certain"
        yield Proposal(word.start, word.end, term.rule, _why(mention, problem), (), mention.side)
    for word in sentence.words:
        if (match := FOUNDERS.fullmatch(word.text)) and not word.quoted:
            edits = edits_of(document, sentence, {word.index: match.group(1).lower()})
            why = "The second half names the founders without gender."
            yield Proposal(word.start, word.end, "founders", why, edits, "a")


def _why(mention: PersonMention, problem: str) -> str:
    term, word = mention.term, mention.word.text
    offer = f"{term.neutral} is a word for both" if term.neutral else term.why
    return f"{word} shows gender{f'; {offer}' if offer else ''}; left alone: {problem}."


def _beside(sentence: RussianSentence, mention: PersonMention) -> str:
    """Return a word of the sentence that calls women women, or tells of their men."""
    for word in sentence.words:
        if is_woman_without_pair(word):
            return word.text
        for form in word.likely:
            term, side = terms_by_lemma().get(form.lemma, (None, ""))
            if form.pos != "NOUN" or word.index == mention.word.index:
                continue
            gendered = form.lemma in _MEN or side == "b"
            if term is not None and gendered and term.rule not in _CERTAIN:
                return word.text
    return ""


def _problem(sentence: RussianSentence, mention: PersonMention) -> str:
    """Say why a word cannot be replaced without changing what else agrees with it."""
    term = mention.term
    if term.rule not in _CERTAIN:
        return "no word says the same of both" if not term.neutral else "it says less"
    if gender_of(term.neutral) == mention.gender:
        return ""
    if sentence.bound:
        return "the sentence has a word that is bound to one gender"
    if other := _beside(sentence, mention):
        return f"{other} beside it keeps its gender"
    if not mention.singular:
        return told_one_by_one(sentence, (mention,), mention.indices)
    if sentence.named:
        return "a name in the sentence may be of that person"
    if any(PRONOUNS[plain(word.text)] == mention.gender for word in pronouns_in(sentence)):
        return "a pronoun in the sentence may stand for that person"
    changes, problem = agreeing_changes(sentence, (mention,), [])
    if changes:
        return "a verb or adjective in the sentence shows the gender too"
    return problem

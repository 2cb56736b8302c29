"""Suggest changes to a Russian text: swaps of gender, neutral words, and flags."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from fairvec.languages.rewriting import Aim, Proposal, rewrite_table
from fairvec.languages.ru.agreement import agreeing_words, bare_adjectives, unchanged_person
from fairvec.languages.ru.mentions import (
    PRONOUNS,
    Mention,
    PronounChange,
    find_mentions,
    find_pronouns,
    inflect_mention,
    pronoun_changes,
    terms_by_lemma,
)
from fairvec.languages.ru.morphology import OTHER_GENDER, forms_of, gender_of
from fairvec.languages.ru.sentences import (
    RussianSentence,
    RussianWord,
    governed_cases,
    plain,
    sentences_of_document,
    spell_edits,
)
from fairvec.languages.text import Document


@dataclass(frozen=True)
class SentencePlan:
    """What is gendered in a sentence, what each word becomes, and why nothing does, if so."""

    sentence: RussianSentence
    mentions: tuple[Mention, ...]
    pronouns: tuple[RussianWord, ...]
    changes: dict[int, str]
    problem: str = ""

    @property
    def genders(self) -> frozenset[str]:
        """The genders of the single people in it."""
        people = {mention.gender for mention in self.mentions if mention.singular}
        return frozenset(people | {PRONOUNS[plain(word.text)] for word in self.pronouns})


def swap_plan(sentence: RussianSentence) -> SentencePlan:
    """Return the plan that gives every person of a sentence the other gender."""
    mentions = find_mentions(sentence)
    pronouns = tuple(find_pronouns(sentence))
    if not mentions and not pronouns:
        return SentencePlan(sentence, (), (), {})
    changes: dict[int, str] = {}
    problem = _sentence_obstacle(sentence)
    for mention in mentions:
        problem = problem or mention.problem or _counterpart_problem(mention)
        if not problem:
            lemma = mention.term.b if mention.side == "a" else mention.term.a
            new = inflect_mention(mention, lemma)
            problem = "" if new else f"the case of {mention.word.text} is not certain"
            changes |= new
    if not problem:
        moved, problem = pronoun_changes(sentence, mentions)
        if not problem:
            changes |= {change.word.index: change.new for change in moved}
            more, problem = agreeing_changes(sentence, mentions, moved)
            changes |= more
            problem = problem or _unchanged_person_problem(sentence, mentions, moved, changes)
    return SentencePlan(sentence, mentions, pronouns, {} if problem else changes, problem)


def _unchanged_person_problem(
    sentence: RussianSentence,
    mentions: tuple[Mention, ...],
    pronouns: list[PronounChange],
    changes: dict[int, str],
) -> str:
    """Say which word for a person would keep its gender beside those that change."""
    taken = {place for mention in mentions for place in mention.indices} | set(changes)
    subjects = {mention.word.index for mention in mentions if mention.subject}
    subjects |= {change.word.index for change in pronouns if change.subject}
    other = unchanged_person(sentence, taken, subjects)
    return f"{other} would keep its gender" if other else ""


def agreeing_changes(
    sentence: RussianSentence,
    mentions: tuple[Mention, ...],
    pronouns: list[PronounChange],
) -> tuple[dict[int, str], str]:
    """Return what agrees with the single people elsewhere in a sentence, or what is uncertain."""
    taken = frozenset(i for mention in mentions for i in mention.indices)
    taken |= frozenset(change.word.index for change in pronouns)
    changes: dict[int, str] = {}
    if problem := may_be_one_of_them(sentence, mentions, taken):
        return {}, problem
    for gender in OTHER_GENDER:
        people = [m for m in mentions if m.gender == gender and m.singular]
        moved = [change for change in pronouns if change.gender == gender]
        if not people and not moved:
            continue
        if problem := _same_person_problem(sentence, gender, taken):
            return {}, problem
        relatives, nominative, problem = _relatives(sentence, gender, people)
        if problem:
            return {}, problem
        subjects = frozenset(
            {m.word.index for m in people if m.subject}
            | {change.word.index for change in moved if change.subject}
            | nominative
        )
        found = agreeing_words(sentence, gender, subjects, taken | frozenset(relatives))
        if found.problem:
            return {}, found.problem
        changes |= relatives | found.changes
    return changes, ""


def may_be_one_of_them(
    sentence: RussianSentence, mentions: tuple[Mention, ...], taken: frozenset[int]
) -> str:
    """Say which word may be one of several people: девочки пришли, одна за другой."""
    genders = {mention.gender for mention in mentions if not mention.singular}
    for word in sentence.words:
        if word.index not in taken and any(
            bare_adjectives(sentence, word, gender, taken) for gender in genders
        ):
            return f"{word.text} may be one of them"
    return ""


def _sentence_obstacle(sentence: RussianSentence) -> str:
    if sentence.named:
        return "a name in the sentence would not fit"
    if sentence.bound:
        return "the sentence has a word that is bound to one gender"
    both = rewrite_table("ru").lists["both"]
    for word in sentence.words:
        if word.lowercase in both or is_unlisted_feminine(word):
            return f"{word.text} would stay as it is"
    return ""


def is_unlisted_feminine(word: RussianWord) -> bool:
    """Whether a word is a feminine one for a living being that no table holds."""
    generic = rewrite_table("ru").lists["generic"]
    return bool(word.likely_forms) and all(
        form.pos == "NOUN"
        and form.gender == "femn"
        and "anim" in form.tags
        and form.lemma not in terms_by_lemma()
        and form.lemma not in generic
        for form in word.likely_forms
    )


def _counterpart_problem(mention: Mention) -> str:
    lists = rewrite_table("ru").lists
    if not mention.term.a or not mention.term.b:
        return f"{mention.word.text} has no certain counterpart"
    generic = mention.term.rule in lists["generic_rules"] and mention.side == "a"
    if (mention.counted or any(form.number == "plur" for form in mention.forms)) and (
        generic or mention.term.a in lists["generic_plurals"]
    ):
        return f"the plural {mention.word.text} may mean men and women"
    return ""


def _same_person_problem(sentence: RussianSentence, gender: str, taken: frozenset[int]) -> str:
    """Say which word may say of a person what person it is, and would keep its gender."""
    generic = rewrite_table("ru").lists["generic"]
    for word in sentence.words:
        for form in word.likely_forms:
            if (
                word.index not in taken
                and not word.may_be("ADJF", "PRTF")
                and form.pos == "NOUN"
                and "anim" in form.tags
                and form.case in {"nomn", "ablt"}
                and (form.number, form.gender) == ("sing", gender)
                and form.lemma not in generic
            ):
                return f"{word.text} may be the same person"
    return ""


def _relatives(
    sentence: RussianSentence, gender: str, people: list[Mention]
) -> tuple[dict[int, str], frozenset[int], str]:
    """Return what each который of a person becomes, and which of them are subjects."""
    changes: dict[int, str] = {}
    subjects = set()
    ends = {mention.word.index: mention for mention in people}
    for word in sentence.words:
        forms = [
            form
            for form in word.likely_forms
            if form.lemma in {"который", "чей"}
            and (form.number, form.gender) == ("sing", gender)
            and not {"accs", "inan"} <= form.tags
        ]
        if not forms:
            continue
        cases = governed_cases(sentence, (), word)
        last = word.index - 1 - bool(cases)
        if last not in ends:
            before = sentence.words[last].clause if last >= 0 else -1
            if any(sentence.words[place].clause == before for place in ends):
                return {}, frozenset(), f"it is not certain whom {word.text} stands for"
            continue
        fitting = [f for f in forms if (f.case in cases if cases else f.case != "loct")]
        alive = ["anim"] if gender == "femn" else []
        results = {
            form.changed(
                OTHER_GENDER[gender], form.case, "sing", *(alive if form.case == "accs" else [])
            )
            for form in fitting
        }
        if len(results) != 1 or "" in results:
            return {}, frozenset(), f"the case of {word.text} is not certain"
        changes[word.index] = results.pop()
        if any(form.case == "nomn" for form in fitting):
            subjects.add(word.index)
    return changes, frozenset(subjects), ""


_CERTAIN = ("occupation", "marked", "trade")
_ALREADY_NEUTRAL = ("occupation", "marked", "role")
_MEN = ("муж", "жених", "супруг")
FOUNDERS = re.compile(r"отцы?[а-яё]*-(основател[а-яё]+)", re.IGNORECASE)


def neutral_proposals(document: Document, sentence: RussianSentence) -> Iterator[Proposal]:
    """Give what could be said without gender in a sentence."""
    for mention in find_mentions(sentence):
        word, term = mention.word, mention.term
        if mention.side == "a" and term.rule in _ALREADY_NEUTRAL:
            if mention.run and any(f.lemma == "каждый" for w in mention.run for f in w.forms):
                why = f"каждый and {word.text} are meant for everybody; the plural shows no gender."
                yield Proposal(mention.run[0].start, word.end, "each", why, (), "a")
            continue
        problem = mention.problem or _problem(sentence, mention)
        new = {} if problem else inflect_mention(mention, term.neutral)
        if new:
            why = f"{term.neutral} is said of men and women."
            edits = spell_edits(document, sentence, new)
            yield Proposal(edits[0].start, edits[-1].end, term.rule, why, edits, mention.side)
            continue
        problem = problem or f"the case of {word.text} is not certain"
        yield Proposal(
            word.start, word.end, term.rule, _flag_reason(mention, problem), (), mention.side
        )
    for word in sentence.words:
        if (match := FOUNDERS.fullmatch(word.text)) and not word.quoted:
            edits = spell_edits(document, sentence, {word.index: match.group(1).lower()})
            why = "The second half names the founders without gender."
            yield Proposal(word.start, word.end, "founders", why, edits, "a")


def _flag_reason(mention: Mention, problem: str) -> str:
    term, word = mention.term, mention.word.text
    offer = f"{term.neutral} is a word for both" if term.neutral else term.why
    return f"{word} shows gender{f'; {offer}' if offer else ''}; left alone: {problem}."


def _gendered_neighbour(sentence: RussianSentence, mention: Mention) -> str:
    """Return a word of the sentence that calls women women, or tells of their men."""
    for word in sentence.words:
        if is_unlisted_feminine(word):
            return word.text
        for form in word.likely_forms:
            term, side = terms_by_lemma().get(form.lemma, (None, ""))
            if form.pos != "NOUN" or word.index == mention.word.index:
                continue
            gendered = form.lemma in _MEN or side == "b"
            if term is not None and gendered and term.rule not in _CERTAIN:
                return word.text
    return ""


def _problem(sentence: RussianSentence, mention: Mention) -> str:
    """Say why a word cannot be replaced without changing what else agrees with it."""
    term = mention.term
    if term.rule not in _CERTAIN:
        return "no word says the same of both" if not term.neutral else "it says less"
    if gender_of(term.neutral) == mention.gender:
        return ""
    if sentence.bound:
        return "the sentence has a word that is bound to one gender"
    if other := _gendered_neighbour(sentence, mention):
        return f"{other} beside it keeps its gender"
    if not mention.singular:
        return may_be_one_of_them(sentence, (mention,), mention.indices)
    if sentence.named:
        return "a name in the sentence may be of that person"
    if any(PRONOUNS[plain(word.text)] == mention.gender for word in find_pronouns(sentence)):
        return "a pronoun in the sentence may stand for that person"
    changes, problem = agreeing_changes(sentence, (mention,), [])
    if changes:
        return "a verb or adjective in the sentence shows the gender too"
    return problem


_SIDES: dict[str, Literal["a", "b"]] = {"masc": "a", "femn": "b"}


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Return what could be changed in a Russian text, in the order of its sentences."""
    found: list[Proposal] = []
    paragraphs = groupby(sentences_of_document(document), key=lambda pair: pair[0])
    for _, pairs in paragraphs:
        sentences = [sentence for _, sentence in pairs]
        plans = _reconcile([swap_plan(sentence) for sentence in sentences]) if aim == "swap" else []
        for number, sentence in enumerate(sentences):
            found += _flags(sentence, aim)
            if aim == "swap":
                found += _swaps(document, plans[number])
            else:
                found += neutral_proposals(document, sentence)
    return tuple(found)


def _reconcile(plans: list[SentencePlan]) -> list[SentencePlan]:
    """Return the plans of a paragraph, less those that another sentence of it would contradict."""
    if any(plan.sentence.named for plan in plans):
        why = "a name in the paragraph may be of the same person"
        plans = [_hold_back(plan, why) if plan.genders else plan for plan in plans]
    if any(_has_unchanged_person(plan) for plan in plans):
        why = "a pronoun in the paragraph may stand for somebody who keeps a gender"
        plans = [_hold_back(plan, why) if plan.pronouns else plan for plan in plans]
    for gender in OTHER_GENDER:
        if not any(gender in plan.genders and not plan.problem for plan in plans):
            continue
        if _still_shows_gender(plans, gender):
            why = "another sentence of the paragraph would still show the gender"
            plans = [_hold_back(plan, why) if gender in plan.genders else plan for plan in plans]
    # A sentence that was stopped for one gender keeps the other one too.
    stopped = {gender for plan in plans if plan.problem for gender in plan.genders}
    why = "another sentence of the paragraph is left alone"
    return [
        _hold_back(plan, why) if plan.pronouns and plan.genders & stopped else plan
        for plan in plans
    ]


def _has_unchanged_person(plan: SentencePlan) -> bool:
    taken = {place for mention in plan.mentions for place in mention.indices}
    unchanged = bool(plan.problem) or not plan.changes
    return unchanged and bool(unchanged_person(plan.sentence, taken, ()))


def _still_shows_gender(plans: list[SentencePlan], gender: str) -> bool:
    for plan in plans:
        if plan.problem and any(PRONOUNS[plain(word.text)] == gender for word in plan.pronouns):
            return True
        if gender not in plan.genders:
            taken = frozenset(i for mention in plan.mentions for i in mention.indices)
            if agreeing_words(plan.sentence, gender, frozenset(), taken).problem:
                return True
    return False


def _hold_back(plan: SentencePlan, why: str) -> SentencePlan:
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
    mention_indices = {i for mention in plan.mentions for i in mention.indices}
    if plan.pronouns or (len(plan.mentions) > 1 and set(plan.changes) - mention_indices):
        sides = {_SIDES[gender] for gender in plan.genders}
        rule = "pronoun" if plan.pronouns else plan.mentions[0].term.rule
        edits = spell_edits(document, sentence, plan.changes)
        why = "Everybody in the sentence changes gender, and what agrees with them."
        side: Literal["a", "b", ""] = sides.pop() if len(sides) == 1 else ""
        yield Proposal(edits[0].start, edits[-1].end, rule, why, edits, side)
        return
    for mention in plan.mentions:
        own_changes = {
            i: new
            for i, new in plan.changes.items()
            if i in mention.indices or i not in mention_indices
        }
        edits = spell_edits(document, sentence, own_changes)
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
        parts = word.lowercase.split("-")
        if (
            len(parts) == 1
            or plain(word.text) in lists["fixed_compounds"]
            or word.lowercase in terms
        ):
            continue
        if aim == "neutral" and FOUNDERS.fullmatch(word.text) and not word.quoted:
            continue
        halves = [next(iter(forms_of(part)), None) for part in parts if part]
        if any(half is not None and half.known and half.lemma in terms for half in halves):
            why = f"A half of {word.text} shows gender; without it the word may be for both."
            yield Proposal(word.start, word.end, "compound", why)

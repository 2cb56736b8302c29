"""Suggest changes to a Russian text: swaps of gender, neutral words, and flags."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from fairvec.languages.rewriting import (
    Located,
    UncertainError,
    in_order,
    obstacle,
    reason,
    rewrite_table,
    suggest_at,
)
from fairvec.languages.ru.agreement import agreeing_words, bare_adjectives, unchanged_person
from fairvec.languages.ru.mentions import (
    Mention,
    PronounChange,
    find_mentions,
    find_pronouns,
    inflect_mention,
    is_term_form,
    pronoun_changes,
    pronoun_gender,
    terms_by_lemma,
)
from fairvec.languages.ru.morphology import OTHER_GENDER, forms_of, gender_of
from fairvec.languages.ru.sentences import (
    RussianSentence,
    RussianWord,
    governed_cases,
    paragraphs_with,
    phrases_in,
    plain,
    spell_edits,
)
from fairvec.languages.text import Document
from fairvec.results.documents import Aim, Side, Suggestion


@dataclass(frozen=True)
class SentencePlan:
    """The gendered words of a sentence and their replacements, or why there are none."""

    sentence: RussianSentence
    mentions: tuple[Mention, ...]
    pronouns: tuple[RussianWord, ...]
    changes: dict[int, str]
    problem: UncertainError | None = None

    @property
    def genders(self) -> frozenset[str]:
        """The genders of the single people in it."""
        people = {mention.gender for mention in self.mentions if mention.singular}
        return frozenset(people | set(map(pronoun_gender, self.pronouns)))


def swap_plan(sentence: RussianSentence) -> SentencePlan:
    """Return the plan that gives every person of a sentence the other gender."""
    mentions = find_mentions(sentence)
    pronouns = tuple(find_pronouns(sentence))
    if not mentions and not pronouns:
        return SentencePlan(sentence, (), (), {})
    try:
        return SentencePlan(sentence, mentions, pronouns, _swap_changes(sentence, mentions))
    except UncertainError as problem:
        return SentencePlan(sentence, mentions, pronouns, {}, problem.with_traceback(None))


def _swap_changes(sentence: RussianSentence, mentions: tuple[Mention, ...]) -> dict[int, str]:
    """Return all words that change with the gender of the people, or raise UncertainError."""
    _check_sentence(sentence)
    changes: dict[int, str] = {}
    for mention in mentions:
        mention.check()
        _check_counterpart(mention)
        changes |= inflect_mention(mention, mention.counterpart)
    pronouns = pronoun_changes(sentence, mentions)
    changes |= {change.word.index: change.new for change in pronouns}
    changes |= agreeing_changes(sentence, mentions, pronouns)
    _check_others(sentence, mentions, pronouns, changes)
    return changes


def _check_others(
    sentence: RussianSentence,
    mentions: tuple[Mention, ...],
    pronouns: list[PronounChange],
    changes: dict[int, str],
) -> None:
    """Raise UncertainError if a person's word would keep its gender."""
    changing = {place for mention in mentions for place in mention.indices} | set(changes)
    subjects = {mention.word.index for mention in mentions if mention.subject}
    subjects |= {change.word.index for change in pronouns if change.subject}
    if other := unchanged_person(sentence, changing, subjects):
        raise UncertainError("unchanged-person", word=other)


def agreeing_changes(
    sentence: RussianSentence,
    mentions: tuple[Mention, ...],
    pronouns: list[PronounChange],
) -> dict[int, str]:
    """Return the changes of words that agree with single people, or raise UncertainError."""
    mentioned = frozenset(i for mention in mentions for i in mention.indices)
    mentioned |= frozenset(change.word.index for change in pronouns)
    changes: dict[int, str] = {}
    _check_one_of_them(sentence, mentions, mentioned)
    for gender in OTHER_GENDER:
        people = [m for m in mentions if m.gender == gender and m.singular]
        own_pronouns = [change for change in pronouns if change.gender == gender]
        if not people and not own_pronouns:
            continue
        _check_same_person(sentence, gender, mentioned)
        relatives, nominative = _relatives(sentence, gender, people)
        subjects = frozenset(
            {m.word.index for m in people if m.subject}
            | {change.word.index for change in own_pronouns if change.subject}
            | nominative
        )
        agreeing = agreeing_words(sentence, gender, subjects, mentioned | frozenset(relatives))
        changes |= relatives | agreeing
    return changes


def _check_one_of_them(
    sentence: RussianSentence, mentions: tuple[Mention, ...], mentioned: frozenset[int]
) -> None:
    """Raise UncertainError at a word for one of several people: девочки пришли, одна за другой."""
    genders = {mention.gender for mention in mentions if not mention.singular}
    for word in sentence.words:
        if word.index not in mentioned and any(
            bare_adjectives(sentence, word, gender, mentioned) for gender in genders
        ):
            raise UncertainError("one-of-them", word=word.text)


def _check_sentence(sentence: RussianSentence) -> None:
    if sentence.has_name:
        raise UncertainError("name")
    if sentence.bound:
        raise UncertainError("bound")
    both = rewrite_table("ru").lists["both"]
    for word in sentence.words:
        if word.lowercase in both or is_unlisted_feminine(word):
            raise UncertainError("unchanged-word", word=word.text)


def is_unlisted_feminine(word: RussianWord) -> bool:
    """Whether a word is a feminine noun for a living being that is in no table."""
    generic = rewrite_table("ru").lists["generic"]
    return bool(word.likely_forms) and all(
        form.pos == "NOUN"
        and form.gender == "femn"
        and "anim" in form.tags
        and form.lemma not in terms_by_lemma()
        and form.lemma not in generic
        for form in word.likely_forms
    )


def _check_counterpart(mention: Mention) -> None:
    lists = rewrite_table("ru").lists
    if not mention.term.a or not mention.term.b:
        raise UncertainError("no-counterpart", word=mention.word.text)
    generic = mention.term.rule in lists["generic_rules"] and mention.side == "a"
    if (mention.counted or any(form.number == "plur" for form in mention.forms)) and (
        generic or mention.term.a in lists["generic_plurals"]
    ):
        raise UncertainError("generic-plural", word=mention.word.text)


def _check_same_person(sentence: RussianSentence, gender: str, mentioned: frozenset[int]) -> None:
    """Raise UncertainError at a word that may name the same person and would keep its gender."""
    generic = rewrite_table("ru").lists["generic"]
    for word in sentence.words:
        for form in word.likely_forms:
            if (
                word.index not in mentioned
                and not word.may_be("ADJF", "PRTF")
                and form.pos == "NOUN"
                and "anim" in form.tags
                and form.case in {"nomn", "ablt"}
                and (form.number, form.gender) == ("sing", gender)
                and form.lemma not in generic
            ):
                raise UncertainError("same-person", word=word.text)


def _relatives(
    sentence: RussianSentence, gender: str, people: list[Mention]
) -> tuple[dict[int, str], frozenset[int]]:
    """Return the change of each который of a person, and which of them are subjects."""
    changes: dict[int, str] = {}
    subjects = set()
    relative = rewrite_table("ru").lists["relative"]
    ends = {mention.word.index: mention for mention in people}
    for word in sentence.words:
        forms = [
            form
            for form in word.likely_forms
            if form.lemma in relative
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
                raise UncertainError("relative", word=word.text)
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
            raise UncertainError("case", word=word.text)
        changes[word.index] = results.pop()
        if any(form.case == "nomn" for form in fitting):
            subjects.add(word.index)
    return changes, frozenset(subjects)


_CERTAIN = ("occupation", "marked", "trade")
_ALREADY_NEUTRAL = ("occupation", "marked", "role")
FOUNDERS = re.compile(r"отцы?[а-яё]*-(основател[а-яё]+)", re.IGNORECASE)


def neutral_suggestions(document: Document, sentence: RussianSentence) -> Iterator[Suggestion]:
    """Yield the suggestions of neutral words for a sentence."""
    for mention in find_mentions(sentence):
        word, term = mention.word, mention.term
        if mention.side == "a" and term.rule in _ALREADY_NEUTRAL:
            if mention.run and any(f.lemma == "каждый" for w in mention.run for f in w.forms):
                why = reason("ru", "each", word=word.text)
                yield suggest_at(mention.run[0], word, "each", why, "a")
            continue
        try:
            edits = spell_edits(document, sentence, _neutral_changes(sentence, mention))
            why = reason("ru", "neutral", word=term.neutral)
        except UncertainError as problem:
            edits, why = (), _flag_with_offer(mention, problem)
        at: Sequence[Located] = edits or (word,)
        rule, side, words = term.rule, mention.side, (term.neutral,)
        name = term.a if side == "a" else term.b
        yield suggest_at(at[0], at[-1], rule, why, side, edits=edits, candidates=words, term=name)
    for word in sentence.words:
        if (match := FOUNDERS.fullmatch(word.text)) and not word.quoted:
            edits = spell_edits(document, sentence, {word.index: match.group(1).lower()})
            why = reason("ru", "founders-named")
            yield suggest_at(word, word, "founders", why, "a", edits=edits)


def _flag_with_offer(mention: Mention, problem: UncertainError) -> str:
    term, word = mention.term, mention.word
    offer = reason("ru", "neutral-word", word=term.neutral) if term.neutral else term.why
    if not offer:
        return _flag_reason(word, problem)
    why = problem.reason("ru")
    return reason("ru", "flag-with-offer", word=word.text, offer=offer, reason=why)


def _flag_reason(word: RussianWord, problem: UncertainError) -> str:
    return reason("ru", "flag", word=word.text, reason=problem.reason("ru"))


def _gendered_neighbour(sentence: RussianSentence, mention: Mention) -> str:
    """Return a word of the sentence that names women as such, or men beside them."""
    for word in sentence.words:
        if is_unlisted_feminine(word):
            return word.text
        for form in word.likely_forms:
            term, side = terms_by_lemma().get(form.lemma, (None, ""))
            if form.pos != "NOUN" or word.index == mention.word.index:
                continue
            gendered = form.lemma in rewrite_table("ru").lists["men"] or side == "b"
            if term is not None and gendered and term.rule not in _CERTAIN:
                return word.text
    return ""


def _neutral_changes(sentence: RussianSentence, mention: Mention) -> dict[int, str]:
    """Return the forms of the neutral word and what stands before it, or raise UncertainError."""
    mention.check()
    _check_neutral(sentence, mention)
    return inflect_mention(mention, mention.term.neutral)


def _check_neutral(sentence: RussianSentence, mention: Mention) -> None:
    """Raise UncertainError if a word is not replaced without changing others that agree."""
    term = mention.term
    if term.rule not in _CERTAIN:
        raise UncertainError("says-less" if term.neutral else "no-neutral-word")
    if gender_of(term.neutral) == mention.gender:
        return
    if sentence.bound:
        raise UncertainError("bound")
    if other := _gendered_neighbour(sentence, mention):
        raise UncertainError("neighbour", word=other)
    if not mention.singular:
        _check_one_of_them(sentence, (mention,), mention.indices)
        return
    if sentence.has_name:
        raise UncertainError("own-name")
    if any(pronoun_gender(word) == mention.gender for word in find_pronouns(sentence)):
        raise UncertainError("own-pronoun")
    if agreeing_changes(sentence, (mention,), []):
        raise UncertainError("agreement")


_SIDES: dict[str, Literal["a", "b"]] = {"masc": "a", "femn": "b"}


def suggest(document: Document, aim: Aim) -> Iterator[Suggestion]:
    """Yield what could be changed in a Russian text, in its order."""
    for sentences, endless in paragraphs_with(_may_concern, document, whole=aim == "swap"):
        plans = _reconcile([swap_plan(sentence) for sentence in sentences]) if aim == "swap" else []
        if endless:
            plans = [_without_changes(plan, "endless") if plan.genders else plan for plan in plans]
        for number, sentence in enumerate(sentences):
            suggestions = [*_flags(sentence, aim)]
            if aim == "swap":
                suggestions += _swaps(document, plans[number])
            else:
                suggestions += neutral_suggestions(document, sentence)
            yield from in_order(suggestions)


@lru_cache(20_000)
def _may_concern(token: str) -> bool:
    """Whether a word may be a term, a pronoun, or a compound of one."""
    pronouns = rewrite_table("ru").tables["pronouns"]
    return is_term_form(token) or plain(token) in pronouns or not token.isalnum()


def _reconcile(plans: list[SentencePlan]) -> list[SentencePlan]:
    """Return the plans of a paragraph, less those that another sentence of it would contradict."""
    undecided = [plan for plan in plans if plan.genders and not plan.problem]
    if not undecided:
        return plans
    if any(plan.sentence.has_name for plan in plans):
        why = "name-in-paragraph"
        return [_without_changes(plan, why) if plan.genders else plan for plan in plans]
    if any(plan.pronouns for plan in undecided) and any(map(_has_unchanged_person, plans)):
        why = "pronoun-in-paragraph"
        plans = [_without_changes(plan, why) if plan.pronouns else plan for plan in plans]
    for gender in OTHER_GENDER:
        if not any(gender in plan.genders and not plan.problem for plan in plans):
            continue
        if _still_shows_gender(plans, gender):
            why = "gender-in-paragraph"
            plans = [
                _without_changes(plan, why) if gender in plan.genders else plan for plan in plans
            ]
    # A sentence that is not changed for one gender keeps the other one too.
    stopped = {gender for plan in plans if plan.problem for gender in plan.genders}
    why = "paragraph"
    return [
        _without_changes(plan, why) if plan.pronouns and plan.genders & stopped else plan
        for plan in plans
    ]


def _has_unchanged_person(plan: SentencePlan) -> bool:
    mentioned = {place for mention in plan.mentions for place in mention.indices}
    unchanged = bool(plan.problem) or not plan.changes
    return unchanged and bool(unchanged_person(plan.sentence, mentioned, ()))


def _still_shows_gender(plans: list[SentencePlan], gender: str) -> bool:
    for plan in plans:
        if plan.problem and gender in map(pronoun_gender, plan.pronouns):
            return True
        if gender not in plan.genders:
            mentioned = frozenset(i for mention in plan.mentions for i in mention.indices)
            if obstacle(agreeing_words, plan.sentence, gender, frozenset(), mentioned):
                return True
    return False


def _without_changes(plan: SentencePlan, key: str) -> SentencePlan:
    return replace(plan, changes={}, problem=plan.problem or UncertainError(key))


def _swaps(document: Document, plan: SentencePlan) -> Iterator[Suggestion]:
    """Yield the suggestions of a plan: one for each person if nothing else has to agree."""
    sentence = plan.sentence
    if plan.problem:
        for mention in plan.mentions:
            word = mention.word
            why, rule = _flag_reason(word, plan.problem), mention.term.rule
            words = (mention.counterpart,)
            yield suggest_at(word, word, rule, why, mention.side, candidates=words)
        for word in () if plan.mentions else plan.pronouns[:1]:
            why = _flag_reason(word, plan.problem)
            yield suggest_at(word, word, "pronoun", why, _SIDES[pronoun_gender(word)])
        return
    mention_indices = {i for mention in plan.mentions for i in mention.indices}
    if plan.pronouns or (len(plan.mentions) > 1 and set(plan.changes) - mention_indices):
        sides = {_SIDES[gender] for gender in plan.genders}
        rule = "pronoun" if plan.pronouns else plan.mentions[0].term.rule
        edits = spell_edits(document, sentence, plan.changes)
        why = reason("ru", "everybody-swapped")
        side: Side = sides.pop() if len(sides) == 1 else ""
        yield suggest_at(edits[0], edits[-1], rule, why, side, edits=edits)
        return
    for mention in plan.mentions:
        own_changes = {
            i: new
            for i, new in plan.changes.items()
            if i in mention.indices or i not in mention_indices
        }
        edits = spell_edits(document, sentence, own_changes)
        why = reason("ru", "swapped", word=mention.counterpart)
        rule, side, words = mention.term.rule, mention.side, (mention.counterpart,)
        yield suggest_at(edits[0], edits[-1], rule, why, side, edits=edits, candidates=words)


def _flags(sentence: RussianSentence, aim: Aim) -> Iterator[Suggestion]:
    """Yield flags where no rule rewrites: pairs of pronouns meant for everybody, and compounds."""
    lists = rewrite_table("ru").lists
    for first, last in phrases_in(plain(sentence.text), "both_pronouns"):
        start, end = first + sentence.start, last + sentence.start
        why = reason("ru", "pair-for-everybody")
        yield Suggestion(start=start, end=end, rule="both-pronouns", reason=why)
    terms = terms_by_lemma()
    for word in sentence.words:
        if "-" not in word.text:
            continue
        parts = word.lowercase.split("-")
        if plain(word.text) in lists["fixed_compounds"] or word.lowercase in terms:
            continue
        if aim == "neutral" and FOUNDERS.fullmatch(word.text) and not word.quoted:
            continue
        halves = [forms_of(part)[0] for part in parts if is_term_form(part)]
        if any(half.known and half.lemma in terms for half in halves):
            why = reason("ru", "half-shows-gender", word=word.text)
            yield suggest_at(word, word, "compound", why)

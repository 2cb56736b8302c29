"""Everybody of a sentence changes gender, with all that agrees, or nobody does."""

from dataclasses import dataclass

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.rewriting.russian.bystanders import bystander
from fairvec.tasks.documents.rewriting.russian.government import governed
from fairvec.tasks.documents.rewriting.russian.mentions import (
    PersonMention,
    mentions_of,
    replaced_by,
    terms_by_lemma,
)
from fairvec.tasks.documents.rewriting.russian.morphology import OTHER_GENDER
from fairvec.tasks.documents.rewriting.russian.pronouns import (
    PRONOUNS,
    PronounChange,
    pronoun_changes,
    pronouns_in,
)
from fairvec.tasks.documents.rewriting.russian.sentence import (
    RussianSentence,
    RussianWord,
    plain,
)
from fairvec.tasks.documents.rewriting.russian.subjects import agreement, loose_forms


@dataclass(frozen=True)
class SentencePlan:
    """What is gendered in a sentence, what each word becomes, and why nothing does, if so."""

    sentence: RussianSentence
    mentions: tuple[PersonMention, ...]
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
    mentions = mentions_of(sentence)
    pronouns = tuple(pronouns_in(sentence))
    if not mentions and not pronouns:
        return SentencePlan(sentence, (), (), {})
    changes: dict[int, str] = {}
    problem = _obstacle(sentence)
    for mention in mentions:
        problem = problem or mention.problem or _without_pair(mention)
        if not problem:
            lemma = mention.term.b if mention.side == "a" else mention.term.a
            new = replaced_by(mention, lemma)
            problem = "" if new else f"the case of {mention.word.text} is not certain"
            changes |= new
    if not problem:
        moved, problem = pronoun_changes(sentence, mentions)
        if not problem:
            changes |= {change.word.index: change.new for change in moved}
            more, problem = agreeing_changes(sentence, mentions, moved)
            changes |= more
            problem = problem or _left_behind(sentence, mentions, moved, changes)
    return SentencePlan(sentence, mentions, pronouns, {} if problem else changes, problem)


def _left_behind(
    sentence: RussianSentence,
    mentions: tuple[PersonMention, ...],
    pronouns: list[PronounChange],
    changes: dict[int, str],
) -> str:
    """Say which word for a person would keep its gender beside those that change."""
    taken = {place for mention in mentions for place in mention.indices} | set(changes)
    subjects = {mention.word.index for mention in mentions if mention.subject}
    subjects |= {change.word.index for change in pronouns if change.subject}
    other = bystander(sentence, taken, subjects)
    return f"{other} would keep its gender" if other else ""


def agreeing_changes(
    sentence: RussianSentence,
    mentions: tuple[PersonMention, ...],
    pronouns: list[PronounChange],
) -> tuple[dict[int, str], str]:
    """Return what agrees with the single people elsewhere in a sentence, or what is uncertain."""
    taken = frozenset(i for mention in mentions for i in mention.indices)
    taken |= frozenset(change.word.index for change in pronouns)
    changes: dict[int, str] = {}
    if problem := told_one_by_one(sentence, mentions, taken):
        return {}, problem
    for gender in OTHER_GENDER:
        people = [m for m in mentions if m.gender == gender and m.singular]
        moved = [change for change in pronouns if change.gender == gender]
        if not people and not moved:
            continue
        if problem := _another_person(sentence, gender, taken):
            return {}, problem
        relatives, nominative, problem = _relatives(sentence, gender, people)
        if problem:
            return {}, problem
        subjects = frozenset(
            {m.word.index for m in people if m.subject}
            | {change.word.index for change in moved if change.subject}
            | nominative
        )
        found = agreement(sentence, gender, subjects, taken | frozenset(relatives))
        if found.problem:
            return {}, found.problem
        changes |= relatives | found.changes
    return changes, ""


def told_one_by_one(
    sentence: RussianSentence, mentions: tuple[PersonMention, ...], taken: frozenset[int]
) -> str:
    """Say which word may be one of several people: девочки пришли, одна за другой."""
    genders = {mention.gender for mention in mentions if not mention.singular}
    for word in sentence.words:
        if word.index not in taken and any(
            loose_forms(sentence, word, gender, taken) for gender in genders
        ):
            return f"{word.text} may be one of them"
    return ""


def _obstacle(sentence: RussianSentence) -> str:
    if sentence.named:
        return "a name in the sentence would not fit"
    if sentence.bound:
        return "the sentence has a word that is bound to one gender"
    both = rewrite_table("ru").lists["both"]
    for word in sentence.words:
        if word.low in both or is_woman_without_pair(word):
            return f"{word.text} would stay as it is"
    return ""


def is_woman_without_pair(word: RussianWord) -> bool:
    """Whether a word is a feminine one for a living being that no table holds."""
    generic = rewrite_table("ru").lists["generic"]
    return bool(word.likely) and all(
        form.pos == "NOUN"
        and form.gender == "femn"
        and "anim" in form.tags
        and form.lemma not in terms_by_lemma()
        and form.lemma not in generic
        for form in word.likely
    )


def _without_pair(mention: PersonMention) -> str:
    lists = rewrite_table("ru").lists
    if not mention.term.a or not mention.term.b:
        return f"{mention.word.text} has no certain counterpart"
    generic = mention.term.rule in lists["generic_rules"] and mention.side == "a"
    if (mention.counted or any(form.number == "plur" for form in mention.forms)) and (
        generic or mention.term.a in lists["generic_plurals"]
    ):
        return f"the plural {mention.word.text} may mean men and women"
    return ""


def _another_person(sentence: RussianSentence, gender: str, taken: frozenset[int]) -> str:
    """Say which word may say of a person what person it is, and would keep its gender."""
    generic = rewrite_table("ru").lists["generic"]
    for word in sentence.words:
        for form in word.likely:
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
    sentence: RussianSentence, gender: str, people: list[PersonMention]
) -> tuple[dict[int, str], frozenset[int], str]:
    """Return what each который of a person becomes, and which of them are subjects."""
    changes: dict[int, str] = {}
    subjects = set()
    ends = {mention.word.index: mention for mention in people}
    for word in sentence.words:
        forms = [
            form
            for form in word.likely
            if form.lemma in {"который", "чей"}
            and (form.number, form.gender) == ("sing", gender)
            and not {"accs", "inan"} <= form.tags
        ]
        if not forms:
            continue
        cases = governed(sentence, (), word)
        last = word.index - 1 - bool(cases)
        if last not in ends:
            before = sentence.words[last].clause if last >= 0 else -1
            if any(sentence.words[place].clause == before for place in ends):
                return {}, frozenset(), f"it is not certain whom {word.text} stands for"
            continue
        fitting = [f for f in forms if (f.case in cases if cases else f.case != "loct")]
        alive = ["anim"] if gender == "femn" else []
        ways = {
            form.changed(
                OTHER_GENDER[gender], form.case, "sing", *(alive if form.case == "accs" else [])
            )
            for form in fitting
        }
        if len(ways) != 1 or "" in ways:
            return {}, frozenset(), f"the case of {word.text} is not certain"
        changes[word.index] = ways.pop()
        if any(form.case == "nomn" for form in fitting):
            subjects.add(word.index)
    return changes, frozenset(subjects), ""

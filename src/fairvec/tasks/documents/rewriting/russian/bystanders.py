"""People of a sentence whom no swap reaches: beside them it would change only half of a couple."""

from collections.abc import Collection

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.rewriting.russian.government import (
    agreeing_run,
    attached,
    word_before,
)
from fairvec.tasks.documents.rewriting.russian.morphology import WordForm
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence, RussianWord

_PERSONAL_NAMES = {"Name", "Surn", "Patr"}


def bystander(
    sentence: RussianSentence, changed: Collection[int], subjects: Collection[int]
) -> str:
    """Return a word for one person that keeps its gender while others change, or nothing.

    Changed are the places of the words that change or agree with one that does; subjects are the
    places of the people who change and may be the subject of a verb.
    """
    for word in sentence.words:
        if word.index not in changed and (
            _young_person(sentence, word)
            or (_one_person(sentence, word, changed) and not _predicate(sentence, word, subjects))
        ):
            return word.text
    return ""


def _young_person(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a word ends молодой человек, which is said of men, in whatever form."""
    before = sentence.words[word.index - 1] if word.index else None
    return (
        before is not None
        and any(form.lemma == "человек" for form in word.likely)
        and any(form.lemma == "молодой" for form in before.likely)
    )


def _one_person(sentence: RussianSentence, word: RussianWord, changed: Collection[int]) -> bool:
    people = _people(word)
    if not people or (word.may_be("ADJF", "PRTF") and attached(sentence, word)):
        return False
    if any(form.lemma == "друг" for form in people) and word.index in sentence.fixed:
        return False  # друг друга
    anyone = rewrite_table("ru").lists["anyone"]
    if all(form.lemma in anyone for form in people):
        return False
    human = all(form.lemma == "человек" for form in people)
    return not human or _shown_as_man(sentence, word, people, changed)


def _people(word: RussianWord) -> list[WordForm]:
    """Return the readings of a word as a noun for one living being with a gender, or of either."""
    first = word.likely[0] if word.likely else None
    if first is None:
        return []
    # Уже is no snake; больной is as soon a noun as an adjective.
    return [
        form
        for form in word.likely
        if (form.lemma == first.lemma or first.pos in {"ADJF", "PRTF"})
        and (_named_by_quality(form) or (form.pos == "NOUN" and "anim" in form.tags))
        and form.number == "sing"
        and (form.gender in {"masc", "femn"} or "ms-f" in form.tags)
        and not form.tags & _PERSONAL_NAMES
    ]


def _named_by_quality(form: WordForm) -> bool:
    """Whether the dictionary has an adjective that is also said of people without a noun."""
    return form.pos == "ADJF" and "Subx" in form.tags and "Apro" not in form.tags


def _shown_as_man(
    sentence: RussianSentence,
    word: RussianWord,
    people: list[WordForm],
    changed: Collection[int],
) -> bool:
    """Whether something that does not change, and may be said of человек, is masculine."""
    if agreeing_run(sentence, word, people)[0]:
        return True
    return any(
        (form.number, form.gender) == ("sing", "masc")
        and (
            form.pos in {"VERB", "ADJS", "PRTS", "NPRO"}
            or (form.pos in {"ADJF", "PRTF"} and not attached(sentence, near))
        )
        for near in sentence.words
        if near.index not in changed
        for form in near.likely
    )


def _predicate(sentence: RussianSentence, word: RussianWord, subjects: Collection[int]) -> bool:
    """Whether a word for both says what somebody who changes was: сестра была врачом."""
    lists = rewrite_table("ru").lists
    if not all(
        form.pos == "NOUN" and form.case == "ablt" and form.lemma in lists["generic"]
        for form in word.likely
    ):
        return False
    before = word_before(sentence, agreeing_run(sentence, word, word.likely)[0], word)
    return (
        before is not None
        and all(form.lemma in lists["copulas"] for form in before.likely)
        and any(sentence.words[place].clause == word.clause for place in subjects)
    )

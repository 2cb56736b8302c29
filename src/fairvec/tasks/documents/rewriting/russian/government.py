"""Which cases the words around a noun allow: prepositions, adjectives, verbs and other nouns."""

from collections.abc import Iterable

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.rewriting.russian.morphology import WordForm
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence, RussianWord


def agreeing_run(
    sentence: RussianSentence, word: RussianWord, nouns: Iterable[WordForm]
) -> tuple[tuple[RussianWord, ...], tuple[WordForm, ...]]:
    """Return the words directly before a noun that agree with it, and the readings they leave."""
    run: list[RussianWord] = []
    forms = tuple(nouns)
    for index in range(word.index - 1, -1, -1):
        near = sentence.words[index]
        if near.clause != word.clause or near.quoted != word.quoted:
            break
        agreeing = tuple(noun for noun in forms if any(agree(f, noun) for f in near.forms))
        if not agreeing and all(form.pos == "ADVB" for form in near.likely):
            continue
        if not agreeing or any(f.lemma in {"который", "чей"} for f in near.forms):
            break
        run.insert(0, near)
        forms = agreeing
    return tuple(run), forms


def agree(form: WordForm, noun: WordForm) -> bool:
    """Whether an adjective's reading agrees with a noun's."""
    if form.pos not in {"ADJF", "PRTF"} or (form.case, form.number) != (noun.case, noun.number):
        return False
    other = "inan" if "anim" in noun.tags else "anim"
    return other not in form.tags and (noun.number == "plur" or form.gender == noun.gender)


def word_before(
    sentence: RussianSentence, run: tuple[RussianWord, ...], word: RussianWord
) -> RussianWord | None:
    """Return the word of its clause before a noun and its run, if there is one."""
    first = run[0] if run else word
    before = sentence.words[first.index - 1] if first.index else None
    return before if before is not None and before.clause == word.clause else None


def governed(
    sentence: RussianSentence, run: tuple[RussianWord, ...], word: RussianWord
) -> frozenset[str]:
    """Return the cases that a preposition before a noun and its run allows, or none without one."""
    before = word_before(sentence, run, word)
    cases = rewrite_table("ru").tables["prepositions"]
    return frozenset(cases.get(before.low, "").split()) if before is not None else frozenset()


def may_be_subject(sentence: RussianSentence, word: RussianWord, form: WordForm) -> bool:
    """Whether a reading of a noun in the nominative fits what stands before it."""
    if form.pos != "NOUN" or form.case != "nomn":
        return False
    run, left = agreeing_run(sentence, word, [near for near in word.likely if near.pos == "NOUN"])
    return form in left and not governed(sentence, run, word)


def attached(sentence: RussianSentence, word: RussianWord) -> int:
    """Return the place of the noun after an adjective with which it agrees, or 0 for none."""
    for near in sentence.words[word.index + 1 :]:
        if near.clause != word.clause:
            return 0
        nouns = [form for form in near.likely if form.pos == "NOUN"]
        if any(agree(form, noun) for form in word.likely for noun in nouns):
            return near.index
        if not near.may_be("ADJF", "PRTF", "ADVB", "PREP", "NUMR") and not nouns:
            return 0
        if nouns and not near.may_be("ADJF", "PRTF"):
            return 0
    return 0

"""Which case a noun stands in, where its form leaves several: only what is plain is decided."""

from fairvec.lexicon.rewrites import rewrite_table
from fairvec.tasks.documents.rewriting.russian.government import (
    agreeing_run,
    governed,
    may_be_subject,
    word_before,
)
from fairvec.tasks.documents.rewriting.russian.morphology import WordForm
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence, RussianWord


def in_context(
    sentence: RussianSentence,
    word: RussianWord,
    run: tuple[RussianWord, ...],
    forms: tuple[WordForm, ...],
) -> tuple[WordForm, ...]:
    """Return the readings that the words around leave."""
    if cases := governed(sentence, run, word):
        return tuple(form for form in forms if form.case in cases)
    forms = tuple(form for form in forms if form.case != "loct")
    before = word_before(sentence, run, word)
    for case, number, holds in (
        ("nomn", "sing", _acts(sentence, run, word, before)),
        ("nomn", "plur", _many_act(sentence, word, before)),
        ("accs", "", _object_of(sentence, before, forms)),
        ("datv", "", _given(before)),
        ("gent", "", _possessor(sentence, word, before) and not _may_act(sentence, word, forms)),
    ):
        left = tuple(f for f in forms if f.case == case and f.number in {number or f.number})
        if holds and left:
            return left
    if before is not None and (before.may_be("NUMR") or before.text.isdigit()):
        return tuple(form for form in forms if form.case not in {"accs", "nomn"}) or forms
    return forms


def _acts(
    sentence: RussianSentence,
    run: tuple[RussianWord, ...],
    word: RussianWord,
    before: RussianWord | None,
) -> bool:
    """Whether a noun like мать, alike in two cases, is the subject of a verb next to it."""
    if before is not None and before.low == "и" and before.index:
        # Отец и мать: both stand in the case of the first.
        first = sentence.words[before.index - 1]
        if first.clause == word.clause and all(
            form.pos == "NOUN" and form.case == "nomn" for form in first.likely
        ):
            return True
    own = frozenset({word.index, *(near.index for near in run)})
    clause = sentence.clause(word.clause)
    after = [n for n in clause if n.index > word.index and not n.may_be("ADVB", "PRCL")][:1]
    follows = bool(after) and _verb_of_one(after[0])
    if follows and (before is None or before.may_be("CONJ", "PRCL")):
        return not any(_rival(sentence, near, word) for near in clause if near.index not in own)
    speech = rewrite_table("ru").lists["speech_verbs"]
    return (
        before is not None
        and _verb_of_one(before)
        and all("intr" in form.tags or form.lemma in speech for form in before.likely)
        and len(clause) == len(own) + 1
    )


def _rival(sentence: RussianSentence, near: RussianWord, word: RussianWord) -> bool:
    """Whether another word may be the subject; after the verb what may be an object is one."""
    for form in near.likely:
        if form.case == "nomn" and form.pos == "NPRO":
            return True
        if may_be_subject(sentence, near, form):
            objects = any(other.case == "accs" for other in near.likely)
            return not (objects and near.index > word.index)
    return False


def _many_act(sentence: RussianSentence, word: RussianWord, before: RussianWord | None) -> bool:
    """Whether a noun opens its clause before a verb in the plural: сёстры поют."""
    after = sentence.words[word.index + 1 : word.index + 2]
    with_genitive = rewrite_table("ru").lists["genitive_verbs"]
    return (
        before is None
        and bool(after)
        and after[0].clause == word.clause
        and all(
            form.pos == "VERB" and form.number == "plur" and form.lemma not in with_genitive
            for form in after[0].likely
        )
    )


def _verb_of_one(word: RussianWord) -> bool:
    return all(
        form.pos == "VERB" and form.number == "sing" and form.tags & {"femn", "3per"}
        for form in word.likely
    )


def _object_of(
    sentence: RussianSentence, verb: RussianWord | None, forms: tuple[WordForm, ...]
) -> bool:
    """Whether what follows a verb is its object: it takes the accusative and is not denied."""
    if verb is None or any(word.low in {"не", "ни", "нет"} for word in sentence.words):
        return False
    verbs = [form for form in verb.likely if form.pos in {"VERB", "INFN", "GRND"}]
    if len(verbs) != len(verb.likely):
        return False
    hers = {form.case for form in forms} == {"nomn", "accs"}
    if hers and all(form.gender == "masc" and "tran" in form.tags for form in verbs):
        return True
    known = rewrite_table("ru").lists["accusative_verbs"]
    if any(form.lemma not in known or form.lemma.endswith("ся") for form in verbs):
        return False
    # "Увидела мать" may be what the mother saw: a verb that could be hers must have a subject.
    if not hers or all(form.pos in {"INFN", "GRND"} for form in verbs):
        return True
    before = sentence.words[verb.index - 1] if verb.index else None
    return (
        before is not None
        and before.clause == verb.clause
        and any(form.case == "nomn" and form.pos in {"NOUN", "NPRO"} for form in before.likely)
    )


def _may_act(sentence: RussianSentence, word: RussianWord, forms: tuple[WordForm, ...]) -> bool:
    """Whether several people may be the subject: в школе девочки учатся."""
    many = any((form.case, form.number) == ("nomn", "plur") for form in forms)
    return many and any(
        form.number == "plur" and form.pos in {"VERB", "ADJS", "PRTS"}
        for near in sentence.clause(word.clause)
        for form in near.likely
    )


def _given(verb: RussianWord | None) -> bool:
    """Whether what follows a verb of one person is to whom something is said or given."""
    verbs = rewrite_table("ru").lists["dative_verbs"]
    return verb is not None and all(
        form.lemma in verbs and form.pos in {"VERB", "INFN"} and form.number != "plur"
        for form in verb.likely
    )


def _possessor(sentence: RussianSentence, word: RussianWord, before: RussianWord | None) -> bool:
    """Whether a noun follows another one, and no word of the clause can have it for an object."""
    if before is None or before.abbreviated:
        return False
    if any(form.pos != "NOUN" for form in before.likely):
        return False
    clause = sentence.clause(word.clause)
    if not any(
        "tran" in form.tags or form.pos in {"INFN", "PRTS"}
        for near in clause
        for form in near.likely
    ):
        return True
    # После смерти отца: the verb has an object of its own, and this ends the clause.
    things = all("inan" in form.tags for form in before.likely)
    return (
        things
        and word is clause[-1]
        and bool(governed(sentence, _run(sentence, before), before))
        and any(_object(sentence, near) for near in clause if near.index < before.index)
    )


def _run(sentence: RussianSentence, word: RussianWord) -> tuple[RussianWord, ...]:
    return agreeing_run(sentence, word, [form for form in word.likely if form.pos == "NOUN"])[0]


def _object(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a thing may be the object of a verb: in the accusative, and after no preposition."""
    return all(form.pos == "NOUN" and "inan" in form.tags for form in word.likely) and (
        any(form.case == "accs" for form in word.likely)
        and not governed(sentence, _run(sentence, word), word)
    )

"""Words that agree with a person in a Russian sentence, and persons that a swap cannot change."""

from collections.abc import Collection, Iterable

from fairvec.languages.rewriting import UncertainError, rewrite_table
from fairvec.languages.ru.morphology import OTHER_GENDER, WordForm
from fairvec.languages.ru.sentences import (
    RussianSentence,
    RussianWord,
    head_noun,
    may_be_subject,
    modifiers_before,
    word_before,
)

_SOFT = ("ADVB", "PRCL")
_AFTER = (*_SOFT, "PREP", "CONJ", "VERB")


def agreeing_words(
    sentence: RussianSentence, gender: str, subjects: frozenset[int], mentioned: frozenset[int]
) -> dict[int, str]:
    """Return the verbs, short forms and predicates that change when subjects change gender.

    `subjects` are the places of those words in the nominative, `mentioned` the words that
    belong to a mention already. A word that shows the gender must be theirs or certainly another's;
    else UncertainError is raised.
    """
    changes: dict[int, str] = {}
    rivals = {i for i in _rivals(sentence, gender) if i not in mentioned and i not in subjects}
    had_subject = False
    for number in sentence.clauses:
        clause = sentence.clause(number)
        own_subjects = [word for word in clause if word.index in subjects]
        other_subjects = [word for word in clause if word.index in rivals]
        had_subject = had_subject or bool(own_subjects)
        for word in clause:
            if word.index in mentioned or word.index in subjects:
                continue
            gendered_forms = shows_gender(word, gender)
            if word.index in rivals and not _also_agrees(word, gender):
                continue
            if word.index in rivals:
                raise UncertainError("sense-and-owner", word=word.text)
            if gendered_forms and word.quoted:
                raise UncertainError("quoted-agreement", word=word.text)
            if gendered_forms:
                owner = _owner(sentence, word, own_subjects, other_subjects)
                if owner == "none" and had_subject and not rivals:
                    owner = "ours"
                if owner == "theirs":
                    continue
                if owner != "ours" or not _has_one_form(word, gendered_forms):
                    raise UncertainError("owner", word=word.text)
                changes[word.index] = gendered_forms[0].changed(OTHER_GENDER[gender])
            elif adjectives := bare_adjectives(sentence, word, gender, mentioned):
                is_own = own_subjects and not other_subjects and _has_no_noun_after(sentence, word)
                new = _predicate(clause, word, adjectives, gender) if is_own else ""
                if not new:
                    raise UncertainError("owner", word=word.text)
                changes[word.index] = new
    if not all(changes.values()):
        raise UncertainError("no-form")
    return changes


def shows_gender(word: RussianWord, gender: str) -> list[WordForm]:
    """Return the readings of a word as a past tense or short form of a gender."""
    return [
        form
        for form in word.likely_forms
        if form.pos in {"VERB", "ADJS", "PRTS"} and form.number == "sing" and form.gender == gender
    ]


def _has_one_form(word: RussianWord, forms: list[WordForm]) -> bool:
    if word.lowercase in rewrite_table("ru").lists["short_forms"]:
        return True
    replacements = {reading.changed(OTHER_GENDER[reading.gender]) for reading in forms}
    return len(forms) == len(word.likely_forms) and len(replacements) == 1


def _owner(
    sentence: RussianSentence,
    verb: RussianWord,
    own_subjects: list[RussianWord],
    other_subjects: list[RussianWord],
) -> str:
    if own_subjects and not other_subjects:
        return "ours"
    if not own_subjects and not other_subjects:
        return "none"
    first = [w for w in (*own_subjects, *other_subjects) if w.index < verb.index]
    nearest = max(first, key=lambda word: word.index, default=None)
    if nearest is None or not all(
        word.may_be(*_SOFT) for word in sentence.words[nearest.index + 1 : verb.index]
    ):
        # "Вошёл мальчик" without another candidate is as plain as "мальчик вошёл".
        after = sentence.words[verb.index + 1] if verb.index + 1 < len(sentence.words) else None
        is_only_subject = (
            not own_subjects
            and len(other_subjects) == 1
            and after is other_subjects[0]
            and not first
        )
        return "theirs" if is_only_subject and "intr" in _tags(verb) else "unknown"
    if nearest in other_subjects:
        return "unknown" if own_subjects else "theirs"
    things = all(w.index > verb.index and "inan" in _tags(w) for w in other_subjects)
    return "ours" if things else "unknown"


def _tags(word: RussianWord) -> frozenset[str]:
    return frozenset.intersection(*(form.tags for form in word.likely_forms))


def _rivals(sentence: RussianSentence, gender: str) -> Iterable[int]:
    """Yield the words that could be the subject of a verb of this gender."""
    subject_words = rewrite_table("ru").lists["subjects"]
    for word in sentence.words:
        if word.abbreviated and not word.text.isdigit():
            yield word.index
            continue
        for form in word.likely_forms:
            if form.case != "nomn" or form.number == "plur" or form.gender not in {gender, ""}:
                continue
            if form.pos == "NPRO" or (
                form.lemma in subject_words and not head_noun(sentence, word)
            ):
                yield word.index
                break
            if may_be_subject(sentence, word, form):
                yield word.index
                break


def _has_no_noun_after(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether no noun after an adjective, in quotation marks or after a comma, can be its head."""
    after = sentence.words[word.index + 1 : word.index + 2]
    return not after or (
        after[0].quoted == word.quoted
        and (after[0].clause != word.clause or after[0].may_be(*_AFTER))
    )


def _also_agrees(word: RussianWord, gender: str) -> bool:
    """Whether a possible subject may as well be a verb or an adjective of the gender."""
    known = rewrite_table("ru").lists["subjects"]
    return any(
        form.pos in {"VERB", "ADJS", "PRTS", "ADJF", "PRTF"}
        and (form.number, form.gender) == ("sing", gender)
        and form.lemma not in known
        for form in word.likely_forms
    )


def bare_adjectives(
    sentence: RussianSentence, word: RussianWord, gender: str, mentioned: frozenset[int]
) -> list[WordForm]:
    """Return readings of a full adjective of a gender without a noun, or with a changing one."""
    forms = [
        form
        for form in word.likely_forms
        if form.pos in {"ADJF", "PRTF"}
        and form.number == "sing"
        and form.gender == gender
        and "Fixd" not in form.tags
    ]
    noun = head_noun(sentence, word) if forms else 0
    return [] if noun and noun not in mentioned else forms


def _predicate(
    clause: tuple[RussianWord, ...], word: RussianWord, forms: list[WordForm], gender: str
) -> str:
    """Return the other gender of a predicate (он сам, была доброй); empty if not certain."""
    if word.quoted or any(form.pos not in {"ADJF", "PRTF"} for form in word.likely_forms):
        return ""
    nouns = (form for near in clause for form in near.likely_forms if near.index != word.index)
    if any(f.pos == "NOUN" and f.gender == gender and "anim" not in f.tags for f in nouns):
        return ""
    copulas = rewrite_table("ru").lists["copulas"]
    linked = any(form.lemma in copulas for near in clause for form in near.likely_forms)
    bare = not any(near.may_be("VERB", "INFN") for near in clause)
    candidates = [form for form in forms if form.case == "nomn"]
    if not (linked or (candidates and (bare or forms[0].lemma in {"сам", "один"}))):
        return ""
    candidates = candidates or [form for form in forms if form.case == "ablt"]
    replacements = {form.changed(OTHER_GENDER[gender], form.case, "sing") for form in candidates}
    return replacements.pop() if len(replacements) == 1 else ""


_PERSONAL_NAMES = {"Name", "Surn", "Patr"}


def unchanged_person(
    sentence: RussianSentence, changed: Collection[int], subjects: Collection[int]
) -> str:
    """Return a word for one person that keeps its gender while others change; empty if none.

    `changed` are the places of the words that change or agree with one that does, `subjects` the
    places of the people who change and may be the subject of a verb.
    """
    for word in sentence.words:
        if word.index not in changed and (
            _is_young_man(sentence, word)
            or (
                _is_one_person(sentence, word, changed)
                and not _is_predicate_of_changed(sentence, word, subjects)
            )
        ):
            return word.text
    return ""


def _is_young_man(sentence: RussianSentence, word: RussianWord) -> bool:
    """Whether a word ends молодой человек, in any form, which means a man."""
    before = sentence.words[word.index - 1] if word.index else None
    return (
        before is not None
        and any(form.lemma == "человек" for form in word.likely_forms)
        and any(form.lemma == "молодой" for form in before.likely_forms)
    )


def _is_one_person(sentence: RussianSentence, word: RussianWord, changed: Collection[int]) -> bool:
    people = _people(word)
    if not people or (word.may_be("ADJF", "PRTF") and head_noun(sentence, word)):
        return False
    if any(form.lemma == "друг" for form in people) and word.index in sentence.fixed:
        return False  # друг друга
    anyone = rewrite_table("ru").lists["anyone"]
    if all(form.lemma in anyone for form in people):
        return False
    human = all(form.lemma == "человек" for form in people)
    return not human or _has_masculine_words(sentence, word, people, changed)


def _people(word: RussianWord) -> list[WordForm]:
    """Return the readings of a word as a noun for one living being, of one gender or of both."""
    first = word.likely_forms[0] if word.likely_forms else None
    if first is None:
        return []
    # Уже is no snake; больной is as soon a noun as an adjective.
    return [
        form
        for form in word.likely_forms
        if (form.lemma == first.lemma or first.pos in {"ADJF", "PRTF"})
        and (_is_nominalised(form) or (form.pos == "NOUN" and "anim" in form.tags))
        and form.number == "sing"
        and (form.gender in {"masc", "femn"} or "ms-f" in form.tags)
        and not form.tags & _PERSONAL_NAMES
    ]


def _is_nominalised(form: WordForm) -> bool:
    """Whether an adjective is also used of people without a noun, by the dictionary."""
    return form.pos == "ADJF" and "Subx" in form.tags and "Apro" not in form.tags


def _has_masculine_words(
    sentence: RussianSentence,
    word: RussianWord,
    people: list[WordForm],
    changed: Collection[int],
) -> bool:
    """Whether an unchanging word that may belong to человек is masculine."""
    if modifiers_before(sentence, word, people)[0]:
        return True
    return any(
        (form.number, form.gender) == ("sing", "masc")
        and (
            form.pos in {"VERB", "ADJS", "PRTS", "NPRO"}
            or (form.pos in {"ADJF", "PRTF"} and not head_noun(sentence, near))
        )
        for near in sentence.words
        if near.index not in changed
        for form in near.likely_forms
    )


def _is_predicate_of_changed(
    sentence: RussianSentence, word: RussianWord, subjects: Collection[int]
) -> bool:
    """Whether a word for both genders is the predicate of one who changes: сестра была врачом."""
    lists = rewrite_table("ru").lists
    if not all(
        form.pos == "NOUN" and form.case == "ablt" and form.lemma in lists["generic"]
        for form in word.likely_forms
    ):
        return False
    before = word_before(sentence, modifiers_before(sentence, word, word.likely_forms)[0], word)
    return (
        before is not None
        and all(form.lemma in lists["copulas"] for form in before.likely_forms)
        and any(sentence.words[place].clause == word.clause for place in subjects)
    )

"""How a gendered noun stands in its sentence: before a postposition, as subject or predicate."""

from itertools import pairwise

from fairvec.tasks.documents.rewriting.hindi.paradigms import (
    DIRECT,
    DIRECT_PLURAL,
    OBLIQUE,
    OBLIQUE_PLURAL,
    agreeing,
    key,
    listed,
    nouns,
    verb_key,
)
from fairvec.tasks.documents.rewriting.hindi.phrases import (
    UnsureError,
    check_circumstances,
    check_endings,
    check_name,
    lemma_at,
    own_words,
    phrase,
)
from fairvec.tasks.documents.rewriting.hindi.reading import HindiNoun, HindiSentence, NounReading
from fairvec.tasks.documents.rewriting.hindi.verbs import HindiVerbs, is_finite, verb_group

_NUMBERS = frozenset(key(word) for word in ("दो", "तीन", "चार", "पाँच", "दोनों", "तीनों", "कई"))

_DEFINES = {("कहा", "जाता"), ("कहा", "जाती"), ("कहा", "जाते"), ("कहते", "हैं"), ("कहते", "थे")}


def reading(sentence: HindiSentence, noun: HindiNoun) -> NounReading:
    """Return how a noun stands in its sentence, or raise UnsureError with the reason.

    What कि introduces is read as a sentence of its own.
    """
    start = max((at + 1 for at in range(noun.first) if sentence.keys[at] == "कि"), default=0)
    found = _reading(sentence.after(start), noun.moved(-start)).moved(start)
    before = range(max(0, start - 1))
    if found.role != "oblique" and any(
        at in sentence.breaks or sentence.keys[at] in listed("clause_markers") for at in before
    ):
        raise UnsureError("what precedes may be about the same person")
    return found


def _reading(sentence: HindiSentence, noun: HindiNoun) -> NounReading:
    if listed("bodily") & set(sentence.keys):
        raise UnsureError("the sentence speaks of what belongs to one sex")
    if any(pair in _DEFINES for pair in pairwise(sentence.keys)):
        raise UnsureError("the sentence may say what a word means")
    after = noun.last + 1
    if after == len(sentence.words):
        raise UnsureError("no verb or postposition follows it")
    if after in sentence.breaks:
        raise UnsureError("a mark follows it")
    if sentence.keys[after] in listed("postpositions"):
        return _oblique(sentence, noun)
    if sentence.breaks:
        raise UnsureError("the sentence has marks within")
    verbs = verb_group(sentence.keys, after)
    if verbs is None:
        raise UnsureError("the verb at the end is not known to agree with its subject")
    said = _said_of_pronoun(sentence, noun, verbs)
    return _predicate(sentence, noun, verbs) if said else _subject(sentence, noun, verbs)


def _oblique(sentence: HindiSentence, noun: HindiNoun) -> NounReading:
    cells = noun.form.cells & {OBLIQUE, OBLIQUE_PLURAL}
    if not cells:
        raise UnsureError("its form does not fit the postposition after it")
    modifiers, start = phrase(sentence, noun, direct=False)
    check_endings(sentence, modifiers, "े" if noun.form.gender == "m" else "ी")
    owned = bool(modifiers) and lemma_at(sentence, modifiers[-1]) == "का"
    if start in sentence.breaks and not is_finite(sentence.keys[start - 1]):
        raise UnsureError("what precedes the mark before it may agree with it")
    if start > 0 and start not in sentence.breaks and not owned:
        before, word = sentence.keys[start - 1], sentence.words[start - 1].text
        if before in listed("openers") and start > 1:
            raise UnsureError(f"{word} may join it to what stands before")
        known = ("postpositions", "adverbs", "ergative", "oblique_pronouns", "openers", "relations")
        if not any(before in listed(name) for name in known):
            raise UnsureError(f"{word} before it may agree with it or name it")
    if lemma_at(sentence, noun.last + 1) == "का" and len(sentence.words) < noun.last + 4:
        raise UnsureError("the sentence may not be whole")
    _check_nothing_more_is_said(sentence, noun)
    plural = OBLIQUE not in cells
    if not plural and any(
        word in _NUMBERS or (word.isdecimal() and word not in ("1", "१"))
        for word in own_words(sentence, noun)
    ):
        raise UnsureError("its form does not fit the number before it")
    return NounReading("oblique", plural, plural, modifiers)


def _check_nothing_more_is_said(sentence: HindiSentence, noun: HindiNoun) -> None:
    """Raise UnsureError if a later clause or word may be about the same person and agree."""
    ending = "ा" if noun.form.gender == "m" else "ी"
    predicative = {key(w.removesuffix("ा") + ending) for w in listed("predicative")}
    predicative.add("हुआ" if noun.form.gender == "m" else "हुई")
    last = len(sentence.words) - 1
    for at in range(noun.last + 1, last + 1):
        found = sentence.keys[at]
        if at in sentence.breaks or found in listed("clause_markers"):
            raise UnsureError("what the sentence goes on to say may be about the same person")
        if is_finite(found) and at < last and sentence.keys[at + 1] not in listed("negations"):
            raise UnsureError("the sentence has a second verb")
        if found in predicative and at < last - 1:
            raise UnsureError(f"{sentence.words[at].text} after it may agree with it")


def _said_of_pronoun(sentence: HindiSentence, noun: HindiNoun, verbs: HindiVerbs) -> bool:
    """Whether it is the predicate of a pronoun, as in वह एक अच्छी अभिनेत्री है."""
    _, start = phrase(sentence, noun, direct=False)
    between = range(noun.last + 1, verbs.start)
    return (
        start == 1
        and sentence.keys[0] in listed("subjects")
        and not between
        and all(forms[0] in ("था", "होगा") for forms in verbs.forms)
        and verbs.only_being
    )


def _predicate(sentence: HindiSentence, noun: HindiNoun, verbs: HindiVerbs) -> NounReading:
    modifiers, _ = phrase(sentence, noun, direct=False)
    return _agreeing(sentence, noun, verbs, modifiers, "predicate")


def _subject(sentence: HindiSentence, noun: HindiNoun, verbs: HindiVerbs) -> NounReading:
    modifiers, start = phrase(sentence, noun, direct=True)
    check_circumstances(sentence, start)
    if verbs.start > noun.last + 1:
        check_name(sentence, noun)
    elif all(forms[0] in ("था", "होगा", "हुआ", "होता") for forms in verbs.forms):
        raise UnsureError("it may be the predicate")
    found = _agreeing(sentence, noun, verbs, modifiers, "subject")
    ending = "ी" if noun.form.gender == "f" else "े" if found.many else "ा"
    said = _said_between(sentence, noun, verbs, ending)
    return NounReading("subject", found.plural, found.many, (*modifiers, *said), verbs)


def _said_between(
    sentence: HindiSentence, noun: HindiNoun, verbs: HindiVerbs, ending: str
) -> tuple[int, ...]:
    """Return what agrees with a subject before its verb, or raise UnsureError."""
    known = ("things", "adverbs", "postpositions", "oblique_pronouns", "invariable", "negations")
    for at in range(noun.last + 1, verbs.start):
        word, last = sentence.keys[at], at == verbs.start - 1
        text = sentence.words[at].text
        follows = sentence.keys[at + 1]
        if is_finite(word) or word == "ने" or word in listed("ergative"):
            raise UnsureError("the sentence has a second clause")
        if word in listed("clause_markers") and word not in listed("adverbs"):
            raise UnsureError("the sentence has a second clause")
        if word in nouns() and follows not in listed("postpositions"):
            raise UnsureError(f"{text} is a second person")
        lemma, found = agreeing().get(word, ("", ""))
        if lemma in listed("owners") and found == ending and at == noun.last + 1:
            raise UnsureError(f"{text} after it may agree with it")
        if lemma and found == ending and last:
            if lemma in listed("owners") or lemma in ("का", "अपना") or not verbs.only_being:
                raise UnsureError(f"{text} after it may agree with it")
            return (at,)
        if lemma and found == ending and lemma not in listed("owners") | {"का", "अपना"}:
            raise UnsureError(f"{text} after it may agree with it")
        if lemma or any(word in listed(name) for name in known):
            continue
        if follows not in listed("postpositions") and word.endswith(("ा", "ी", "े", "ई", "ए", "ीं")):
            raise UnsureError(f"{text} after it may agree with it")
        if verbs.only_being:
            raise UnsureError(f"{text} may be what it is said to be")
    return ()


def _agreeing(
    sentence: HindiSentence,
    noun: HindiNoun,
    verbs: HindiVerbs,
    modifiers: tuple[int, ...],
    role: str,
) -> NounReading:
    """Return the reading if noun, modifiers and verbs agree in exactly one way."""
    gender, cells = noun.form.gender, noun.form.cells
    if not cells & {DIRECT, DIRECT_PLURAL}:
        raise UnsureError("its form is not that of a subject")
    have = tuple(verb_key(sentence.keys[at]) for at in verbs.agreeing)
    numbers = [
        many
        for many in (False, True)
        if have == tuple(map(verb_key, verbs.agreed(gender, many=many)))
        and verbs.be in ("", "हैं" if many else "है")
        and (DIRECT in cells or many)
    ]
    if len(numbers) != 1:
        raise UnsureError("the verb does not agree with it alone")
    (many,) = numbers
    ending = "ी" if gender == "f" else "े" if many else "ा"
    check_endings(sentence, modifiers, ending)
    plural = _several(sentence, noun) if many else False
    return NounReading(
        "predicate" if role == "predicate" else "subject", plural, many, modifiers, verbs
    )


def _several(sentence: HindiSentence, noun: HindiNoun) -> bool | None:
    """Whether a noun with a plural verb means several people, and not one with respect."""
    cells, before = noun.form.cells, own_words(sentence, noun)
    one, several = "एक" in before, bool(before & listed("plural"))
    if (one and DIRECT not in cells) or (several and DIRECT_PLURAL not in cells):
        raise UnsureError("its form does not fit the number before it")
    if one or DIRECT_PLURAL not in cells:
        return False
    if several or DIRECT not in cells:
        return True
    if key(noun.form.lemma) in listed("honoured"):
        # Many people have many fathers: कन्याओं के पिता.
        return None if sentence.keys[max(0, noun.first - 2)].endswith("ं") else False
    return None

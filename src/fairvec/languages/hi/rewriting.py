"""Suggest changes to gendered nouns in a Hindi text, with all that agrees with them."""

from collections.abc import Iterator, Sequence
from typing import Literal

from fairvec.languages.hi.morphology import (
    DIRECT,
    DIRECT_PLURAL,
    OBLIQUE,
    OBLIQUE_PLURAL,
    Gender,
    fold,
    forms_of,
    inflect_adjective,
    listed,
    verb_key,
)
from fairvec.languages.hi.syntax import (
    HindiSentence,
    Noun,
    NounUse,
    analyse_noun,
    lemma_at,
    may_begin_noun,
    modifiers_of,
    nouns_in,
    read_sentence,
)
from fairvec.languages.rewriting import (
    UncertainError,
    edit_word,
    has_word,
    in_order,
    is_within,
    obstacle,
    quoted_spans,
    reason,
    rewrite_table,
    suggest_at,
)
from fairvec.languages.text import Document
from fairvec.results.documents import Aim, Edit, Suggestion


def inflect_noun(lemma: str, gender: Gender, use: NounUse) -> str:
    """Return the form of a noun in its place; UncertainError if its number cannot be told."""
    forms = forms_of(lemma)
    if use.role == "oblique":
        return forms[OBLIQUE_PLURAL if use.plural else OBLIQUE]
    if use.plural is None and forms[DIRECT] != forms[DIRECT_PLURAL]:
        raise UncertainError("several-or-respected")
    if use.many and not use.plural and gender == "m" and forms[DIRECT] != forms[DIRECT_PLURAL]:
        raise UncertainError("respected")
    if use.plural and fold(lemma) in listed("honoured"):
        raise UncertainError("would-read-as-respected")
    return forms[DIRECT_PLURAL if use.plural else DIRECT]


def swapped_gender(sentence: HindiSentence, noun: Noun, use: NounUse) -> Gender:
    """Return the other gender; a husband or wife is swapped only where the other half is a pronoun.

    The wife of Ram cannot be made a husband without saying something about Ram.
    """
    _check_swap(sentence, noun, use)
    if noun.form.term.rule == "spouse":
        owners = {lemma_at(sentence, at) for at in use.modifiers}
        own = "अपना" in owners and listed("ergative") & set(sentence.keys)
        if "कि" in sentence.keys[: noun.first] or any(at <= noun.first for at in sentence.breaks):
            raise UncertainError("spouse-named-before")
        if not own and not owners & set(rewrite_table("hi").lists["owners"]):
            raise UncertainError("about-spouse")
    return "f" if noun.form.gender == "m" else "m"


def _check_swap(sentence: HindiSentence, noun: Noun, use: NounUse) -> None:
    """Raise UncertainError where somebody who keeps the sex may be the person who would not."""
    keys, after = set(sentence.keys), sentence.keys[noun.last + 1 : noun.last + 3]
    ergative = listed("ergative") & keys
    if keys & listed("contests"):
        raise UncertainError("contest")
    if _gives_birth(sentence):
        raise UncertainError("birth")
    lemmas = {fold(other.form.lemma) for other in nouns_in(sentence)}
    if lemmas & listed("comparing_men") and lemmas & listed("comparing_women"):
        raise UncertainError("comparison")
    if sentence.keys[noun.last] in listed("said_of_all"):
        raise UncertainError("generic-plural")
    if keys & listed("weddings"):
        raise UncertainError("couple")
    if noun.form.term.rule == "kin" and keys & listed("sacred"):
        raise UncertainError("god")
    if fold(noun.form.lemma) in listed("also_names") and not use.modifiers:
        raise UncertainError("may-be-name")
    if {"नाम", "नामक"} & set(sentence.keys[max(0, noun.first - 4) : noun.first]):
        raise UncertainError("name-follows")
    if use.role == "oblique":
        if {"नाम", "उपनाम"} & set(sentence.keys[noun.last + 2 : noun.last + 6]):
            raise UncertainError("name-follows")
        if set(after[1:]) & listed("parts"):
            raise UncertainError("part-of-another")
        if set(after[1:]) & listed("posts") and not ergative:
            raise UncertainError("post-of-another")
        if after[0] == "में" and use.plural:
            raise UncertainError("one-of-them")


def _gives_birth(sentence: HindiSentence) -> bool:
    """Whether a form of देना follows जन्म, with one word between at most (जन्म भी दिया)."""
    keys, birth = sentence.keys, fold("जन्म")
    return any(
        word == birth and listed("giving") & set(keys[at + 1 : at + 3])
        for at, word in enumerate(keys)
    )


def neutral_gender(sentence: HindiSentence, noun: Noun, use: NounUse) -> Gender:
    """Return the gender with which the neutral word agrees, or raise UncertainError.

    A word said of both sexes agrees with the person: in the direct case what agrees would tell the
    sex all the same. Before a postposition the masculine form is that of all.
    """
    neutral = noun.form.term.neutral
    gender = rewrite_table("hi").tables["grammatical_gender"][neutral]
    if fold(neutral) in listed("said_which"):
        _check_individual(sentence, noun, use)
    if fold(neutral) in listed("said_whose"):
        owners = {*rewrite_table("hi").lists["owners"], "अपना", "का"}
        if not use.modifiers or lemma_at(sentence, use.modifiers[0]) not in owners:
            raise UncertainError("owner-not-named")
        if use.modifiers[0] != noun.first - 1:
            raise UncertainError("one-of-several")
        owned = lemma_at(sentence, noun.first - 1) == "का"
        if owned and (use.plural or sentence.keys[noun.first - 2] in listed("places")):
            raise UncertainError("figure-of-speech")
    if gender == "m" or gender == "f":
        return "m" if gender == "m" else "f"
    if use.role == "oblique":
        if noun.form.gender == "f" and len(nouns_in(sentence)) > 1:
            raise UncertainError("about-the-sex")
        return "m"
    shows_gender = use.modifiers or (use.verbs is not None and use.verbs.agreeing)
    if shows_gender and not (noun.form.gender == "m" and use.many):
        raise UncertainError("agreement-shows-gender")
    return noun.form.gender


def is_generic_plural(sentence: HindiSentence, noun: Noun) -> bool:
    """Whether the neutral word fits whatever stands around: छात्रों is विद्यार्थियों everywhere.

    So it is of the masculine oblique plural, which is said of all, unless the other sex or a
    contest of one sex is spoken of too.
    """
    genders = rewrite_table("hi").tables["grammatical_gender"]
    return (
        noun.form.gender == "m"
        and noun.form.cells == {OBLIQUE_PLURAL}
        and genders.get(noun.form.term.neutral) == "common"
        and all(other.form.gender == "m" for other in nouns_in(sentence))
        and not listed("contests") & set(sentence.keys)
    )


def _check_individual(sentence: HindiSentence, noun: Noun, use: NounUse) -> None:
    """Men and women in general are not somebody: only this one, that one or some one is."""
    before = modifiers_of(sentence, noun)
    after = sentence.keys[noun.last + 1]
    if after in ("सहित", "समेत"):
        raise UncertainError("one-of-several-people")
    if len(nouns_in(sentence)) > 1:
        raise UncertainError("people-told-apart")
    if use.plural or not before & {"एक", "इस", "उस"}:
        raise UncertainError("about-the-sex")


MOST_WORDS = 100
"""Words of a sentence that is read: what is longer is a list, or a text without marks."""


def suggest(document: Document, aim: Aim) -> Iterator[Suggestion]:
    """Give what could be changed at each gendered noun: a change if it is certain, else a flag.

    A paragraph is swapped as a whole or not at all, and a sentence in one suggestion: a man swapped
    beside a woman who is only flagged would be two women.
    """
    text, sentences = document.text, document.sentences
    for first, last in sentences.paragraph_ranges:
        paragraph = sentences[first:last]
        if not any(has_word(sentence, may_begin_noun) for sentence in paragraph.in_parts()):
            continue
        quotes = quoted_spans(text, paragraph[0].start, paragraph[-1].end)
        after = [
            read_sentence(text, sentence) for sentence in sentences[last : last + 1].in_parts()
        ]
        for part in paragraph.paragraph_parts():
            read = [read_sentence(text, sentence, quotes) for sentence in part]
            proposed = [
                [_suggest(words, noun, aim, text) for noun in nouns_in(words)] for words in read
            ]
            if aim == "swap":
                uncertain = obstacle(_check_paragraph, [*read, *after[:1]], proposed)
                if paragraph.endless:
                    uncertain = uncertain or UncertainError("endless")
                proposed = [
                    [_as_flag(suggestion, text, uncertain) for suggestion in group]
                    if uncertain
                    else _joint_suggestion(group)
                    for group in proposed
                ]
            yield from in_order(suggestion for group in proposed for suggestion in group)


def _check_paragraph(
    sentences: Sequence[HindiSentence], proposed: Sequence[Sequence[Suggestion]]
) -> None:
    """Raise UncertainError if a paragraph is not swapped.

    The verb of वह or वे tells the gender of somebody whom another sentence has named; the last of
    the sentences is the one after the paragraph.
    """
    if not all(suggestion.certain for group in proposed for suggestion in group):
        raise UncertainError("paragraph")
    pronouns = {n for n, words in enumerate(sentences) if listed("third_persons") & set(words.keys)}
    with_people = {n for n, group in enumerate(proposed) if group}
    if with_people and any(pronouns - {n} for n in with_people):
        raise UncertainError("same-person-nearby")


def _as_flag(suggestion: Suggestion, text: str, uncertain: UncertainError) -> Suggestion:
    """Return a certain change as a flag."""
    if not suggestion.certain:
        return suggestion
    words = text[suggestion.start : suggestion.end]
    return suggestion.model_copy(update={"reason": _flag_reason(words, uncertain), "edits": ()})


def _flag_reason(words: str, uncertain: UncertainError) -> str:
    return reason("hi", "flag", noun=words, reason=uncertain.reason("hi"))


def _joint_suggestion(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Return the changes of a sentence as one, which is accepted or not."""
    if len(suggestions) < 2:
        return list(suggestions)
    edits = {edit for suggestion in suggestions for edit in suggestion.edits}
    sides = {suggestion.side for suggestion in suggestions}
    return [
        suggest_at(
            suggestions[0],
            suggestions[-1],
            suggestions[0].rule,
            " ".join(suggestion.reason for suggestion in suggestions),
            suggestions[0].side if len(sides) == 1 else "",
            edits=sorted(edits, key=lambda edit: edit.start),
            candidates=(word for each in suggestions for word in each.candidates),
        )
    ]


def _suggest(sentence: HindiSentence, noun: Noun, aim: Aim, text: str) -> Suggestion:
    try:
        return _certain_change(sentence, noun, aim, text)
    except UncertainError as uncertain:
        return _flag(sentence, noun, uncertain, aim)


def _flag(sentence: HindiSentence, noun: Noun, uncertain: UncertainError, aim: Aim) -> Suggestion:
    term = noun.form.term
    advice = ""
    if aim == "neutral":
        offer = reason("hi", "neutral-word", word=term.neutral) if term.neutral else ""
        advice = term.why or offer
    first, last = sentence.words[noun.first], sentence.words[noun.last]
    why = " ".join(filter(None, [_flag_reason(noun.form.lemma, uncertain), advice]))
    words = (_replacement_lemma(noun, aim),)
    return suggest_at(
        first, last, term.rule, why, _group(noun), candidates=words, term=noun.form.lemma
    )


def _replacement_lemma(noun: Noun, aim: Aim) -> str:
    """Return the word that would stand in a noun's place; empty if there is no certain one."""
    return noun.form.counterpart if aim == "swap" else noun.form.term.neutral


def _group(noun: Noun) -> Literal["a", "b"]:
    return "a" if noun.form.gender == "m" else "b"


def _certain_change(sentence: HindiSentence, noun: Noun, aim: Aim, text: str) -> Suggestion:
    if len(sentence.words) > MOST_WORDS:
        raise UncertainError("too-long", most=MOST_WORDS)
    lemma = _replacement_lemma(noun, aim)
    if not lemma:
        raise UncertainError("no-word")
    is_free = aim == "neutral" and is_generic_plural(sentence, noun)
    use = NounUse("oblique", plural=True, many=True) if is_free else analyse_noun(sentence, noun)
    gender = (swapped_gender if aim == "swap" else neutral_gender)(sentence, noun, use)
    first, last = sentence.words[noun.first], sentence.words[noun.last]
    old, new = text[first.start : last.end], inflect_noun(lemma, gender, use)
    edits = [
        Edit(start=first.start, end=last.end, old=old, new=new),
        *_agreement(sentence, use, gender),
    ]
    if any(is_within(sentence.quotes, edit.start) for edit in edits):
        raise UncertainError("quoted")
    key = "swapped" if aim == "swap" else "neutral"
    agreement = reason("hi", "agreement") if len(edits) > 1 else ""
    edits.sort(key=lambda edit: edit.start)
    why = reason("hi", key, noun=noun.form.lemma, word=lemma, agreement=agreement)
    return suggest_at(
        first,
        last,
        noun.form.term.rule,
        why,
        _group(noun),
        edits=edits,
        candidates=(lemma,),
        term=noun.form.lemma,
    )


def _agreement(sentence: HindiSentence, use: NounUse, gender: Gender) -> Iterator[Edit]:
    """Give the edits of what agrees, where its form changes."""
    masculine = "ा" if use.role != "oblique" and not use.many else "े"
    ending = "ी" if gender == "f" else masculine
    forms = [(at, inflect_adjective(lemma_at(sentence, at), ending)) for at in use.modifiers]
    if use.verbs is not None:
        new = use.verbs.inflected(gender, many=use.many)
        forms += zip(use.verbs.agreeing, new, strict=True)
    for at, form in forms:
        word = sentence.words[at]
        if verb_key(word.text) != verb_key(form):
            yield edit_word(word, form)

"""Hindi syntax around a gendered noun: its phrase, its case, whether subject or predicate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from fairvec.languages.hi.morphology import (
    DIRECT,
    DIRECT_PLURAL,
    OBLIQUE,
    OBLIQUE_PLURAL,
    NounForm,
    VerbGroup,
    agreeing,
    bare_verbs,
    fold,
    is_finite,
    listed,
    nouns,
    verb_group,
    verb_key,
)
from fairvec.languages.rewriting import Span, UncertainError, rewrite_table
from fairvec.languages.text import SentenceInText, Token

Role = Literal["oblique", "subject", "predicate"]
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class HindiSentence:
    """The words of a sentence with their keys, and before which of them no plain space stands."""

    words: tuple[Token, ...]
    keys: tuple[str, ...]
    breaks: frozenset[int]
    quotes: Sequence[Span] = ()
    """Where quotations stand in the paragraph."""

    def after(self, start: int) -> "HindiSentence":
        """Return the sentence from one of its words on."""
        breaks = frozenset(at - start for at in self.breaks if at > start)
        return HindiSentence(self.words[start:], self.keys[start:], breaks, self.quotes)


@dataclass(frozen=True)
class Noun:
    """A gendered noun at the words `first` to `last` of a sentence."""

    first: int
    last: int
    form: NounForm

    def shifted(self, by: int) -> "Noun":
        """Return it where words are counted from another one."""
        return Noun(self.first + by, self.last + by, self.form)


@dataclass(frozen=True)
class NounUse:
    """A noun whose part in its sentence is certain, and the words that agree with it."""

    role: Role
    plural: bool | None
    """Whether the noun's own form is the plural; None where both are one and nothing tells."""
    many: bool
    """Whether what agrees with it is plural: of several people, or of one with respect."""
    modifiers: tuple[int, ...] = ()
    """What agrees with it as adjectives do, before it or as a predicate."""
    verbs: VerbGroup | None = None

    def shifted(self, by: int) -> "NounUse":
        """Return it where words are counted from another one."""
        verbs = None if self.verbs is None else self.verbs.shifted(by)
        return replace(self, modifiers=tuple(at + by for at in self.modifiers), verbs=verbs)


def read_sentence(
    text: str, sentence: SentenceInText, quotes: Sequence[Span] = ()
) -> HindiSentence:
    """Return the words of a sentence; what only joiners part (पत्‍नी) is one word."""
    words: list[Token] = []
    breaks = set()
    for token in sentence.tokens:
        start, end = token.start, token.end
        while start > 0 and text[start - 1] in _JOINERS:
            start -= 1
        while text[end : end + 1] in tuple(_JOINERS):
            end += 1
        if words and start <= words[-1].end:
            start = words.pop().start
        elif words and text[words[-1].end : start] != " ":
            breaks.add(len(words))
        words.append(Token(text[start:end], start, end))
    keys = tuple(fold(word.text) for word in words)
    return HindiSentence(tuple(words), keys, frozenset(breaks), quotes)


@cache
def _first_keys() -> frozenset[str]:
    return frozenset(key.split()[0] for key in nouns())


def may_begin_noun(word: str) -> bool:
    """Whether a word may be, or begin, a gendered noun."""
    return fold(word) in _first_keys()


def nouns_in(sentence: HindiSentence) -> tuple[Noun, ...]:
    """Return the gendered nouns of a sentence; of two that start at one word the longer."""
    gendered: list[Noun] = []
    keys, at = sentence.keys, 0
    while at < len(keys):
        pair = " ".join(keys[at : at + 2])
        if at + 1 not in sentence.breaks and " " in pair and pair in nouns():
            gendered.append(Noun(at, at + 1, nouns()[pair]))
            at += 1
        elif keys[at] in nouns():
            gendered.append(Noun(at, at, nouns()[keys[at]]))
        at += 1
    return tuple(gendered)


def lemma_at(sentence: HindiSentence, at: int) -> str:
    """Return the masculine singular of what agrees at a place; empty if nothing there does."""
    return agreeing().get(sentence.keys[at], ("", ""))[0]


def noun_phrase(
    sentence: HindiSentence, noun: Noun, *, direct: bool
) -> tuple[tuple[int, ...], int]:
    """Return what agrees before a noun, and the word at which its phrase starts."""
    modifiers: list[int] = []
    at = noun.first
    while at > 0 and at not in sentence.breaks:
        before = sentence.keys[at - 1]
        if before in agreeing():
            modifiers.append(at - 1)
            at -= 1
            if lemma_at(sentence, at) == "का":
                if at in sentence.breaks or sentence.keys[at - 1] not in listed("measures"):
                    return tuple(modifiers), _owner(sentence, at)
                at -= 1
        elif _invariable(before) or (direct and before in listed("demonstratives")):
            at -= 1
        else:
            break
    return tuple(modifiers), at


def modifiers_of(sentence: HindiSentence, noun: Noun) -> frozenset[str]:
    """Return the words before a noun that are about it: not those before its owner."""
    at = noun.first
    while at > 0 and at not in sentence.breaks and _modifies(sentence, at - 1):
        at -= 1
    return frozenset(sentence.keys[at : noun.first])


def _invariable(word: str) -> bool:
    return word in listed("invariable") or word.isdecimal()


def _owner(sentence: HindiSentence, genitive: int) -> int:
    """Return where the owner starts whose का, की or के is at `genitive`.

    What agrees before the owner may belong to the noun if it ends alike: समुदाय के 25 साल के युवक.
    """
    ending = agreeing()[sentence.keys[genitive]][1]
    at = genitive - 1
    if at < 0 or genitive in sentence.breaks or not _may_be_noun(sentence, at):
        raise UncertainError("owner")
    while at > 0 and at not in sentence.breaks:
        before = sentence.keys[at - 1]
        if agreeing().get(before, ("", ""))[1] == ending:
            raise UncertainError("agreement-before", word=sentence.words[at - 1].text)
        if before in agreeing() and lemma_at(sentence, at - 1) == "का":
            at -= 1
            if at == 0 or at in sentence.breaks or not _may_be_noun(sentence, at - 1):
                raise UncertainError("owner")
        elif before not in agreeing() and not _invariable(before):
            break
        at -= 1
    _check_no_genitive_before(sentence, at, ending)
    return at


def _check_no_genitive_before(sentence: HindiSentence, start: int, ending: str) -> None:
    """Raise UncertainError if a genitive near by may be the noun's: स्कूल के 11वीं कक्षा के छात्र."""
    for at in range(start - 1, max(start - 5, 0), -1):
        if at + 1 in sentence.breaks or sentence.keys[at] in listed("adverbs") - {"ही", "भी"}:
            return
        if sentence.keys[at] in listed("postpositions") and lemma_at(sentence, at) != "का":
            return
        if agreeing().get(sentence.keys[at], ("", ""))[1] == ending:
            if sentence.keys[at + 1] in listed("relations"):
                return
            raise UncertainError("agreement-before", word=sentence.words[at].text)


def _modifies(sentence: HindiSentence, at: int) -> bool:
    lemma = lemma_at(sentence, at)
    return bool(lemma and lemma != "का") or _invariable(sentence.keys[at])


def _may_be_noun(sentence: HindiSentence, at: int) -> bool:
    word = sentence.keys[at]
    if word in bare_verbs():
        return False
    other_classes = ("postpositions", "clause_markers", "ergative", "oblique_pronouns", "negations")
    return not is_finite(word) and not any(word in listed(name) for name in other_classes)


def check_endings(sentence: HindiSentence, modifiers: Sequence[int], ending: str) -> None:
    """Raise UncertainError unless all that agrees has this ending."""
    for at in modifiers:
        if agreeing()[sentence.keys[at]][1] != ending:
            raise UncertainError("disagreement-before", word=sentence.words[at].text)


def check_adjuncts(sentence: HindiSentence, end: int) -> None:
    """Raise UncertainError unless what precedes `end` are adverbs and phrases with a postposition.

    Two unknown words before a postposition (सीता बाज़ार में) may be a subject and a place.
    """
    keys = sentence.keys
    at = 1 if end > 0 and keys[0] in listed("openers") else 0
    while at < end:
        if keys[at] in listed("adverbs") or keys[at] in listed("oblique_pronouns"):
            at += 1
            continue
        at = _skip_adjunct(sentence, at, end)


def _skip_adjunct(sentence: HindiSentence, at: int, end: int) -> int:
    keys = sentence.keys
    unsure = UncertainError("subject-before")
    while True:
        owned = False
        while at < end and _modifies(sentence, at):
            owned = lemma_at(sentence, at) in rewrite_table("hi").lists["owners_of_relations"]
            at += 1
        if owned and at < end and keys[at] in listed("relations"):
            return at + 1
        if at + 1 >= end or not _may_be_noun(sentence, at):
            raise unsure
        after = keys[at + 1]
        if after == "ने" or after not in listed("postpositions"):
            raise unsure
        at += 2
        if lemma_at(sentence, at - 1) != "का":
            return at
        if at < end and keys[at] in listed("relations"):
            return at + 1


def check_name(sentence: HindiSentence, noun: Noun) -> None:
    """Raise UncertainError if the word after a subject may be its name, or make a compound."""
    at = noun.last + 1
    while at < len(sentence.keys) - 1 and sentence.keys[at] in listed("negations"):
        at += 1
    word = sentence.keys[at]
    harmless = ("adverbs", "things", "oblique_pronouns")
    if word in nouns() or not (
        any(word in listed(name) for name in harmless) or lemma_at(sentence, at) not in ("", "का")
    ):
        raise UncertainError("name-after", word=sentence.words[at].text)


def analyse_noun(sentence: HindiSentence, noun: Noun) -> NounUse:
    """Return how a noun stands in its sentence, or raise UncertainError with the reason.

    What कि introduces is read as a sentence of its own.
    """
    start = max((at + 1 for at in range(noun.first) if sentence.keys[at] == "कि"), default=0)
    use = _analyse_clause(sentence.after(start), noun.shifted(-start)).shifted(start)
    before = range(max(0, start - 1))
    if use.role != "oblique" and any(
        at in sentence.breaks or sentence.keys[at] in listed("clause_markers") for at in before
    ):
        raise UncertainError("same-person-before")
    return use


def _analyse_clause(sentence: HindiSentence, noun: Noun) -> NounUse:
    if listed("bodily") & set(sentence.keys):
        raise UncertainError("bound-to-sex")
    if any(" ".join(pair) in listed("defining") for pair in pairwise(sentence.keys)):
        raise UncertainError("definition")
    after = noun.last + 1
    if after == len(sentence.words):
        raise UncertainError("nothing-follows")
    if after in sentence.breaks:
        raise UncertainError("mark-follows")
    if sentence.keys[after] in listed("postpositions"):
        return _oblique(sentence, noun)
    if sentence.breaks:
        raise UncertainError("marks-within")
    verbs = verb_group(sentence.keys, after)
    if verbs is None:
        raise UncertainError("verb-unknown")
    is_predicate = _is_predicate_of_pronoun(sentence, noun, verbs)
    return _predicate(sentence, noun, verbs) if is_predicate else _subject(sentence, noun, verbs)


def _oblique(sentence: HindiSentence, noun: Noun) -> NounUse:
    cells = noun.form.cells & {OBLIQUE, OBLIQUE_PLURAL}
    if not cells:
        raise UncertainError("form-and-postposition")
    modifiers, start = noun_phrase(sentence, noun, direct=False)
    check_endings(sentence, modifiers, "े" if noun.form.gender == "m" else "ी")
    owned = bool(modifiers) and lemma_at(sentence, modifiers[-1]) == "का"
    if start in sentence.breaks and not is_finite(sentence.keys[start - 1]):
        raise UncertainError("agreement-before-mark")
    if start > 0 and start not in sentence.breaks and not owned:
        before, word = sentence.keys[start - 1], sentence.words[start - 1].text
        if before in listed("openers") and start > 1:
            raise UncertainError("joined-before", word=word)
        harmless = (
            "postpositions",
            "adverbs",
            "ergative",
            "oblique_pronouns",
            "openers",
            "relations",
        )
        if not any(before in listed(name) for name in harmless):
            raise UncertainError("agreement-or-name-before", word=word)
    if lemma_at(sentence, noun.last + 1) == "का" and len(sentence.words) < noun.last + 4:
        raise UncertainError("fragment")
    _check_rest_of_sentence(sentence, noun)
    plural = OBLIQUE not in cells
    if not plural and any(
        word in listed("numbers") or (word.isdecimal() and word not in ("1", "१"))
        for word in modifiers_of(sentence, noun)
    ):
        raise UncertainError("form-and-number")
    return NounUse("oblique", plural, plural, modifiers)


def _check_rest_of_sentence(sentence: HindiSentence, noun: Noun) -> None:
    """Raise UncertainError if a later clause or word may be about the same person and agree."""
    ending = "ा" if noun.form.gender == "m" else "ी"
    predicative = {fold(w.removesuffix("ा") + ending) for w in listed("predicative")}
    predicative.add("हुआ" if noun.form.gender == "m" else "हुई")
    last = len(sentence.words) - 1
    for at in range(noun.last + 1, last + 1):
        key = sentence.keys[at]
        if at in sentence.breaks or key in listed("clause_markers"):
            raise UncertainError("same-person-after")
        if is_finite(key) and at < last and sentence.keys[at + 1] not in listed("negations"):
            raise UncertainError("second-verb")
        if key in predicative and at < last - 1:
            raise UncertainError("agreement-after", word=sentence.words[at].text)


def _is_predicate_of_pronoun(sentence: HindiSentence, noun: Noun, verbs: VerbGroup) -> bool:
    """Whether it is the predicate of a pronoun, as in वह एक अच्छी अभिनेत्री है."""
    _, start = noun_phrase(sentence, noun, direct=False)
    between = range(noun.last + 1, verbs.start)
    return (
        start == 1
        and sentence.keys[0] in listed("subjects")
        and not between
        and all(forms[0] in ("था", "होगा") for forms in verbs.forms)
        and verbs.only_being
    )


def _predicate(sentence: HindiSentence, noun: Noun, verbs: VerbGroup) -> NounUse:
    modifiers, _ = noun_phrase(sentence, noun, direct=False)
    return _check_agreement(sentence, noun, verbs, modifiers, "predicate")


def _subject(sentence: HindiSentence, noun: Noun, verbs: VerbGroup) -> NounUse:
    modifiers, start = noun_phrase(sentence, noun, direct=True)
    check_adjuncts(sentence, start)
    if verbs.start > noun.last + 1:
        check_name(sentence, noun)
    elif all(forms[0] in ("था", "होगा", "हुआ", "होता") for forms in verbs.forms):
        raise UncertainError("predicate")
    use = _check_agreement(sentence, noun, verbs, modifiers, "subject")
    ending = "ी" if noun.form.gender == "f" else "े" if use.many else "ा"
    predicative = _agreeing_before_verb(sentence, noun, verbs, ending)
    return NounUse("subject", use.plural, use.many, (*modifiers, *predicative), verbs)


def _agreeing_before_verb(
    sentence: HindiSentence, noun: Noun, verbs: VerbGroup, ending: str
) -> tuple[int, ...]:
    """Return what agrees with a subject before its verb, or raise UncertainError."""
    harmless = ("things", "adverbs", "postpositions", "oblique_pronouns", "invariable", "negations")
    for at in range(noun.last + 1, verbs.start):
        word, last = sentence.keys[at], at == verbs.start - 1
        text = sentence.words[at].text
        follows = sentence.keys[at + 1]
        if is_finite(word) or word == "ने" or word in listed("ergative"):
            raise UncertainError("second-clause")
        if word in listed("clause_markers") and word not in listed("adverbs"):
            raise UncertainError("second-clause")
        if word in nouns() and follows not in listed("postpositions"):
            raise UncertainError("second-person", word=text)
        lemma, own_ending = agreeing().get(word, ("", ""))
        if lemma in listed("owners") and own_ending == ending and at == noun.last + 1:
            raise UncertainError("agreement-after", word=text)
        if lemma and own_ending == ending and last:
            if lemma in listed("owners") or lemma in ("का", "अपना") or not verbs.only_being:
                raise UncertainError("agreement-after", word=text)
            return (at,)
        if lemma and own_ending == ending and lemma not in listed("owners") | {"का", "अपना"}:
            raise UncertainError("agreement-after", word=text)
        if lemma or any(word in listed(name) for name in harmless):
            continue
        if follows not in listed("postpositions") and word.endswith(("ा", "ी", "े", "ई", "ए", "ीं")):
            raise UncertainError("agreement-after", word=text)
        if verbs.only_being:
            raise UncertainError("predicate-of-it", word=text)
    return ()


def _check_agreement(
    sentence: HindiSentence,
    noun: Noun,
    verbs: VerbGroup,
    modifiers: tuple[int, ...],
    role: str,
) -> NounUse:
    """Return the reading if noun, modifiers and verbs agree in exactly one way."""
    gender, cells = noun.form.gender, noun.form.cells
    if not cells & {DIRECT, DIRECT_PLURAL}:
        raise UncertainError("form-of-subject")
    observed = tuple(verb_key(sentence.keys[at]) for at in verbs.agreeing)
    numbers = [
        many
        for many in (False, True)
        if observed == tuple(map(verb_key, verbs.inflected(gender, many=many)))
        and verbs.be in ("", "हैं" if many else "है")
        and (DIRECT in cells or many)
    ]
    if len(numbers) != 1:
        raise UncertainError("verb-of-others")
    (many,) = numbers
    ending = "ी" if gender == "f" else "े" if many else "ा"
    check_endings(sentence, modifiers, ending)
    plural = _means_several(sentence, noun) if many else False
    return NounUse(
        "predicate" if role == "predicate" else "subject", plural, many, modifiers, verbs
    )


def _means_several(sentence: HindiSentence, noun: Noun) -> bool | None:
    """Whether a noun with a plural verb means several people, and not one with respect."""
    cells, before = noun.form.cells, modifiers_of(sentence, noun)
    one, several = "एक" in before, bool(before & listed("plural"))
    if (one and DIRECT not in cells) or (several and DIRECT_PLURAL not in cells):
        raise UncertainError("form-and-number")
    if one or DIRECT_PLURAL not in cells:
        return False
    if several or DIRECT not in cells:
        return True
    if fold(noun.form.lemma) in listed("honoured"):
        # Many people have many fathers: कन्याओं के पिता.
        return None if sentence.keys[max(0, noun.first - 2)].endswith("ं") else False
    return None

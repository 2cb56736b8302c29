"""The words of a sentence as they are looked up, and the gendered nouns among them."""

from dataclasses import dataclass, replace
from typing import Literal

from fairvec.tasks.documents.document import SentenceInText, WordInText
from fairvec.tasks.documents.rewriting.hindi.paradigms import HindiNounForm, key, nouns
from fairvec.tasks.documents.rewriting.hindi.verbs import HindiVerbs

Role = Literal["oblique", "subject", "predicate"]
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class HindiSentence:
    """The words of a sentence with their keys, and before which of them no plain space stands."""

    words: tuple[WordInText, ...]
    keys: tuple[str, ...]
    breaks: frozenset[int]

    def after(self, start: int) -> "HindiSentence":
        """Return the sentence from one of its words on."""
        breaks = frozenset(at - start for at in self.breaks if at > start)
        return HindiSentence(self.words[start:], self.keys[start:], breaks)


@dataclass(frozen=True)
class HindiNoun:
    """A gendered noun at the words `first` to `last` of a sentence."""

    first: int
    last: int
    form: HindiNounForm

    def moved(self, by: int) -> "HindiNoun":
        """Return it where words are counted from another one."""
        return HindiNoun(self.first + by, self.last + by, self.form)


@dataclass(frozen=True)
class NounReading:
    """A noun whose part in its sentence is certain, and the words that agree with it."""

    role: Role
    plural: bool | None
    """Whether the noun's own form is the plural; None where both are one and nothing tells."""
    many: bool
    """Whether what agrees with it is plural: of several people, or of one with respect."""
    modifiers: tuple[int, ...] = ()
    """What agrees with it as adjectives do, before it or as a predicate."""
    verbs: HindiVerbs | None = None

    def moved(self, by: int) -> "NounReading":
        """Return it where words are counted from another one."""
        verbs = None if self.verbs is None else self.verbs.moved(by)
        return replace(self, modifiers=tuple(at + by for at in self.modifiers), verbs=verbs)


def read(text: str, sentence: SentenceInText) -> HindiSentence:
    """Return the words of a sentence; what only joiners part (पत्‍नी) is one word."""
    words: list[WordInText] = []
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
        words.append(WordInText(text[start:end], start, end))
    return HindiSentence(tuple(words), tuple(key(word.text) for word in words), frozenset(breaks))


def nouns_in(sentence: HindiSentence) -> tuple[HindiNoun, ...]:
    """Return the gendered nouns of a sentence; of two that start at one word the longer."""
    found: list[HindiNoun] = []
    keys, at = sentence.keys, 0
    while at < len(keys):
        pair = " ".join(keys[at : at + 2])
        if at + 1 not in sentence.breaks and " " in pair and pair in nouns():
            found.append(HindiNoun(at, at + 1, nouns()[pair]))
            at += 1
        elif keys[at] in nouns():
            found.append(HindiNoun(at, at, nouns()[keys[at]]))
        at += 1
    return tuple(found)

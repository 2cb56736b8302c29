"""A word in its sentence, and templates that say nothing but their word (SEAT).

May et al. (2019), arXiv:1903.10561; Malik et al. (2022) for Hindi.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal

from pydantic import field_validator

from fairvec.core.format import capitalize_first
from fairvec.core.validation import Frozen
from fairvec.languages.language import language as language_named
from fairvec.languages.language import table_of_language
from fairvec.languages.spelling import PartOfSpeech
from fairvec.languages.text import without_punctuation
from fairvec.languages.words import LanguageCode, Text, Word, WordSet


@dataclass(frozen=True)
class Sentence:
    """A word in a sentence: all that an encoder needs.

    `keys` are those under which a word list reached the word, which the text does not tell where
    it was a spelling variant, a tagged key or a mean of parts; only the mean of word vectors asks
    for them.
    """

    before: str
    word: str
    after: str
    keys: tuple[str, ...] = ()

    @classmethod
    def alone(cls, word: str) -> "Sentence":
        """Return the sentence that is the word and nothing else."""
        return cls("", word, "")

    @property
    def as_read(self) -> "Sentence":
        """The sentence without the keys of a word list, which an encoder does not ask for."""
        return replace(self, keys=()) if self.keys else self

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return self.before + self.word + self.after

    @property
    def span(self) -> tuple[int, int]:
        """Where the word begins and ends in the text."""
        return len(self.before), len(self.before) + len(self.word)

    @property
    def surroundings(self) -> tuple[str, ...]:
        """The other words: what spaces separate, without the punctuation at both ends."""
        return _words(self.before) + _words(self.after)

    @property
    def words(self) -> tuple[str, ...]:
        """All words, separated in the same way."""
        return _words(self.text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for token in text.split() if (word := without_punctuation(token)))


KINDS = ("name", "common-noun", "verb", "adjective")
"""The kinds of templates that every language has; English has one for pronouns too."""
ANY_WORD = "any-word"
"""The kind that fits every part of speech, because it speaks of the word: The word is _."""

_SLOT = "_"

_KIND_OF = {
    "PROPN": "name",
    "NOUN": "common-noun",
    "VERB": "verb",
    "ADJ": "adjective",
    "ADV": "adjective",
    "PRON": "pronoun",
}


def template_kind(pos: str | None) -> str:
    """Return the kind of templates for a part of speech: `common-noun` for all that has no own."""
    return _KIND_OF.get(pos or "", "common-noun")


class Templates(Frozen):
    """The templates of one language, `_` standing for the word.

    `chosen_by` says whether a whole list takes the templates of its part of speech (as Malik et
    al. 2022 do), or each word those of its own (as May et al. 2019 do).
    """

    language: LanguageCode
    source: Text
    licence: Text
    notes: str = ""
    chosen_by: Literal["list", "word"]
    kinds: dict[str, tuple[Text, ...]]

    @field_validator("kinds")
    @classmethod
    def _check_kinds(cls, kinds: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if missing := [kind for kind in KINDS if not kinds.get(kind)]:
            raise ValueError(f"has no templates for {', '.join(missing)}")
        for template in (template for of_kind in kinds.values() for template in of_kind):
            if template.count("_") != 1:
                raise ValueError(f"has {template!r}, which must have one _ for the word")
        return kinds

    def pos_of(self, word: Word, wordset: WordSet) -> PartOfSpeech | None:
        """Return the part of speech whose templates a word of a list takes."""
        return wordset.pos if self.chosen_by == "list" else word.pos

    def of(self, pos: str | None) -> tuple[str, ...]:
        """Return the templates for a part of speech."""
        return self.kinds.get(template_kind(pos), self.kinds["common-noun"])

    def shared_by(self, parts: Iterable[str | None]) -> tuple[str, ...]:
        """Return the templates that all these parts of speech have, or else those for any word.

        Empty if they share none and the language has none for any word, or if there are no parts.
        """
        templates_by_part = [*dict.fromkeys(map(self.of, parts))]
        common = tuple(
            template
            for template in chain(*templates_by_part[:1])
            if all(template in others for others in templates_by_part)
        )
        return common or (self.kinds.get(ANY_WORD, ()) if templates_by_part else ())

    def sentences(self, word: str, pos: str | None) -> tuple[str, ...]:
        """Return the sentences that a word of this part of speech makes, each begun as one."""
        return tuple(fill_template(template, word, self.language) for template in self.of(pos))


def fill_template(template: str, word: str, code: str) -> str:
    """Return the sentence that a template makes of a word, with its article and a capital."""
    spoken = language_named(code)
    if (article := spoken.indefinite_article) and article in template:
        template = template.replace(article, spoken.from_module("spelling", "article")(word))
    return capitalize_first(template.replace(_SLOT, word))


def sentence_with_word(template: str, word: str, code: str, keys: tuple[str, ...] = ()) -> Sentence:
    """Return the sentence that a template makes of a word, and where in it the word stands."""
    text = fill_template(template, word, code)
    # What follows the slot is never changed; what precedes it may be (a, an).
    end = len(text) - len(fill_template(template, _SLOT, code).partition(_SLOT)[2])
    start = end - len(word)
    return Sentence(text[:start], text[start:end], text[end:], keys)


@cache
def templates(language: str) -> Templates:
    """Return the templates of a language."""
    return table_of_language(language, "templates", "sentence templates", Templates)


def sentences(word: str, pos: str | None, language: str) -> tuple[str, ...]:
    """Return the sentences that a word of this part of speech makes in its language."""
    return templates(language).sentences(word, pos)

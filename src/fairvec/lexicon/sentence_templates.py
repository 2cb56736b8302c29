"""Sentences that say nothing but their word, by language and part of speech.

They are what the sentence encoder association test (SEAT) measures in the place of words:
May, Wang, Bordia, Bowman & Rudinger (2019), NAACL-HLT, 622-628.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Literal

from pydantic import field_validator

from fairvec.encoders import Sentence
from fairvec.ground.text.capitals import titled
from fairvec.languages.spelling import PartOfSpeech
from fairvec.lexicon.suite_lists.suite import Language
from fairvec.lexicon.toml_file import table_of_language
from fairvec.lexicon.words import Frozen, Text, Word, WordSet

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
# By sound: an honour and an heir, but a European, a union, a user and a one-off. In unidentified,
# unimportant and uninteresting un- stands before an i, but not in unimodal and uninuclear.
_TAKES_AN = re.compile(
    r"uni(?:de|ll|m[^o]|n[^ou]|rr|ss)|(?!eu|uni|us[eu]|ukr|one)[aeiou]|honou?r|honest|heir|hour",
    re.IGNORECASE,
)


def kind_of(pos: str | None) -> str:
    """Return the kind of templates for a part of speech: `common-noun` for all that has no own."""
    return _KIND_OF.get(pos or "", "common-noun")


class Templates(Frozen):
    """The templates of one language, `_` standing for the word.

    `chosen_by` says whether a whole list takes the templates of its part of speech (as Malik et
    al. 2022 do), or each word those of its own (as May et al. 2019 do).
    """

    language: Language
    source: Text
    licence: Text
    notes: str = ""
    chosen_by: Literal["list", "word"]
    kinds: dict[str, tuple[Text, ...]]

    @field_validator("kinds")
    @classmethod
    def _check_kinds(cls, kinds: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        if absent := [kind for kind in KINDS if not kinds.get(kind)]:
            raise ValueError(f"has no templates for {', '.join(absent)}")
        for template in (template for each in kinds.values() for template in each):
            if template.count("_") != 1:
                raise ValueError(f"has {template!r}, which must have one _ for the word")
        return kinds

    def pos_of(self, word: Word, wordset: WordSet) -> PartOfSpeech | None:
        """Return the part of speech whose templates a word of a list takes."""
        return wordset.pos if self.chosen_by == "list" else word.pos

    def of(self, pos: str | None) -> tuple[str, ...]:
        """Return the templates for a part of speech."""
        return self.kinds.get(kind_of(pos), self.kinds["common-noun"])

    def shared_by(self, parts: Iterable[str | None]) -> tuple[str, ...]:
        """Return the templates that all these parts of speech have, or else those for any word.

        Empty if they share none and the language has none for any word, or if there are no parts.
        """
        every = [*dict.fromkeys(map(self.of, parts))]
        common = tuple(each for each in chain(*every[:1]) if all(each in one for one in every))
        return common or (self.kinds.get(ANY_WORD, ()) if every else ())

    def sentences(self, word: str, pos: str | None) -> tuple[str, ...]:
        """Return the sentences that a word of this part of speech makes, each begun as one."""
        return tuple(filled(template, word) for template in self.of(pos))


def filled(template: str, word: str) -> str:
    """Return the sentence that a template makes of a word, with its article and a capital."""
    article = "an" if _TAKES_AN.match(word) else "a"
    sentence = template.replace("a(n)", article).replace("_", word)
    return titled(sentence)


def placed_in(template: str, word: str, keys: tuple[str, ...] = ()) -> Sentence:
    """Return the sentence that a template makes of a word, and where in it the word stands."""
    text = filled(template, word)
    # What follows the slot is never changed; what precedes it may be (a, an).
    end = len(text) - len(filled(template, _SLOT).partition(_SLOT)[2])
    start = end - len(word)
    return Sentence(text[:start], text[start:end], text[end:], keys)


@cache
def templates(language: str) -> Templates:
    """Return the templates of a language."""
    return table_of_language(language, "templates", "sentence templates", Templates)


def sentences(word: str, pos: str | None, language: str) -> tuple[str, ...]:
    """Return the sentences that a word of this part of speech makes in its language."""
    return templates(language).sentences(word, pos)

"""A word with its spellings, a list of words, and the header of every word table."""

import re
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from fairvec.core.validation import Frozen
from fairvec.languages.spelling import PartOfSpeech

Text = Annotated[str, StringConstraints(min_length=1)]


def _check_id(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", text):
        raise ValueError(f"is {text!r} and may hold only small letters, digits, - and _")
    return text


Id = Annotated[str, AfterValidator(_check_id)]


class Word(Frozen):
    """One entry of a list; its variants are other spellings of the same entry."""

    word: Text
    variants: tuple[Text, ...] = ()
    pos: PartOfSpeech | None = None
    transliteration: str = ""
    gloss: str = ""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, entry: Any) -> Any:
        return {"word": entry} if isinstance(entry, str) else entry

    @property
    def spellings(self) -> tuple[str, ...]:
        """The word as listed, then its variants."""
        return (self.word, *self.variants)


class WordSet(Frozen):
    """A list of words under a title that reads well in a sentence; `pos` is its words' default.

    Lists of one `concept` (by default the id) in one language stand for the same idea, so that one
    may be tried in the place of another.
    """

    id: Id
    title: Text
    concept: Id = ""
    pos: PartOfSpeech | None = None
    sensitive: bool = False
    sensitive_reason: str = ""
    words: tuple[Word, ...]

    @field_validator("words")
    @classmethod
    def _inherit_pos(cls, words: tuple[Word, ...], info: ValidationInfo) -> tuple[Word, ...]:
        if not words:
            raise ValueError("must not be empty")
        pos = info.data.get("pos")
        if pos is None:
            return words
        return tuple(word if word.pos else word.model_copy(update={"pos": pos}) for word in words)

    @model_validator(mode="before")
    @classmethod
    def _default_concept(cls, entry: Any) -> Any:
        return {"concept": entry.get("id", ""), **entry} if isinstance(entry, dict) else entry

    @model_validator(mode="after")
    def _check_sensitive(self) -> Self:
        if self.sensitive != bool(self.sensitive_reason):
            raise ValueError("needs both sensitive = true and a sensitive_reason, or neither")
        return self


def _check_language(code: str) -> str:
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise ValueError(f"is {code!r} and must be an ISO 639 code, such as en or hi")
    return code


LanguageCode = Annotated[str, AfterValidator(_check_language)]


class LanguageTable(Frozen):
    """Words of one language, who listed them, and on what terms."""

    version: Text
    language: LanguageCode
    source: Text
    licence: Text
    notes: str = ""

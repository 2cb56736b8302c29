"""Concepts: what a debiasing method takes out of an embedding, and what it must leave in."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.languages.spelling import PartOfSpeech, plain
from fairvec.lexicon.suite_lists.suite import Language, Waiver
from fairvec.lexicon.words import Frozen, Id, Text, Word

Words = TypeVar("Words", bound=tuple[Word, ...])


def _check_count(words: Any, *, pair: bool) -> Any:
    """Refuse what is no list of two words, or of two and more."""
    what = "a pair has two" if pair else "a set has two or more"
    if isinstance(words, str | dict):
        raise ValueError(f'must be a list of words, as in ["he", "she"]: {what}')
    if isinstance(words, list) and (len(words) < 2 or (pair and len(words) > 2)):
        raise ValueError(f"has {len(words)} word{'s' * (len(words) != 1)}, and {what}")
    return words


def _check_different(words: Words) -> Words:
    seen: set[str] = set()
    for word in words:
        spellings = {plain(spelling) for spelling in word.spellings}
        if seen & spellings:
            raise ValueError(f"has {word.word!r} twice, and its words must differ")
        seen |= spellings
    return words


Pair = Annotated[
    tuple[Word, Word],
    BeforeValidator(partial(_check_count, pair=True)),
    AfterValidator(_check_different),
]
WordsOfASet = Annotated[
    tuple[Word, ...],
    BeforeValidator(partial(_check_count, pair=False)),
    AfterValidator(_check_different),
]


def _check_variant(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9+-]*", name):
        raise ValueError(f"is {name!r} and may hold only small letters, digits, - and +")
    return name


VariantName = Annotated[str, AfterValidator(_check_variant)]


class Definition(Frozen):
    """The words from which a direction is taken: aligned pairs, aligned sets, or one list.

    The words of a pair differ in nothing but the concept, as he and she do, and so do those of a
    set, as church, mosque and synagogue; a word may be in several sets. `pos` is the words' default
    part of speech.
    """

    title: str = ""
    pos: PartOfSpeech | None = None
    pairs: tuple[Pair, ...] = ()
    sets: tuple[WordsOfASet, ...] = ()
    words: tuple[Word, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _inherit_pos(cls, entry: Any) -> Any:
        # A part of speech that there is not is refused once, and not in every word.
        if not isinstance(entry, dict) or entry.get("pos") not in get_args(PartOfSpeech):
            return entry
        return {**entry, **_with_pos(entry, entry["pos"])}

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(map(bool, (self.pairs, self.sets, self.words))) != 1:
            raise ValueError("needs either pairs, sets or words")
        return self

    @property
    def entries(self) -> tuple[Word, ...]:
        """All words, pair after pair or set after set, each once."""
        aligned: tuple[tuple[Word, ...], ...] = self.pairs or self.sets
        return self.words or tuple(dict.fromkeys(word for each in aligned for word in each))

    def only(self, wanted: Callable[[Word], bool]) -> "Definition | None":
        """Return the definition with the wanted words and whole sets; None if none is left."""
        left = {
            "pairs": tuple(pair for pair in self.pairs if all(map(wanted, pair))),
            "sets": tuple(each for each in self.sets if all(map(wanted, each))),
            "words": tuple(word for word in self.words if wanted(word)),
        }
        return self.model_copy(update=left) if any(left.values()) else None


class ConceptHead(Frozen):
    """What a concept says about itself, in the file and in memory.

    `variants` are the published ways to define it and `default` names the one that is meant when
    none is. `equalise` are pairs or sets that shall differ in nothing else, `specific` are words
    that mean the concept and shall not be moved, `keep` are directions that shall stay as they are,
    such as grammatical gender. `category` is that of the tests which are about it, if it is not its
    name.
    """

    title: Text
    category: str = ""
    source: Text
    licence: Text
    doi: str = ""
    notes: str = ""
    sensitive: bool = False
    sensitive_reason: str = ""
    default: VariantName
    variants: dict[VariantName, Definition]
    equalise: tuple[WordsOfASet, ...] = ()
    specific: tuple[Word, ...] = ()
    keep: dict[Id, Definition] = Field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()

    @field_validator("variants")
    @classmethod
    def _some(cls, variants: dict[str, Definition]) -> dict[str, Definition]:
        if not variants:
            raise ValueError("must not be empty")
        return variants

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.default not in self.variants:
            raise ValueError(f"has the default {self.default!r}, which is none of its variants")
        if self.sensitive != bool(self.sensitive_reason):
            raise ValueError("needs both sensitive = true and a sensitive_reason, or neither")
        return self


class Concept(ConceptHead):
    """A concept with one of its variants chosen: `hi/gender:pairs`.

    No method may learn from the words that are `held_out`, nor from any key of an embedding that
    they or their parts reach (see ConceptWords); those of them that are specific still stay where
    they are.
    """

    id: Text
    version: Text
    language: Language
    variant: VariantName
    held_out: tuple[Word, ...] = ()

    @property
    def name(self) -> str:
        """The id and the variant, by which it is chosen."""
        return f"{self.id}:{self.variant}"

    @property
    def about(self) -> str:
        """The social category of the tests that are about it."""
        return self.category or self.id.rpartition("/")[2]

    @property
    def definition(self) -> Definition:
        """The words of the chosen variant."""
        return self.variants[self.variant]

    def choosing(self, variant: str) -> "Concept":
        """Return the concept with another variant chosen."""
        if variant not in self.variants:
            raise UnknownNameError(f"variant of {self.id}", variant, self.variants)
        return self.model_copy(update={"variant": variant})

    def without(self, words: Iterable[Word]) -> "Concept":
        """Return the concept without these words, so that a test of them can judge a method.

        What is spelt like one of them leaves at once; what only reaches the same key of an
        embedding leaves when it is looked up there.
        """
        held_out = tuple(words)
        taken = {spelling.casefold() for word in held_out for spelling in word.spellings}

        def free(word: Word) -> bool:
            return taken.isdisjoint(spelling.casefold() for spelling in word.spellings)

        variants = {name: each.only(free) for name, each in self.variants.items()}
        if variants[self.variant] is None:
            raise all_held_out(self.name)
        keep = {name: each.only(free) for name, each in self.keep.items()}
        return self.model_copy(
            update={
                "held_out": (*self.held_out, *held_out),
                "variants": {name: each for name, each in variants.items() if each},
                "keep": {name: each for name, each in keep.items() if each},
                "equalise": tuple(pair for pair in self.equalise if all(map(free, pair))),
            }
        )

    def kept(self, name: str) -> Definition:
        """Return the words of a direction to keep."""
        if name not in self.keep:
            raise UnknownNameError(f"direction to keep in {self.id}", name, self.keep)
        return self.keep[name]


def all_held_out(what: str) -> LexiconError:
    """Return the error that nothing is left to learn from."""
    return LexiconError(
        f"All words that define {what} are among those to be held out; choose another variant or "
        "other tests."
    )


def _with_pos(entry: dict[str, Any], pos: Any) -> dict[str, Any]:
    def one(word: Any) -> Any:
        if isinstance(word, str):
            return {"word": word, "pos": pos}
        return {"pos": pos, **word} if isinstance(word, dict) else word

    def each(words: Any) -> Any:
        return [one(word) for word in words] if isinstance(words, list) else words

    filled: dict[str, Any] = {}
    for kind in ("pairs", "sets"):
        if isinstance(aligned := entry.get(kind), list):
            filled[kind] = [each(words) for words in aligned]
    if "words" in entry:
        filled["words"] = each(entry["words"])
    return filled

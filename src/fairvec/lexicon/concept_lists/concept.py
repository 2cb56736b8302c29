"""Concepts: what a debiasing method takes out of an embedding, and what it must leave in."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    Field,
    field_validator,
    model_validator,
)

from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.lexicon.concept_lists.definition import Definition, WordsOfASet
from fairvec.lexicon.concept_lists.own_concepts import aligned, defined, id_of_concept
from fairvec.lexicon.in_python import (
    LICENCE,
    SOURCE,
    UNSAID,
    ListOfWords,
    as_words,
    digest,
    one_sentence,
)
from fairvec.lexicon.suite_lists.suite import Language, Waiver
from fairvec.lexicon.words import Frozen, Id, Text, Word


def _check_variant(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9+-]*", name):
        raise ValueError(f"is {name!r} and may hold only small letters, digits, - and +")
    return name


VariantName = Annotated[str, AfterValidator(_check_variant)]


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

    In Python one definition is enough: `pairs`, `sets` or `words`. The last part of the `id` is the
    category of the tests that are about it, unless a `category` is said; without a `language` it is
    that of the model.

    >>> from fairvec import Concept
    >>> gender = Concept(pairs=[("he", "she"), ("man", "woman")], id="gender")
    >>> gender.name, gender.about
    ('own/gender:pairs', 'gender')
    """

    id: Text
    version: Text
    language: Language
    variant: VariantName
    held_out: tuple[Word, ...] = ()

    def __init__(
        self,
        *,
        pairs: Iterable[ListOfWords] | None = None,
        sets: Iterable[ListOfWords] | None = None,
        words: ListOfWords | None = None,
        id: str = "concept",
        title: str = "",
        variants: Mapping[str, Definition] | None = None,
        default: str = "",
        variant: str = "",
        version: str = "",
        language: str = UNSAID,
        source: str = SOURCE,
        licence: str = LICENCE,
        equalise: Iterable[ListOfWords] = (),
        specific: Iterable[str | Word] = (),
        keep: Mapping[str, Definition] | None = None,
        held_out: Sequence[Word] = (),
        **more: Any,
    ) -> None:
        full = id_of_concept(id)
        with one_sentence(f"The concept {id}"):
            if variants is None:
                kind, given = defined(pairs=pairs, sets=sets, words=words)
                variants = {kind: Definition.model_validate({kind: given})}
            elif not pairs is sets is words is None:
                raise LexiconError(
                    f"The concept {id} has variants= and words of its own beside "
                    "them; give one of the two."
                )
            default = default or variant or next(iter(variants), "")
            said: dict[str, Any] = {
                "id": full,
                "title": title or id.rpartition("/")[2],
                "variants": variants,
                "default": default,
                "variant": variant or default,
                "version": version or digest(sorted(variants.items()))[:12],
                "language": language,
                "source": source,
                "licence": licence,
                "equalise": aligned("equalise", equalise),
                "specific": as_words("specific", specific, some=False),
                "keep": keep or {},
                "held_out": held_out,
            }
            super().__init__(**said, **more)

    def __hash__(self) -> int:
        """Return the hash of what names it, which equal concepts share: a dict has none."""
        return hash((self.id, self.version, self.variant))

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

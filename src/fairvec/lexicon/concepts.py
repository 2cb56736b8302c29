"""Concepts: what a debiasing method removes, defined by pairs, sets or a list of words.

Definition   the words from which a direction is taken
Concept      one or several definitions (variants), with what to equalise and what to keep
concept      a concept by name (hi/gender, hi/gender:one-pair) or by the path of a TOML file
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.io.cache import digest_of
from fairvec.core.io.read_files import OPEN_PIPE, is_file
from fairvec.core.io.toml_files import parse_toml, read_toml
from fairvec.core.validation import Frozen, Location
from fairvec.languages.language import file_of_language, languages_with
from fairvec.languages.spelling import PartOfSpeech, normalize
from fairvec.languages.words import Id, LanguageCode, Text, Word
from fairvec.lexicon.python_lists import (
    LICENCE,
    OWN,
    SOURCE,
    UNSAID,
    ListOfWords,
    as_words,
    errors_as_sentence,
    type_name,
)
from fairvec.lexicon.suites import Waiver

Words = TypeVar("Words", bound=tuple[Word, ...])


def _check_count(words: Any, *, pair: bool) -> Any:
    """Refuse anything but a list of two words (a pair) or of two or more (a set)."""
    what = "a pair has two" if pair else "a set has two or more"
    if isinstance(words, str | dict):
        raise ValueError(f'must be a list of words, as in ["he", "she"]: {what}')
    if isinstance(words, list) and (len(words) < 2 or (pair and len(words) > 2)):
        raise ValueError(f"has {len(words)} word{'s' * (len(words) != 1)}, and {what}")
    return words


def _check_different(words: Words) -> Words:
    seen: set[str] = set()
    for word in words:
        spellings = {normalize(spelling, keeps_joiners=True) for spelling in word.spellings}
        if seen & spellings:
            raise ValueError(f"has {word.word!r} twice, and its words must differ")
        seen |= spellings
    return words


Pair = Annotated[
    tuple[Word, Word],
    BeforeValidator(partial(_check_count, pair=True)),
    AfterValidator(_check_different),
]
AlignedWords = Annotated[
    tuple[Word, ...],
    BeforeValidator(partial(_check_count, pair=False)),
    AfterValidator(_check_different),
]


class Definition(Frozen):
    """The words from which a direction is taken: aligned pairs, aligned sets, or one list.

    The words of a pair differ in nothing but the concept, as he and she do, and so do those of a
    set, as church, mosque and synagogue; a word may be in several sets. `pos` is the words' default
    part of speech. A variant that `equalises_itself` has its own pairs or sets equalised in place
    of the concept's: what shares no word with the tests would else move words of theirs.
    """

    title: str = ""
    pos: PartOfSpeech | None = None
    pairs: tuple[Pair, ...] = ()
    sets: tuple[AlignedWords, ...] = ()
    words: tuple[Word, ...] = ()
    equalises_itself: bool = False

    @model_validator(mode="before")
    @classmethod
    def _inherit_pos(cls, entry: Any) -> Any:
        # A part of speech that there is not is refused once, and not in every word.
        if not isinstance(entry, dict) or entry.get("pos") not in get_args(PartOfSpeech):
            return entry
        return {**entry, **_with_pos(entry, entry["pos"])}

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if sum(map(bool, (self.pairs, self.sets, self.words))) != 1:
            raise ValueError("needs either pairs, sets or words")
        if self.equalises_itself and self.words:
            raise ValueError("has words and equalises_itself, which is for pairs or sets")
        return self

    @property
    def entries(self) -> tuple[Word, ...]:
        """All words, pair after pair or set after set, each once."""
        aligned: tuple[tuple[Word, ...], ...] = self.pairs or self.sets
        return self.words or tuple(dict.fromkeys(word for words in aligned for word in words))

    def only(self, is_wanted: Callable[[Word], bool]) -> "Definition | None":
        """Return the definition with the selected words and complete sets; None if none is left."""
        remaining = {
            "pairs": tuple(pair for pair in self.pairs if all(map(is_wanted, pair))),
            "sets": tuple(words for words in self.sets if all(map(is_wanted, words))),
            "words": tuple(word for word in self.words if is_wanted(word)),
        }
        return self.model_copy(update=remaining) if any(remaining.values()) else None


def _with_pos(entry: dict[str, Any], pos: Any) -> dict[str, Any]:
    def with_pos(word: Any) -> Any:
        if isinstance(word, str):
            return {"word": word, "pos": pos}
        return {"pos": pos, **word} if isinstance(word, dict) else word

    def all_with_pos(words: Any) -> Any:
        return [with_pos(word) for word in words] if isinstance(words, list) else words

    filled: dict[str, Any] = {}
    for kind in ("pairs", "sets"):
        if isinstance(aligned := entry.get(kind), list):
            filled[kind] = [all_with_pos(words) for words in aligned]
    if "words" in entry:
        filled["words"] = all_with_pos(entry["words"])
    return filled


Kind = Literal["pairs", "sets", "words"]


def choose_definition(
    *,
    pairs: Iterable[ListOfWords] | None,
    sets: Iterable[ListOfWords] | None,
    words: ListOfWords | None,
) -> tuple[Kind, Sequence[Any]]:
    """Return which of the three defines a concept, and its words."""
    options: dict[Kind, Any] = {"pairs": pairs, "sets": sets, "words": words}
    chosen = [kind for kind, lists in options.items() if lists is not None]
    if len(chosen) != 1:
        raise LexiconError(
            f"A concept is defined by {' and '.join(chosen) or 'nothing'}; give either pairs=, as "
            'in [("he", "she")], or sets= or words=.'
        )
    kind = chosen[0]
    if kind == "words":
        return kind, as_words("words", options[kind])
    if not (found := as_aligned_words(kind, options[kind])):
        raise LexiconError(f'{kind} is an empty list; give some, as in [("he", "she")].')
    return kind, found


def as_aligned_words(kind: str, lists: Any) -> list[list[Word]]:
    """Return lists of words that differ in nothing but the concept, each as a list."""
    if isinstance(lists, str) or not isinstance(lists, Iterable):
        raise LexiconError(f'{kind} must be a list of lists, as in [("he", "she")].')
    return [[*as_words(f"{kind}[{number}]", words)] for number, words in enumerate(lists, start=1)]


def full_concept_id(id: str) -> str:
    """Return the full id; one without a prefix gets that of own concepts."""
    if not isinstance(id, str):
        raise LexiconError(f"The id of a concept is text, not {type_name(id)}; say id='gender'.")
    return id if "/" in id else f"{OWN}/{id}"


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
    such as grammatical gender. `axis` is the pair along which words are shown, if it is not the
    first of its pairs. `category` is that of the tests which are about it, if it is not its
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
    equalise: tuple[AlignedWords, ...] = ()
    specific: tuple[Word, ...] = ()
    keep: dict[Id, Definition] = Field(default_factory=dict)
    axis: Pair | tuple[()] = ()
    waivers: tuple[Waiver, ...] = ()

    @field_validator("variants")
    @classmethod
    def _check_not_empty(cls, variants: dict[str, Definition]) -> dict[str, Definition]:
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
    category of the tests that are about it, unless it has a `category`; without a `language` it is
    that of the model.

    >>> from fairvec import Concept
    >>> gender = Concept(pairs=[("he", "she"), ("man", "woman")], id="gender")
    >>> gender.name, gender.about
    ('own/gender:pairs', 'gender')
    """

    id: Text
    version: Text
    language: LanguageCode
    variant: VariantName
    held_out: tuple[Word, ...] = ()
    held_out_languages: tuple[LanguageCode, ...] = ()

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
        held_out_languages: Sequence[str] = (),
        **more: Any,
    ) -> None:
        full = full_concept_id(id)
        with errors_as_sentence(f"The concept {id}"):
            if variants is None:
                kind, definition = choose_definition(pairs=pairs, sets=sets, words=words)
                variants = {kind: Definition.model_validate({kind: definition})}
            elif not pairs is sets is words is None:
                raise LexiconError(
                    f"The concept {id} has variants= and words of its own beside "
                    "them; give one of the two."
                )
            default = default or variant or next(iter(variants), "")
            fields: dict[str, Any] = {
                "id": full,
                "title": title or id.rpartition("/")[2],
                "variants": variants,
                "default": default,
                "variant": variant or default,
                "version": version or _version(variants),
                "language": language,
                "source": source,
                "licence": licence,
                "equalise": as_aligned_words("equalise", equalise),
                "specific": as_words("specific", specific, some=False),
                "keep": keep or {},
                "held_out": held_out,
                "held_out_languages": held_out_languages,
            }
            super().__init__(**fields, **more)

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

    @property
    def equality_sets(self) -> tuple[tuple[Word, ...], ...]:
        """The sets that shall differ in nothing else: those listed, else the variant's own."""
        own = self.definition.pairs or self.definition.sets
        return own if self.definition.equalises_itself else self.equalise or own

    def choosing(self, variant: str) -> "Concept":
        """Return the concept with another variant chosen."""
        if variant not in self.variants:
            raise UnknownNameError(f"variant of {self.id}", variant, self.variants)
        return self.model_copy(update={"variant": variant})

    def without(self, words: Iterable[Word], languages: Iterable[str] = ()) -> "Concept":
        """Return the concept without these words, so that a test of them can judge a method.

        What is spelt like one of them leaves at once; what only reaches the same key of an
        embedding leaves when it is looked up there, by the rules of the concept's language and of
        the words' `languages`.
        """
        held_out = tuple(words)
        taken = {spelling.casefold() for word in held_out for spelling in word.spellings}

        def is_free(word: Word) -> bool:
            return taken.isdisjoint(spelling.casefold() for spelling in word.spellings)

        variants = {name: definition.only(is_free) for name, definition in self.variants.items()}
        if variants[self.variant] is None:
            raise nothing_to_fit_on(self.name)
        keep = {name: definition.only(is_free) for name, definition in self.keep.items()}
        return self.model_copy(
            update={
                "held_out": (*self.held_out, *held_out),
                "held_out_languages": tuple(dict.fromkeys((*self.held_out_languages, *languages))),
                "variants": {
                    name: definition for name, definition in variants.items() if definition
                },
                "keep": {name: definition for name, definition in keep.items() if definition},
                "equalise": tuple(pair for pair in self.equalise if all(map(is_free, pair))),
            }
        )

    def direction_to_keep(self, name: str) -> Definition:
        """Return the words of a direction to keep."""
        if name not in self.keep:
            raise UnknownNameError(f"direction to keep in {self.id}", name, self.keep)
        return self.keep[name]


def nothing_to_fit_on(what: str) -> LexiconError:
    """Return the error that nothing is left to learn from."""
    return LexiconError(
        f"All words that define {what} are among those to be held out; choose another variant or "
        "other tests."
    )


_OWN_FILE = re.compile(rf"(.+\.toml|{OPEN_PIPE})(?:/([^/:]*))?(?::([^:]*))?", re.DOTALL)
"""A file, the name of a concept if it holds several, and a variant: my.toml/gender:pairs."""


class ConceptFile(Frozen):
    """The concepts of one language, as a TOML file has them."""

    version: Text
    language: LanguageCode
    concepts: dict[Id, ConceptHead]

    @field_validator("concepts")
    @classmethod
    def _check_not_empty(cls, concepts: dict[str, ConceptHead]) -> dict[str, ConceptHead]:
        if not concepts:
            raise ValueError("must not be empty: a concept begins with [concepts.NAME]")
        return concepts

    def all(self) -> tuple[Concept, ...]:
        """Return the concepts, each in its default variant."""
        return tuple(
            Concept(
                **{field: getattr(head, field) for field in ConceptHead.model_fields},
                id=f"{self.language}/{name}",
                version=self.version,
                language=self.language,
                variant=head.default,
            )
            for name, head in self.concepts.items()
        )


def parse_concepts(text: str, where: str = "concepts") -> tuple[Concept, ...]:
    """Return the concepts that `text` (TOML) describes; `where` names it in errors."""
    return parse_toml(text, where, ConceptFile, _known_keys).all()


def read_concepts(path: str | Path | Traversable) -> tuple[Concept, ...]:
    """Return the concepts in the TOML file at `path`."""
    return parse_concepts(read_toml(path, "concept"), str(path))


def shipped_concepts() -> tuple[Concept, ...]:
    """Return the concepts that come with fairvec, by id, each in its default variant."""
    return _concepts_in(
        tuple(
            file_of_language(language, "concepts", "concepts")
            for language in languages_with("concepts")
        )
    )


@cache
def _concepts_in(files: tuple[Path, ...]) -> tuple[Concept, ...]:
    found = (item for file in files for item in read_concepts(file))
    return tuple(sorted(found, key=lambda item: item.id))


def concept(name: str | Path) -> Concept:
    """Return the concept named `hi/gender`, or with its variant `hi/gender:one-pair`.

    One of one's own is named by its file: `my.toml`, `my.toml:one-pair`, and `my.toml/gender` or
    `my.toml/gender:one-pair` where the file holds several.
    """
    if own_file := _OWN_FILE.fullmatch(str(name)):
        file, id, variant = own_file.groups(default="")
        found = _from_file(file, id)
    else:
        id, _, variant = str(name).partition(":")
        found = _shipped(id)
    return found.choosing(variant) if variant else found


def has_shipped_namesake(own: Concept) -> bool:
    """Return whether a shipped concept has this id and is another: results name it by its id."""
    return any(shipped.id == own.id and shipped != own for shipped in shipped_concepts())


def _shipped(id: str) -> Concept:
    found = {shipped.id: shipped for shipped in shipped_concepts()}
    if id not in found:
        if is_file(id):
            raise LexiconError(
                f"{id} is a file whose name does not end in .toml; call a file of concepts so."
            )
        hint = "A concept of your own is chosen by the path of its .toml file."
        raise UnknownNameError("concept", id, found, hint=hint)
    return found[id]


def _from_file(file: str, wanted_name: str) -> Concept:
    found = {own.id.partition("/")[2]: own for own in read_concepts(file)}
    for name in (name for name, own in found.items() if has_shipped_namesake(own)):
        raise LexiconError(
            f"{file}: {found[name].id} is a concept that comes with fairvec and has other words; "
            f'call yours [concepts.my-{name}] and give it the category = "{name}".'
        )
    if wanted_name:
        if wanted_name not in found:
            raise UnknownNameError(f"concept in {file}", wanted_name, found)
        return found[wanted_name]
    if len(found) > 1:
        raise LexiconError(
            f"{file} holds {len(found)} concepts; choose one: "
            f"{' or '.join(f'{file}/{name}' for name in found)}."
        )
    return next(iter(found.values()))


def _known_keys(location: Location) -> Iterable[str]:
    match location:
        case (
            ("concepts", _, "variants" | "keep", _, "words", _, _)
            | ("concepts", _, "variants" | "keep", _, "pairs" | "sets", _, _, _)
            | ("concepts", _, "specific" | "axis", _, _)
            | ("concepts", _, "equalise", _, _, _)
        ):
            return Word.model_fields
        case ("concepts", _, "variants" | "keep", _, _):
            return Definition.model_fields
        case ("concepts", _, "waivers", _, _):
            return Waiver.model_fields
        case ("concepts", _, _):
            return ConceptHead.model_fields
        case _:
            return ConceptFile.model_fields


def _version(variants: Mapping[str, Definition]) -> str:
    return digest_of({name: variants[name].model_dump() for name in variants})[:12]

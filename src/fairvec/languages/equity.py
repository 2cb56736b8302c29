"""Sentences that differ in a person's group alone, by language and social category.

In the style of the Equity Evaluation Corpus: Kiritchenko & Mohammad (2018), *SEM 2018, 43-53,
doi:10.18653/v1/S18-2005.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import Field, model_validator

from fairvec.core.format import capitalize_first
from fairvec.core.io.toml_files import parse_toml, read_toml
from fairvec.core.validation import Frozen, Location
from fairvec.languages.language import file_of_language, languages_with
from fairvec.languages.text import token_pattern
from fairvec.languages.words import Id, LanguageTable, Text

Feeling = Literal["positive", "negative", "neutral"]
"""What the word of a sentence says, whoever it is said of; a sentence without one is neutral."""

FEELINGS: tuple[Feeling, ...] = get_args(Feeling)

_SLOT = re.compile(r"{([^{}]*)}")


class SentencePair(NamedTuple):
    """One sentence about either person of a pair; `pair` is the place of these in their set."""

    pair: int
    feeling: Feeling
    a: str
    b: str


class FeelingWords(Frozen):
    """The words that one kind of slot takes, by what they say."""

    positive: tuple[Text, ...]
    negative: tuple[Text, ...]
    neutral: tuple[Text, ...]

    def items(self) -> Iterator[tuple[Feeling, str]]:
        """Give each word with what it says."""
        for feeling in FEELINGS:
            for word in getattr(self, feeling):
                yield feeling, word


class PersonPair(Frozen):
    """Two persons that differ in the group alone, in each form that a sentence may ask for."""

    gloss: str = ""
    forms: dict[Id, tuple[Text, Text]]

    @model_validator(mode="before")
    @classmethod
    def _collect_forms(cls, entry: Any) -> Any:
        """Take what is no gloss as a form, so that a pair is one line of a file."""
        if not isinstance(entry, dict) or "forms" in entry:
            return entry
        forms = {name: form for name, form in entry.items() if name != "gloss"}
        return {"gloss": entry.get("gloss", ""), "forms": forms}

    @model_validator(mode="after")
    def _check_forms_differ(self) -> Self:
        for name, (a, b) in self.forms.items():
            if not (_distinct_words(a, b) and _distinct_words(b, a)):
                raise ValueError(f"has {a!r} and {b!r} as {name}, which must differ in a word each")
        return self

    @property
    def label(self) -> str:
        """Both persons, in their first form."""
        return " / ".join(next(iter(self.forms.values())))

    def words(self, side: int) -> tuple[str, ...]:
        """Return the words of person a (0) or b (1), in every form, that the other has not."""
        distinct = (_distinct_words(form[side], form[1 - side]) for form in self.forms.values())
        return tuple(dict.fromkeys(word for words in distinct for word in words))


class EquitySet(Frozen):
    """The pairs of persons of one social category; a positive difference favours those of a."""

    id: Id
    title: Text
    category: Text
    a: Text
    b: Text
    positive_means: Text
    negative_means: Text
    sensitive: bool = False
    sensitive_reason: str = ""
    pairs: Annotated[tuple[PersonPair, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.sensitive != bool(self.sensitive_reason):
            raise ValueError("needs both sensitive = true and a sensitive_reason, or neither")
        persons = [pair.label for pair in self.pairs]
        if twice := sorted({person for person in persons if persons.count(person) > 1}):
            raise ValueError(f"has {', '.join(twice)} twice")
        return self


class EquityTable(LanguageTable):
    """The templates of one language, the words they take, and the sets of persons."""

    forms: tuple[Id, ...]
    templates: Annotated[tuple[Text, ...], Field(min_length=1)]
    words: dict[Id, FeelingWords]
    sets: Annotated[tuple[EquitySet, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_slots(self) -> Self:
        """Refuse what does not fit together: slots without words, forms that no sentence asks."""
        for template in self.templates:
            slots = _SLOT.findall(template)
            persons = [slot for slot in slots if slot in self.forms]
            others = [slot for slot in slots if slot not in self.forms]
            if len(persons) != 1 or len(others) > 1 or not {*others} <= {*self.words}:
                known, words = ", ".join(self.forms), ", ".join(self.words)
                raise ValueError(
                    f"has the template {template!r}, which must have one slot for a person "
                    f"({known}) and at most one for a word ({words})"
                )
        used = {slot for template in self.templates for slot in _SLOT.findall(template)}
        if unused := [slot for slot in (*self.forms, *self.words) if slot not in used]:
            raise ValueError(f"has no template that takes {', '.join(unused)}")
        for equity_set in self.sets:
            for pair in equity_set.pairs:
                if {*pair.forms} != {*self.forms}:
                    raise ValueError(
                        f"has {pair.label} in the forms {', '.join(pair.forms)}, not in "
                        f"{', '.join(self.forms)}"
                    )
        return self

    @property
    def name(self) -> str:
        """What the sets of this language are called together, as a suite is."""
        return f"equity-{self.language}"

    def sentences(self, of: EquitySet) -> tuple[SentencePair, ...]:
        """Return every sentence of a set about person a and about person b, pair by pair."""
        return tuple(
            SentencePair(
                number, feeling, *(_fill_slots(template, pair, side, word) for side in (0, 1))
            )
            for number, pair in enumerate(of.pairs)
            for template in self.templates
            for feeling, word in self._words_for(template)
        )

    def _words_for(self, template: str) -> Iterator[tuple[Feeling, str]]:
        slot = next((slot for slot in _SLOT.findall(template) if slot in self.words), None)
        if slot is None:
            yield "neutral", ""
        else:
            yield from self.words[slot].items()


def _distinct_words(person: str, other: str) -> list[str]:
    """Return the words of a person that the other one has not, as they stand."""
    theirs = {*token_pattern().findall(other)}
    return [word for word in token_pattern().findall(person) if word not in theirs]


def _fill_slots(template: str, pair: PersonPair, side: int, word: str) -> str:
    text = _SLOT.sub(lambda slot: pair.forms.get(slot[1], (word, word))[side], template)
    return capitalize_first(text)


def parse_equity(text: str, where: str = "the file") -> EquityTable:
    """Return the sentences that `text` describes in TOML, or raise LexiconError."""
    return parse_toml(text, where, EquityTable, _known_keys)


@cache
def equity_table(language: str) -> EquityTable:
    """Return the sentences of a language, or raise UnknownNameError with those that there are."""
    file = file_of_language(language, "equity", "sentences that differ in the group alone")
    return parse_equity(read_toml(file, "sentences that differ in the group alone"), file.name)


def equity_languages() -> tuple[str, ...]:
    """Return the languages in which there are such sentences."""
    return languages_with("equity")


def _known_keys(location: Location) -> list[str]:
    match location[:1]:
        case ("sets",):
            return [*EquitySet.model_fields]
        case ("words",):
            return [*FEELINGS]
    return [*EquityTable.model_fields]

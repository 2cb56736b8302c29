"""Find the listed words of a document: persons, describing words, occupations, coded words."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Literal, NamedTuple, overload

from fairvec.languages.language import language as language_named
from fairvec.languages.people import coded_words, forms_listed, people_lists
from fairvec.languages.text import Document, token_pattern
from fairvec.results.documents import Side

WordKind = Literal["person", "describing", "occupation", "coded"]

_PARTS = re.compile(r"[^'’\-‐‑]+")
_APOSTROPHES = ("'", "’")
_MOST_KNOWN = 20_000
"""Tokens whose entries are cached; there is an end to them, as a matcher lives for long."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the lists: what it is, and the word under which its forms are counted."""

    kind: WordKind
    word: str
    side: Side = ""
    role: str = ""


class WordMatch(NamedTuple):
    """An entry at its place in a document; `sentence` is the number of its sentence."""

    start: int
    end: int
    sentence: int
    entry: Entry


class WordMatches(Sequence[WordMatch]):
    """Words that were found, in their order, in 16 bytes each."""

    def __init__(self, found: Iterable[WordMatch] = ()) -> None:
        self._starts, self._ends = array("I"), array("I")
        self.sentences, self.numbers = array("I"), array("I")
        """Of each word the number of its sentence, and that of its entry among `entries`."""
        self._numbers: dict[Entry, int] = {}
        self.extend(found)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The distinct entries, in the order in which they were first found."""
        return tuple(self._numbers)

    def extend(self, found: Iterable[WordMatch], after: int = 0) -> None:
        """Add words of a text that starts `after` so many sentences of others."""
        if isinstance(found, WordMatches):
            self._extend_columns(found, after)
            return
        for match in found:
            self._starts.append(match.start)
            self._ends.append(match.end)
            self.sentences.append(match.sentence + after)
            self.numbers.append(self._numbers.setdefault(match.entry, len(self._numbers)))

    def _extend_columns(self, found: "WordMatches", after: int) -> None:
        numbers = [self._numbers.setdefault(one, len(self._numbers)) for one in found.entries]
        self._starts.extend(found._starts)
        self._ends.extend(found._ends)
        self.sentences.extend(sentence + after for sentence in found.sentences)
        self.numbers.extend(numbers[number] for number in found.numbers)

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, place: int) -> WordMatch: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[WordMatch, ...]: ...
    def __getitem__(self, place: int | slice) -> WordMatch | tuple[WordMatch, ...]:
        if isinstance(place, slice):
            return tuple(islice(self, *place.indices(len(self))))
        entry = self.entries[self.numbers[place]]
        return WordMatch(self._starts[place], self._ends[place], self.sentences[place], entry)

    def __iter__(self) -> Iterator[WordMatch]:
        columns = (self._starts, self._ends, self.sentences, self.numbers)
        entries = self.entries
        for start, end, sentence, number in zip(*columns, strict=True):
            yield WordMatch(start, end, sentence, entries[number])


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A form of an entry: where it starts and ends in its first token, and what must follow."""

    entry: Entry
    rest: tuple[str, ...] = ()
    start: int = 0
    end: int | None = None


class WordMatcher:
    """The lists of a language, ready to be found in documents; `names` may be left out."""

    def __init__(self, language: str, *, names: bool = True) -> None:
        self.lists = people_lists(language)
        of_language = language_named(language)
        self._spelling = of_language.spelling
        self._is_homograph = of_language.from_module("homographs", "is_homograph")
        self._hyphen_joins_words = of_language.hyphen_joins_words
        self._forms: dict[str, list[_Candidate]] = {}
        self._candidates = lru_cache(_MOST_KNOWN)(self._find_candidates)
        for side, roles in self.lists.persons.items():
            for role, words in roles.items():
                for word in words if names or role != "name" else ():
                    self._add(word, Entry("person", word, side, role))
        for word, forms in self.lists.occupations.items():
            for form in (word, *forms_listed(forms)):
                self._add(form, Entry("occupation", word))
        for kind, described in self.lists.describing.items():
            for word, forms in described.items():
                for form in (word, *forms_listed(forms)):
                    self._add(form, Entry("describing", word, role=kind))

    def find(self, document: Document) -> Iterator[WordMatch]:
        """Give the listed words of a document, in their order; the longest entry wins."""
        for number, sentence in enumerate(document.sentences):
            done = sentence.start
            for token in token_pattern().finditer(sentence.read, sentence.start, sentence.end):
                candidates = self._candidates(token.group())
                if not candidates or (start := token.start()) < done:
                    continue
                if self._is_homograph and self._is_homograph(document.text, *token.span()):
                    continue
                for candidate in candidates:
                    stop = token.end() if candidate.end is None else start + candidate.end
                    if candidate.rest:
                        stop = self._end_of_rest(document, token.end(), sentence.end, candidate)
                        if not stop:
                            continue
                    yield WordMatch(start + candidate.start, stop, number, candidate.entry)
                    done = stop
                    if candidate.end is None:
                        break

    def _end_of_rest(self, document: Document, start: int, last: int, of: _Candidate) -> int:
        """Return where the other words of an entry end, with nothing but space between; else 0."""
        for word in of.rest:
            token = token_pattern().search(document.sentences.read, start, last)
            if token is None or self._fold(token.group()) != word:
                return 0
            if not document.text[start : token.start()].isspace():
                return 0
            start = token.end()
        return start

    def _find_candidates(self, text: str) -> tuple[_Candidate, ...]:
        """Return the entries that a token may be or begin, the longest first.

        If it is none as a whole, its parts may be: of a word with an apostrophe (she's) the first,
        and where a hyphen joins words (माता-पिता, женщина-врач) all.
        """
        return self._full_matches(text) or tuple(self._part_matches(text))

    def _full_matches(self, text: str) -> tuple[_Candidate, ...]:
        written = self._spelling.fold(text)
        folded = written.casefold()
        found = [*self._forms.get(folded, ())]
        if written != folded:
            found += self._forms.get(written, ())
        return tuple(sorted(found, key=lambda candidate: -len(candidate.rest)))

    def _part_matches(self, text: str) -> Iterator[_Candidate]:
        for part in _PARTS.finditer(text):
            if part.start():
                apostrophe = text[part.start() - 1] in _APOSTROPHES
                if apostrophe or not self._hyphen_joins_words:
                    return
            elif part.end() == len(text) or (
                not self._hyphen_joins_words and text[part.end()] not in _APOSTROPHES
            ):
                return
            for found in self._full_matches(part.group()):
                if not found.rest and not (part.start() and "pronoun" in found.entry.role):
                    yield _Candidate(found.entry, (), part.start(), part.end())
                    break

    def _add(self, form: str, entry: Entry) -> None:
        capital = form != form.lower()
        first, *rest = form.split()
        key = self._fold(first, case=capital)
        self._forms.setdefault(key, []).append(_Candidate(entry, tuple(map(self._fold, rest))))

    def _fold(self, text: str, *, case: bool = False) -> str:
        text = self._spelling.fold(text)
        return text if case else text.casefold()


@cache
def word_matcher(language: str, names: bool = True) -> WordMatcher:
    """Return the index of a language, made once."""
    return WordMatcher(language, names=names)


class CodedWordMatcher:
    """Gender-coded words of job advertisements; a hyphen within a word does not count."""

    def __init__(self, language: str) -> None:
        self.lists = coded_words(language)
        entries = [*self.lists.a, *self.lists.b] if self.lists else []
        sides = ["a"] * len(self.lists.a) + ["b"] * len(self.lists.b) if self.lists else []
        self._sides = dict(zip(entries, sides, strict=True))
        full = [_bare(entry) for entry in entries if not entry.endswith("*")]
        stems_listed = [_bare(entry[:-1]) for entry in entries if entry.endswith("*")]
        self._entries = {_bare(entry.removesuffix("*")): entry for entry in entries}
        stems = "|".join(sorted(map(re.escape, stems_listed), key=len, reverse=True))
        self._found_in = lru_cache(_MOST_KNOWN)(self._find_parts)
        self._pattern = re.compile(f"(?:{stems})|(?:{'|'.join(map(re.escape, full))})$")

    def find(self, document: Document) -> Iterator[WordMatch]:
        """Give the coded words of a document, in their order; of a hyphenated word each part."""
        for number, sentence in enumerate(document.sentences if self.lists else ()):
            for token in token_pattern().finditer(sentence.read, sentence.start, sentence.end):
                for first, last, entry in self._found_in(token.group()):
                    start = token.start()
                    yield WordMatch(start + first, start + last, number, entry)

    def _find_parts(self, text: str) -> tuple[tuple[int, int, Entry], ...]:
        """Return the coded words of a token, and where they stand in it."""
        if full := self._entry(text):
            return ((0, len(text), full),)
        parts = _PARTS.finditer(text) if "-" in text else ()
        found = [(*part.span(), self._entry(part.group())) for part in parts]
        return tuple((first, last, entry) for first, last, entry in found if entry)

    def _entry(self, text: str) -> Entry | None:
        match = self._pattern.match(_bare(text.lower()))
        if match is None:
            return None
        listed = self._entries[match.group()]
        return Entry("coded", listed, "a" if self._sides[listed] == "a" else "b")


@cache
def coded_word_matcher(language: str) -> CodedWordMatcher:
    """Return the index of a language's coded words, made once."""
    return CodedWordMatcher(language)


def _bare(word: str) -> str:
    return word.replace("-", "")

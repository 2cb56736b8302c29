"""Find the listed words of a document: persons, describing words, occupations, coded words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from fairvec.languages.people import coded_words, forms_listed, people_lists
from fairvec.languages.spelling import RULES, fold_spelling
from fairvec.languages.text import Document, SentenceInText
from fairvec.results import Side

WordKind = Literal["person", "describing", "occupation", "coded"]

_PARTS = re.compile(r"[^'’\-‐‑]+")
_APOSTROPHES = ("'", "’")
_MOST_KNOWN = 200_000
"""Tokens whose entries are cached; the cache is emptied beyond it, as a matcher lives for long."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the lists: what it is, and the word under which its forms are counted."""

    kind: WordKind
    word: str
    side: Side = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """An entry at its place in a document; `sentence` is the number of its sentence."""

    start: int
    end: int
    sentence: int
    entry: Entry


@dataclass(frozen=True)
class _Candidate:
    """A form of an entry: where it starts and ends in its first token, and what must follow."""

    entry: Entry
    rest: tuple[str, ...] = ()
    start: int = 0
    end: int | None = None


class WordMatcher:
    """The lists of a language, ready to be found in documents; `names` may be left out."""

    def __init__(self, language: str, *, names: bool = True) -> None:
        self.language = language
        self.lists = people_lists(language)
        self._rules = RULES.get(language, ())
        self._forms: dict[str, list[_Candidate]] = {}
        self._cache: dict[str, tuple[_Candidate, ...]] = {}
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
            yield from self._in_sentence(document, sentence, number)

    def _in_sentence(
        self, document: Document, sentence: SentenceInText, number: int
    ) -> Iterator[WordMatch]:
        tokens = sentence.tokens
        at = 0
        while at < len(tokens):
            token = tokens[at]
            consumed = 1
            for candidate in self._candidates(token.text):
                following = len(candidate.rest)
                if following and not self._follows(document, sentence, at, candidate.rest):
                    continue
                end = candidate.end
                stop = tokens[at + following].end if end is None else token.start + end
                yield WordMatch(token.start + candidate.start, stop, number, candidate.entry)
                consumed = 1 + following
                if candidate.end is None:
                    break
            at += consumed

    def _follows(
        self, document: Document, sentence: SentenceInText, at: int, rest: tuple[str, ...]
    ) -> bool:
        """Return whether the other words of an entry follow, with nothing but space between."""
        following = sentence.tokens[at : at + 1 + len(rest)]
        if len(following) <= len(rest):
            return False
        gaps = pairwise(following)
        return all(
            document.text[left.end : right.start].isspace() for left, right in gaps
        ) and rest == tuple(self._fold(token.text) for token in following[1:])

    def _candidates(self, text: str) -> tuple[_Candidate, ...]:
        """Return the entries that a token may be or begin, the longest first.

        If it is none as a whole, its parts may be: of a word with an apostrophe (she's) the first,
        and of Hindi and Russian words joined by a hyphen (माता-पिता, женщина-врач) all.
        """
        if text not in self._cache:
            if len(self._cache) >= _MOST_KNOWN:
                self._cache.clear()
            self._cache[text] = self._full_matches(text) or tuple(self._part_matches(text))
        return self._cache[text]

    def _full_matches(self, text: str) -> tuple[_Candidate, ...]:
        written = self._fold(text, case=True)
        found = [*self._forms.get(self._fold(text), ())]
        if written != self._fold(text):
            found += self._forms.get(written, ())
        return tuple(sorted(found, key=lambda candidate: -len(candidate.rest)))

    def _part_matches(self, text: str) -> Iterator[_Candidate]:
        for part in _PARTS.finditer(text):
            if part.start():
                apostrophe = text[part.start() - 1] in _APOSTROPHES
                if apostrophe or self.language == "en":
                    return
            elif part.end() == len(text) or (
                self.language == "en" and text[part.end()] not in _APOSTROPHES
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
        text = fold_spelling(text, self._rules)
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
        self._pattern = re.compile(f"(?:{stems})|(?:{'|'.join(map(re.escape, full))})$")

    def find(self, document: Document) -> Iterator[WordMatch]:
        """Give the coded words of a document, in their order; of a hyphenated word each part."""
        for number, sentence in enumerate(document.sentences if self.lists else ()):
            for token in sentence.tokens:
                full = self._entry(token.text)
                if full:
                    yield WordMatch(token.start, token.end, number, full)
                    continue
                for part in _PARTS.finditer(token.text) if "-" in token.text else ():
                    if entry := self._entry(part.group()):
                        start = token.start + part.start()
                        yield WordMatch(start, start + len(part.group()), number, entry)

    def _entry(self, text: str) -> Entry | None:
        match = self._pattern.match(_bare(text.lower()))
        if not match:
            return None
        listed = self._entries[match.group()]
        side: Side = "a" if self._sides[listed] == "a" else "b"
        return Entry("coded", listed, side)


@cache
def coded_word_matcher(language: str) -> CodedWordMatcher:
    """Return the index of a language's coded words, made once."""
    return CodedWordMatcher(language)


def _bare(word: str) -> str:
    return word.replace("-", "")

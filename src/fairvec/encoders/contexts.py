"""Words in the sentences of a corpus: found, sampled, and kept on disk."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b, sha256
from heapq import heappush, heappushpop
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from fairvec.catalogue.cache import cache_folder
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import is_file
from fairvec.core.settings import PositiveInt, Seed, check_settings
from fairvec.core.text import escape_surrogates
from fairvec.encoders.store import kept_file
from fairvec.languages.sentences import Sentence
from fairvec.languages.spelling import normalize
from fairvec.languages.text import sentences_of, token_pattern
from fairvec.languages.text_files import read_lines, sha256_of

Spellings = tuple[str, ...]
"""The spellings of a word, the listed one first."""

Contexts = Callable[[Sequence[Spellings]], Sequence[Sequence[Sentence]]]
"""What gives each of several words, asked by its spellings, the sentences in which it stands."""


# Contexts kept on disk, so that a corpus is read once for a word.


_TABLE = (
    "CREATE TABLE IF NOT EXISTS contexts "
    "(word TEXT PRIMARY KEY, found INT, too_long INT, sentences TEXT)"
)


class FoundContexts(NamedTuple):
    """Contexts of a word; in how many sentences it was found, and in how many too long ones."""

    sentences: tuple[Sentence, ...]
    found: int
    too_long: int


@dataclass(frozen=True)
class ContextStore:
    """The contexts that were found in one corpus, in an SQLite file of its own."""

    path: Path

    def known(self, names: Sequence[str]) -> dict[str, FoundContexts]:
        """Return what is kept under these names."""
        known: dict[str, FoundContexts] = {}
        if not self.path.exists():
            return known
        with self._opened() as database:
            for name in names:
                asked = "SELECT found, too_long, sentences FROM contexts WHERE word = ?"
                for found, too_long, kept in database.execute(asked, (name,)):
                    known[name] = _contexts(found, too_long, json.loads(kept))
        return known

    def keep(self, contexts: Mapping[str, FoundContexts]) -> None:
        """Keep contexts, all or none."""
        rows = [
            (name, one.found, one.too_long, json.dumps(_parts(one.sentences)))
            for name, one in contexts.items()
        ]
        with self._opened() as database:
            database.executemany("INSERT OR REPLACE INTO contexts VALUES (?, ?, ?, ?)", rows)

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return kept_file(self.path, "contexts", [_TABLE])


def _contexts(found: object, too_long: object, kept: object) -> FoundContexts:
    """Return what was kept, or raise ValueError where it cannot be what was written."""
    if not isinstance(found, int) or not isinstance(too_long, int) or not isinstance(kept, list):
        raise ValueError("the counts of a word are no numbers")
    for each in kept:
        if not (isinstance(each, list) and [type(part) for part in each] == [str] * 3):
            raise ValueError("a context is not what stands before a word, the word, what follows")
    return FoundContexts(tuple(Sentence(*each) for each in kept), found, too_long)


def _parts(sentences: Sequence[Sentence]) -> list[tuple[str, str, str]]:
    return [(one.before, one.word, one.after) for one in sentences]


# Words to be found in sentences as whole tokens.


class _Phrase(NamedTuple):
    """The tokens of a form, what stands between them, and the word of which it is a form."""

    tokens: tuple[str, ...]
    between: tuple[str, ...]
    word: Spellings


class Occurrence(NamedTuple):
    """A word and where it stands first in a sentence, in letters and in tokens."""

    word: Spellings
    start: int
    end: int
    tokens: int


class WordFinder:
    """The words that are sought, each by the forms that its spellings can have in a text.

    A spelling is found as it is listed and with a capital, in Title Case or in CAPITALS, as at the
    start of a sentence; a word listed with a capital is not found without it: Bill is no bill. An
    entry of several words is found where they follow one another with only spaces between them, or
    with what the entry has there.
    """

    def __init__(self, words: Iterable[Spellings]) -> None:
        self._starting: dict[str, list[_Phrase]] = {}
        for word in words:
            for form in _forms(word):
                tokens = [*token_pattern().finditer(form)]
                if tokens:
                    between = tuple(
                        form[one.end() : other.start()].strip() for one, other in pairwise(tokens)
                    )
                    phrase = _Phrase(tuple(one.group() for one in tokens), between, word)
                    self._starting.setdefault(phrase.tokens[0], []).append(phrase)

    def may_be_in(self, line: str) -> bool:
        """Whether a line has a token with which a word begins."""
        return not self._starting.keys().isdisjoint(token_pattern().findall(line))

    def sightings(self, sentence: str) -> tuple[int, list[Occurrence]]:
        """Return how many tokens a sentence has, and where each word that is in it stands first."""
        tokens = [*token_pattern().finditer(sentence)]
        seen: dict[Spellings, Occurrence] = {}
        for place, token in enumerate(tokens):
            for phrase in self._starting.get(token.group(), ()):
                last = place + len(phrase.tokens)
                if phrase.word in seen or last > len(tokens):
                    continue
                here = tokens[place:last]
                if len(here) == 1 or _same(phrase, here, sentence):
                    start, end = token.start(), here[-1].end()
                    seen[phrase.word] = Occurrence(phrase.word, start, end, len(here))
        return len(tokens), [*seen.values()]


def _forms(word: Sequence[str]) -> Iterator[str]:
    """Give the forms in which a word may be written, each once."""
    seen = set()
    for spelling in word:
        listed = normalize(spelling.replace("_", " "))
        for form in (listed, listed[:1].upper() + listed[1:], listed.title(), listed.upper()):
            if form not in seen:
                seen.add(form)
                yield form


def _same(phrase: _Phrase, here: Sequence[re.Match[str]], sentence: str) -> bool:
    """Whether tokens of a sentence, and what is between them, are those of a phrase."""
    return phrase.tokens == tuple(one.group() for one in here) and phrase.between == tuple(
        sentence[one.end() : other.start()].strip() for one, other in pairwise(here)
    )


# A sample of a word's contexts that does not depend on their order or on other words.


class ContextSample:
    """The contexts of one word that were drawn so far, at most so many.

    Every sentence has a number that is as good as random, a hash of it with the word and the seed,
    and those with the smallest numbers are kept. So each sentence has the same chance, whatever
    their order; a repeated sentence counts once; and fewer contexts are the first of more.
    """

    def __init__(self, word: Spellings, most: int, seed: int) -> None:
        key = blake2b("\n".join([str(seed), *word]).encode("utf-8", "surrogatepass")).digest()
        self._hash = blake2b(digest_size=8, key=key)
        self._most = most
        self._kept: list[tuple[int, str, int, int]] = []
        self._numbers: set[int] = set()
        self.found = 0
        self.too_long = 0

    def add(self, sentence: str, seen: Occurrence) -> None:
        """Take a sentence in which the word stands into the draw."""
        self.found += 1
        own = self._hash.copy()
        own.update(sentence.encode())
        number = int.from_bytes(own.digest())
        if number in self._numbers:
            return
        context = (-number, sentence, seen.start, seen.end)
        self._numbers.add(number)
        if len(self._kept) < self._most:
            heappush(self._kept, context)
        else:
            self._numbers.remove(-heappushpop(self._kept, context)[0])

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The contexts that were drawn, in an order that is random too."""
        return tuple(
            Sentence(text[:start], text[start:end], text[end:])
            for _, text, start, end in sorted(self._kept, reverse=True)
        )


# The sentences of a corpus in which given words stand.


_RULES = 1
"""Another number when tokens, sentences or forms are found by other rules: kept ones are stale."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Texts, one paragraph or sentence a line, in which words are found with what is around them.

    Of each word at most so many sentences are drawn, of at most so many tokens (`longest`); those
    that are longer are not used. What is drawn depends on the text, the word and the seed: neither
    on the order of the lines nor on what else is asked. All words of one call are found in one
    pass, and `keep` keeps what was found on disk. `on_progress` hears of (bytes read, bytes in
    all).
    """

    files: tuple[Path, ...]
    most: PositiveInt = 100
    longest: PositiveInt = 64
    seed: Seed = 0
    keep: bool = True
    on_progress: Progress | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_settings(self, called="corpus")
        if not self.files:
            raise SettingError("A corpus needs at least one file with text.")
        _ = self.sha256  # a file that cannot be read is said before any work begins

    @cached_property
    def sha256(self) -> str:
        """SHA-256 over sizes and contents of the files, whatever their order and names."""
        said = sorted(f"{file.stat().st_size} {sha256_of(file)}" for file in self._readable)
        return sha256("\n".join(said).encode()).hexdigest()

    @property
    def name(self) -> str:
        """The files, what is in them and how contexts are drawn, as a record says it."""
        names = escape_surrogates(", ".join(sorted(file.name for file in self.files)))
        return (
            f"{names} (sha256 {self.sha256}); at most {self.most} contexts a word, of at most "
            f"{self.longest} words, seed {self.seed}"
        )

    def __call__(self, words: Sequence[Spellings]) -> list[tuple[Sentence, ...]]:
        """Return for each word the sentences in which it stands; none if it is in no sentence."""
        return [one.sentences for one in self.contexts(words)]

    def contexts(self, words: Sequence[Spellings]) -> list[FoundContexts]:
        """Return for each word its contexts and how many there are."""
        asked = [tuple(word) for word in words]
        lacking = [word for word in dict.fromkeys(asked) if word not in self._held]
        if lacking and self._store:
            kept = self._store.known([self._name_of(word) for word in lacking])
            self._held.update(
                {word: kept[name] for word in lacking if (name := self._name_of(word)) in kept}
            )
            lacking = [word for word in lacking if word not in self._held]
        if lacking:
            found = self._read(lacking)
            self._held.update(found)
            if self._store:
                self._store.keep({self._name_of(word): one for word, one in found.items()})
        return [self._held[word] for word in asked]

    def _read(self, words: Sequence[Spellings]) -> dict[Spellings, FoundContexts]:
        """Find words in one pass over all files."""
        wanted = WordFinder(words)
        drawings = {word: ContextSample(word, self.most, self.seed) for word in words}
        before = 0
        for file in self.files:
            for line in read_lines(file, self._telling(before)):
                if not wanted.may_be_in(line):
                    continue
                for sentence in sentences_of(line):
                    tokens, sightings = wanted.sightings(sentence)
                    for seen in sightings:
                        if tokens > self.longest:
                            drawings[seen.word].too_long += 1
                        elif tokens > seen.tokens:  # the word alone is no context
                            drawings[seen.word].add(sentence, seen)
            before += file.stat().st_size
        return {
            word: FoundContexts(one.sentences, one.found, one.too_long)
            for word, one in drawings.items()
        }

    def _telling(self, before: int) -> Progress | None:
        """Return what tells how far a file is read, after so many bytes of others."""
        hears, whole = self.on_progress, sum(file.stat().st_size for file in self.files)
        return hears and (lambda done, _: hears(before + done, whole))

    @property
    def _readable(self) -> tuple[Path, ...]:
        for file in self.files:
            if not is_file(file):
                raise SettingError(f"{file}: there is no such corpus file.")
        return self.files

    @cached_property
    def _held(self) -> dict[Spellings, FoundContexts]:
        return {}

    @cached_property
    def _store(self) -> ContextStore | None:
        if not self.keep:
            return None
        return ContextStore(cache_folder() / "contexts" / f"{self.sha256}.sqlite")

    def _name_of(self, word: Spellings) -> str:
        return json.dumps([_RULES, self.most, self.longest, self.seed, *word])

"""Sentences of a corpus that contain given words: found, sampled, and stored on disk."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b, sha256
from heapq import heappush, heappushpop
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from fairvec.catalogue.cache import cache_folder
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import is_file
from fairvec.core.io.text_files import read_lines, sha256_of
from fairvec.core.settings import PositiveInt, Seed, settings
from fairvec.core.text import escape_surrogates
from fairvec.encoders.store import open_database
from fairvec.languages.language import language as language_named
from fairvec.languages.sentences import Sentence
from fairvec.languages.spelling import normalize
from fairvec.languages.text import sentences_of, token_pattern

Spellings = tuple[str, ...]
"""The spellings of a word, the listed one first."""
Contexts = Callable[[Sequence[Spellings]], Sequence[Sequence[Sentence]]]
"""A function that returns, for each of several words, the sentences that contain it."""


def contexts_in(contexts: Contexts, language: str) -> Contexts:
    """Return contexts of words of a language: a corpus that says none is read by its rules."""
    return contexts.in_language(language) if isinstance(contexts, Corpus) else contexts


class FoundContexts(NamedTuple):
    """Contexts of a word; in how many sentences it was found, and in how many too long ones."""

    sentences: tuple[Sentence, ...]
    found: int
    too_long: int


class Occurrence(NamedTuple):
    """The first occurrence of a word in a sentence, in characters, and its number of tokens."""

    word: Spellings
    start: int
    end: int
    tokens: int


class _Phrase(NamedTuple):
    """The tokens of a form, the text between them, and its word."""

    tokens: tuple[str, ...]
    between: tuple[str, ...]
    word: Spellings


_TABLE = (
    "CREATE TABLE IF NOT EXISTS contexts "
    "(word TEXT PRIMARY KEY, found INT, too_long INT, sentences TEXT)"
)


@dataclass(frozen=True)
class ContextStore:
    """The contexts that were found in one corpus, in an SQLite file of its own."""

    path: Path

    def load(self, names: Sequence[str]) -> dict[str, FoundContexts]:
        """Return the contexts stored under these keys."""
        contexts: dict[str, FoundContexts] = {}
        if not self.path.exists():
            return contexts
        with self._open() as database:
            for name in names:
                query = "SELECT found, too_long, sentences FROM contexts WHERE word = ?"
                for found, too_long, sentences in database.execute(query, (name,)):
                    contexts[name] = _parse_contexts(found, too_long, json.loads(sentences))
        return contexts

    def keep(self, contexts: Mapping[str, FoundContexts]) -> None:
        """Store contexts, all or none."""
        rows = [
            (name, context.found, context.too_long, json.dumps(_parts(context.sentences)))
            for name, context in contexts.items()
        ]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO contexts VALUES (?, ?, ?, ?)", rows)

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self.path, "contexts", [_TABLE])


def _parse_contexts(found: object, too_long: object, stored: object) -> FoundContexts:
    """Return stored contexts, or raise ValueError where they are malformed."""
    if not isinstance(found, int) or not isinstance(too_long, int) or not isinstance(stored, list):
        raise ValueError("the counts of a word are no numbers")
    for parts in stored:
        if not (isinstance(parts, list) and [type(part) for part in parts] == [str] * 3):
            raise ValueError("a context is not what stands before a word, the word, what follows")
    return FoundContexts(tuple(Sentence(*parts) for parts in stored), found, too_long)


def _parts(sentences: Sequence[Sentence]) -> list[tuple[str, str, str]]:
    return [(sentence.before, sentence.word, sentence.after) for sentence in sentences]


_RULES_VERSION = 1
"""Raised when tokens, sentences or forms are found by other rules, which makes stores stale."""


@settings(called="corpus", eq=False)
class Corpus:
    """Texts, one paragraph or sentence a line, in which words are found with what is around them.

    Of each word at most so many sentences are drawn, of at most so many tokens (`longest`); those
    that are longer are not used. The sample depends on the text, the word and the seed, neither on
    the order of the lines nor on other words. All words of one call are found in one pass, and
    `keep` stores the contexts on disk. `on_progress` is called with (bytes read, bytes in all).
    """

    files: Annotated[tuple[Path, ...], Field(description="Texts, one sentence a line.")]
    most: Annotated[PositiveInt, Field(description="Sentences drawn of each word.")] = 100
    longest: Annotated[PositiveInt, Field(description="Tokens of a sentence that is used.")] = 64
    seed: Annotated[Seed, Field(description="Seed of the sample.")] = 0
    language: Annotated[
        str, Field(description="By whose rules it is read; empty: those of the model's.")
    ] = ""
    keep: Annotated[bool, Field(description="Whether contexts are kept on disk.")] = True
    on_progress: Annotated[
        Progress | None, Field(description="Called with (bytes read, bytes in all).")
    ] = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.files:
            raise SettingError("A corpus needs at least one file with text.")
        _ = self.sha256  # a file that cannot be read fails before any work begins

    def in_language(self, language: str) -> "Corpus":
        """Return the corpus read by the rules of a language, unless it says one itself."""
        if self.language or not language:
            return self
        if language not in self._in_languages:
            # Not dataclasses.replace, which would hash all files once more.
            read = copy(self)
            vars(read).update(language=language, _cache={})
            self._in_languages[language] = read
        return self._in_languages[language]

    @cached_property
    def _in_languages(self) -> dict[str, "Corpus"]:
        return {}

    @cached_property
    def sha256(self) -> str:
        """SHA-256 over sizes and contents of the files, whatever their order and names."""
        contents = sorted(
            f"{file.stat().st_size} {sha256_of(file)}" for file in self._checked_files
        )
        return sha256("\n".join(contents).encode()).hexdigest()

    @property
    def name(self) -> str:
        """The files, their hash and how contexts are sampled, as written into records."""
        names = escape_surrogates(", ".join(sorted(file.name for file in self.files)))
        return (
            f"{names} (sha256 {self.sha256}); at most {self.most} contexts a word, of at most "
            f"{self.longest} words, seed {self.seed}"
        )

    def __call__(self, words: Sequence[Spellings]) -> list[tuple[Sentence, ...]]:
        """Return for each word the sentences in which it stands; none if it is in no sentence."""
        return [context.sentences for context in self.contexts(words)]

    def contexts(self, words: Sequence[Spellings]) -> list[FoundContexts]:
        """Return for each word its contexts and how many there are."""
        requested = [tuple(word) for word in words]
        missing = [word for word in dict.fromkeys(requested) if word not in self._cache]
        if missing and self._store:
            stored = self._store.load([self._key(word) for word in missing])
            self._cache.update(
                {word: stored[name] for word in missing if (name := self._key(word)) in stored}
            )
            missing = [word for word in missing if word not in self._cache]
        if missing:
            found = self._find_contexts(missing)
            self._cache.update(found)
            if self._store:
                self._store.keep({self._key(word): context for word, context in found.items()})
        return [self._cache[word] for word in requested]

    def _find_contexts(self, words: Sequence[Spellings]) -> dict[Spellings, FoundContexts]:
        """Find words in one pass over all files."""
        normalize = language_named(self.language).spelling.normalize
        finder = WordFinder(words, normalize)
        samples = {word: ContextSample(word, self.most, self.seed) for word in words}
        before = 0
        for file in self.files:
            for line in map(normalize, read_lines(file, self._progress_after(before))):
                if not finder.may_contain(line):
                    continue
                for sentence in sentences_of(line, self.language):
                    tokens, occurrences = finder.find(sentence)
                    for occurrence in occurrences:
                        if tokens > self.longest:
                            samples[occurrence.word].too_long += 1
                        elif tokens > occurrence.tokens:  # the word alone is no context
                            samples[occurrence.word].add(sentence, occurrence)
            before += file.stat().st_size
        return {
            word: FoundContexts(sample.sentences, sample.found, sample.too_long)
            for word, sample in samples.items()
        }

    def _progress_after(self, before: int) -> Progress | None:
        """Return the progress callback of a file, after so many bytes of others."""
        callback, total = self.on_progress, sum(file.stat().st_size for file in self.files)
        return callback and (lambda done, _: callback(before + done, total))

    @property
    def _checked_files(self) -> tuple[Path, ...]:
        for file in self.files:
            if not is_file(file):
                raise SettingError(f"{file}: there is no such corpus file.")
        return self.files

    @cached_property
    def _cache(self) -> dict[Spellings, FoundContexts]:
        return {}

    @cached_property
    def _store(self) -> ContextStore | None:
        if not self.keep:
            return None
        return ContextStore(cache_folder() / "contexts" / f"{self.sha256}.sqlite")

    def _key(self, word: Spellings) -> str:
        rules = f"{_RULES_VERSION} {self.language}" if self.language else _RULES_VERSION
        return json.dumps([rules, self.most, self.longest, self.seed, *word])


class WordFinder:
    """Finds words in sentences as full tokens, by the forms that their spellings can have.

    A spelling is found as it is listed and with a capital, in Title Case or in CAPITALS, as at the
    start of a sentence; a word listed with a capital is not found without it: Bill is no bill. An
    entry of several words is found where they follow one another with only spaces between them, or
    with what the entry has there.
    """

    def __init__(
        self, words: Iterable[Spellings], normalize: Callable[[str], str] = normalize
    ) -> None:
        self._by_first_token: dict[str, list[_Phrase]] = {}
        for word in words:
            for form in _forms(word, normalize):
                tokens = [*token_pattern().finditer(form)]
                if tokens:
                    between = tuple(
                        form[token.end() : following.start()].strip()
                        for token, following in pairwise(tokens)
                    )
                    phrase = _Phrase(tuple(token.group() for token in tokens), between, word)
                    self._by_first_token.setdefault(phrase.tokens[0], []).append(phrase)

    def may_contain(self, line: str) -> bool:
        """Whether a line has a token with which a word begins."""
        return not self._by_first_token.keys().isdisjoint(token_pattern().findall(line))

    def find(self, sentence: str) -> tuple[int, list[Occurrence]]:
        """Return how many tokens a sentence has, and the first occurrence of each word in it."""
        tokens = [*token_pattern().finditer(sentence)]
        found: dict[Spellings, Occurrence] = {}
        for place, token in enumerate(tokens):
            for phrase in self._by_first_token.get(token.group(), ()):
                last = place + len(phrase.tokens)
                if phrase.word in found or last > len(tokens):
                    continue
                matched = tokens[place:last]
                if len(matched) == 1 or _matches(phrase, matched, sentence):
                    start, end = token.start(), matched[-1].end()
                    found[phrase.word] = Occurrence(phrase.word, start, end, len(matched))
        return len(tokens), [*found.values()]


def _forms(word: Sequence[str], normalize: Callable[[str], str]) -> Iterator[str]:
    """Yield the forms in which a word may be written, each once."""
    yielded = set()
    for spelling in word:
        text = normalize(spelling.replace("_", " "))
        for form in (text, text[:1].upper() + text[1:], text.title(), text.upper()):
            if form not in yielded:
                yielded.add(form)
                yield form


def _matches(phrase: _Phrase, tokens: Sequence[re.Match[str]], sentence: str) -> bool:
    """Say whether tokens of a sentence, and the text between them, are those of a phrase."""
    return phrase.tokens == tuple(token.group() for token in tokens) and phrase.between == tuple(
        sentence[token.end() : following.start()].strip() for token, following in pairwise(tokens)
    )


class ContextSample:
    """A random sample of the contexts of one word, at most `most` of them (bottom-k sampling).

    Every sentence has a hash with the word and the seed, and those with the smallest hashes are
    kept. So each sentence has the same chance whatever their order and whatever other words are
    sought; a repeated sentence counts once; and a smaller sample is the first part of a larger.
    """

    def __init__(self, word: Spellings, most: int, seed: int) -> None:
        key = blake2b("\n".join([str(seed), *word]).encode("utf-8", "surrogatepass")).digest()
        self._hash = blake2b(digest_size=8, key=key)
        self._most = most
        self._heap: list[tuple[int, str, int, int]] = []
        self._hashes: set[int] = set()
        self.found = 0
        self.too_long = 0

    def add(self, sentence: str, occurrence: Occurrence) -> None:
        """Add a sentence that contains the word."""
        self.found += 1
        digest = self._hash.copy()
        digest.update(sentence.encode())
        number = int.from_bytes(digest.digest())
        if number in self._hashes:
            return
        context = (-number, sentence, occurrence.start, occurrence.end)
        self._hashes.add(number)
        if len(self._heap) < self._most:
            heappush(self._heap, context)
        else:
            self._hashes.remove(-heappushpop(self._heap, context)[0])

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sampled contexts, in the order of their hashes."""
        return tuple(
            Sentence(text[:start], text[start:end], text[end:])
            for _, text, start, end in sorted(self._heap, reverse=True)
        )

"""The sentences of a corpus in which given words stand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from fairvec.catalogue.cache import cache_folder
from fairvec.encoders.contexts import Spellings
from fairvec.encoders.corpus.context_store import ContextStore, FoundContexts
from fairvec.encoders.corpus.drawing import Drawing
from fairvec.encoders.corpus.lines import lines_of, sha256_of
from fairvec.encoders.corpus.wanted import Wanted
from fairvec.encoders.sentence import Sentence
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.disk.files import Progress
from fairvec.ground.errors import SettingError
from fairvec.ground.settings import Count, Seed, check_settings
from fairvec.ground.text.whole_characters import whole
from fairvec.languages.tokens import sentences_of

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
    most: Count = 100
    longest: Count = 64
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
        names = whole(", ".join(sorted(file.name for file in self.files)))
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
        wanted = Wanted(words)
        drawings = {word: Drawing(word, self.most, self.seed) for word in words}
        before = 0
        for file in self.files:
            for line in lines_of(file, self._telling(before)):
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

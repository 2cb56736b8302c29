"""The models that a server has open: their files, word completion, turns and cached fits."""

import os
import unicodedata
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.io.mapped_arrays import mapped_file
from fairvec.core.io.read_files import is_file
from fairvec.core.text import escape_surrogates
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.experiments.audit.languages import languages_of
from fairvec.geometry import default_similarity
from fairvec.geometry.nearest import NeighbourIndex, build_index
from fairvec.mitigation import Transform
from fairvec.web.questions.runs import ResultsFolders

FileStatus = tuple[int, int]


@dataclass(frozen=True, eq=False)
class WatchedFile:
    """A file as it was when a model was read from it.

    A memory-mapped file is the model's memory: what is written into it later changes the model, and
    truncating it crashes the program that reads it. `descriptor` stays open, because the name may
    come to stand for another file.
    """

    path: Path
    descriptor: int
    mapped: bool
    status: FileStatus

    @property
    def overwritten(self) -> bool:
        """Whether the file itself, under whatever name, was written to since."""
        return _status_of(os.fstat(self.descriptor)) != self.status

    @property
    def replaced(self) -> bool:
        """Whether another file, or none, has its name now."""
        try:
            return not os.path.samestat(self.path.stat(), os.fstat(self.descriptor))
        except OSError:
            return True


def watch_file(name: str, vectors: NDArray[Any]) -> WatchedFile | None:
    """Watch the file that vectors are mapped from, else the named one; None if there is neither."""
    mapped = mapped_file(vectors)
    path = mapped or Path(name)
    if not is_file(path):  # a name of the catalogue, or a folder
        return None
    descriptor = os.open(path, os.O_RDONLY)
    watched = WatchedFile(path, descriptor, mapped is not None, _status_of(os.fstat(descriptor)))
    finalize(watched, os.close, descriptor)
    return watched


def _status_of(status: os.stat_result) -> FileStatus:
    return status.st_size, status.st_mtime_ns


LAST = "\U0010ffff"
"""Sorts after every continuation of a word."""


class Completion:
    """Completion of words by their beginning, in the order of the model.

    Most models list their words by frequency, so that the commonest come first.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        folded = [fold_case(key) for key in keys]
        order = sorted(range(len(keys)), key=folded.__getitem__)
        self._keys = keys
        self._folded = [folded[place] for place in order]
        self._rows = np.array(order, dtype=np.int64)

    def of(self, beginning: str, most: int = 12) -> list[str]:
        """Return up to `most` words with this beginning; none if it is empty."""
        start = fold_case(beginning.strip())
        if not start:
            return []
        first = bisect_left(self._folded, start)
        last = bisect_left(self._folded, start + LAST, lo=first)
        rows = self._rows[first:last]
        if len(rows) > most:
            rows = np.partition(rows, most - 1)[:most]
        return [self._keys[row] for row in np.sort(rows)]


def fold_case(word: str) -> str:
    """Return a word in the form in which words are compared: NFC, without case."""
    return unicodedata.normalize("NFC", word).casefold()


MOST_PAGES = 64


class SupersededError(FairvecError):
    """A question that is out of date: its page has asked a newer one."""


class LatestOnly:
    """A queue of one question at a time, in which a page's newer question replaces its older."""

    def __init__(self) -> None:
        self._working = Lock()
        self._registering = Lock()
        self._newest: OrderedDict[str, int] = OrderedDict()
        self._count = 0

    @contextmanager
    def of(self, page: str) -> Iterator[None]:
        """Wait for a turn; questions of a page without a name are never replaced."""
        number = self._register(page)
        with self._working:
            if page and self._newest.get(page, number) != number:
                raise SupersededError("A newer question of this page was asked; wait for that one.")
            yield

    def _register(self, page: str) -> int:
        with self._registering:
            self._count += 1
            self._newest[page] = self._count
            self._newest.move_to_end(page)
            if len(self._newest) > MOST_PAGES:
                self._newest.popitem(last=False)
            return self._count


Value = TypeVar("Value")

ROOM = 1 << 28
"""256 MB: some hundred fits of directions, or a few that place twenty thousand words."""
BYTES_PER_KEY = 100


class _Pending:
    """A value in the making: its lock, and how many threads wait for it."""

    def __init__(self) -> None:
        self.lock, self.waiting = Lock(), 0


class FitCache:
    """A cache of at most so many bytes, least recently used first; a value is made once.

    The newest value stays even if it alone is larger than the limit: a page is showing it.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._limit = room
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, _Pending] = {}

    def get(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """Return the value of a key, or make it; a value that cannot be made leaves no entry."""
        with self._lock:
            if key in self._entries:
                return cast(Value, self._use(key))
            pending = self._making.setdefault(key, _Pending())
            pending.waiting += 1
        try:
            with pending.lock:
                with self._lock:
                    if key in self._entries:
                        return cast(Value, self._use(key))
                value = make()
                with self._lock:
                    self._entries[key] = value, size(value)
                    while self.bytes > self._limit and len(self._entries) > 1:
                        self._entries.popitem(last=False)
                return value
        finally:
            with self._lock:
                pending.waiting -= 1
                # Only the last one: a newcomer would make a second lock beside those who wait.
                if not pending.waiting:
                    del self._making[key]

    def waiting(self, key: Hashable) -> int:
        """Return how many threads wait for a value now, or make it."""
        with self._lock:
            return self._making[key].waiting if key in self._making else 0

    @property
    def bytes(self) -> int:
        """The size of all values."""
        return sum(size for _, size in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def _use(self, key: Hashable) -> Any:
        self._entries.move_to_end(key)
        return self._entries[key][0]


def size_of_transform(transform: Transform) -> int:
    """Return the approximate bytes of a fitted method."""
    arrays = [*transform.move.tensors().values(), *transform.placed.values()]
    keys = len(transform.placed) + len(transform.unmoved) + len(transform.fitted_on)
    return sum(array.nbytes for array in arrays) + BYTES_PER_KEY * keys


def size_of_words(embedding: Embedding) -> int:
    """Return the approximate bytes of a few words of a model."""
    return embedding.vectors.nbytes + BYTES_PER_KEY * len(embedding)


class ChangedModelError(FairvecError):
    """A model's file was written to while it was open, so that its vectors are unknown."""


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model, its name here, the path or name it was opened by (`source`) and how it was read."""

    name: str
    source: str
    embedding: Embedding
    file: WatchedFile | None = None
    reading: LoadOptions = LOAD_DEFAULTS
    turns: LatestOnly = field(default_factory=LatestOnly)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it is measured; cached, because all its keys are looked at."""
        return languages_of(self.embedding)

    @cached_property
    def completion(self) -> Completion:
        """Completion of its words."""
        return Completion(self.embedding.keys)

    @cached_property
    def ranking(self) -> NeighbourIndex:
        """The index of nearest neighbours over all its points."""
        space = self.embedding.geometry
        return build_index(self.embedding.vectors, space, default_similarity(space))

    @property
    def remark(self) -> str:
        """A sentence on what happened to its file since; empty if it is unchanged."""
        if self.file is None or not (self.file.overwritten or self.file.replaced):
            return ""
        if self.file.mapped and self.file.overwritten:
            return (
                f"{self.source} was written to while it was open, and answers nothing more; "
                "start 'fairvec explore' again."
            )
        return (
            f"{self.source} is no longer on the disk as it was; all figures here are of the model "
            "as it was opened."
        )

    def require_unchanged(self) -> "OpenModel":
        """Return the model; refuse one whose memory-mapped file was written to."""
        if self.file is not None and self.file.mapped and self.file.overwritten:
            raise ChangedModelError(self.remark)
        return self


def open_models(
    loaded: Sequence[tuple[str, Embedding]], reading: LoadOptions = LOAD_DEFAULTS
) -> list[OpenModel]:
    """Return models by pairs of source and embedding; those that share a name go by source."""
    counts = Counter(one.name for _, one in loaded)
    return [
        OpenModel(
            one.name if counts[one.name] == 1 else escape_surrogates(source),
            source,
            one,
            watch_file(source, one.vectors),
            reading,
        )
        for source, one in loaded
    ]


class OpenModels(Mapping[str, OpenModel]):
    """The open models by name, in the order of the command line; nothing else is ever opened.

    `cache` has fits and baselines, `write_to` is the one folder into which models may be written;
    without it none may.
    """

    def __init__(
        self,
        models: Sequence[OpenModel],
        results: ResultsFolders | None = None,
        *,
        write_to: Path | None = None,
    ) -> None:
        self.cache = FitCache()
        self.write_to = write_to
        self.results = results or ResultsFolders(())
        if not (models or self.results.folders):
            raise SettingError("No model was given; name one, as in: fairvec explore MODEL.")
        self._models: dict[str, OpenModel] = {}
        for model in models:
            if model.name in self._models:
                raise SettingError(f"{model.name} is named twice; name each model once.")
            self._models[model.name] = model

    def __getitem__(self, name: str) -> OpenModel:
        if name not in self._models:
            raise UnknownNameError("open model", name, self._models)
        return self._models[name].require_unchanged()

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    @property
    def every(self) -> tuple[OpenModel, ...]:
        """All models, also one whose file was written to."""
        return tuple(self._models.values())

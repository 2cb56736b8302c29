"""What is open for questions: models, results, their words, and work kept for them."""

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
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.experiments.audit.languages import languages_of
from fairvec.geometry import default_similarity
from fairvec.geometry.nearest import NeighbourIndex, build_index
from fairvec.mitigation import Transform
from fairvec.web.questions.runs import ResultsFolders

Seen = tuple[int, int]


@dataclass(frozen=True, eq=False)
class WatchedFile:
    """A file as it was when a model was read from it.

    A file that was mapped and not read is the model's memory: what is written into it later is what
    the model says next, and what is cut off ends the program that reads it. The file is held open,
    because its name may come to stand for another one.
    """

    path: Path
    held: int
    mapped: bool
    seen: Seen

    @property
    def overwritten(self) -> bool:
        """Whether the file itself, under whatever name, was written to."""
        return _as_seen(os.fstat(self.held)) != self.seen

    @property
    def replaced(self) -> bool:
        """Whether another file, or none, has its name now."""
        try:
            return not os.path.samestat(self.path.stat(), os.fstat(self.held))
        except OSError:
            return True


def watched_file(asked: str, vectors: NDArray[Any]) -> WatchedFile | None:
    """Watch the file that vectors are mapped from, else the one that was named; None if neither."""
    mapped = mapped_file(vectors)
    path = mapped or Path(asked)
    if not is_file(path):  # a name of the catalogue, or a folder
        return None
    held = os.open(path, os.O_RDONLY)
    watched = WatchedFile(path, held, mapped is not None, _as_seen(os.fstat(held)))
    finalize(watched, os.close, held)
    return watched


def _as_seen(status: os.stat_result) -> Seen:
    return status.st_size, status.st_mtime_ns


LAST = "\U0010ffff"
"""No word begins with what comes after this."""


class Completion:
    """A vocabulary sorted by folded words; those that stand first in the model come first.

    Models list their words by frequency, as a rule, so that the commonest are proposed.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        folded = [fold_case(key) for key in keys]
        order = sorted(range(len(keys)), key=folded.__getitem__)
        self._keys = keys
        self._folded = [folded[place] for place in order]
        self._rows = np.array(order, dtype=np.int64)

    def of(self, beginning: str, most: int = 12) -> list[str]:
        """Return up to `most` words that begin so; none for nothing."""
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
    """Return a word as it is compared: composed, without case."""
    return unicodedata.normalize("NFC", word).casefold()


MOST_PAGES = 64


class SupersededError(FairvecError):
    """A question that nobody waits for: its page has asked a newer one."""


class LatestOnly:
    """Lets one question in at a time; one that was overtaken while it waited is not begun."""

    def __init__(self) -> None:
        self._working = Lock()
        self._noting = Lock()
        self._last: OrderedDict[str, int] = OrderedDict()
        self._asked = 0

    @contextmanager
    def of(self, page: str) -> Iterator[None]:
        """Wait for a turn; a page without a name is never overtaken."""
        mine = self._noted(page)
        with self._working:
            if page and self._last.get(page, mine) != mine:
                raise SupersededError("A newer question of this page was asked; wait for that one.")
            yield

    def _noted(self, page: str) -> int:
        with self._noting:
            self._asked += 1
            self._last[page] = self._asked
            self._last.move_to_end(page)
            if len(self._last) > MOST_PAGES:
                self._last.popitem(last=False)
            return self._asked


Value = TypeVar("Value")

ROOM = 1 << 28
"""256 MB: some hundred fits of directions, or a few that place twenty thousand words."""
BYTES_PER_KEY = 100


class _Turn:
    """Who makes a piece is alone at it; how many ask for it now."""

    def __init__(self) -> None:
        self.alone, self.asking = Lock(), 0


class FitCache:
    """Work by what decides it, within so many bytes; two who ask at once wait for one piece.

    The newest is kept even where it is larger than all the room: somebody is looking at it.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, _Turn] = {}

    def get(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """Return what is kept under a key, or make it; what cannot be made leaves nothing."""
        with self._lock:
            if key in self._kept:
                return cast(Value, self._found(key))
            turn = self._making.setdefault(key, _Turn())
            turn.asking += 1
        try:
            with turn.alone:
                with self._lock:
                    if key in self._kept:
                        return cast(Value, self._found(key))
                value = make()
                with self._lock:
                    self._kept[key] = value, size(value)
                    while self.bytes > self._room and len(self._kept) > 1:
                        self._kept.popitem(last=False)
                return value
        finally:
            with self._lock:
                turn.asking -= 1
                # Whoever waits for it would not be alone beside one who comes and finds none.
                if not turn.asking:
                    del self._making[key]

    def asking(self, key: Hashable) -> int:
        """Return how many wait for a piece now, or make it."""
        with self._lock:
            return self._making[key].asking if key in self._making else 0

    @property
    def bytes(self) -> int:
        """How much is kept."""
        return sum(size for _, size in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)

    def _found(self, key: Hashable) -> Any:
        self._kept.move_to_end(key)
        return self._kept[key][0]


def size_of_transform(transform: Transform) -> int:
    """Return the bytes of a fitted method, about."""
    arrays = [*transform.move.tensors().values(), *transform.placed.values()]
    keys = len(transform.placed) + len(transform.unmoved) + len(transform.fitted_on)
    return sum(array.nbytes for array in arrays) + BYTES_PER_KEY * keys


def size_of_words(embedding: Embedding) -> int:
    """Return the bytes of a few words of a model, about."""
    return embedding.vectors.nbytes + BYTES_PER_KEY * len(embedding)


class ChangedModelError(FairvecError):
    """A model's file was written to while it was open, so that nobody knows what it holds."""


@dataclass(frozen=True, eq=False)
class OpenModel:
    """A model, what it is called here, what was named to open it and how it was read."""

    name: str
    asked: str
    embedding: Embedding
    file: WatchedFile | None = None
    reading: Reading = AS_FOUND
    turns: LatestOnly = field(default_factory=LatestOnly)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which it is measured; found once, since all its keys are looked at."""
        return languages_of(self.embedding)

    @cached_property
    def completion(self) -> Completion:
        """Its words in an order in which those that begin alike stand together."""
        return Completion(self.embedding.keys)

    @cached_property
    def ranking(self) -> NeighbourIndex:
        """Its points, ready to be asked for their nearest one after the other."""
        space = self.embedding.geometry
        return build_index(self.embedding.vectors, space, default_similarity(space))

    @property
    def remark(self) -> str:
        """What has become of its file, in a sentence; nothing where all is as it was."""
        if self.file is None or not (self.file.overwritten or self.file.replaced):
            return ""
        if self.file.mapped and self.file.overwritten:
            return (
                f"{self.asked} was written to while it was open, and answers nothing more; "
                "start 'fairvec explore' again."
            )
        return (
            f"{self.asked} is no longer on the disk as it was; all figures here are of the model "
            "as it was opened."
        )

    def checked(self) -> "OpenModel":
        """Return the model, or refuse one whose memory is a file that was written to."""
        if self.file is not None and self.file.mapped and self.file.overwritten:
            raise ChangedModelError(self.remark)
        return self


def open_models(
    read: Sequence[tuple[str, Embedding]], reading: Reading = AS_FOUND
) -> list[OpenModel]:
    """Return models, each with what was asked for it; those of one name are called by that."""
    called = Counter(one.name for _, one in read)
    return [
        OpenModel(
            one.name if called[one.name] == 1 else escape_surrogates(asked),
            asked,
            one,
            watched_file(asked, one.vectors),
            reading,
        )
        for asked, one in read
    ]


class OpenModels(Mapping[str, OpenModel]):
    """The models by their names, in the order in which they were named; nothing else is opened.

    `kept` is what was worked out about them, `write_to` the one folder into which models may be
    written; none without it.
    """

    def __init__(
        self,
        models: Sequence[OpenModel],
        results: ResultsFolders | None = None,
        *,
        write_to: Path | None = None,
    ) -> None:
        self.kept = FitCache()
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
        return self._models[name].checked()

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    @property
    def every(self) -> tuple[OpenModel, ...]:
        """All of them, also one that answers nothing more."""
        return tuple(self._models.values())

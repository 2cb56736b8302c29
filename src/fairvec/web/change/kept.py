"""What was worked out once, kept as long as there is room: the oldest goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

from fairvec.embedding import Embedding
from fairvec.mitigation import Transform

Value = TypeVar("Value")

ROOM = 1 << 28
"""256 MB: some hundred fits of directions, or a few that place twenty thousand words."""
BYTES_PER_KEY = 100


class _Turn:
    """Who makes a piece is alone at it; how many ask for it now."""

    def __init__(self) -> None:
        self.alone, self.asking = Lock(), 0


class KeptWork:
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

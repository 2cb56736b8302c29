"""Work that may never end, done by a thread of its own for somebody who does not wait for ever."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

Found = TypeVar("Found")


class Aside:
    """A thread that does one thing after the other, until it is left.

    Nothing but the end of the process stops a reading of lines that each come in time, so that a
    thread which is given up holds nothing up.
    """

    def __init__(self, name: str) -> None:
        self._wanted: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._came: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        Thread(target=self._work, daemon=True, name=name).start()

    def __call__(self, work: Callable[[], Found], seconds: float) -> Found:
        """Return what the work gives or raise what it raises; TimeoutError if it takes longer."""
        self._wanted.put(work)
        try:
            found, error = self._came.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        answer: Found = found
        return answer

    def _work(self) -> None:
        while (work := self._wanted.get()) is not None:
            try:
                self._came.put((work(), None))
            except BaseException as error:  # whatever it is, whoever waits has to hear of it
                self._came.put((None, error))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wanted.put(None)

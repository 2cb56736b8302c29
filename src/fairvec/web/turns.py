"""Long questions, one after another: of those of one page the last is answered."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from fairvec.ground.errors import FairvecError

MOST_PAGES = 64


class OvertakenError(FairvecError):
    """A question that nobody waits for: its page has asked a newer one."""


class Turns:
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
                raise OvertakenError("A newer question of this page was asked; wait for that one.")
            yield

    def _noted(self, page: str) -> int:
        with self._noting:
            self._asked += 1
            self._last[page] = self._asked
            self._last.move_to_end(page)
            if len(self._last) > MOST_PAGES:
                self._last.popitem(last=False)
            return self._asked

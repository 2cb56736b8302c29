"""How long something takes: the fastest of a few runs, because noise only ever adds."""

import time
from collections.abc import Callable


def best(
    work: Callable[[], object], runs: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the seconds of the fastest of so many runs, by a clock."""

    def once() -> float:
        start = clock()
        work()
        return clock() - start

    return min(once() for _ in range(runs))

"""Counting by Polars and DuckDB, GloVe by Mittens; runs in the peers' environment.

Prints one JSON object a line: what was measured, and seconds (or why it could not be).
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PASSES = 5


def neighbours(tokens: Any, distance: int) -> tuple[Any, Any]:
    """Return the words that stand so far apart in one line, each of them first once."""
    one, other = tokens[:-distance], tokens[distance:]
    ends = np.cumsum(tokens < 0)
    together = (one >= 0) & (other >= 0) & (ends[:-distance] == ends[distance:])
    return one[together], other[together]


def all_neighbours(tokens: Any, window: int) -> tuple[Any, Any, Any]:
    """Return both words and the weight of every pair of places, in both directions."""
    found = [(*neighbours(tokens, distance), 1 / distance) for distance in range(1, window + 1)]
    one = np.concatenate([part for a, b, _ in found for part in (a, b)])
    other = np.concatenate([part for a, b, _ in found for part in (b, a)])
    return one, other, np.concatenate([np.full(2 * len(a), weight) for a, _, weight in found])


def by_polars(tokens: Any, window: int) -> int:
    """Return how many pairs there are."""
    import polars

    one, other, weight = all_neighbours(tokens, window)
    frame = polars.DataFrame({"one": one, "other": other, "weight": weight})
    return len(frame.group_by("one", "other").agg(polars.col("weight").sum()))


def by_duckdb(tokens: Any, window: int) -> int:
    """Return how many pairs there are."""
    import duckdb

    one, other, weight = all_neighbours(tokens, window)
    places = {"one": one, "other": other, "weight": weight}
    with duckdb.connect(config={"threads": "1"}) as base:
        base.register("places", places)
        query = "select one, other, sum(weight) as weight from places group by one, other"
        return len(base.sql(query).fetchnumpy()["one"])


def by_mittens(counts: Any) -> float:
    """Return the seconds of one pass over a matrix of counts, the mean of a few after a first."""
    from mittens.np_mittens import GloVe

    def fitted(passes: int) -> float:
        model = GloVe(n=100, max_iter=passes, display_progress=10**9)
        return timed(lambda: model.fit(counts))

    # The first fit also pays for libraries and memory that are new.
    fitted(1)
    passes = PASSES if len(counts) < 5000 else 2
    return (fitted(1 + passes) - fitted(1)) / passes


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Measure what is installed on the tokens and the counts in a folder."""
    folder, window = Path(sys.argv[1]), int(sys.argv[2])
    tokens = np.load(folder / "tokens.npy")
    for name, work in (("Polars", by_polars), ("DuckDB", by_duckdb)):
        record: dict[str, Any] = {"what": name}
        try:
            record["seconds"] = min(timed(lambda: work(tokens, window)) for _ in range(3))  # noqa: B023 - called at once
            record["pairs"] = work(tokens, window)
        except Exception as error:  # a peer that does not run here is said, not fatal
            record["absent"] = f"{type(error).__name__}: {error}"
        print(json.dumps(record), flush=True)
    for file in sorted(folder.glob("counts-*.npy")):
        seconds = by_mittens(np.load(file))
        print(json.dumps({"what": f"Mittens {file.stem}", "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()

"""How fast the nearest points in the Poincaré ball are found, beside gensim on the same points.

    python -m benchmarks.neighbours [--words 189533] [--queries 2048]

Ours answers all queries in one call, on one thread and on as many as numpy takes, and then one
after the other as gensim does. Seconds are the best of three: take them on a machine with nothing
else to do. That both find the same points is checked.
"""

import argparse
import sys

import numpy as np
from gensim.models.poincare import PoincareKeyedVectors
from threadpoolctl import threadpool_limits

from benchmarks.timing import best
from fairvec.geometry import NEGATIVE_DISTANCE, FloatArray, Poincare
from fairvec.geometry.nearest import IntArray, nearest

TARGET = 150
COUNT = 10
FEW = 20
"""So many queries are put to gensim."""


def main() -> None:
    """Ask both and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=189_533)
    parser.add_argument("--queries", type=int, default=2_048)
    arguments = parser.parse_args()
    points = in_the_ball(arguments.words)
    peer = PoincareKeyedVectors(points.shape[1], 0)
    peer.vectors, peer.index_to_key = points, [str(row) for row in range(len(points))]
    peer.key_to_index = {key: row for row, key in enumerate(peer.index_to_key)}
    # gensim does not leave out the word itself when that is the first row.
    queries = np.arange(1, arguments.queries + 1)

    def ours(rows: IntArray) -> IntArray:
        return nearest(
            points[rows], points, COUNT, Poincare(), NEGATIVE_DISTANCE, excluded=rows[:, None]
        ).rows

    def theirs(rows: IntArray) -> IntArray:
        near = [peer.most_similar(str(row), topn=COUNT) for row in rows]
        return np.array([[int(key) for key, _ in each] for each in near])

    if (ours(queries[:FEW]) != theirs(queries[:FEW])).any():
        sys.exit("fairvec and gensim do not find the same points")
    with threadpool_limits(1):
        batched = best(lambda: ours(queries)) / len(queries)
    threaded = best(lambda: ours(queries)) / len(queries)
    single = best(lambda: [ours(queries[i : i + 1]) for i in range(FEW)]) / FEW
    gensim = best(lambda: theirs(queries[:FEW])) / FEW
    print(f"{len(points):,} points of the ball x {points.shape[1]}, {COUNT} nearest of each")
    print(f"gensim                            {gensim * 1000:8.3f} ms a query")
    for name, seconds, target in (
        (f"{len(queries):,} at once, 1 thread", batched, f" (wanted: {TARGET})"),
        (f"{len(queries):,} at once, threads", threaded, ""),
        ("one by one", single, ""),
    ):
        faster = f"{gensim / seconds:.1f} times faster{target}"
        print(f"fairvec, {name:25}{seconds * 1000:8.3f} ms a query, {faster}")


def in_the_ball(words: int) -> FloatArray:
    """Return random points at all distances from the origin up to 0.9."""
    generator = np.random.default_rng(0)
    points = generator.standard_normal((words, 100))
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points / lengths * generator.uniform(0.3, 0.9, (words, 1)))


if __name__ == "__main__":
    main()

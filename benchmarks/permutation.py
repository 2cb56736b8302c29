"""How fast an exact p-value is, beside WEFE's sampled one on lists of the same size.

    python -m benchmarks.permutation

Ours is the whole WEAT from vectors to the exact two-sided p (median of several runs; 25 + 25 in a
process of its own, so that its peak memory is its own). WEFE draws 100 regroupings, and the time
is scaled to the 10,000 of its default.
"""

import resource
import statistics
import subprocess
import sys
import time

import numpy as np

from benchmarks import peers
from fairvec.geometry import COSINE, Euclidean, FloatArray
from fairvec.stats import permutation_test

TARGETS = {8: 0.005, 15: None, 20: 0.3, 25: 10.0}
WEFE_DRAWS, WEFE_DEFAULT = 100, 10_000


def main() -> None:
    """Measure every size, then the peer, and print what was seen."""
    if len(sys.argv) > 1:
        print(seconds(int(sys.argv[1]), runs=1), peak_memory())
        return
    ours = {}
    for size, target in TARGETS.items():
        once, memory = output([sys.executable, "-m", "benchmarks.permutation", str(size)]).split()
        ours[size] = seconds(size, runs=20) if size <= 15 else float(once)
        limit = f" (wanted: under {target * 1000:,.0f} ms)" if target else ""
        figures = f"{ours[size] * 1000:9.2f} ms, exact, peak {float(memory):.2f} GB"
        print(f"fairvec {size:2}+{size}: {figures}{limit}")
    program = str(peers.ROOT / "benchmarks" / "wefe_p_value.py")
    drawn = float(output([str(peers.python()), program, "8", str(WEFE_DRAWS)]))
    theirs = drawn * WEFE_DEFAULT / WEFE_DRAWS
    print(
        f"WEFE     8+8: {theirs * 1000:9,.0f} ms, {WEFE_DEFAULT:,} draws, scaled from {WEFE_DRAWS}"
    )
    print(f"         {theirs / ours[8]:,.0f} times faster at 8+8 (wanted: 20,000)")


def output(command: list[str]) -> str:
    """Return what a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def peak_memory() -> float:
    """Return the most memory this process has held, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def seconds(size: int, runs: int) -> float:
    """Time WEAT and its exact p on four lists of `size` random vectors."""
    generator = np.random.default_rng(0)
    x, y, a, b = (generator.normal(size=(size, 100)) for _ in range(4))
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        leanings = [leaning(targets, a, b) for targets in (x, y)]
        p = permutation_test(*leanings)
        times.append(time.perf_counter() - start)
        if p.method != "exact":
            sys.exit(f"{size} + {size} words should be exact, not {p.method}")
    return statistics.median(times)


def leaning(targets: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return s(w, A, B) for each target."""
    to_a, to_b = (COSINE.between(targets, some, Euclidean()) for some in (a, b))
    return np.asarray(to_a.mean(axis=1) - to_b.mean(axis=1))


if __name__ == "__main__":
    main()

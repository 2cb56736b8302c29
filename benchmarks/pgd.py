"""How fast Poincaré Gender Debias is, beside 350 epochs of geoopt's Riemannian Adam.

    python -m benchmarks.pgd

Random points of the ball, 100 dimensions, float64. Both of our solvers and the peer move the same
10,000 words; ours then move 126,065, as many as the paper did, beside one plain copy of the matrix.
The compiled loops were loaded before.
"""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import peers
from fairvec.geometry import FloatArray
from fairvec.geometry.ball_formulas import exp0
from fairvec.mitigation.kernels import balance_rows
from fairvec.mitigation.methods.pgd import PgdAdam, PgdWeights

COLUMNS, FEW, MANY = 100, 10_000, 126_065
RATE, EPOCHS = 3e-4, 350
TARGET_EXACT, TARGET_ADAM = 3_000, 100
Work = Callable[[FloatArray], object]


def main() -> None:
    """Measure ours, then the peer, and print what was seen."""
    noise = np.random.default_rng(0)
    axis = noise.normal(size=COLUMNS)
    axis *= 1.9975 / np.linalg.norm(axis)
    rows = noise.normal(size=(MANY, COLUMNS))
    rows *= (noise.uniform(0.2, 2.0, MANY) / np.linalg.norm(rows, axis=1))[:, None]
    points = exp0(rows, c=1.0)
    adam = PgdAdam(axis, PgdWeights(0.5, 0.5), 1.0, 1.0, RATE, EPOCHS)
    out = np.empty_like(points)

    def exact(points: FloatArray) -> None:
        nobody = np.empty(0, np.intp)
        weights = PgdWeights(0.5, 0.5)
        balance_rows(points, out[: len(points)], axis, weights, strength=1.0, fixed=nobody, c=1.0)

    ways: dict[str, tuple[Work, FloatArray]] = {
        "exact": (exact, points),
        "riemannian-adam": (adam.rows, rows),
    }
    for work, given in ways.values():
        work(given[:10])  # compiles, once
    few = {name: _seconds(work, given[:FEW]) for name, (work, given) in ways.items()}
    theirs, gaps = _peer(rows[:FEW], axis, adam)
    print(f"{FEW:,} x {COLUMNS}, geoopt's Riemannian Adam, {EPOCHS} epochs: {theirs:.1f} s")
    for name, target in (("exact", TARGET_EXACT), ("riemannian-adam", TARGET_ADAM)):
        print(
            f"  fairvec, {name}: {few[name] * 1000:.1f} ms, {theirs / few[name]:,.0f} times faster "
            f"(wanted: {target:,})"
        )
    print(f"  the two Adams end {gaps:.0e} apart (median over the words)")
    copy = _seconds(np.copy, rows)
    print(f"{MANY:,} x {COLUMNS}, one plain copy: {copy * 1000:.0f} ms")
    for name, (work, given) in ways.items():
        ours = _seconds(work, given)
        print(f"  fairvec, {name}: {ours * 1000:.0f} ms, {ours / copy:.1f} copies")


def _seconds(work: Work, rows: FloatArray) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        work(rows)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def _peer(rows: FloatArray, axis: FloatArray, adam: PgdAdam) -> tuple[float, float]:
    """Return the peer's seconds, and how far from its ends ours are."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{name}.npy" for name in ("points", "axis", "ends")]
        np.save(files[0], exp0(rows, c=1.0))
        np.save(files[1], axis)
        program = peers.ROOT / "benchmarks" / "geoopt_pgd.py"
        command = [peers.python(), program, files[0], files[1], RATE, EPOCHS, files[2]]
        answer = subprocess.run(
            [str(part) for part in command], check=True, capture_output=True, text=True
        )
        ends = np.load(files[2])
    gaps = np.linalg.norm(exp0(adam.rows(rows), c=1.0) - ends, axis=1)
    return float(answer.stdout), float(np.median(gaps))


if __name__ == "__main__":
    main()

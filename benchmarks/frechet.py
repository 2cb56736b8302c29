"""How fast the Fréchet mean in the ball is, beside geoopt's Riemannian Adam on the same points.

    python -m benchmarks.frechet

The points are the first 218 words of the shipped Poincaré model. Ours is frechet_mean to a gradient
of 1e-6, which bounds the distance that is left (median of several runs). geoopt starts from the
arithmetic mean as the hyperbolic paper does, at that paper's rate and at faster ones, and stops
within 1e-6 of the mean.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import fairvec
from benchmarks import peers
from fairvec.geometry.ball_means import frechet_mean

MODEL, WORDS, LIMIT = "poincare-glove-en-small", 218, 1e-6
PAPER_RATE, FASTER_RATES = 3e-4, (1e-3, 1e-2, 1e-1)
TARGET = 300


def main() -> None:
    """Measure ours, then the peer at each rate, and print what was seen."""
    points = np.asarray(fairvec.load(MODEL).vectors[:WORDS], np.float64)
    seconds = []
    for _ in range(50):
        start = time.perf_counter()
        mean = frechet_mean(points, c=1.0, tolerance=LIMIT)
        seconds.append(time.perf_counter() - start)
    ours = statistics.median(seconds)
    print(f"fairvec: {ours * 1000:8.2f} ms, {mean.steps} steps, gradient {mean.gradient_norm:.0e}")
    if mean.gradient_norm > LIMIT:
        sys.exit("the mean was not found")
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "points.npy", Path(folder) / "mean.npy"
        np.save(files[0], points)
        np.save(files[1], frechet_mean(points, c=1.0).point)
        python = str(peers.python())
        program = str(peers.ROOT / "benchmarks" / "geoopt_mean.py")
        for rate in (PAPER_RATE, *FASTER_RATES):
            command = [python, program, *map(str, files), str(rate), str(LIMIT)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            theirs, steps, left = map(float, answer.split())
            target_note = f" (wanted: {TARGET})" if rate == PAPER_RATE else ""
            print(
                f"geoopt:  {theirs * 1000:8,.0f} ms, {steps:,.0f} steps at the rate {rate:g}, "
                f"{left:.0e} away; ours is {theirs / ours:,.0f} times faster{target_note}"
            )


if __name__ == "__main__":
    main()

"""geoopt's Riemannian Adam on the Fréchet mean; runs in the peers' environment.

    geoopt_mean.py POINTS.npy MEAN.npy LR LIMIT

From the arithmetic mean, until the point lies within LIMIT of the mean or it has taken 20,000
steps. Prints the seconds, without the checks, the steps and the distance that is left.
"""

import sys
import time
from pathlib import Path

import geoopt
import numpy as np
import torch

MOST_STEPS = 20_000


def main(points_file: Path, mean_file: Path, rate: float, limit: float) -> None:
    """Optimise, looking now and then how far there is to go."""
    ball = geoopt.PoincareBall(c=1.0)
    points, mean = (torch.tensor(np.load(file)) for file in (points_file, mean_file))
    at = geoopt.ManifoldParameter(points.mean(dim=0), manifold=ball)
    optimiser = geoopt.optim.RiemannianAdam([at], lr=rate)
    seconds, steps, gradient = 0.0, 0, float("inf")
    while gradient > limit and steps < MOST_STEPS:
        start = time.perf_counter()
        for _ in range(10):
            optimiser.zero_grad()
            ball.dist2(at, points).mean().backward()
            optimiser.step()
        seconds += time.perf_counter() - start
        steps += 10
        with torch.no_grad():
            gradient = float(ball.dist(at, mean))
    print(seconds, steps, gradient)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))

"""Poincaré Gender Debias by geoopt's Riemannian Adam; runs in the peers' environment.

    geoopt_pgd.py POINTS.npy AXIS.npy LR EPOCHS ENDS.npy

All points at once, at equal weights. Prints the seconds; writes where the points end.
"""

import sys
import time
from pathlib import Path

import geoopt
import numpy as np
import torch


def main(points_file: Path, axis_file: Path, rate: float, epochs: int, ends_file: Path) -> None:
    """Optimise every point for itself: the objective is summed over them."""
    start_points, axis = (torch.tensor(np.load(file)) for file in (points_file, axis_file))
    home = start_points / start_points.norm(dim=1, keepdim=True)
    at = geoopt.ManifoldParameter(start_points.clone(), manifold=geoopt.PoincareBall(c=1.0))
    optimiser = geoopt.optim.RiemannianAdam([at], lr=rate)
    began = time.perf_counter()
    for _ in range(epochs):
        optimiser.zero_grad()
        u = at / at.norm(dim=1, keepdim=True)
        stay, lean = (1 - (u * home).sum(dim=1)) / 2, (u @ axis).abs() / 2
        (0.5 * stay + 0.5 * lean).sum().backward()
        optimiser.step()
    print(time.perf_counter() - began)
    np.save(ends_file, at.detach().numpy())


if __name__ == "__main__":
    points, axis, rate, epochs, ends = sys.argv[1:]
    main(Path(points), Path(axis), float(rate), int(epochs), Path(ends))

"""GloVe's own step, pair by pair."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.machine.compiled import compiled

Array = NDArray[Any]


@compiled(fastmath=True, check_division=False)
def train_tiles(
    tiles: Array,
    ends: Array,
    borders: Array,
    rows: Array,
    columns: Array,
    logs: Array,
    trust: Array,
    targets: Array,
    contexts: Array,
    target_squares: Array,
    context_squares: Array,
    rate: float,
    losses: Array,
) -> None:
    """Go once through the pairs of some tiles; their losses are written, tile by tile.

    J = f(X) (w.c + b + b' - log X)^2 / 2 with AdaGrad, as in the published program: each number g
    of the gradient, times the rate, is divided by the root of 1 + the sum of the squares of those
    before it. The last column of the vectors is the bias.
    """
    size = targets.shape[1] - 1
    pace = np.float32(rate)
    blocks = len(borders) - 1
    for tile in tiles:
        first = ends[tile - 1] if tile else 0
        own = borders[tile % blocks]
        other = borders[(tile % blocks + tile // blocks) % blocks]
        loss = 0.0
        for pair in range(first, ends[tile]):
            w, c = targets[own + rows[pair]], contexts[other + columns[pair]]
            ws, cs = target_squares[own + rows[pair]], context_squares[other + columns[pair]]
            error = w[size] + c[size] - logs[pair]
            for k in range(size):
                error += w[k] * c[k]
            weighted = trust[pair] * error
            loss += weighted * error
            weighted *= pace
            for k in range(size):
                down, across = weighted * c[k], weighted * w[k]
                w[k] -= down / np.sqrt(ws[k])
                c[k] -= across / np.sqrt(cs[k])
                ws[k] += down * down
                cs[k] += across * across
            w[size] -= weighted / np.sqrt(ws[size])
            c[size] -= weighted / np.sqrt(cs[size])
            ws[size] += weighted * weighted
            cs[size] += weighted * weighted
        losses[tile] = loss

"""The steps of GloVe and Poincaré GloVe on a GPU: one program a tile, pair after pair."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

from fairvec.training.models import Glove, PoincareGlove


@triton.jit
def _step(own, other, apart, slope, rate, squares):
    """Return p and q with x' = p x + q y, and the new sum of squares; see `kernels.step`."""
    size = 1 - own
    dot = (2 - own - other - apart) / 2
    stretch = 1 + apart / own
    along = stretch * size - dot
    length = tl.sqrt(tl.maximum(stretch * along - stretch * dot + 1 - other, 0.0))
    steep = slope * 4 / (own * other)
    norm = tl.abs(steep) * length * own / 2
    squares = squares + norm * norm
    still = norm == 0
    safe_length = tl.where(still, 1.0, length)
    reach = libdevice.tanh(rate * norm / tl.sqrt(tl.where(still, 1.0, squares)) / 2)
    reach = tl.where(steep > 0, -reach, reach)
    across = reach * along / safe_length
    scale = 1 + 2 * across + size * reach * reach
    p = (1 + 2 * across + reach * reach + own * reach * stretch / safe_length) / scale
    q = -own * reach / safe_length / scale
    return tl.where(still, 1.0, p), tl.where(still, 0.0, q), squares


@triton.jit
def train_ball_round(
    first_tile,
    ends,
    borders,
    rows,
    columns,
    logs,
    weights,
    targets,
    contexts,
    target_biases,
    context_biases,
    target_squares,
    context_squares,
    losses,
    rate,
    blocks,
    balls: tl.constexpr,
    size: tl.constexpr,
    squared: tl.constexpr,
    room: tl.constexpr,
    ball_width: tl.constexpr,
    width: tl.constexpr,
):
    """Go through the pairs of the tiles of one round; widths are powers of two.

    Triton hands a number over in single precision, in which 1 - room is 1: `room` is a constant.
    """
    own = tl.program_id(0)
    tile = first_tile + own
    other = (own + first_tile // blocks) % blocks
    start = tl.load(ends + tile - 1, mask=tile > 0, other=0)
    end = tl.load(ends + tile)
    own_border, other_border = tl.load(borders + own), tl.load(borders + other)
    ball = tl.arange(0, ball_width)
    column = tl.arange(0, width)
    is_ball = ball < balls
    places = ball[:, None] * size + column[None, :]
    inside = is_ball[:, None] & (column < size)[None, :]
    loss = tl.zeros((), tl.float64)
    for pair in range(start, end):
        i = own_border + tl.load(rows + pair).to(tl.int64)
        j = other_border + tl.load(columns + pair).to(tl.int64)
        x_place = i * balls * size + places
        y_place = j * balls * size + places
        x = tl.load(targets + x_place, mask=inside, other=0.0)
        y = tl.load(contexts + y_place, mask=inside, other=0.0)
        xs = tl.load(target_squares + i * (balls + 1) + ball, mask=is_ball, other=1.0)
        ys = tl.load(context_squares + j * (balls + 1) + ball, mask=is_ball, other=1.0)
        bx, by = tl.load(target_biases + i), tl.load(context_biases + j)
        bxs = tl.load(target_squares + i * (balls + 1) + balls)
        bys = tl.load(context_squares + j * (balls + 1) + balls)
        a = 1 - tl.sum(x * x, 1)
        b = 1 - tl.sum(y * y, 1)
        s = tl.sum((x - y) * (x - y), 1)
        coshes = 1 + 2 * s / (a * b)
        if squared:
            near = coshes - 1 < 1e-9
            safe = tl.where(near, 2.0, coshes)
            distance = libdevice.acosh(safe)
            alike = tl.where(near, 2 * (coshes - 1), distance * distance)
            slope = tl.where(near, 2.0, 2 * distance / tl.sqrt(safe * safe - 1))
        else:
            alike = coshes * coshes
            slope = 2 * coshes
        alike = tl.where(is_ball, alike, 0.0)
        error = bx + by - tl.load(logs + pair) - tl.sum(alike, 0)
        weighted = tl.load(weights + pair) * error
        loss += weighted * error
        px, qx, xs = _step(a, b, s, -weighted * slope, rate, xs)
        py, qy, ys = _step(b, a, s, -weighted * slope, rate, ys)
        new_x = px[:, None] * x + qx[:, None] * y
        new_y = py[:, None] * y + qy[:, None] * x
        far_x, far_y = tl.sum(new_x * new_x, 1), tl.sum(new_y * new_y, 1)
        new_x *= tl.where(far_x > 1 - room, tl.sqrt((1 - room) / far_x), 1.0)[:, None]
        new_y *= tl.where(far_y > 1 - room, tl.sqrt((1 - room) / far_y), 1.0)[:, None]
        tl.store(targets + x_place, new_x, mask=inside)
        tl.store(contexts + y_place, new_y, mask=inside)
        tl.store(target_squares + i * (balls + 1) + ball, xs, mask=is_ball)
        tl.store(context_squares + j * (balls + 1) + ball, ys, mask=is_ball)
        bxs += weighted * weighted
        bys += weighted * weighted
        still = weighted == 0
        pace = tl.where(still, 0.0, rate * weighted)
        tl.store(target_biases + i, bx - pace / tl.sqrt(tl.where(still, 1.0, bxs)))
        tl.store(context_biases + j, by - pace / tl.sqrt(tl.where(still, 1.0, bys)))
        tl.store(target_squares + i * (balls + 1) + balls, bxs)
        tl.store(context_squares + j * (balls + 1) + balls, bys)
    tl.store(losses + tile, loss)


@triton.jit
def train_flat_round(
    first_tile,
    ends,
    borders,
    rows,
    columns,
    logs,
    weights,
    targets,
    contexts,
    target_squares,
    context_squares,
    losses,
    rate,
    blocks,
    size: tl.constexpr,
    width: tl.constexpr,
):
    """Go through the pairs of a round of tiles; `size` counts the bias, `width` is a power of 2."""
    own = tl.program_id(0)
    tile = first_tile + own
    other = (own + first_tile // blocks) % blocks
    start = tl.load(ends + tile - 1, mask=tile > 0, other=0)
    end = tl.load(ends + tile)
    own_border, other_border = tl.load(borders + own), tl.load(borders + other)
    places = tl.arange(0, width)
    inside = places < size
    bias = places == size - 1
    loss = 0.0
    for pair in range(start, end):
        w_place = (own_border + tl.load(rows + pair).to(tl.int64)) * size + places
        c_place = (other_border + tl.load(columns + pair).to(tl.int64)) * size + places
        w = tl.load(targets + w_place, mask=inside, other=0.0)
        c = tl.load(contexts + c_place, mask=inside, other=0.0)
        ws = tl.load(target_squares + w_place, mask=inside, other=1.0)
        cs = tl.load(context_squares + c_place, mask=inside, other=1.0)
        error = tl.sum(tl.where(bias, w + c, w * c), 0) - tl.load(logs + pair)
        weighted = tl.load(weights + pair) * error
        loss += weighted * error
        weighted *= rate
        down = weighted * tl.where(bias, 1.0, c)
        across = weighted * tl.where(bias, 1.0, w)
        tl.store(targets + w_place, w - down * tl.rsqrt(ws), mask=inside)
        tl.store(contexts + c_place, c - across * tl.rsqrt(cs), mask=inside)
        tl.store(target_squares + w_place, ws + down * down, mask=inside)
        tl.store(context_squares + c_place, cs + across * across, mask=inside)
    tl.store(losses + tile, loss)


ROUND_KERNELS = {Glove.name: train_flat_round, PoincareGlove.name: train_ball_round}
"""Which kernel trains which model: it takes the first tile of a round, and what `kernels` take."""

"""GloVe's step on a GPU: one program a tile, pair after pair, as on the processor."""

import triton
import triton.language as tl


@triton.jit
def train_round(
    first_tile,
    ends,
    borders,
    rows,
    columns,
    logs,
    trust,
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
        weighted = tl.load(trust + pair) * error
        loss += weighted * error
        weighted *= rate
        down = weighted * tl.where(bias, 1.0, c)
        across = weighted * tl.where(bias, 1.0, w)
        tl.store(targets + w_place, w - down * tl.rsqrt(ws), mask=inside)
        tl.store(contexts + c_place, c - across * tl.rsqrt(cs), mask=inside)
        tl.store(target_squares + w_place, ws + down * down, mask=inside)
        tl.store(context_squares + c_place, cs + across * across, mask=inside)
    tl.store(losses + tile, loss)

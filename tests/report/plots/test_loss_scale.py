import itertools
from math import asinh, sinh

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairvec.report.plots.svg import APART, EDGE, NOTHING, LossScale, loss_scale_of


def loss_at(scale: LossScale, place: float) -> float:
    """The loss that lies at a place: the formula of the scale turned round."""
    start, end = scale.lane_ends
    room = 100 - 2 * EDGE - scale.lane
    unit = room / (asinh(scale.gain / scale.bend) + asinh(scale.loss / scale.bend))
    if place < start:
        return -scale.bend * sinh((start - place) / unit)
    return scale.bend * sinh((place - end) / unit) if place > end else 0.0


losses = st.lists(st.floats(-1, 1), min_size=1, max_size=30)
lanes = st.floats(5, 30)


@given(losses=losses, lane=lanes, data=st.data())
def test_more_lost_lies_further_right(
    losses: list[float], lane: float, data: st.DataObject
) -> None:
    scale = loss_scale_of(losses, lane=lane)
    one, other = sorted(data.draw(st.tuples(*[st.sampled_from([*losses, 0.0])] * 2)))
    assert scale.at(one) <= scale.at(other)
    if other - one > 1e-6:
        assert scale.at(one) < scale.at(other)


@given(losses=losses, lane=lanes)
def test_a_place_gives_back_its_loss(losses: list[float], lane: float) -> None:
    scale = loss_scale_of(losses, lane=lane)
    for loss in losses:
        place = scale.at(loss)
        assert 0 < place < 100
        assert loss_at(scale, place) == pytest.approx(loss, rel=1e-6, abs=1e-8)


@given(losses=losses, lane=lanes)
def test_only_what_loses_nothing_stands_in_the_lane(losses: list[float], lane: float) -> None:
    scale = loss_scale_of(losses, lane=lane)
    start, end = scale.lane_ends
    assert end - start == pytest.approx(lane)
    for loss in losses:
        place = scale.at(loss)
        if abs(loss) <= NOTHING:
            assert start < place < end
        else:
            assert place >= end if loss > 0 else place <= start


@given(losses=losses, lane=lanes)
def test_ticks_stand_apart_begin_with_nothing_and_say_where_they_are(
    losses: list[float], lane: float
) -> None:
    scale = loss_scale_of(losses, lane=lane)
    assert 0.0 in scale.ticks
    places = [scale.at(tick) for tick in scale.ticks]
    assert all(b - a >= APART for a, b in itertools.pairwise(places))
    for tick in scale.ticks:
        said = scale.label(tick)
        value = float(said.removesuffix(" %")) / 100
        assert (-value if said.startswith("+") else value) == pytest.approx(tick)


@given(small=st.floats(0.001, 0.02))
def test_small_losses_are_as_far_apart_as_large_ones(small: float) -> None:
    assume(small * 20 < 1)
    scale = loss_scale_of([0.001, 0.5])
    near = scale.at(2 * small) - scale.at(small)
    far = scale.at(20 * small) - scale.at(10 * small)
    # asinh is a logarithm but for small arguments, where it is somewhat less steep.
    assert 0.6 * far < near <= far * (1 + 1e-9)


def test_a_clump_near_nothing_takes_more_than_half_of_the_axis() -> None:
    scale = loss_scale_of([0.0, 0.001, 0.004, 0.01, 0.02, 0.13])
    start, _ = scale.lane_ends
    assert scale.at(0.02) - start > 50
    assert [scale.label(tick) for tick in scale.ticks] == ["0", "0.1 %", "1 %", "10 %"]


def test_the_rounding_of_a_mean_is_no_loss() -> None:
    scale = loss_scale_of([1 - (0.1 + 0.2 + 0.7), 1e-16, 0.01])
    assert scale.at(1e-16) == scale.at(0.0)
    assert scale.bend == 0.01


def test_nothing_lost_anywhere_has_an_axis_too() -> None:
    scale = loss_scale_of([])
    assert scale.ticks == [0.0, 0.01]

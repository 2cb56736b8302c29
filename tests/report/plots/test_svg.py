"""Scales, losses and SVG."""

import itertools
from math import asinh, sinh

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some
from hypothesis import strategies as st
from markupsafe import Markup

from fairvec.report.plots.svg import (
    APART,
    EDGE,
    LossScale,
    Scale,
    element,
    loss_scale_of,
    scale_of,
)
from fairvec.results.frontier import NOTHING

# --- scale ---


values = some.lists(some.floats(-1e6, 1e6), min_size=1, max_size=20)


@given(values, some.booleans())
def test_every_value_has_its_place(values: list[float], whole_steps: bool) -> None:
    scale = scale_of(values, whole_steps=whole_steps)
    slack = 1e-9 * (1 + max(abs(value) for value in values))
    assert scale.low <= min(values) + slack
    assert scale.high >= max(values) - slack
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


@given(values)
def test_ticks_are_few_and_evenly_spread(values: list[float]) -> None:
    scale = scale_of(values)
    assert 2 <= len(scale.ticks) <= 7
    assert len({scale.label(tick) for tick in scale.ticks}) == len(scale.ticks)


def test_an_effects_axis_is_round() -> None:
    scale = scale_of([-2.0, 2.0, 1.3])
    assert scale == Scale(-2.0, 2.0, 1.0)
    assert [scale.label(tick) for tick in scale.ticks] == ["−2", "−1", "0", "1", "2"]


def test_what_lies_outside_sits_at_the_end() -> None:
    assert [Scale(0, 1, 0.5).at(value) for value in (-3, 0.25, 9)] == [0, 25, 100]


def test_an_empty_list_and_one_value_have_an_axis() -> None:
    assert scale_of([]).at(0.0) == 50
    assert scale_of([3.0]).low < 3 < scale_of([3.0]).high


def test_no_axis_has_a_single_tick() -> None:
    # 1.77 steps of 0.5 may hold one multiple of it.
    assert scale_of([0.55, 1.43], whole_steps=False).ticks == pytest.approx([0.6, 0.8, 1, 1.2, 1.4])


IMMENSE = (1.7e308, -1.7e308, 1e16)
ANY = some.floats(allow_nan=False, allow_infinity=False) | some.sampled_from(IMMENSE)


@given(some.lists(ANY, max_size=4), some.booleans())
def test_figures_of_any_size_have_a_few_ticks(values: list[float], whole_steps: bool) -> None:
    scale = scale_of(values, whole_steps=whole_steps)
    assert scale.low < scale.high
    assert 2 <= len(scale.ticks) <= 12
    assert all(0 <= scale.at(value) <= 100 for value in values)
    assert all(scale.label(tick) for tick in scale.ticks)


# --- loss ---


def loss_at(scale: LossScale, place: float) -> float:
    """The loss that lies at a place: the formula of the scale turned round."""
    start, end = scale.lane_ends
    width = 100 - 2 * EDGE - scale.lane
    unit = width / (asinh(scale.gain / scale.bend) + asinh(scale.loss / scale.bend))
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
def test_only_points_without_loss_are_in_the_lane(losses: list[float], lane: float) -> None:
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
def test_ticks_are_separate_begin_at_zero_and_are_labelled(
    losses: list[float], lane: float
) -> None:
    scale = loss_scale_of(losses, lane=lane)
    assert 0.0 in scale.ticks
    places = [scale.at(tick) for tick in scale.ticks]
    assert all(b - a >= APART for a, b in itertools.pairwise(places))
    for tick in scale.ticks:
        label = scale.label(tick)
        value = float(label.removesuffix(" %")) / 100
        assert (-value if label.startswith("+") else value) == pytest.approx(tick)


@given(small=st.floats(0.001, 0.02))
def test_small_losses_are_as_far_apart_as_large_ones(small: float) -> None:
    assume(small * 20 < 1)
    scale = loss_scale_of([0.001, 0.5])
    near = scale.at(2 * small) - scale.at(small)
    far = scale.at(20 * small) - scale.at(10 * small)
    # asinh is a logarithm but for small arguments, where it is somewhat less steep.
    assert 0.6 * far < near <= far * (1 + 1e-9)


def test_a_cluster_near_zero_takes_more_than_half_of_the_axis() -> None:
    scale = loss_scale_of([0.0, 0.001, 0.004, 0.01, 0.02, 0.13])
    start, _ = scale.lane_ends
    assert scale.at(0.02) - start > 50
    assert [scale.label(tick) for tick in scale.ticks] == ["0", "0.1 %", "1 %", "10 %"]


def test_the_rounding_of_a_mean_is_no_loss() -> None:
    scale = loss_scale_of([1 - (0.1 + 0.2 + 0.7), 1e-16, 0.01])
    assert scale.at(1e-16) == scale.at(0.0)
    assert scale.bend == 0.01


def test_points_without_any_loss_have_an_axis() -> None:
    scale = loss_scale_of([])
    assert scale.ticks == [0.0, 0.01]


# --- svg ---


def test_elements_escape_what_they_are_given() -> None:
    markup = element("text", Markup.escape("<&>"), class_='a"b', stroke_width=2, style="")
    assert markup == '<text class="a&#34;b" stroke-width="2">&lt;&amp;&gt;</text>'

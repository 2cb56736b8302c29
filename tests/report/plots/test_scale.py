import pytest
from hypothesis import given
from hypothesis import strategies as some

from fairvec.report.plots.svg import Scale, scale_of

values = some.lists(some.floats(-1e6, 1e6), min_size=1, max_size=20)


@given(values, some.booleans())
def test_every_value_has_its_place(shown: list[float], whole_steps: bool) -> None:
    scale = scale_of(shown, whole_steps=whole_steps)
    slack = 1e-9 * (1 + max(abs(value) for value in shown))
    assert scale.low <= min(shown) + slack
    assert scale.high >= max(shown) - slack
    places = [scale.at(value) for value in sorted(shown)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


@given(values)
def test_ticks_are_few_and_evenly_spread(shown: list[float]) -> None:
    scale = scale_of(shown)
    assert 2 <= len(scale.ticks) <= 7
    assert len({scale.label(tick) for tick in scale.ticks}) == len(scale.ticks)


def test_an_effects_axis_is_round() -> None:
    scale = scale_of([-2.0, 2.0, 1.3])
    assert scale == Scale(-2.0, 2.0, 1.0)
    assert [scale.label(tick) for tick in scale.ticks] == ["−2", "−1", "0", "1", "2"]


def test_what_lies_outside_sits_at_the_end() -> None:
    assert [Scale(0, 1, 0.5).at(value) for value in (-3, 0.25, 9)] == [0, 25, 100]


def test_nothing_and_one_value_have_an_axis_too() -> None:
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

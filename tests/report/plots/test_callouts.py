from itertools import combinations, permutations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.report.plots.labels import (
    LINE,
    Box,
    Callout,
    CalloutRequest,
    callout_width,
    mark_height,
    place_callouts,
)

HEIGHT, WIDTHS = 480.0, (240.0, 400.0)
Rectangle = tuple[float, float, float, float]

halves = st.sampled_from([9.0, 13.0])
spots = st.tuples(st.floats(0, 100), st.floats(0, HEIGHT), halves)
crowded = st.tuples(st.floats(40, 60), st.floats(200, 260), halves)
texts = st.text("abc1 ", min_size=1, max_size=18)


def some(places: st.SearchStrategy[tuple[float, float, float]]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.tuples(texts, places, st.booleans()), max_size=14)


def mark_at(x: float, y: float, half: float) -> Box:
    return Box(x, -half, half, y - half, y + half)


def seen(box: Box, width: float) -> Rectangle:
    """Left, right, top and bottom in pixels of a drawing of this width."""
    x = box.place / 100 * width
    return x + box.left, x + box.right, box.top, box.bottom


def word_at(one: Callout, mark: Box, width: float) -> Rectangle:
    """Where the page writes a word: counted anew from its anchor."""
    at, anchor = one.anchor
    x, y = mark.place / 100 * width + at, mark_height(mark) + one.dy
    long = callout_width(one.text)
    left = x - {"start": 0, "middle": long / 2, "end": long}[anchor]
    return left, left + long, y - LINE / 2, y + LINE / 2


def touch(one: Rectangle, other: Rectangle) -> bool:
    return (
        min(one[1], other[1]) - max(one[0], other[0]) > 1e-6
        and min(one[3], other[3]) - max(one[2], other[2]) > 1e-6
    )


def crosses(one: Callout, mark: Box, width: float, other: Rectangle) -> bool:
    if one.lead is None:
        return False
    x, y = mark.place / 100 * width, mark_height(mark)
    steps = [step / 200 for step in range(201)]
    return any(
        other[0] < x + one.lead[0] * step < other[1]
        and other[2] < y + one.lead[1] * step < other[3]
        for step in steps
    )


@settings(max_examples=60, deadline=None)
@given(
    words=some(spots) | some(crowded),
    bare=st.lists(spots, max_size=30),
    width=st.floats(*WIDTHS),
)
def test_no_word_covers_a_word_a_named_mark_or_a_line_at_any_width(
    words: list[tuple[str, tuple[float, float, float], bool]],
    bare: list[tuple[float, float, float]],
    width: float,
) -> None:
    names = [CalloutRequest(text, mark_at(*spot), modest) for text, spot, modest in words]
    others = [mark_at(*spot) for spot in bare]
    found = place_callouts(names, HEIGHT, WIDTHS, others)
    placed = [(one, name) for one, name in zip(found, names, strict=True) if one]
    for one, name in placed:
        word = word_at(one, name.mark, width)
        assert word[0] >= -1e-6
        assert word[1] <= width + 1e-6
        assert 0 <= word[2] < word[3] <= HEIGHT
        assert not any(touch(word, seen(other.mark, width)) for other in names)
        if name.modest:
            assert one.lead is None
            assert not any(touch(word, seen(other, width)) for other in others)
    for (one, name), (other, its) in combinations(placed, 2):
        assert not touch(word_at(one, name.mark, width), word_at(other, its.mark, width))
    for one, name in placed:
        for other, its in placed:
            if other is not one:
                assert not crosses(one, name.mark, width, word_at(other, its.mark, width))


def test_a_word_that_stands_away_from_its_mark_is_led_to_it() -> None:
    crowd = [mark_at(48 + place, 230 + 4 * place, 9) for place in range(5)]
    found = place_callouts(
        [CalloutRequest(f"method-{i} 0.75", mark) for i, mark in enumerate(crowd)], HEIGHT, WIDTHS
    )
    assert all(found)
    assert any(one.lead for one in found if one)
    for one in found:
        if one and not one.lead:
            at, _ = one.anchor
            assert abs(at) <= 14 or abs(one.dy) <= 14


def test_a_lone_word_needs_no_line_and_stands_left() -> None:
    (one,) = place_callouts([CalloutRequest("hard 1", mark_at(60, 200, 9))], HEIGHT, WIDTHS)
    assert one is not None
    assert (one.lead, one.dy, one.anchor[1]) == (None, 0, "end")


def test_a_modest_word_gives_way_and_another_covers_bare_marks_in_need() -> None:
    everywhere = [mark_at(x, y, 9) for x in range(0, 101, 4) for y in range(0, 481, 12)]
    mark = mark_at(50, 240, 9)
    assert place_callouts(
        [CalloutRequest("hard", mark, modest=True)], HEIGHT, WIDTHS, everywhere
    ) == [None]
    (one,) = place_callouts([CalloutRequest("hard", mark)], HEIGHT, WIDTHS, everywhere)
    assert one is not None


def test_in_a_crowd_no_word_stands_on_the_line_of_another() -> None:
    led = 0
    for seed in range(20):
        draw = Random(seed)
        names = [
            CalloutRequest(
                "method-" + "x" * draw.randint(0, 8),
                mark_at(draw.uniform(35, 65), draw.uniform(180, 300), 9),
            )
            for _ in range(10)
        ]
        found = zip(place_callouts(names, HEIGHT, WIDTHS), names, strict=True)
        placed = [(one, name.mark) for one, name in found if one]
        led += sum(one.lead is not None for one, _ in placed)
        for width in (240.0, 300.0, 400.0):
            for (one, mark), (other, its) in permutations(placed, 2):
                assert not crosses(one, mark, width, word_at(other, its, width))
    assert led > 20  # otherwise there is nothing to cross

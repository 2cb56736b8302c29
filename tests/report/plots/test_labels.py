"""Labels, sides and callouts of plots."""

from itertools import combinations, permutations
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as some
from hypothesis import strategies as st

from fairvec.report.plots.labels import (
    AWAY,
    DOT,
    LINE,
    Box,
    Callout,
    CalloutRequest,
    Label,
    Side,
    callout_width,
    label,
    lanes,
    mark_height,
    place_callouts,
    place_labels,
    text_width,
)

# --- labels ---


words = some.lists(
    some.tuples(some.text("abcdefgшщкख", min_size=1, max_size=14), some.floats(0, 100)),
    max_size=40,
)


def overlap(one: Label, other: Label, width: float) -> bool:
    (left, right), (other_left, other_right) = one.reach(width), other.reach(width)
    return min(right, other_right) > max(left, other_left)


@given(words, some.floats(300, 2000))
def test_labels_of_one_lane_never_touch_at_any_larger_width(
    listed: list[tuple[str, float]], wider: float
) -> None:
    labels = [label(text, place, 300) for text, place in listed]
    chosen = lanes(labels, 300, most=6)
    for (one, lane), (other, other_lane) in combinations(zip(labels, chosen, strict=True), 2):
        if lane == other_lane and lane is not None:
            assert not overlap(one, other, 300)
            assert not overlap(one, other, wider)


@given(words)
def test_a_label_is_dropped_only_when_all_lanes_are_full(listed: list[tuple[str, float]]) -> None:
    labels = [label(text, place, 300) for text, place in listed]
    assert None not in lanes(labels, 300, most=len(labels))
    assert all(lane is None or lane < 2 for lane in lanes(labels, 300, most=2))


@given(some.text("abcdefgшщкख", min_size=1, max_size=20), some.floats(0, 100))
def test_labels_stay_inside_the_drawing(text: str, place: float) -> None:
    left, right = label(text, place, 300).reach(300)
    assert left >= -1e-9
    assert right <= 300 + 1e-9


def test_far_apart_words_share_the_lowest_lane() -> None:
    labels = [label("art", place, 600) for place in (10.0, 50.0, 90.0)]
    assert lanes(labels, 600, most=8) == [0, 0, 0]
    assert lanes([label("art", 50.0, 600)] * 3, 600, most=2) == [0, 1, None]


def test_marks_on_letters_have_no_width() -> None:
    assert text_width("क्ष") == text_width("कष")
    assert text_width("e\N{COMBINING ACUTE ACCENT}") == text_width("e")
    assert text_width("漢") == 2 * text_width("a")


# --- sides ---


HEIGHT, WIDTHS = 300.0, (200.0, 700.0)
Rectangle = tuple[float, float, float, float]


def rectangle(text: str, dot: tuple[float, float], side: Side, width: float) -> Rectangle:
    """Where the style sheet puts a word: left, right, top and bottom in pixels."""
    x, y, long = dot[0] / 100 * width, dot[1], text_width(text)
    left = {"right": x + AWAY, "left": x - AWAY - long}.get(side, x - long / 2)
    top = {"above": y - DOT - LINE, "below": y + DOT}.get(side, y - LINE / 2)
    return left, left + long, top, top + LINE


def touch(one: Rectangle, other: Rectangle) -> bool:
    return (
        min(one[1], other[1]) - max(one[0], other[0]) > 1e-6
        and min(one[3], other[3]) - max(one[2], other[2]) > 1e-6
    )


words_sides = st.lists(
    st.tuples(
        st.text("abc", min_size=1, max_size=12),
        st.tuples(st.floats(0, 100), st.floats(0, HEIGHT)),
    ),
    max_size=30,
)


@given(words=words_sides, width=st.floats(*WIDTHS))
def test_no_word_covers_a_word_or_a_dot_at_any_width(
    words: list[tuple[str, tuple[float, float]]], width: float
) -> None:
    texts, dots = [text for text, _ in words], [dot for _, dot in words]
    sides = place_labels(texts, dots, HEIGHT, WIDTHS)
    boxes = [
        rectangle(text, dot, side, width)
        for (text, dot), side in zip(words, sides, strict=True)
        if side
    ]
    for at, one in enumerate(boxes):
        assert one[0] >= -1e-6
        assert one[1] <= width + 1e-6
        assert one[2] >= 0
        assert one[3] <= HEIGHT
        assert not any(touch(one, other) for other in boxes[:at])
        for x, y in dots:
            middle = x / 100 * width
            assert not touch(one, (middle - DOT, middle + DOT, y - DOT, y + DOT))


def test_a_lone_word_is_on_the_right_and_at_the_edge_on_the_left() -> None:
    assert place_labels(["word"], [(50, 100)], HEIGHT, WIDTHS) == ["right"]
    assert place_labels(["word"], [(99, 100)], HEIGHT, WIDTHS) == ["left"]


def test_the_first_words_get_the_space() -> None:
    crowd = [(50.0, 100.0)] * 6
    assert place_labels(list("abcdef"), crowd, HEIGHT, WIDTHS) == [
        "right",
        "left",
        "above",
        "below",
        None,
        None,
    ]


def test_occupied_space_stays_free_of_labels() -> None:
    line = Box(0, 0, 10_000, 0, HEIGHT)
    assert place_labels(["word"], [(50, 100)], HEIGHT, WIDTHS, [line]) == [None]


def test_words_that_would_pass_through_one_another_are_not_apart() -> None:
    """In the narrow drawing the first is left of the second, in the wide one right of it."""
    one, other = Box(52, -30, -8, 0, 16), Box(50, 0, 8, 0, 16)
    assert one.clears(other, (100, 100))
    assert one.clears(other, (2000, 2000))
    assert not one.clears(other, (100, 2000))


# --- callouts ---


HEIGHT_CALLOUTS, WIDTHS_CALLOUTS = 480.0, (240.0, 400.0)

halves = st.sampled_from([9.0, 13.0])
spots = st.tuples(st.floats(0, 100), st.floats(0, HEIGHT_CALLOUTS), halves)
crowded = st.tuples(st.floats(40, 60), st.floats(200, 260), halves)
texts = st.text("abc1 ", min_size=1, max_size=18)


def some_callouts(
    places: st.SearchStrategy[tuple[float, float, float]],
) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.tuples(texts, places, st.booleans()), max_size=14)


def mark_at(x: float, y: float, half: float) -> Box:
    return Box(x, -half, half, y - half, y + half)


def reach_of(box: Box, width: float) -> Rectangle:
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


@given(
    words=some_callouts(spots) | some_callouts(crowded),
    unlabelled=st.lists(spots, max_size=30),
    width=st.floats(*WIDTHS_CALLOUTS),
)
def test_no_word_covers_a_word_a_named_mark_or_a_line_at_any_width(
    words: list[tuple[str, tuple[float, float, float], bool]],
    unlabelled: list[tuple[float, float, float]],
    width: float,
) -> None:
    names = [CalloutRequest(text, mark_at(*spot), modest) for text, spot, modest in words]
    others = [mark_at(*spot) for spot in unlabelled]
    found = place_callouts(names, HEIGHT_CALLOUTS, WIDTHS_CALLOUTS, others)
    placed = [(one, name) for one, name in zip(found, names, strict=True) if one]
    for one, name in placed:
        word = word_at(one, name.mark, width)
        assert word[0] >= -1e-6
        assert word[1] <= width + 1e-6
        assert 0 <= word[2] < word[3] <= HEIGHT_CALLOUTS
        assert not any(touch(word, reach_of(other.mark, width)) for other in names)
        if name.modest:
            assert one.lead is None
            assert not any(touch(word, reach_of(other, width)) for other in others)
    for (one, name), (other, its) in combinations(placed, 2):
        assert not touch(word_at(one, name.mark, width), word_at(other, its.mark, width))
    for one, name in placed:
        for other, its in placed:
            if other is not one:
                assert not crosses(one, name.mark, width, word_at(other, its.mark, width))


def test_a_word_away_from_its_mark_has_a_line_to_it() -> None:
    crowd = [mark_at(48 + place, 230 + 4 * place, 9) for place in range(5)]
    found = place_callouts(
        [CalloutRequest(f"method-{i} 0.75", mark) for i, mark in enumerate(crowd)],
        HEIGHT_CALLOUTS,
        WIDTHS_CALLOUTS,
    )
    assert all(found)
    assert any(one.lead for one in found if one)
    for one in found:
        if one and not one.lead:
            at, _ = one.anchor
            assert abs(at) <= 14 or abs(one.dy) <= 14


def test_a_lone_word_needs_no_line_and_is_on_the_left() -> None:
    (one,) = place_callouts(
        [CalloutRequest("hard 1", mark_at(60, 200, 9))], HEIGHT_CALLOUTS, WIDTHS_CALLOUTS
    )
    assert one is not None
    assert (one.lead, one.dy, one.anchor[1]) == (None, 0, "end")


def test_a_modest_word_gives_way_and_another_covers_bare_marks_in_need() -> None:
    everywhere = [mark_at(x, y, 9) for x in range(0, 101, 4) for y in range(0, 481, 12)]
    mark = mark_at(50, 240, 9)
    assert place_callouts(
        [CalloutRequest("hard", mark, modest=True)], HEIGHT_CALLOUTS, WIDTHS_CALLOUTS, everywhere
    ) == [None]
    (one,) = place_callouts(
        [CalloutRequest("hard", mark)], HEIGHT_CALLOUTS, WIDTHS_CALLOUTS, everywhere
    )
    assert one is not None


def test_in_a_crowd_no_word_covers_the_line_of_another() -> None:
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
        found = zip(place_callouts(names, HEIGHT_CALLOUTS, WIDTHS_CALLOUTS), names, strict=True)
        placed = [(one, name.mark) for one, name in found if one]
        led += sum(one.lead is not None for one, _ in placed)
        for width in (240.0, 300.0, 400.0):
            for (one, mark), (other, its) in permutations(placed, 2):
                assert not crosses(one, mark, width, word_at(other, its, width))
    assert led > 20  # otherwise there is nothing to cross

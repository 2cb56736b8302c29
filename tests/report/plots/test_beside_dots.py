from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.report.plots.labels import AWAY, DOT, LINE, Box, Side, place_labels, text_width

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


words = st.lists(
    st.tuples(
        st.text("abc", min_size=1, max_size=12),
        st.tuples(st.floats(0, 100), st.floats(0, HEIGHT)),
    ),
    max_size=30,
)


@settings(max_examples=60)
@given(words=words, width=st.floats(*WIDTHS))
def test_no_word_covers_a_word_or_a_dot_at_any_width(
    words: list[tuple[str, tuple[float, float]]], width: float
) -> None:
    texts, dots = [text for text, _ in words], [dot for _, dot in words]
    sides = place_labels(texts, dots, HEIGHT, WIDTHS)
    drawn = [
        rectangle(text, dot, side, width)
        for (text, dot), side in zip(words, sides, strict=True)
        if side
    ]
    for at, one in enumerate(drawn):
        assert one[0] >= -1e-6
        assert one[1] <= width + 1e-6
        assert one[2] >= 0
        assert one[3] <= HEIGHT
        assert not any(touch(one, other) for other in drawn[:at])
        for x, y in dots:
            middle = x / 100 * width
            assert not touch(one, (middle - DOT, middle + DOT, y - DOT, y + DOT))


def test_a_lone_word_stands_on_the_right_and_at_the_edge_on_the_left() -> None:
    assert place_labels(["word"], [(50, 100)], HEIGHT, WIDTHS) == ["right"]
    assert place_labels(["word"], [(99, 100)], HEIGHT, WIDTHS) == ["left"]


def test_the_first_words_get_the_room() -> None:
    crowd = [(50.0, 100.0)] * 6
    assert place_labels(list("abcdef"), crowd, HEIGHT, WIDTHS) == [
        "right",
        "left",
        "above",
        "below",
        None,
        None,
    ]


def test_what_is_taken_stays_free() -> None:
    whole = Box(0, 0, 10_000, 0, HEIGHT)
    assert place_labels(["word"], [(50, 100)], HEIGHT, WIDTHS, [whole]) == [None]


def test_words_that_would_pass_through_one_another_are_not_apart() -> None:
    """In the narrow drawing the first is left of the second, in the wide one right of it."""
    one, other = Box(52, -30, -8, 0, 16), Box(50, 0, 8, 0, 16)
    assert one.clears(other, (100, 100))
    assert one.clears(other, (2000, 2000))
    assert not one.clears(other, (100, 2000))

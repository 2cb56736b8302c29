from itertools import combinations

from hypothesis import given
from hypothesis import strategies as some

from fairvec.report.plots.labels import Label, label, lanes, text_width

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

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fairvec.experiments.frontier.choice import dominates, front, recommend
from tests.results.points import effect, point

SHARES = st.integers(0, 10).map(lambda tenths: tenths / 10)
POINTS = st.lists(st.builds(lambda left, kept: point("m", left, kept), SHARES, SHARES), min_size=1)
HARM = (effect(1.0, -1.0, "reversed"),)


@given(POINTS)
def test_the_front_is_what_nothing_beats(points: list) -> None:  # type: ignore[type-arg]
    best = front(points)
    for one in points:
        beaten = any(
            (other.bias_left, -other.information_kept) != (one.bias_left, -one.information_kept)
            and other.bias_left <= one.bias_left
            and other.information_kept >= one.information_kept
            for other in points
        )
        assert (one in best) == (not beaten)
    assert not any(dominates(one, other) for one in best for other in best)
    assert best == sorted(best, key=lambda one: one.bias_left)


TRIED = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from([0.2, 0.4]), SHARES, st.sampled_from([0.5, 1.0])
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda one: (one[0], one[3]),
)


@given(TRIED, st.randoms(use_true_random=False))
def test_the_order_in_which_methods_are_tried_decides_nothing(
    tried: list[tuple[str, float, float, float]], shuffler: Random
) -> None:
    points = [point(name, left, kept, strength=at) for name, left, kept, at in tried]
    shuffled = [*points]
    shuffler.shuffle(shuffled)
    for keep in (0.5, 1.0):
        assert recommend(points, keep=keep) == recommend(shuffled, keep=keep)


def test_least_bias_among_those_that_keep_enough() -> None:
    points = [point("a", 0.1, 0.90), point("b", 0.3, 0.96), point("c", 0.5, 0.99)]
    assert recommend(points).point == points[1]
    assert recommend(points, keep=0.98).point == points[2]
    assert "30%" in recommend(points).reason


def test_an_effect_turned_round_is_no_improvement() -> None:
    points = [point("a", 0.1, 0.99, effects=HARM), point("b", 0.8, 0.97)]
    assert recommend(points).point == points[1]
    advice = recommend(points[:1])
    assert advice.point is None
    assert "better left as it is" in advice.reason


def test_what_the_tests_cannot_judge_is_recommended_last() -> None:
    seen = point("a", 0.0, 1.0, held_out=False)
    tuned = point("b", 0.0, 1.0, calibrated=True)
    honest = point("c", 0.5, 0.99)
    assert recommend([seen, tuned, honest]).point == honest
    assert recommend([seen]).point == seen


def test_nothing_helpful_is_said() -> None:
    assert recommend([point("a", 1.0, 1.0)]).point is None
    costly = [point("a", 0.2, 0.5), point("b", 0.4, 0.7)]
    advice = recommend(costly)
    assert advice.point is None
    assert f"{costly[1].label} keeps most, 70.0%, and leaves 40% of the bias" in advice.reason
    assert recommend(costly, keep=0.7).point == costly[1]


def test_where_nothing_was_tried_nothing_is_blamed() -> None:
    advice = recommend([])
    assert (advice.point, advice.reason) == (None, "No method could be tried on this model.")

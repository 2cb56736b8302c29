from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.experiments.frontier.choice import (
    KEEP,
    NOTICEABLE,
    Folds,
    Recommendation,
    advise,
    caveats,
    held_out,
    recommend,
    spread,
    surely_above_zero,
)
from fairvec.results import Point, Unseen, UnseenFold
from tests.evaluation.frontiers.made import folds, ids_of, points
from tests.results.points import point


def advised(found: list[Point], of: Folds) -> tuple[Recommendation, Unseen]:
    judged = held_out(found, of, evident=ids_of(of), keep=KEEP)
    return advise(found, judged, keep=KEEP), judged


def judged(*shares: float, harmed: tuple[str, ...] = (), clean: bool = True) -> Unseen:
    """Folds of a bias of 1 with so much left."""
    each = tuple(
        UnseenFold(tests=(f"toy/{i}",), chosen="m at 1", before=1.0, left=share, harmed=harmed)
        for i, share in enumerate(shares)
    )
    share = fmean(shares) if shares else None
    return Unseen(apart="all-words", clean=clean, folds=each, share=share)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.integers(0, 10_000), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_what_is_recommended_holds_up_on_unseen_tests(
    sizes: list[int], seed: int, removed: float
) -> None:
    found = points(folds(*sizes), removed=removed, noise=0.3, seed=seed, methods=4)
    advice, answer = advised(found, folds(*sizes))
    if advice.point is None:
        return
    gains = [fold.before - fold.left for fold in answer.folds]
    assert advice.point is recommend(found).point
    assert len(gains) > 1
    assert fmean(gains) >= NOTICEABLE
    assert not any(fold.harmed for fold in answer.folds)
    assert surely_above_zero(gains)
    honest, flattered = (advice.reason.index(text) for text in ("has not seen", "that choose it"))
    assert honest < flattered


@pytest.mark.parametrize("noise", [0.15, 0.4])
def test_methods_that_change_effects_at_random_are_rarely_recommended(noise: float) -> None:
    of = folds(3, 5, 2)
    every = [points(of, removed=0.0, noise=noise, seed=seed) for seed in range(60)]
    tempting = sum(recommend(found).point is not None for found in every)
    taken = sum(advised(found, of)[0].point is not None for found in every)
    assert tempting > 40  # the tests that choose find something nearly always
    assert taken <= 6


def test_methods_that_remove_bias_everywhere_are_recommended() -> None:
    of = folds(3, 5, 2)
    every = [points(of, removed=0.6, noise=0.1, seed=seed) for seed in range(20)]
    assert sum(advised(found, of)[0].point is not None for found in every) > 15


def test_the_answer_says_why_a_choice_is_not_recommended() -> None:
    found = [point("m", 0.3, 0.99)]

    def said(answer: Unseen) -> str:
        advice = advise(found, answer, keep=KEEP)
        assert advice.point is None
        assert "m at 1 leaves 30% of the bias of the tests that choose it" in advice.reason
        return advice.reason

    assert "no test stands apart" in said(judged())
    assert "turns round or makes an effect in toy/0" in said(judged(0.3, 0.3, harmed=("toy/0",)))
    assert "does not lower their mean |d|" in said(judged(0.93, 0.97))
    assert "may be chance" in said(judged(0.2, 0.2, 1.2))
    assert "may be chance" in said(judged(0.2, 0.9))
    for shares in ((0.93, 0.97), (0.2, 0.2, 1.2), (0.2, 0.9)):
        assert said(judged(*shares)).startswith("A choice by such tests leaves ")
    advice = advise(found, judged(0.4, 0.5, 0.6), keep=KEEP)
    assert advice.point is found[0]
    assert advice.reason.startswith(
        "A choice by such tests leaves 50% of the bias of tests it has not seen (40% to 60% on "
        "3 folds that share no word). It leaves 30% of the bias of the tests that choose it"
    )
    assert advice.reason.endswith("Without a fold the others choose m at 1 (3 times).")


def test_few_or_unclean_folds_are_said() -> None:
    assert caveats(judged(0.4, 0.5, 0.6)) == ()
    (few,) = caveats(judged(0.4, 0.5))
    assert "only two folds" in few
    (unclean,) = caveats(judged(0.4, 0.5, 0.6, clean=False))
    assert "not clean" in unclean
    assert spread(judged(0.4, 0.6)) == "40% to 60% on 2 folds"


def test_what_the_tests_do_not_choose_is_not_recommended() -> None:
    advice = advise([point("m", 1.0, 1.0)], judged(0.4, 0.5, 0.6), keep=KEEP)
    assert (advice.point, "lowers the mean |d|" in advice.reason) == (None, True)

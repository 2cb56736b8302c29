"""Random effects against a worked example and a few independent lines."""

from math import erfc, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.stats.joint.random_effects import random_effects


def test_by_hand_studies_that_disagree() -> None:
    # W = 4, 1; the weighted mean is 0.4 * 4/5 + 2.4 / 5 = 0.8; Q = 4 * 0.16 + 2.56 = 3.2; df = 1;
    # C = 5 - 17/5 = 1.6; tau^2 = 2.2/1.6 = 1.375; v = 1/1.625, 1/2.375.
    found = random_effects(np.array([0.4, 2.4]), np.array([0.25, 1.0]))
    one, other = 1 / 1.625, 1 / 2.375
    assert found.between == pytest.approx(1.375)
    assert found.effect == pytest.approx((0.4 * one + 2.4 * other) / (one + other))
    assert found.error == pytest.approx((one + other) ** -0.5)


def test_by_hand_studies_that_agree() -> None:
    # Q = 4 * 0.01 + 0.16 = 0.2 is below df = 1, so the weights are 4 and 1.
    found = random_effects(np.array([0.4, 0.9]), np.array([0.25, 1.0]))
    assert found == pytest.approx((0.5, 5**-0.5, 0.0))
    assert found.p_above == pytest.approx(erfc(0.5 * sqrt(5) / sqrt(2)) / 2)
    assert found.p_either == pytest.approx(2 * found.p_above)


studies = st.lists(st.tuples(st.floats(-2, 2), st.floats(0.01, 4)), min_size=2, max_size=30)


@given(studies)
def test_it_is_what_the_formulas_say(given: list[tuple[float, float]]) -> None:
    d, v = ([one[part] for one in given] for part in (0, 1))
    w = [1 / each for each in v]
    q = sum(a * b * b for a, b in zip(w, d, strict=True))
    q -= sum(a * b for a, b in zip(w, d, strict=True)) ** 2 / sum(w)
    c = sum(w) - sum(a * a for a in w) / sum(w)
    tau = (q - len(d) + 1) / c if q > len(d) - 1 else 0.0
    shares = [1 / (each + tau) for each in v]
    found = random_effects(np.array(d), np.array(v))
    joint = sum(a * b for a, b in zip(shares, d, strict=True)) / sum(shares)
    assert found == pytest.approx((joint, sum(shares) ** -0.5, tau), rel=1e-6, abs=1e-6)


@given(studies, st.randoms(use_true_random=False))
def test_order_does_not_matter_signs_turn_and_batches_agree(
    given: list[tuple[float, float]], order: object
) -> None:
    d, v = np.array(given).T
    shuffled = [*given]
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    found = random_effects(d, v)
    assert random_effects(*np.array(shuffled).T) == pytest.approx([*found], rel=1e-6, abs=1e-9)
    turned = random_effects(np.array([-d, d]), np.array([v, v]))
    assert turned.effect == pytest.approx([-found.effect, found.effect])
    assert turned.error == pytest.approx([found.error] * 2)


def test_a_study_without_variance_has_no_weight_to_give() -> None:
    assert np.isnan(random_effects(np.array([1.0, 2.0]), np.array([0.0, 1.0])).effect)

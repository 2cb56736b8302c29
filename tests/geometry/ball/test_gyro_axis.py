import numpy as np
import pytest

from fairvec.core.errors import UndefinedError
from fairvec.geometry import Euclidean, Poincare
from fairvec.geometry.directions import gyro_axis


def test_the_axis_by_hand_in_the_unit_ball() -> None:
    a, b = np.array([0.3, -0.1]), np.array([-0.2, 0.4])

    def add(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        top = (1 + 2 * x @ y + y @ y) * x + (1 - x @ x) * y
        return np.asarray(top / (1 + 2 * x @ y + (x @ x) * (y @ y)))

    there, back = add(-a, b), add(-b, a)
    expected = there / np.sqrt(there @ there) - back / np.sqrt(back @ back)
    np.testing.assert_allclose(gyro_axis(a, b, Poincare()), expected, rtol=1e-13)


def test_in_flat_space_it_is_twice_the_unit_difference() -> None:
    a, b = np.array([1.0, 2.0, 2.0]), np.array([1.0, 5.0, 6.0])
    np.testing.assert_allclose(gyro_axis(a, b, Euclidean()), [0, 1.2, 1.6], rtol=1e-14)


def test_the_other_way_round_it_is_the_opposite() -> None:
    a, b = np.array([0.3, -0.1]), np.array([-0.2, 0.4])
    ball = Poincare(1.7)
    np.testing.assert_allclose(gyro_axis(a, b, ball), -gyro_axis(b, a, ball), rtol=1e-13)


@pytest.mark.parametrize("centre", [(0.3, -0.1), (0.0, 0.0)], ids=["beside", "at the origin"])
def test_equal_centres_have_none(centre: tuple[float, float]) -> None:
    a = np.array(centre)
    with pytest.raises(UndefinedError, match="coincide"):
        gyro_axis(a, a, Poincare())

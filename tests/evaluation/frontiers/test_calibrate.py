"""What a calibration says of the strength that it found."""

from collections.abc import Callable

import pytest

from fairvec.experiments.frontier.calibration import calibrate


class _Made:
    """Stands for effects that are `f` of the strength, whatever a transform does."""

    def __init__(self, f: Callable[[float], float]) -> None:
        self.f = f

    def after(self, strength: float) -> float:
        return self.f(strength)


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (lambda s: 1 - 1.2 * s, "to −0.20; at 0.832 nothing is left of them on average."),
        (lambda s: 0.5 if s < 0.4 else -0.3, "to −0.30; they turn at 0.402, where −0.30 is left"),
        (lambda s: 1 - 30 * s, "to −29.00; they turn at 0.035, where −0.05 is left of them"),
        (lambda s: max(0.0, 1 - 2 * s), "At full strength there is nothing left of the effects on"),
        (lambda s: 1 - 1.001 * s, "At full strength there is nothing left of the effects on"),
        (lambda s: 1 - 0.5 * s, "the effects go on the way they went, by 0.50 on average."),
    ],
    ids=("to 0", "a jump", "steep", "gone before", "hardly below 0", "too weak"),
)
def test_a_calibration_says_what_is_left_there(f: Callable[[float], float], said: str) -> None:
    found = calibrate(lambda strength: strength, _Made(f))  # type: ignore[arg-type, return-value]
    assert said in found.note
    assert "Only" not in found.note
    if "nothing" in found.note:
        assert abs(f(found.strength)) < 0.005

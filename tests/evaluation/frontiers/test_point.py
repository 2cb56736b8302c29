import pytest

from fairvec.experiments.frontier import points as point
from fairvec.results import Figure
from tests.results.points import effect


def test_what_was_turned_round_counts_as_much_as_it_did() -> None:
    found = [
        effect(1.0, 0.2, "removed"),
        effect(-1.5, 0.9, "reversed"),
        effect(0.1, -0.8, "introduced"),
        effect(1.2, None, "removed"),
        effect(0.7, None, "no-answer"),
    ]
    assert point.bias_left(found) == pytest.approx((0.2 + 1.5 + 0.8 + 0.0 + 0.7) / 5)
    assert point.bias_before(found) == pytest.approx((1.0 + 1.5 + 0.1 + 1.2 + 0.7) / 5)


def test_a_category_without_tests_is_judged_by_all() -> None:
    found = [effect(1.0, 0.2, "removed")]
    assert point.of_category(found, "gender") == point.of_category(found, "caste") == found


def test_families_count_alike_and_gains_do_not_pay_for_losses() -> None:
    def figure(family: str, before: float, after: float) -> Figure:
        return Figure.model_validate(
            {"family": family, "test": "t", "before": before, "after": after}
        )

    kept = point.shares_kept(
        [
            figure("similarity", 0.6, 0.3),
            figure("similarity", 0.2, 0.3),
            figure("analogy", 0.5, 0.6),
            figure("meaning", 1.0, -0.4),
            figure("definitions", 0.0, 0.2),
        ]
    )
    assert kept == {"similarity": pytest.approx(0.75), "analogy": 1.0, "meaning": 0.0}


def test_what_guessing_gives_is_no_information() -> None:
    def kept(after: float, before: float = 0.9, chance: float = 0.5) -> dict[str, float]:
        one = Figure(family="sentiment", test="t", before=before, after=after, chance=chance)
        return point.shares_kept([one])

    assert kept(0.9) == {"sentiment": 1.0}
    assert kept(0.7) == {"sentiment": pytest.approx(0.5)}
    assert kept(0.5) == {"sentiment": 0.0}
    assert kept(0.4) == {"sentiment": 0.0}
    assert kept(0.7, before=0.5) == {}  # who knew nothing has nothing to lose

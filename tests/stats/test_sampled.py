import numpy as np
import pytest

from fairvec.errors import SettingError
from fairvec.stats import exact, sampled
from fairvec.stats.subset_sums import Question

SCORES = np.random.default_rng(3).integers(-100, 100, 20)


@pytest.mark.parametrize(
    ("size", "above", "below"), [(10, 150, -90), (4, 100, None), (15, None, -250)]
)
def test_the_share_is_within_five_standard_errors(
    size: int, above: int | None, below: int | None
) -> None:
    question = Question(SCORES, size, above, below)
    share = exact.count(question) / question.subsets
    assert 0.02 < share < 0.98
    found = sampled.count(question, 20_000, seed=0) / 20_000
    assert abs(found - share) < 5 * np.sqrt(share * (1 - share) / 20_000)


def test_draws_are_without_replacement() -> None:
    # All but one of the scores always leave out exactly one of them.
    question = Question(np.array([1, 10, 100, 1000]), 3, above=112)
    assert (
        sampled.count(question, 500, seed=1)
        + sampled.count(Question(question.scores, 3, above=None, below=111), 500, seed=1)
        == 500
    )
    assert sampled.count(Question(question.scores, 4, above=1111, below=1110), 50, seed=1) == 50


def test_the_seed_decides_and_the_block_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(SCORES, 10, above=50)
    first = sampled.count(question, 3000, seed=5)
    assert sampled.count(question, 3000, seed=6) != first
    monkeypatch.setattr(sampled, "NUMBERS_AT_A_TIME", 140)
    assert sampled.count(question, 3000, seed=5) == first


def test_no_samples_are_refused() -> None:
    with pytest.raises(SettingError, match="at least one sample"):
        sampled.count(Question(SCORES, 10, above=50), 0, seed=0)

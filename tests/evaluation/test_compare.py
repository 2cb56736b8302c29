import pytest

from fairvec.errors import SettingError
from fairvec.evaluation import compare
from tests.results.make import measured, skipped


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1.5, 0.01), (0.1, 0.9), "removed"),
        ((1.5, 0.01), (1.2, 0.01), "reduced"),
        ((1.5, 0.01), (1.45, 0.01), "unchanged"),
        ((1.2, 0.01), (1.5, 0.01), "increased"),
        ((1.5, 0.01), (-1.2, 0.01), "reversed"),
        ((0.1, 0.9), (-1.4, 0.01), "introduced"),
        ((0.1, 0.9), (0.2, 0.8), "no-evidence"),
    ],
)
def test_each_change_has_its_name(
    before: tuple[float, float], after: tuple[float, float], expected: str
) -> None:
    runs = [[measured(effect=effect, p_holm=p)] for effect, p in (before, after)]
    (comparison,) = compare(*runs)
    assert comparison.change == expected


def test_one_model_each_is_before_and_after_whatever_their_names() -> None:
    (comparison,) = compare([measured(model="raw")], [measured(model="debiased")])
    assert (comparison.before.model.name, comparison.after.model.name) == ("raw", "debiased")


def test_several_models_are_paired_by_name() -> None:
    before = [measured(model="one"), measured(model="two", effect=0.5)]
    comparisons = compare(before, [measured(model="two")])
    assert [comparison.before.effect for comparison in comparisons] == [0.5]


def test_runs_that_share_nothing_are_refused() -> None:
    with pytest.raises(SettingError, match="share no test"):
        compare([measured(test="toy/one")], [measured(test="toy/three"), skipped(test="toy/one")])

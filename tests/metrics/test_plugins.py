"""A metric from outside by object and by name, and what a stranger's may do wrong."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

import fairvec
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.geometry import Geometry
from fairvec.lexicon import Groups
from fairvec.metrics import (
    FOREIGN_METRICS,
    METRICS,
    Metric,
    Score,
    Traits,
    as_metric,
    metric,
    metric_names,
)
from fairvec.results import Skipped
from fairvec.results.records import Description
from tests.metrics.toys import TRAITS, Gap


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FOREIGN_METRICS, "registered", {})


def audited(one: Any) -> Any:
    (outcome, *_) = fairvec.audit(
        fairvec.load("glove-en-small"), suites="caliskan2017/weat-6", metrics=[one]
    )
    return outcome


def test_a_registered_metric_is_found_by_its_name() -> None:
    assert fairvec.register_metric(Gap) is Gap
    assert metric("gap") == Gap()
    assert metric("gap", neutral=1.0) == Gap(neutral=1.0)
    assert metric_names() == [*(known.name for known in METRICS), "gap"]
    with pytest.raises(UnknownNameError, match="setting of gap named 'colour'"):
        metric("gap", colour="red")


def test_a_record_says_where_a_metric_comes_from() -> None:
    fairvec.register_metric(Gap())
    by_name, by_object = audited("gap"), audited(Gap())
    for outcome in (by_name, by_object):
        assert isinstance(outcome, Description), outcome
        assert outcome.described is not None
        assert outcome.described.settings["package"] == "tests.metrics.toys"
        assert outcome.versions["tests.metrics.toys"].startswith("sha256 ")
    assert by_name.value == by_object.value > 0
    own = audited("mac")
    assert own.described is not None
    assert "package" not in own.described.settings
    assert not [name for name in own.versions if name.startswith("tests")]


@dataclass(frozen=True)
class Inheriting(Metric):
    """A metric of another package that says only what is not usual."""

    name = "inheriting"
    meaning = "0: no difference."

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        return Score(0.25, ())


@dataclass(frozen=True)
class WithoutMeasure(Metric):
    name = "without-measure"
    meaning = "0: no difference."


def test_what_a_metric_does_not_say_is_as_usual() -> None:
    """A word list against two attribute lists, 0 where there is no bias, no lengths, no sign."""
    checked = as_metric(Inheriting, "It")
    assert checked.needs == ("words", "a", "b")
    assert (checked.neutral, checked.similarity, checked.convention) == (0.0, None, None)
    assert checked.traits == Traits("X to A, Y to B", "above")
    assert {known.needs for known in METRICS} > {checked.needs}
    with pytest.raises(SettingError, match="measure"):
        as_metric(WithoutMeasure, "It")


class NotFrozen:
    name = "not-frozen"
    needs = ("x",)

    def measure(self, *_: object) -> None: ...


@dataclass(frozen=True)
class Raising(Gap):
    name: str = "raising"

    @property
    def similarity(self) -> Any:
        raise ValueError("not today")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (NotFrozen(), "is no frozen dataclass"),
        (Gap(name="Two Words"), "has a name that is no name of small letters"),
        (Gap(needs=("z",)), "has a needs that is no tuple of x, y, words, a, b"),
        (Gap(needs=()), "has a needs"),
        (Gap(neutral=float("nan")), "has a neutral that is no finite number or None"),
        (Gap(meaning="Large"), "has a meaning that is no sentence"),
        (replace(Gap(), traits="turned"), "has a traits that is no Traits"),  # type: ignore[arg-type]
        (replace(Gap(), convention="d"), "has a convention"),  # type: ignore[arg-type]
        (Raising(), r"fails when it is asked for its similarity \(ValueError: not today\)"),
        (42, "is no frozen dataclass"),
        (None, "is no frozen dataclass"),
    ],
    ids=[
        "not frozen", "name", "role", "no role", "neutral", "meaning", "traits", "convention",
        "raising", "number", "nothing",
    ],
)  # fmt: skip
def test_what_is_no_metric_is_refused_in_words(wrong: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        as_metric(wrong, "It")
    with pytest.raises(SettingError, match=message):
        fairvec.register_metric(wrong)
    assert not FOREIGN_METRICS.registered
    if hasattr(wrong, "measure"):
        with pytest.raises(SettingError, match=message):
            audited(wrong)


def test_a_class_without_defaults_is_refused() -> None:
    @dataclass(frozen=True)
    class Bare:
        weight: float

    with pytest.raises(SettingError, match=r"cannot be made by its default settings \(TypeError"):
        fairvec.register_metric(Bare)


@dataclass(frozen=True)
class Failing(Gap):
    def distort(self, value: float, groups: Groups) -> float:
        return value / 0


@dataclass(frozen=True)
class Endless(Gap):
    def distort(self, value: float, groups: Groups) -> float:
        return float("nan")


@dataclass(frozen=True)
class Wordy(Gap):
    def measure(self, groups: Groups, geometry: object) -> Any:
        return "large"


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (Failing(), "failed (ZeroDivisionError: "),
        (Endless(), "gave the value nan instead of a Score with a finite value"),
        (Wordy(), "gave str instead of a Score"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_metric_that_fails_is_named_and_costs_no_other(broken: Any, message: str) -> None:
    outcomes = fairvec.audit(
        fairvec.load("glove-en-small"),
        suites="caliskan2017/weat-6",
        metrics=[broken, Gap()],
        categories=False,
    )
    skipped, measured = outcomes
    assert isinstance(skipped, Skipped)
    assert skipped.reason.startswith(f"gap of {__name__} sha256 ")
    assert message in skipped.reason
    assert "fault of fairvec" not in skipped.reason
    assert isinstance(measured, Description)


def test_an_object_has_no_name_of_fairvecs_own() -> None:
    with pytest.raises(SettingError, match="'weat' comes with fairvec; call yours otherwise"):
        audited(Gap(name="weat"))


def test_the_traits_of_the_example_are_its_own() -> None:
    assert Gap().traits is TRAITS

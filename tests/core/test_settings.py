"""Settings refuse what they cannot be, say why, and are compared only after they are checked."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.settings import (
    NotNegative,
    Positive,
    PositiveInt,
    Seed,
    SettingLimits,
    Share,
    check_value,
    parse_settings,
    setting_fields,
    settings,
)


@dataclass(frozen=True)
class Inner:
    """What pydantic could not look into: it has no schema of an array."""

    vectors: "np.ndarray[Any, Any] | None" = None


@settings
class Toy:
    """Settings of every kind."""

    name: ClassVar[str] = "toy"
    share: Annotated[Share, Field(description="How much is taken out.")] = 0.5
    rate: Positive = 0.1
    penalty: NotNegative = 1.0
    level: Annotated[float, Field(gt=0, lt=1)] = 0.95
    count: PositiveInt = 3
    few: Annotated[int, Field(ge=2)] | None = None
    seed: Seed = 0
    free: float = 0.0
    is_raw: bool = False
    word: str = "x"
    choice: Literal["mean", "last", "word"] = "mean"
    perhaps: Annotated[Literal["cls", "mean"] | None, Field(description="Which token.")] = None
    words: tuple[str, ...] = ()
    kinds: tuple[Literal["noun", "verb"], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    numbers: Sequence[float] = (1.0, 2.0)
    shares: tuple[Share, ...] = ()
    files: tuple[Path, ...] = ()
    function: Callable[[int], str] = str
    table: Mapping[str, Any] | None = None
    inner: Inner = field(default_factory=Inner)

    def __post_init__(self) -> None:
        if self.few and self.few > self.count:
            raise SettingError(f"few is {self.few} of {self.count}.")


@settings(called="child of toy")
class Child(Toy):
    """Inherits its settings and how they are compared."""

    more: PositiveInt = 1


@pytest.mark.parametrize(
    ("setting", "value", "requirement"),
    [
        ("share", 2, "lie between 0 and 1"),
        ("share", True, "be a finite number"),
        ("share", float("nan"), "be a finite number"),
        ("share", -float("inf"), "be a finite number"),
        ("share", 10**400, "be a finite number"),
        ("share", "0.5", "be a finite number"),
        ("share", None, "be a finite number"),
        ("rate", 0, "be above 0"),
        ("penalty", -1, "be 0 or more"),
        ("level", 0, "lie above 0 and below 1"),
        ("level", 1.0, "lie above 0 and below 1"),
        ("count", 0, "be 1 or more"),
        ("count", 1.0, "be a whole number"),
        ("count", np.True_, "be a whole number"),
        ("few", 1, "be 2 or more or be left out"),
        ("few", "1", "be a whole number or be left out"),
        ("seed", 2**32, "lie between 0 and 4,294,967,295"),
        pytest.param("seed", 10**5000, "lie between 0 and 4,294,967,295", id="endless"),
        ("is_raw", 1, "be true or false"),
        ("word", b"x", "be a word"),
        ("choice", 3, "be 'mean', 'last' or 'word'"),
        ("perhaps", 3, "be 'cls' or 'mean' or be left out"),
        ("words", "x", "be a list"),
        ("words", ("x", 1), "hold what can each be a word"),
        ("kinds", "noun", "be a list"),
        ("kinds", ("noun", "nuon"), "hold what can each be 'noun' or 'verb'"),
        ("pairs", (("x", "y"), ("x", 1)), "hold what can each be a word"),
        ("numbers", 1.0, "be a list"),
        ("numbers", "12", "be a list"),
        ("numbers", (1, float("nan")), "hold what can each be a finite number"),
        ("shares", (0.5, 2), "hold what can each lie between 0 and 1"),
        ("files", ("x",), "hold what can each be an object of the kind Path"),
        ("function", 3, "be a function"),
        ("table", ["x"], "be an object of the kind Mapping or be left out"),
        ("inner", {}, "be an object of the kind Inner"),
    ],
)
@pytest.mark.parametrize(("made", "called"), [(Toy, "toy"), (Child, "child of toy")])
def test_a_refusal_names_the_setting_the_value_and_what_it_must_be(
    made: type, called: str, setting: str, value: object, requirement: str
) -> None:
    with pytest.raises(SettingError) as refused:
        made(**{setting: value})
    sentence = str(refused.value)
    assert sentence.startswith(f"{called}: {setting} is ")
    assert sentence.endswith(f"; it must {requirement}.")
    assert len(sentence) < 200


@pytest.mark.parametrize("setting", ["choice", "perhaps"])
def test_a_slip_in_a_choice_gets_an_offer(setting: str) -> None:
    with pytest.raises(UnknownNameError, match=f"choice of {setting} named 'maen'; did you mean"):
        Toy(**{setting: "maen"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("word", "\udcff"),
        ("function", len),
        ("table", {1: 2}),
        ("inner", Inner(np.ones(2))),
        ("numbers", [1, 2.5]),
        ("numbers", ()),
        ("files", (Path("x\udcff"),)),
        ("pairs", (("a", "b"),)),
        ("few", 2),
        ("share", 1),
        ("penalty", 10**300),
    ],
)
def test_what_a_type_allows_stays_itself(setting: str, value: object) -> None:
    assert getattr(Toy(**{setting: value}), setting) is value  # type: ignore[arg-type]


@given(
    st.sampled_from([np.float64, np.float32, np.int8, np.uint64, np.longdouble, Fraction]),
    st.integers(0, 1),
)
def test_numbers_of_others_become_pythons(kind: Callable[[int], Any], number: int) -> None:
    made = Toy(share=kind(number), numbers=(kind(number), 1.5), is_raw=np.bool_(number))  # type: ignore[arg-type]
    assert (made.share, made.numbers, made.is_raw) == (number, (number, 1.5), bool(number))
    assert {type(made.share), type(made.numbers[0])} <= {int, float}
    assert type(made.is_raw) is bool


def test_a_number_at_its_limit_is_taken_or_not_as_it_is_declared() -> None:
    taken = Toy(share=0.0, penalty=0, count=1, few=None, seed=2**32 - 1)
    assert (taken.share, taken.penalty, taken.count, taken.seed) == (0, 0, 1, 2**32 - 1)
    for end in ({"share": 1.0 + 2**-52}, {"rate": 0.0}, {"level": 1.0}, {"few": 1}):
        with pytest.raises(SettingError):
            Toy(**end)


@pytest.mark.parametrize("made", [Toy, Child])
def test_settings_are_compared_after_each_is_checked(made: type) -> None:
    with pytest.raises(SettingError, match="few is 3 of 2"):
        made(few=3, count=2)
    with pytest.raises(SettingError, match="few is 'x'"):
        made(few="x", count=2)


def test_it_is_a_frozen_dataclass() -> None:
    made = Toy(count=np.int64(5))  # type: ignore[arg-type]
    assert replace(made, seed=1) == Toy(count=5, seed=1) != made
    assert asdict(made)["count"] == 5
    assert [each.name for each in fields(made)] == [each.name for each in setting_fields(Toy)]
    assert pickle.loads(pickle.dumps(made)) == made
    assert hash(replace(made)) == hash(made)
    with pytest.raises(FrozenInstanceError):
        made.count = 0  # type: ignore[misc]
    with pytest.raises(SettingError):
        replace(made, count=0)
    alone = settings(eq=False)(type("Alone", (), {}))
    assert alone() != alone()


def test_a_declaration_is_read_once_for_all_who_show_it() -> None:
    declared = {each.name: each for each in setting_fields(Child)}
    assert declared["share"][1:] == (
        float,
        0.5,
        SettingLimits(ge=0, le=1),
        (),
        False,
        "How much is taken out.",
    )
    assert declared["few"][1:] == (int, None, SettingLimits(ge=2), (), True, "")
    assert declared["perhaps"].help == "Which token."
    assert declared["perhaps"].choices == ("cls", "mean")
    assert declared["perhaps"].is_optional
    assert not declared["choice"].is_optional
    assert declared["words"].type == tuple[str, ...]
    assert declared["inner"].default == Inner()
    assert declared["more"].limits == SettingLimits(ge=1)
    assert (declared["level"].limits.least, declared["level"].limits.most) == (0, 1)


def test_settings_of_a_plugin_may_be_annotated_by_anything() -> None:
    @dataclass(frozen=True)
    class Foreign:
        number: Annotated[int, "anything"] = 1
        other: Annotated[float, object()] | None = None
        listed: Annotated[int, [1]] = 1
        typed: type[int] = int

    number, other, listed, typed = setting_fields(Foreign)
    assert (number.type, number.limits, number.help) == (int, SettingLimits(), "")
    assert listed.type is int
    assert (other.type, other.is_optional) == (float, True)
    assert typed.default is int
    assert Foreign("x").number == "x"  # type: ignore[arg-type, comparison-overlap]


def test_lists_become_tuples_where_tuples_are_declared() -> None:
    given_by_name = {"words": ["a"], "numbers": [1.0], "shares": [0.5], "table": {"a": ["b"]}}
    parsed = parse_settings(Toy, "toy", given_by_name)
    assert parsed == {**given_by_name, "words": ("a",), "numbers": (1.0,), "shares": (0.5,)}
    with pytest.raises(UnknownNameError, match="setting of toy named 'wrods'; did you mean words"):
        parse_settings(Toy, "toy", {"wrods": 1})


@pytest.mark.parametrize(
    ("limits", "requirement"),
    [
        (SettingLimits(ge=0), "be 0 or more"),
        (SettingLimits(gt=-0.5), "be above -0.5"),
        (SettingLimits(le=10**6), "be 1,000,000 or less"),
        (SettingLimits(lt=3), "be below 3"),
        (SettingLimits(ge=0, le=1), "lie between 0 and 1"),
        (SettingLimits(gt=0, le=1), "lie between 0 and 1, above 0 itself"),
        (SettingLimits(ge=0, lt=1), "be 0 or more and below 1"),
        (SettingLimits(gt=0, lt=1), "lie above 0 and below 1"),
    ],
)
def test_limits_say_what_belongs_to_them(limits: SettingLimits, requirement: str) -> None:
    assert str(limits) == requirement


def test_rules_of_pydantics_own_are_reported_too() -> None:
    with pytest.raises(SettingError, match="toy: code is 'ab'; it must have at least 3"):
        check_value("toy", "code", Annotated[str, Field(min_length=3)], "ab")


def test_nothing_is_built_for_defaults() -> None:
    made = (
        "from fairvec.core.settings import _adapter; from fairvec.metrics import METRICS; "
        "from fairvec.mitigation import DEBIASERS; [method() for method in DEBIASERS]; "
        "assert _adapter.cache_info().currsize == 0; DEBIASERS[0](strength=0.5); "
        "assert _adapter.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", made], check=True)

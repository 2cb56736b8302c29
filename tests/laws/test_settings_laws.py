"""Laws of settings: what no setting can be is refused when a metric or a method is made."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from functools import partial
from typing import Annotated, Any, get_args, get_origin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.settings import Range, setting_types
from fairvec.geometry import COSINE
from fairvec.metrics import METRICS, metric
from fairvec.mitigation import DEBIASERS, debiaser
from tests import toys

REFUSED = (SettingError, UnknownNameError)
MADE: list[tuple[str, type, Callable[..., Any]]] = [
    *((known.name, type(known), partial(replace, known)) for known in METRICS),  # type: ignore[type-var]
    *((known.name, known, known) for known in DEBIASERS),
]
every_one = pytest.mark.parametrize(
    ("owner", "make"), [pytest.param(owner, make, id=name) for name, owner, make in MADE]
)
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.complex_numbers(),
    st.lists(st.one_of(st.integers(), st.floats(), st.text())),
    st.tuples(st.floats(), st.floats()),
    st.sampled_from([COSINE, np.ones(2), np.float32(0.5), np.int64(3), {}, {1}, type, int]),
)


def ranges(kind: Any) -> Iterator[Range]:
    """Every range that a type holds."""
    if get_origin(kind) is Annotated:
        yield from (each for each in get_args(kind)[1:] if isinstance(each, Range))
    for part in get_args(kind):
        yield from ranges(part)


@every_one
def test_what_is_nothing_at_all_is_refused(owner: type, make: Callable[..., Any]) -> None:
    for setting, kind in setting_types(owner).items():
        wrong = [object(), b"garbage"]
        if kind is not str:
            wrong.append("garbage\0")
        wrong += [each.least - 1 for each in ranges(kind)]
        wrong += [each.most + 1 for each in ranges(kind) if each.most < np.inf]
        wrong += [each.least for each in ranges(kind) if each.above]
        for value in wrong:
            with pytest.raises(REFUSED, match=rf"\b{setting}\b"):
                make(**{setting: value})


@every_one
@given(value=anything)
def test_a_value_is_taken_or_refused_in_words(
    owner: type, make: Callable[..., Any], value: object
) -> None:
    for setting in setting_types(owner):
        with suppress(*REFUSED):
            taken = getattr(make(**{setting: value}), setting)
            assert taken is value or (taken == value and type(taken) in (bool, int, float))
            assert not isinstance(taken, np.generic)


@every_one
def test_a_number_that_is_none_is_refused(owner: type, make: Callable[..., Any]) -> None:
    numbers = [field for field in fields(owner) if isinstance(field.default, float)]
    for field in numbers:
        assert field.default is not MISSING
        for value in (float("nan"), float("inf"), True, None):
            with pytest.raises(REFUSED):
                make(**{field.name: value})


@pytest.mark.parametrize(
    ("by_name", "name", "owner"),
    [
        *((metric, known.name, type(known)) for known in METRICS),
        *((debiaser, known.name, known) for known in DEBIASERS),
    ],
)
def test_a_misspelt_setting_is_refused_with_an_offer(
    by_name: Callable[..., Any], name: str, owner: type
) -> None:
    for setting in setting_types(owner):
        with pytest.raises(UnknownNameError, match=f"setting of {name} named .*{setting}"):
            by_name(name, **{setting[:-1] + "_" + setting[-1]: 1})
    with pytest.raises(UnknownNameError, match=f"setting of {name} named 'colour'"):
        by_name(name, colour="red")


@pytest.mark.parametrize("metrics", ["weat", "seat", "mac", ["weat", "direct-bias"]])
@pytest.mark.parametrize("setting", ["similarity", "convention", "permute"])
@pytest.mark.parametrize("value", ["garbage", ""])
def test_an_audit_refuses_what_none_of_its_metrics_could_have(
    metrics: Any, setting: str, value: str
) -> None:
    with pytest.raises(UnknownNameError, match=repr(value)):
        fairvec.audit(toys.embedding(), metrics=metrics, **{setting: value})  # type: ignore[arg-type]


def test_settings_of_an_audit_go_to_those_metrics_that_have_them() -> None:
    both = fairvec.audit(
        fairvec.load("glove-en-small"),
        suites="caliskan2017/weat-7",
        metrics=["weat", "mac"],
        convention="population",
        permute="words",
        similarity="negative-distance",
        categories=False,
    )
    assert [each.described.settings for each in both if each.described is not None] == [
        {"similarity": "negative-distance", "effect_size": "population"},
        {},
    ]


def test_every_refusal_is_an_error_of_fairvec() -> None:
    assert all(issubclass(each, FairvecError) for each in REFUSED)

"""What is said of a stranger's value is short, and is said at once."""

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding.described import described

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "None"),
        (True, "True"),
        (2.5, "2.5"),
        (-7, "-7"),
        (np.int64(7), "7"),
        ("a", "'a'"),
        (b"\xff", r"b'\xff'"),
        ({"b": 1}, "{'b': 1}"),
        (10**5000, "a huge number"),
        (OrderedDict(a=1), "<OrderedDict>"),
        (object(), "<object>"),
    ],
    ids=range(11),
)
def test_small_values_are_shown_as_they_are(value: object, said: str) -> None:
    assert described(value) == said


def test_a_value_of_endless_paths_is_described_at_once() -> None:
    deep: tuple[Any, ...] = ()
    doubled: tuple[Any, ...] = ()
    mixed: OrderedDict[str, Any] = OrderedDict()
    for _ in range(100_000):
        deep = (deep,)
    for _ in range(100):
        doubled = (doubled, doubled)
        mixed = OrderedDict(a=mixed, b=[mixed])
    assert all(len(described(value)) < 110 for value in (deep, doubled, mixed, [mixed]))
    while deep:
        (deep,) = deep


@given(values)
def test_every_plain_value_is_described_shortly(value: object) -> None:
    assert len(described(value)) < 110

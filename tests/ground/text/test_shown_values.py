"""What is said of a stranger's value is short, and is said at once."""

from ast import literal_eval
from collections import OrderedDict
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.text import join_names, short_repr, truncate_words

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
        (np.float32(0.5), "0.5"),
        (Fraction(10**400), "<Fraction>"),
        (date(2026, 1, 2), "2026-01-02"),
        ("स्त्री", "'स्त्री'"),
        ("a\nb\x1b[2J\u202e\ud800", r"'a\nb\x1b[2J\u202e\ud800'"),
        ("a" * 61, f"'{'a' * 60}...'"),
    ],
    ids=range(17),
)
def test_small_values_are_shown_as_they_are(value: object, said: str) -> None:
    assert short_repr(value) == said


def test_a_value_of_endless_paths_is_described_at_once() -> None:
    deep: tuple[Any, ...] = ()
    doubled: tuple[Any, ...] = ()
    mixed: OrderedDict[str, Any] = OrderedDict()
    for _ in range(100_000):
        deep = (deep,)
    for _ in range(100):
        doubled = (doubled, doubled)
        mixed = OrderedDict(a=mixed, b=[mixed])
    assert all(len(short_repr(value)) < 110 for value in (deep, doubled, mixed, [mixed]))
    while deep:
        (deep,) = deep


@given(values)
def test_every_plain_value_is_shown_shortly_and_on_one_line(value: object) -> None:
    said = short_repr(value)
    # Each letter of a text may be shown by its number, as \\U0010ffff is.
    assert len(said) <= 110 or (isinstance(value, str) and len(said) < 10 * 65)
    assert said.isprintable()
    assert said.encode()


@given(st.text(), st.integers(0, 20))
def test_of_a_text_so_many_letters_are_repeated(text: str, most: int) -> None:
    said = short_repr(text, most)
    assert literal_eval(said) == (text if len(text) <= most else f"{text[:most]}...")


class Hostile:
    """What a stranger's object says of itself is not asked for."""

    def __repr__(self) -> str:
        raise AssertionError

    __str__ = __repr__


def test_no_object_is_asked_what_it_is() -> None:
    assert short_repr([Hostile(), {"a": Hostile()}]) == "[<Hostile>, {'a': <Hostile>}]"


@given(st.text(), st.integers(400, 6000), st.text())
def test_no_name_fills_a_sentence(before: str, length: int, after: str) -> None:
    told = truncate_words(f"{before} {'ж' * length} {after}")
    assert all(len(word) < 400 for word in told.split())
    assert f" {'ж' * 200}... " in told


@given(st.lists(st.text(max_size=399)))
def test_names_of_a_usual_length_stay_as_they_are(names: list[str]) -> None:
    assert truncate_words(" ".join(names)) == " ".join(names)


@pytest.mark.parametrize("many", [0, 1, 12, 13, 5000])
def test_of_many_names_a_few_are_named_and_the_others_counted(many: int) -> None:
    told = join_names([f"{number}-{'x' * 5000}" for number in range(many)])
    assert (told == "none") == (not many)
    assert (f" and {many - 12:,} more" in told) == (many > 12)
    assert len(told) < 1000

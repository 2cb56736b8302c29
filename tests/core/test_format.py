"""Figures and enumerations as text."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from math import isclose, log10
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis import strategies as st

import fairvec
from fairvec.core.format import (
    capitalize_first,
    format_count,
    format_number,
    format_p,
    format_p_bounds,
    format_percent,
    format_percent_floor,
    format_power_of_ten,
    format_scientific,
    format_signed,
    format_signed_digits,
    is_significant,
    join_first,
    join_up_to,
    join_words,
    method_setting_hint,
    omit_hint,
    pluralize,
    setting_hint,
)
from fairvec.embedding import LoadOptions
from fairvec.messages.figures import format_interval
from fairvec.results import Interval
from tests.loops import loop_over

# --- numbers ---


SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def read_back(text: str) -> float:
    mantissa, _, power = text.replace("−", "-").replace(",", "").partition(" × 10")
    return float(mantissa) * 10.0 ** int(power.translate(SUPERSCRIPTS) or 0)


@loop_over(
    ("p", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.4321, "0.43"),
        (0.1, "0.10"),
        (0.0341, "0.034"),
        (0.00123, "0.0012"),
        (0.04995, "0.04995"),
        (0.049996, "0.049996"),
        (0.00008, "0.00008"),
        (0.000151, "0.0002"),
        (0.9996, "0.9996"),
        (0.997, "0.997"),
        (2e-6, "0.000002"),
        (1 / 100_001, "0.00001"),
        (1 / 1_001, "0.001"),
        (0.00996, "0.010"),
        (0.0996, "0.10"),
        (0.00009996, "0.0001"),
        (1.58e-14, "1.6 × 10⁻¹⁴"),
        (2e-9, "2 × 10⁻⁹"),
    ],
)
def test_p_is_written_with_its_telling_digits(p: float, text: str) -> None:
    assert format_p(p) == text


@given(some.floats(1e-300, 1, exclude_max=True))
def test_p_is_never_rounded_to_zero_or_one_and_stays_near(p: float) -> None:
    shown = read_back(format_p(p))
    assert shown > 0
    assert isclose(shown, p, rel_tol=0.51)
    assert shown < 1 or 1 - p < 1e-15


@given(some.floats(1e-300, 1, exclude_max=True), some.floats(1e-3, 0.5))
def test_a_written_p_lies_on_its_side_of_the_level(p: float, level: float) -> None:
    shown = read_back(format_p(p, level=level))
    assert is_significant(shown, level) == is_significant(p, level)
    if not isclose(p, level, rel_tol=1e-12):
        assert shown != level


@pytest.mark.parametrize(
    ("p", "level", "text"),
    [
        (0.0501, 0.05, "0.0501"),
        (0.05, 0.05, "0.050"),
        (0.0504, 0.01, "0.050"),
        (0.1004, 0.1, "0.1004"),
        (0.0996, 0.1, "0.0996"),
        (0.00100001, 0.001, "0.00100001"),
    ],
)
def test_a_p_close_to_the_level_has_more_digits(p: float, level: float, text: str) -> None:
    assert format_p(p, level=level) == text


@given(some.floats(1e-12, 0.99), some.floats(1e-9, 0.5))
def test_bounds_are_distinguished(low: float, gap: float) -> None:
    high = min(1.0, low * (1 + gap))
    first, last = format_p_bounds(low, high).split(" and ")
    assert first != last
    assert read_back(first) <= read_back(last)


def test_equal_bounds_are_both_said() -> None:
    assert format_p_bounds(0.25, 0.25) == "0.25 and 0.25"


def test_signs_are_true_minus_signs_and_zero_has_none() -> None:
    assert format_number(-0.404) == "−0.40"
    assert format_signed(1.239) == "+1.24"
    assert format_signed(-0.404, 1) == "−0.4"
    assert format_number(-0.001) == format_signed(-0.001) == format_signed(0.001) == "0.00"


def test_thousands_stand_apart_until_nobody_reads_them() -> None:
    assert format_count(12870) == "12,870"
    assert format_count(126_410_606_437_752) == "1.3 × 10¹⁴"
    assert format_number(-12345.6, 1) == "−12,345.6"


@given(st.floats(-1e6, 1e6))
def test_a_per_cent_is_written_out_and_right_to_three_digits(share: float) -> None:
    shown = format_percent(share).removesuffix("\N{NO-BREAK SPACE}%")
    assert "e" not in shown or abs(share) < 1e-6
    assert float(shown.replace(",", "")) == pytest.approx(100 * share, rel=5e-3)


def test_small_phrases() -> None:
    interval = Interval(
        low=-0.1, high=1.84, level=0.95, kind="bootstrap", method="bca", resamples=10, seed=0
    )
    assert format_interval(interval) == "−0.10 to 1.84"
    assert format_percent(0.95) == "95\N{NO-BREAK SPACE}%"
    assert format_percent(0.995) == "99.5\N{NO-BREAK SPACE}%"
    assert format_percent(-12.34) == "-1,234\N{NO-BREAK SPACE}%"
    assert [pluralize(1, "test"), pluralize(2, "test"), pluralize(0, "entry", "entries")] == [
        "1 test",
        "2 tests",
        "0 entries",
    ]
    assert format_scientific(-2e18) == "−2 × 10¹⁸"


def parts(text: str) -> tuple[float, int]:
    """The mantissa and the power of ten of a number that no float may be able to hold."""
    mantissa, power = text.replace("\N{NO-BREAK SPACE}", "").split("×10")
    return float(mantissa), int(power.translate(SUPERSCRIPTS))


@given(some.integers(12, 5000), some.integers(10, 99))
def test_whole_numbers_of_any_size_are_written(zeros: int, lead: int) -> None:
    count = lead * 10**zeros
    assert parts(format_count(count)) == (lead / 10, zeros + 1)
    assert format_power_of_ten(log10(count)) == format_count(count)


@given(some.floats(-6000, 6000))
def test_a_number_is_written_from_its_logarithm(logarithm: float) -> None:
    mantissa, power = parts(format_power_of_ten(logarithm))
    assert 1 <= mantissa < 10
    assert isclose(log10(mantissa) + power, logarithm, abs_tol=0.03)


@pytest.mark.parametrize(
    ("value", "text"), [(0.00123, "+0.0012"), (-0.0456, "−0.046"), (0.0, "0"), (-0.0, "0")]
)
def test_a_small_change_keeps_its_telling_figures(value: float, text: str) -> None:
    assert format_signed_digits(value) == text


def test_no_sentence_or_table_writes_a_sign_of_its_own() -> None:
    """A hyphen beside true minus signs: f"{effect:+.2f}" is for programs, and none reads it."""
    source = Path(fairvec.__file__).parent
    own = []
    for file in source.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
                how = node.format_spec.values[:1]
                if how and isinstance(how[0], ast.Constant) and str(how[0].value).startswith("+"):
                    own.append(file.relative_to(source).as_posix())
    assert own == ["core/format.py"]


def test_no_sentence_writes_a_p_by_hand() -> None:
    """Two figures of 0.0504 are 0.05, which is read as significant."""
    by_hand = re.compile(r"\{[^{}]*(?:\bp|_p)(?:_\w+|\([^()]*\))?:[+.\d]*[gfe]\}")
    assert by_hand.search('f"p = {found.p_holm:.2g}"')
    source = Path(fairvec.__file__).parent
    found = [
        f"{file.relative_to(source)}: {line.strip()}"
        for file in sorted(source.rglob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if by_hand.search(line)
    ]
    assert not found


@given(some.integers(0, 400), some.integers(1, 400))
def test_a_share_is_never_rounded_up(part: int, whole: int) -> None:
    part = min(part, whole)
    shown = int(format_percent_floor(part / whole).removesuffix("%"))
    assert shown * whole <= 100 * part < (shown + 1) * whole


# --- capitals ---


@given(st.text(min_size=1))
def test_a_title_keeps_all_but_its_first_letter(name: str) -> None:
    assert capitalize_first(name).endswith(name[1:])
    assert capitalize_first(capitalize_first(name)) == capitalize_first(name)
    assert capitalize_first("") == ""


# --- enumerations ---


NAMES = st.lists(st.text("abc", min_size=1), max_size=30)


def test_a_list_reads_as_a_sentence() -> None:
    joined = [join_words(["a", "b", "c"][:n]) for n in range(4)]
    assert joined == ["", "a", "a and b", "a, b and c"]
    assert join_words(["a", "b", "c"], "or") == "a, b or c"


@given(NAMES, st.integers(1, 20))
def test_all_names_are_given_or_counted(names: list[str], most: int) -> None:
    message, _, more = join_first(names, most).partition(" and ")
    given = message.split(", ") if message else []
    assert given == names[:most]
    assert len(given) + int(more.partition(" ")[0] or 0) == len(names)
    assert bool(more) == (len(names) > most)


@given(NAMES, st.integers(1, 20))
def test_few_names_are_listed_and_of_many_the_first(names: list[str], most: int) -> None:
    whole = len(names) <= most
    assert join_up_to(names, most) == (join_words(names) if whole else join_first(names, most))


def test_thousands_are_written_apart() -> None:
    assert join_first(["a"] * 1002, 2) == "a, a and 1,000 more"


# --- What helps is said to both readers, the one in Python and the one at the shell ---


SOURCE = Path(__file__).parents[2] / "src" / "fairvec"
SHARED = ("embedding", "mitigation", "metrics", "geometry", "encoders")
"""What both the shell and Python reach."""

SETTINGS = "|".join(field.name for field in fields(LoadOptions))
IN_PYTHON = re.compile(rf"\b({SETTINGS})=('|\.\.\.|\{{| )")
AT_THE_SHELL = re.compile(rf"--({SETTINGS.replace('_', '-')})\b")


def texts(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        for each in ast.walk(node.exc):
            if isinstance(each, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in each.values)
                yield each.lineno, "".join(map(str, parts))
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.lineno, each.value


def one_sided(text: str) -> bool:
    if "keys=" in text:  # of arrays, which no shell has
        return False
    python = {message[0] for message in IN_PYTHON.findall(text)}
    shell = {message.replace("-", "_") for message in AT_THE_SHELL.findall(text)}
    return python != shell


def messages() -> Iterator[tuple[str, str]]:
    for folder in SHARED:
        for file in sorted((SOURCE / folder).rglob("*.py")):
            # To the parser a part of a longer text is a text too; the whole one stands beside it.
            whole = [*texts(ast.parse(file.read_text("utf-8")))]
            for line, text in whole:
                if not any(text != other and text in other for _, other in whole):
                    yield f"{file.relative_to(SOURCE)}:{line}", text


def test_no_message_names_a_setting_of_reading_to_one_kind_of_reader_alone() -> None:
    found = [*messages()]
    assert len(found) > 100  # the search finds messages at all
    assert [where for where, text in found if one_sided(text)] == []


@pytest.mark.parametrize(
    "text", ["use invalid_utf8='replace'.", "leave out format= here", "say --outside project"]
)
def test_the_search_finds_what_is_reported_to_one_alone(text: str) -> None:
    assert one_sided(text)


def test_a_remedy_is_a_keyword_and_an_option() -> None:
    assert (
        setting_hint("invalid_utf8", "replace") == "invalid_utf8='replace' (--invalid-utf8 replace)"
    )
    assert method_setting_hint("lengths", "kept") == "lengths='kept' (--set lengths=kept)"
    assert omit_hint("invalid_utf8") == "invalid_utf8= (--invalid-utf8)"
    assert not one_sided(setting_hint("geometry", "euclidean"))

"""One record is one readable line, whatever its names hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.text import one_line
from fairvec.results import Convention, Description, Outcome
from tests.results.make import COVERAGE, MODEL, TEST, compared, measured, pooled, skipped, viewed


def described() -> Description:
    return Description(
        test=TEST,
        model=MODEL,
        metric="rnsb",
        similarity="",
        coverage=COVERAGE,
        seed=0,
        versions={"fairvec": "0"},
        value=0.125,
        neutral=0.0,
        meaning="large is uneven",
        interval=None,
        words=(),
    )


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (
            measured(effect=-1.0, p=0.01, p_holm=0.02),
            "toy/one on model (weat): biased, d = −1.00 [−2.00, 0.00], large, p = 0.010, "
            "0.020 corrected (Holm)",
        ),
        (skipped(), "toy/two on model (weat): skipped. Only 1 of 4 x were found."),
        (
            compared(),
            "toy/one on model → model, debiased (weat): removed, +1.00 → +0.20, paired p = 0.010",
        ),
        (
            compared(after=None, kind="no-answer", p=None),
            "toy/one on model → model, debiased (weat): no answer, +1.00 → none",
        ),
        (
            compared(before=0.65, after=0.6, kind="kept", of="similarity"),
            "toy/one on model → model, debiased (weat): kept, 0.650 → 0.600, paired p = 0.010",
        ),
        (
            pooled(1.0),
            "category/gender on model (weat): biased, d = +1.00 [0.00, 2.00], large, p = 0.010, "
            "0.020 corrected (Holm), 1 test pooled",
        ),
        (described(), "toy/one on model (rnsb): 0.125, neutral is 0"),
        (
            viewed(changed=False),
            "en/gender:pairs on model (concept-view): 2 pairs compared, the first direction holds "
            "80\N{NO-BREAK SPACE}%",
        ),
    ],
    ids=["measured", "skipped", "compared", "no-answer", "use", "pooled", "described", "viewed"],
)
def test_a_record_is_one_line(record: Outcome, line: str) -> None:
    assert str(record) == one_line(line)


def test_a_difference_of_probabilities_is_not_called_d_and_has_no_size() -> None:
    plain = Convention(name="mean-difference", ddof=0, denominator="none")
    line = str(measured(effect=0.004).model_copy(update={"convention": plain}))
    assert "difference = +0.004 [" in line
    assert "negligible" not in line


def test_the_long_form_stays_for_debugging() -> None:
    assert repr(skipped()).startswith("Skipped(schema_version=")


@given(st.text())
def test_no_name_breaks_a_line(name: str) -> None:
    line = str(measured(model=f"a{name}b"))
    assert line.splitlines() == [line]
    assert not set(line) & {*map(chr, range(32)), "\x7f", "\x9b", "\u2028", "\u202e"}


def test_letters_that_are_joined_stay_joined() -> None:
    assert one_line("क्\u200dष\tнет\x1b[2J") == "क्\u200dष нет [2J"

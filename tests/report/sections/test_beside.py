from math import pi, sqrt

import pytest

from fairvec.messages.verdicts import PageEntry
from fairvec.report import render
from fairvec.report.test_view import bias_vs_encoding
from fairvec.results import Result, WordScore
from tests.results.make import measured


def of_kind(kind: str, effect: float, p_holm: float, tags: tuple[str, ...] = ()) -> Result:
    words = tuple(
        WordScore(word=f"{role}{number}", key="k", role=role, score=0.0)
        for role in "xy"
        for number in range(8)
    )
    result = measured(effect=effect, p_holm=p_holm, test=f"toy/{kind}{effect}")
    test = result.test.model_copy(update={"kind": kind, "tags": tags})
    return result.model_copy(update={"test": test, "words": words})


RESULTS = [
    of_kind("bias", -0.6, 0.5),
    of_kind("bias", 0.4, 0.5),
    of_kind("bias", 1.9, 0.01, tags=("translated",)),
    of_kind("meaningful-encoding", 1.8, 0.01),
]


def test_strengths_stand_beside_each_other_and_beside_chance() -> None:
    (row,) = bias_vs_encoding([PageEntry("", result) for result in RESULTS])
    assert row.category == "gender"
    assert (row.bias.mean, row.bias.evident, row.bias.tests) == (0.5, 0, 2)
    assert (row.encoding.mean, row.encoding.tests) == (1.8, 1)
    assert row.bias.by_chance == pytest.approx(sqrt(2 / pi) / 2)


def test_a_category_of_one_kind_has_no_row() -> None:
    assert bias_vs_encoding([PageEntry("", result) for result in RESULTS[:3]]) == []


def test_the_row_is_in_the_page() -> None:
    page = render(RESULTS)
    assert "<b>0.50</b> (0.40), 0 of 2 evident" in page
    assert "should encode" not in render(RESULTS[:2])

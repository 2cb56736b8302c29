"""The page about documents as a person meets it: accepting, preview, saving, notes."""

import shlex
from typing import Any

import pytest

from fairvec.report.documents.page import render_documents
from fairvec.results.documents import (
    AnnotatedDocument,
    DocumentLine,
    Edit,
    TextChange,
    apply_edits,
)
from tests.report.browser import BROWSER, contrast, measurements
from tests.report.sample_documents import a_folder, change, document, english, figures, hindi, mark

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH"),
]

WIDTHS = (360, 768, 1280)
ASTRAL = "👩🏽‍🚀 He\r\n<b>क्‍या</b> 𝒳 he & his 🙂 him\n\nend he 🙂"


def astral() -> AnnotatedDocument:
    """Return a text in which a place in UTF-16 is never that in characters."""

    def one(name: str, *places: tuple[str, str, int]) -> TextChange:
        return change(
            name,
            [Edit(start=at, end=at + len(old), old=old, new=new) for old, new, at in places],
        )

    he, his, him, last = (ASTRAL.index(word) for word in ("He", "his", "him", "he 🙂"))
    changes = [
        one("c1", ("He", "𝒯hey", he)),
        one("c2", ("he & his", "they & 🙂 their", his - 5)),
        one("c3", ("his", "their", his), ("him", "them", him)),
        one("c4", ("him", "them", him), ("he", "they", last)),
        one("c5", ("", "The ", last)),
        one("c6", ("🙂", "", len(ASTRAL) - 1)),
        one("c7", ("\r\n", "\r\n\r\n", ASTRAL.index("\r"))),
        one("it's odd", ("end", "END", ASTRAL.index("end"))),
    ]
    marks = [mark(start=he, end=his + 3, kind="leaning", side="a", score=0.1, reason="It leans.")]
    return document("an astral 'text'.txt", ASTRAL, "hi", marks, changes)


def expected(read: AnnotatedDocument, accepted: list[str]) -> str:
    """Return what fairvec itself writes for these changes."""
    return apply_edits(read.text, [one for one in read.changes if one.id in accepted])


@pytest.fixture(scope="module")
def astral_page() -> dict[str, Any]:
    return measurements(render_documents([astral()]), (1280,), "light", "probe_documents.js")[
        "1280"
    ]


def test_the_preview_is_what_fairvec_writes(astral_page: dict[str, Any]) -> None:
    read = astral()
    assert astral_page["errors"] == []
    assert astral_page["texts"] == [ASTRAL]
    (steps,) = astral_page["rewritings"]
    assert len({tuple(step["accepted"]) for step in steps}) > 8
    for step in steps:
        new = expected(read, step["accepted"])
        assert step["preview"] == new, step
        assert step["saved"] == (new if step["accepted"] else None)
        assert step["listed"]
        assert step["state"] == f"{len(step['accepted'])} of 8 changes accepted"
    assert astral_page["file"] == "an astral 'text'-fairer.txt"


def test_the_command_follows(astral_page: dict[str, Any]) -> None:
    (steps,) = astral_page["rewritings"]
    for step in steps:
        if step["accepted"]:
            words = ["fairvec", "document", "an astral 'text'.txt"]
            words += ["--apply", "an astral 'text'-fairer.txt"]
            assert step["command"] == shlex.join([*words, "--accept", ",".join(step["accepted"])])
        else:
            assert step["command"] == "(no change is accepted)"


def test_of_two_overlapping_changes_the_last_accepted_one_applies(
    astral_page: dict[str, Any],
) -> None:
    (steps,) = astral_page["rewritings"]
    by_step = {step["what"]: set(step["accepted"]) for step in steps}
    # c2 and c3 overlap; so do c4 and c5, which begin at one place.
    all_ids = {one.id for one in astral().changes}
    assert by_step["start"] == by_step["all"] == all_ids - {"c3", "c5"}
    assert by_step["none"] == set()
    # The text is gone through in its order: c2 is given up by hand, c3 is taken.
    assert {"c2", "c3"} & by_step["click c3"] == {"c3"}
    # c4 shares an edit with c3, and both may stand.
    assert "c4" not in by_step["click c4"]
    assert {"c4", "c5"} & by_step["click c5"] == {"c5"}
    # Taking c2 again unticks c3, without anybody having given it up.
    assert {"c2", "c3"} & by_step["label c2"] == {"c2"}
    assert {"c2", "c3"} & by_step["label c3"] == {"c3"}
    assert {"c4", "c5"} & by_step["label c4"] == {"c4"}


@pytest.fixture(scope="module")
def by_scheme() -> dict[str, dict[str, dict[str, Any]]]:
    page = render_documents(a_folder())
    return {
        scheme: measurements(page, WIDTHS, scheme, "probe_documents.js")
        for scheme in ("light", "dark")
    }


def test_a_rule_is_accepted_or_rejected_as_a_unit(
    by_scheme: dict[str, dict[str, dict[str, Any]]],
) -> None:
    read = english()
    neutral, swap, *_ = by_scheme["light"]["1280"]["rewritings"]
    for step in [*neutral, *swap]:
        assert step["preview"] == expected(read, step["accepted"])
    last = {step["what"].split()[1]: step for step in neutral if step["what"].startswith("rule")}
    assert set(last) == {"noun-neutral", "coded", "a-rule"}
    for rule, step in last.items():
        of_rule = {one.id for one in read.changes if one.rule == rule and one.aim == "neutral"}
        _, _, checked, mixed = step["what"].split()
        accepted_of_rule = of_rule & set(step["accepted"])
        assert (checked == "true") == bool(accepted_of_rule)
        # n3 and n4 overlap, so that this rule is never accepted whole.
        assert (mixed == "true") == (rule == "coded" and bool(accepted_of_rule))
        assert len(accepted_of_rule) in ({0, 1} if rule == "coded" else {0, len(of_rule)})


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_folder_on_every_screen(
    by_scheme: dict[str, dict[str, dict[str, Any]]], scheme: str, width: int
) -> None:
    measured = by_scheme[scheme][str(width)]
    assert (measured["errors"], measured["loaded"], measured["overflow"]) == ([], [], 0)
    assert measured["texts"] == [
        line.text for line in a_folder() if isinstance(line, AnnotatedDocument)
    ]
    assert measured["open"]
    for name, colour in measured["colours"].items():
        assert contrast(colour, measured["paper"]) > 4.5, name
    assert contrast(measured["colours"]["a"], measured["tint"]) > 4
    assert len(measured["marks"]) > 20
    for one in measured["marks"]:
        assert one["lit"]
        assert bool(one["tip"]) != one["inSight"]
        assert (one["beside"] is not None and one["beside"] > 0) == (width == 1280)
        assert width == 1280 or not one["inSight"]
    assert sum(one["inSight"] for one in measured["marks"]) > (15 if width == 1280 else -1)
    assert measured["shown"] > 5


def test_many_long_words_and_no_marks_fit_a_phone() -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapitän" * 12
    reads = [
        document(f"{long}-{number}.txt", f"{long} {number}\n" * 3, "de") for number in range(30)
    ]
    marked = document(
        "marked.txt",
        long,
        "de",
        [mark(start=0, end=len(long), kind="occupation", side="a", reason=long)],
        [change(long, [Edit(start=0, end=len(long), old=long, new=long + "in")])],
    )
    lines: list[DocumentLine] = [*reads, marked, english(), hindi(), *figures(marked.document)]
    measured = measurements(render_documents(lines), WIDTHS, "light", "probe_documents.js")
    assert [(one["errors"], one["overflow"]) for one in measured.values()] == [([], 0)] * 3

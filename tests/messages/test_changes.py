"""Sentences about changes say what the records say."""

import re
from typing import Any

import pytest

from fairvec.cli.commands.compare import _line
from fairvec.cli.tables import print_changes
from fairvec.messages.changes import (
    before_and_after,
    change_label,
    change_line,
    difference_summary,
    format_movement,
    format_value,
    is_harmful,
    unprovable_note,
)
from fairvec.report import as_csv, as_latex, audit_table, render
from fairvec.report.notebook import to_html
from fairvec.results import Interval, Outcome, PairedP, Skipped
from fairvec.results.records import Change, Description
from fairvec.results.verdicts import ChangeKind
from tests.report.browser import BROWSER, measurements
from tests.report.helpers import Page
from tests.report.outcomes import a_run
from tests.results.toys import MODEL, TEST, compared, measured, skipped

AFTER = compared().model
ATTACK = "<script>alert(1)</script>"


def movement(metric: str = "displacement", value: float = 0.25) -> Description:
    test = TEST.model_copy(update={"id": f"movement/{metric}", "kind": "movement", "title": metric})
    return Description(
        test=test,
        model=AFTER,
        metric=metric,
        similarity="",
        coverage=(),
        seed=0,
        versions={"fairvec": "0"},
        value=value,
        neutral=0.0,
        meaning="0: none",
        interval=Interval(
            low=0.1, high=0.4, level=0.95, kind="inverted", method="b", resamples=9, seed=0
        )
        if metric == "neighbourhood-churn"
        else None,
        words=(),
    )


def unmeasured() -> Skipped:
    test = TEST.model_copy(update={"id": "movement/churn-10", "kind": "movement"})
    gap = skipped(test="movement/churn-10")
    return gap.model_copy(update={"test": test, "model": AFTER, "convention": None, "coverage": ()})


def a_change() -> list[Outcome]:
    """A result before and after, and every kind of change."""
    after = measured(effect=0.2, p=0.5, p_holm=0.9).model_copy(update={"model": AFTER})
    return [
        measured(),
        after,
        compared(fitted=("man", "woman")),
        compared(test="toy/two", kind="reversed", after=-1.2),
        compared(test="toy/three", kind="introduced", before=0.1, after=1.4),
        compared(test="toy/four", kind="removed", after=None, p=None),
        compared(test="toy/five", of="meaningful-encoding", kind="unchanged", after=1.05),
        compared(test="toy/six", of="meaningful-encoding", kind="removed"),
        compared(test="sim", of="similarity", kind="kept", before=0.651, after=0.648),
        compared(test="google", of="analogy", kind="lost", before=0.7, after=0.62),
        movement(),
        movement("neighbourhood-churn", 0.25),
        unmeasured(),
    ]


@pytest.fixture(scope="module")
def text() -> str:
    return render(a_change())


def test_the_stability_of_the_direction_is_on_the_page() -> None:
    step = {"action": "debias", "steadiness": ["en/gender:pairs: is 0.912 (without <b>-c)"]}
    steady = AFTER.model_copy(update={"history": (*MODEL.history, step)})
    change = compared().model_copy(update={"model": steady})
    (table,) = before_and_after([change])
    assert table.steadiness == tuple(step["steadiness"])
    assert "is 0.912 (without &lt;b&gt;-c)" in render([change])
    assert "Stability of" not in render([compared()])


def test_one_sentence_sums_up(text: str) -> None:
    (change,) = before_and_after(a_change())
    summary = change.summary.replace("\N{NO-BREAK SPACE}", " ")
    parts = summary.replace("after; 1", "after, 1").split("; ")
    bias, encodings, similarity, analogy, turned, churn = parts
    figures = [re.findall(r"[+−]?\d[\d.]*", part) for part in (bias, encodings, similarity)]
    assert figures == [["2", "4", "1", "1", "1", "2", "1"], ["2", "1", "1"], ["−0.003"]]
    assert {"kept", "lost"} <= {*re.findall(r"\w+", encodings)}
    figures = [re.findall(r"[+−]?\d[\d.]*", part) for part in (analogy, turned, churn)]
    assert figures == [["1", "1", "−0.080"], ["0.25"], ["25", "10", "40"]]
    assert summary in Page(text).text


def test_a_quiet_model_is_summed_up_as_quiet() -> None:
    (change,) = before_and_after([compared(kind="not-shown")])
    assert change.summary == (
        "0 of 1 bias effect removed, no change shown in 1 (1 significant before, not after)."
    )


def test_figures_are_in_one_table_by_kind() -> None:
    (change,) = before_and_after([*reversed(a_change())])
    assert list(change.groups) == ["bias", "meaningful-encoding", "similarity", "analogy"]
    assert (change.before, change.after) == ("model", "model, debiased")
    assert [len(change.movement), len(change.unknown)] == [2, 1]


def test_every_pair_of_models_has_its_table() -> None:
    other = compared().model_copy(update={"before": MODEL.model_copy(update={"name": "other"})})
    tables = before_and_after([compared(), other])
    assert [table.before for table in tables] == ["model", "other"]
    assert "other → model, debiased" in Page(render([compared(), other])).text


def test_the_section_comes_first_and_only_after_a_change(text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert text.index('id="change"') < text.index('id="answer"')
    assert {("a", "#change")} <= {(tag, a.get("href")) for tag, a in page.tags}
    assert 'id="change"' not in render([measured()])


def test_reversed_and_introduced_effects_are_highlighted(text: str) -> None:
    table = text[text.index('<table class="plain changes"') :]
    assert table.count('class="alarm"') == 2
    assert table.count('class="was ') == 5
    assert '<td class="value" data-name="Fitted on" title="man, woman">2 words</td>' in table
    assert "Skipped: Only 1 of 4 x were found." in Page(text).text


@pytest.mark.parametrize(
    ("of", "kind", "words", "loud"),
    [
        ("bias", "removed", "removed", False),
        ("bias", "reversed", "REVERSED", True),
        ("bias", "introduced", "INTRODUCED", True),
        ("bias", "no-answer", "not measured", False),
        ("bias", "not-shown", "no change shown", False),
        ("meaningful-encoding", "removed", "lost", False),
        ("meaningful-encoding", "reversed", "REVERSED", True),
        ("meaningful-encoding", "introduced", "gained", False),
        ("similarity", "kept", "kept", False),
    ],
)
def test_a_change_in_words(of: str, kind: ChangeKind, words: str, loud: bool) -> None:
    change = compared(of=of, kind=kind)
    assert (change_label(change), is_harmful(change)) == (words, loud)


def test_fewer_choices_by_stereotype_are_no_loss() -> None:
    words = {
        part: change_label(compared(of="sembias", kind="lost", test=f"sembias/{part}"))
        for part in ("definition", "definition-held-out", "stereotype", "none")
    }
    assert list(words.values()) == ["lost", "lost", "fewer", "fewer"]


def test_figures_are_written_by_their_kind() -> None:
    assert format_value(compared(), 0.126) == "+0.13"
    assert format_value(compared(of="similarity", kind="kept"), 0.6512) == "0.651"
    assert format_value(compared(), None) == "alike"
    assert format_value(compared(kind="no-answer"), None) == "none"
    assert format_movement(movement()) == "0.25"


def test_the_page_is_about_the_change(text: str) -> None:
    page_text = Page(text).text
    assert "model before and after a change" in page_text
    # The benchmarks and what moved are no tests of a suite.
    assert "1 test from 1 suite put to 2 embeddings" in page_text


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH")
def test_the_table_fits_a_phone_and_a_screen() -> None:
    widths = measurements(render([*a_run(), *a_change()]), (360, 768, 1280), "light")
    assert [(one["overflow"], one["errors"]) for one in widths.values()] == [(0, [])] * 3


def test_names_are_text_and_not_html() -> None:
    change = compared(fitted=(ATTACK,))
    nasty: Change = change.model_copy(update={"model": AFTER.model_copy(update={"name": ATTACK})})
    assert ATTACK not in render([nasty])


def test_tables_of_results_leave_changes_to_the_report() -> None:
    outcomes = a_change()
    results = [one for one in outcomes if not isinstance(one, Change)]
    assert as_latex(outcomes) == as_latex(results)
    assert len(audit_table(outcomes).rows) == len(audit_table(results).rows)
    assert len(as_csv(outcomes).splitlines()) == 1 + len(outcomes)


def test_too_few_words_to_show_a_change_is_reported() -> None:
    few = PairedP(value=0.25, low=0.25, high=0.25, method="exact", changed=3, smallest=0.25)
    change = compared().model_copy(update={"paired": few, "kind": "not-shown"})
    (table,) = before_and_after([change])
    assert "1 test with too few words" in table.summary.replace("\xa0", " ")
    assert unprovable_note(change) in Page(render([change])).text
    assert "0.25" in unprovable_note(change)
    enough = few.model_copy(update={"smallest": 0.03, "changed": 6})
    assert unprovable_note(change.model_copy(update={"paired": enough})) == ""


def test_a_sampled_p_that_no_draw_undercuts_is_a_bound_wherever_a_change_appears(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No regrouping of 99,999 changed as much: p is at most 0.00001, and no sentence says equal."""
    p = PairedP(value=1e-5, low=0.0, high=5e-5, method="sampled", changed=40, samples=99_999)
    changes = [one.model_copy(update={"paired": p}) for one in (compared(), of_category())]
    (table,) = before_and_after(changes)
    page = Page(render(changes)).text
    print_changes(changes)
    printed = capsys.readouterr()
    places = {
        "headline": " ".join(map("".join, table.headlines)),
        "line": " ".join(map(change_line, changes)),
        "page": page,
        "notebook": Page(to_html(changes)).text,
        "terminal": printed.out + printed.err,
        "gate": " ".join(_line(change, ("test",)) for change in changes),
        "record": " ".join(map(str, changes)),
    }
    for place, text in places.items():
        assert "≤ 0.00001" in text.replace("\xa0", " "), place
        assert not re.search(r"(?<!≤[ \xa0])0\.00001", text), place
    one_above = p.model_copy(update={"value": 2e-5})
    assert "≤" not in change_line(changes[0].model_copy(update={"paired": one_above}))


def test_two_models_of_one_name_are_distinguished() -> None:
    renamed = AFTER.model_copy(update={"name": MODEL.name})
    one = compared().model_copy(update={"model": renamed})
    (table,) = before_and_after([one])
    assert table.title == f"{MODEL.name}, before and after"
    assert table.names == (f"{MODEL.name} before the change", f"{MODEL.name} after it")
    page = render([one, compared(test="toy/two")])
    assert f"<h3>{MODEL.name}, before and after</h3>" in page
    assert f"<h3>{MODEL.name} → {AFTER.name}</h3>" in page


def of_category(**update: Any) -> Change:
    """The record of a category's change, from +1.00 to +0.20."""
    change = compared()
    test = change.test.model_copy(
        update={"id": "category/gender", "kind": "category", "title": "Gender"}
    )
    interval = Interval(low=-1.3, high=-0.1, level=0.95, kind="inverted", method="inverted")
    fields = {"test": test, "difference": interval, "kind": "reduced"}
    return change.model_copy(update=fields | update)


def test_a_category_leads_with_its_effects_and_the_interval_of_the_change() -> None:
    (table,) = before_and_after([compared(), of_category()])
    assert [*table.groups] == ["category", "bias"]
    assert ["".join(line).replace("\N{NO-BREAK SPACE}", " ") for line in table.headlines] == [
        "Gender: reduced, d +1.00 → +0.20 (change −0.80, 95 % −1.30 to −0.10; p = 0.010; "
        "significant before, not after; 1 test)."
    ]
    page = Page(render([compared(), of_category()])).text
    assert "".join(table.headlines[0]) in page
    assert is_harmful(of_category(kind="introduced"))


def test_a_comparison_states_whether_a_difference_is_significant() -> None:
    tests = [compared(kind="not-shown"), compared(kind="reduced"), compared(kind="no-answer")]
    assert difference_summary(tests[:1]) == "No difference is shown in 1 bias test."
    said = difference_summary([*tests, of_category()])
    assert re.findall(r"[\d.]*\d", said) == ["1", "1", "1", "2", "0.1", "2"]
    assert "Gender" in said
    assert difference_summary([]) == ""

"""Sentences of reports: provenance, details, remarks."""

import re
from typing import Any

import pytest

from fairvec.messages.reports import (
    distinct_models,
    history_lines,
    link_addresses,
    settings_used,
    suites_used,
)
from fairvec.messages.test_details import (
    exposure_of,
    held_out_note,
    influence_sentence,
    list_titles,
    missing_words,
    most_influential,
    row_notes,
    short_held_out_note,
    spelling_notes,
    word_labels,
)
from fairvec.report import audit_table, render
from fairvec.results import Result
from fairvec.results.records import WordScore
from tests.report.outcomes import TESTS, a_run, coverage, measured, model, skipped
from tests.results.toys import measured as measured_remarks
from tests.results.toys import robust_result
from tests.results.toys import skipped as skipped_remarks

# --- provenance ---


def test_suites_are_counted_by_their_distinct_tests() -> None:
    assert [(suite.id, suite.tests) for suite in suites_used(a_run())] == [
        ("caliskan2017", 4),
        ("pestova", 1),
        ("malik2022", 2),
    ]


def test_each_model_is_named_once() -> None:
    assert len(distinct_models(a_run())) == 5


def test_every_value_of_a_setting_is_named() -> None:
    found = settings_used(a_run())
    assert found["Similarity"] == ["cosine", "negative-distance"]
    assert found["p-values"] == ["exact", "certified", "sampled"]
    assert found["Sampling"] == ["100,000 draws, seed 7"]
    assert found["Convention"] == ["caliskan: ddof 1, denominator word scores over X and Y"]


def test_settings_without_a_value_are_left_out() -> None:
    assert "Sampling" not in settings_used([measured(model("m"), TESTS[1])])
    assert "Interval" not in settings_used([skipped(model("m"), TESTS[1])])


def test_history_reads_as_steps() -> None:
    history = (
        {"action": "read", "format": "glove"},
        {"action": "subset", "most_frequent": 10000, "suites": ["a 1", "b 1"]},
    )
    assert history_lines(model("m", history=history)) == [
        "read, format glove",
        "subset, most frequent 10,000, suites a 1 and b 1",
    ]


def test_addresses_become_plain_links_and_the_rest_is_escaped() -> None:
    text = "A <b>. doi:10.1126/science.aal4230. See https://example.org/x?a=1&b=2, (2017)."
    assert link_addresses(text) == (
        'A &lt;b&gt;. <a href="https://doi.org/10.1126/science.aal4230" rel="noreferrer">'
        "doi:10.1126/science.aal4230</a>. See "
        '<a href="https://example.org/x?a=1&amp;b=2" rel="noreferrer">'
        "https://example.org/x?a=1&amp;b=2</a>, (2017)."
    )
    assert link_addresses("javascript:alert(1)") == "javascript:alert(1)"


# --- details ---


ONE = TESTS[1]


def test_a_word_has_what_a_reader_needs() -> None:
    word = WordScore(
        word="योग",
        key="योग_NOUN",
        role="x",
        score=-0.0512,
        without=1.25,
        transliteration="yog",
        gloss="addition",
    )
    note = "योग · yog · “addition” · found as योग_NOUN · leans −0.051 · without it "
    result = measured(model("m"), ONE)
    plain = result.convention.model_copy(update={"denominator": "none"})
    difference = result.model_copy(update={"convention": plain})
    assert word_labels(result)(word) == f"{note}d = 1.25"
    assert word_labels(difference)(word) == f"{note}the difference is 1.250"
    unscored = WordScore(word="math", key="math", role="x", score=0.1)
    assert word_labels(result)(unscored) == "math · leans +0.100"


def test_influence_names_the_words_that_reverse_the_effect() -> None:
    result = measured(model("m"), ONE)
    low, high = (pick(w.without or 0 for w in result.words) for pick in (min, max))
    assert f"between {low:.2f} and {high:.2f}" in influence_sentence(result)
    turned = [w.model_copy(update={"without": -0.1}) for w in result.words[:2]]
    of_two = result.model_copy(update={"words": (*turned, *result.words[2:])})
    assert influence_sentence(of_two).endswith("; leaving out John or Paul reverses it.")
    assert influence_sentence(result.model_copy(update={"words": ()})) == ""


def test_the_most_influential_words_move_the_effect_most() -> None:
    result = measured(model("m"), ONE)
    moves = [abs((word.without or 0) - result.effect) for word in result.words]
    chosen = most_influential(result, 3)
    assert [abs((w.without or 0) - result.effect) for w in chosen] == sorted(moves)[:-4:-1]


def test_missing_words_are_listed_by_their_reason() -> None:
    group = coverage(ONE, missing=2)[0]
    assert missing_words(group) == ["Not in the vocabulary: John, Paul"]
    mixed = {"a": "", "b": "its vector is zero", "c": ""}
    assert missing_words(group.model_copy(update={"missing": mixed})) == [
        "Missing: a, c",
        "Its vector is zero: b",
    ]


def test_spellings_name_key_and_rule() -> None:
    found = [spelling_notes(group) for group in coverage(TESTS[5])]
    assert found == [{}, {}, {"variant and nasal": ["सुन्दर → सुंदर"]}, {}]
    cased = coverage(ONE)[0].model_copy(
        update={
            "matched": {"Al": "al", "Bo": "bo", "é": "e"},
            "how": {"Al": "case", "Bo": "case"},
        }
    )
    assert spelling_notes(cased) == {
        "case": ["Al → al", "Bo → bo"],
        "other spelling": ["é → e"],
    }


def test_lists_are_named_by_their_roles() -> None:
    assert list_titles(measured(model("m"), ONE)) == dict(zip("xyab", ONE.lists, strict=True))


# --- remarks ---


def test_missing_and_shared_words_are_named() -> None:
    result = measured_remarks()
    x, *others = result.coverage
    x = x.model_copy(update={"missing": {}, "merged": ("Nurse",), "shared": ("nurse",)})
    others = [group.model_copy(update={"missing": {}}) for group in others]
    (line,) = row_notes(result.model_copy(update={"coverage": (x, *others)}))
    assert line.startswith("12 of 16 words: ")
    assert "Nurse" in line
    assert line.endswith("in two lists nurse")


def test_many_missing_words_are_counted() -> None:
    assert row_notes(measured_remarks()) == ["12 of 16 words: missing w, w, w and 1 more"]


def test_complete_lists_need_no_remark() -> None:
    result = measured_remarks()
    complete = [group.model_copy(update={"missing": {}}) for group in result.coverage]
    assert row_notes(result.model_copy(update={"coverage": tuple(complete)})) == []
    assert row_notes(skipped_remarks()) == []


def test_steadiness_is_one_line() -> None:
    line = row_notes(robust_result(explains=True))[-1].replace("\N{NO-BREAK SPACE}", " ")
    assert re.findall(r"\d+\.?\d*", line) == ["80", "100", "65.5", "0", "1"]
    assert line.endswith("; frequency may explain it")


def test_the_line_opens_with_how_the_effect_holds() -> None:
    result = robust_result(explains=True)
    assert result.robustness is not None
    robustness = result.robustness.model_copy(update={"holds": "fragile", "expected": 0.904})
    changed = result.model_copy(update={"robustness": robustness, "effect": 0.3})
    line = row_notes(changed)[-1].replace("\N{NO-BREAK SPACE}", " ")
    assert line.startswith("fragile: ")
    assert re.findall(r"\d+\.?\d*", line) == ["80", "100", "65.5", "90", "0", "1"]
    assert line.endswith("; not significant at equal frequency")


# --- held out ---


SWAPPED = {"action": "trained", "by": "glove", "fitted_on": ["he", "she"]}
PLAIN = {"action": "trained", "by": "glove"}
FITTED = {"action": "debias", "method": "hard", "fitted_on": ["he", "she"]}


def history_by(*history: dict[str, Any], words: tuple[str, ...] = ("he", "she")) -> Result:
    return measured(model("m", history=history), TESTS[1], fitted_words=words)


@pytest.mark.parametrize(
    ("history", "seen", "sentence"),
    [
        ([FITTED], "debiased", "The debiasing was fitted on 2 words of this test"),
        ([PLAIN, FITTED], "debiased", "The debiasing was fitted on 2 words of this test"),
        ([], "debiased", "The debiasing was fitted on 2 words of this test"),
        ([SWAPPED], "augmented", "The training text was augmented by swapping 2 words"),
        ([SWAPPED, FITTED], "both", "augmented and the debiasing fitted with 2 words"),
    ],
    ids=["debiased", "trained-debiased", "unsaid", "augmented", "both"],
)
def test_the_page_names_the_steps_that_used_the_words(
    history: list[Any], seen: str, sentence: str
) -> None:
    outcome = history_by(*history)
    assert exposure_of(outcome.model) == seen
    assert sentence in held_out_note(outcome)
    page = render([outcome])
    assert sentence in page
    assert ("The debiasing was fitted" in page) == (seen == "debiased")


def test_the_terminal_notes_it_under_the_test() -> None:
    outcome = history_by(FITTED, words=("he", "she", "man", "woman", "boy"))
    line = "fitted on tested words (no independent evidence): he, she, man and 2 more"
    assert short_held_out_note(outcome) == line
    assert line in row_notes(outcome)
    augmented = row_notes(history_by(SWAPPED))
    assert "text augmented with tested words (no independent evidence): he and she" in augmented
    cell = audit_table([outcome], width=100).rows[0].cells[1]
    assert line in str(cell)


def test_held_out_words_need_no_remark() -> None:
    outcome = history_by(FITTED, words=())
    assert held_out_note(outcome) == short_held_out_note(outcome) == ""
    assert not any("fitted" in line for line in row_notes(outcome))
    assert "Not held out" not in render([outcome])

from typing import Any

import pytest

from fairvec.messages.test_details import exposure_of, held_out_note, row_notes, short_held_out_note
from fairvec.report import as_rich_table, render
from fairvec.results import Result
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model

SWAPPED = {"action": "trained", "by": "glove", "fitted_on": ["he", "she"]}
PLAIN = {"action": "trained", "by": "glove"}
FITTED = {"action": "debias", "method": "hard", "fitted_on": ["he", "she"]}


def made_by(*history: dict[str, Any], words: tuple[str, ...] = ("he", "she")) -> Result:
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
def test_the_page_says_what_saw_the_words(history: list[Any], seen: str, sentence: str) -> None:
    outcome = made_by(*history)
    assert exposure_of(outcome.model) == seen
    assert sentence in held_out_note(outcome)
    page = render([outcome])
    assert sentence in page
    assert ("The debiasing was fitted" in page) == (seen == "debiased")


def test_the_terminal_says_it_under_the_test() -> None:
    outcome = made_by(FITTED, words=("he", "she", "man", "woman", "boy"))
    line = "fitted on tested words, no evidence about these: he, she, man and 2 more"
    assert short_held_out_note(outcome) == line
    assert line in row_notes(outcome)
    augmented = row_notes(made_by(SWAPPED))
    assert "text augmented with tested words, no evidence about these: he and she" in augmented
    cell = as_rich_table([outcome], width=100).columns[1]._cells[0]
    assert line in str(cell)


def test_words_that_were_held_out_need_no_remark() -> None:
    outcome = made_by(FITTED, words=())
    assert held_out_note(outcome) == short_held_out_note(outcome) == ""
    assert not any("fitted" in line for line in row_notes(outcome))
    assert "Not held out" not in render([outcome])

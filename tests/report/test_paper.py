"""The page on paper: a summary of two pages, and what the reader opened."""

import pytest

from fairvec.report import render
from fairvec.results import Outcome
from tests.report.browser import BROWSER, pages_on_paper
from tests.report.category_answers import with_answers
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH"),
]


def of_models(count: int) -> list[Outcome]:
    tests = [test for test in TESTS if test.language == "en"]
    return with_answers(measured(model(f"m{n}"), test) for n in range(count) for test in tests)


def of_categories(count: int) -> list[Outcome]:
    one = measured(model("m"), TESTS[1])
    names = [f"c{number}" for number in range(count)]
    tests = [one.test.model_copy(update={"id": f"s/{name}", "category": name}) for name in names]
    return with_answers(one.model_copy(update={"test": test}) for test in tests)


@pytest.mark.parametrize("paper", ["A4", "letter"])
@pytest.mark.parametrize(
    "outcomes",
    [
        *(of_models(1), of_models(4), of_models(40), of_categories(50)),
        *(with_answers(a_run()), a_run()),
    ],
    ids=[
        *("one model", "four", "forty", "fifty categories"),
        *("three languages", "no answers by category"),
    ],
)
def test_a_page_as_it_opens_prints_on_two(outcomes: list[Outcome], paper: str) -> None:
    assert 1 <= pages_on_paper(render(outcomes), paper) <= 2


def test_what_is_opened_is_printed_too() -> None:
    page = render(of_models(1))
    assert pages_on_paper(page.replace("<details", "<details open"), "A4") > 5

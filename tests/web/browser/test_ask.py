"""The explorer's questions in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fairvec
from fairvec.core.format import format_p
from fairvec.lexicon import parse_suite, shipped_suites
from fairvec.results import Result
from tests.web.browser.ask_page import (
    LISTS,
    Page,
    audit_result,
    field,
    open_page,
    shipped_models,
    wait_for,
    words,
    write,
)
from tests.web.live_server import run_server

# --- Ask as a person meets it: words typed and clicked, figures held against an audit ---


pytestmark = pytest.mark.browser

MODELS = ("glove-en-small", "glove-hi-small", "navec-ru-small")
HOSTILE = "<img src=x onerror=document.title='owned'>"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with run_server(shipped_models(*MODELS)) as place:
        yield place.address


@pytest.fixture(scope="module")
def page(chromium: Any, address: str) -> Iterator[Page]:
    """One page for all: each test begins with lists of its own."""
    yield from open_page(chromium, address)


def test_a_typed_word_moves_the_figures_to_those_of_an_audit(page: Page) -> None:
    write(page, LISTS)
    wait_for(page, audit_result())
    field(page, "x").type("programmer", delay=5)
    more = audit_result(x=[*LISTS["x"], "programmer"])
    wait_for(page, more)  # while it is typed
    assert words(page, "x") == LISTS["x"]
    field(page, "x").press("Enter")
    page.wait_for_function("() => !document.querySelector('.verdict em')")
    wait_for(page, more)
    assert words(page, "x") == [*LISTS["x"], "programmer"]
    page.get_by_role("button", name="captain; remove").click()
    wait_for(page, audit_result(x=[*LISTS["x"][:3], "programmer"]))
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_for(page, more)
    page.reload()
    wait_for(page, more)


def test_everything_is_done_by_keys(page: Page) -> None:
    write(page, {})
    page.get_by_role("button", name="Pick a published test").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("button.whole")
    page.keyboard.type("weat-7")
    page.wait_for_function("() => document.querySelectorAll('button.whole').length === 1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    (test,) = (test for suite in shipped_suites() for test in suite.tests if test.name == "weat-7")
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    wait_for(page, expected := audit_result(**lists, title=test.title, titles=titles_of(test)))
    field(page, "x").focus()
    page.keyboard.press("Backspace")
    lists["x"] = lists["x"][:-1]
    wait_for(page, audit_result(**lists, titles=titles_of(test)))
    page.keyboard.press("Control+z")
    wait_for(page, expected)
    dots = page.locator(".strip .word")
    dots.first.focus()
    page.keyboard.press("End")
    (last,) = (
        word
        for word in expected.words
        if word.word == page.evaluate("document.activeElement.textContent")
    )
    assert last.role == "y"
    assert last.score == max(word.score for word in expected.words if word.role == "y")
    assert f"without it d = {last.without:.2f}" in page.locator(".focused").inner_text()
    page.keyboard.press("Delete")
    assert last.without is not None
    page.wait_for_function(
        "d => Math.abs(document.querySelector('[data-figure=d]').dataset.exact - d) < 1e-9",
        arg=last.without,
    )


def titles_of(test: Any) -> Any:
    return {role: test.sets[role].title for role in "xyab"}


@pytest.mark.parametrize(
    ("model", "beginning", "lists"),
    [
        (
            "glove-hi-small",
            "संगी",
            {
                "x": ["गणित", "विज्ञान", "इंजीनियर", "डॉक्टर"],
                "y": ["कला", "नृत्य", "कविता"],
                "a": ["पुरुष", "लड़का", "पिता"],
                "b": ["महिला", "लड़की", "माता"],
            },
        ),
        (
            "navec-ru-small",
            "свад",
            {
                "x": ["карьера", "бизнес", "зарплата", "офис"],
                "y": ["дом", "семья", "родитель"],
                "a": ["мужчина", "мальчик", "отец"],
                "b": ["женщина", "девочка", "мать"],
            },
        ),
    ],
    ids=["hindi", "russian"],
)
def test_words_of_other_scripts_are_completed(
    page: Page, model: str, beginning: str, lists: dict[str, list[str]]
) -> None:
    write(page, lists, model)
    wait_for(page, audit_result(model, **lists))
    field(page, "y").type(beginning)
    page.wait_for_selector("[role=option]")
    offered = page.locator("[role=option]").all_text_contents()
    assert offered
    assert all(word.startswith(beginning) for word in offered)
    field(page, "y").press("ArrowDown")
    chosen = page.locator("[role=option][aria-selected=true]")
    assert field(page, "y").get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    wait_for(page, more := audit_result(model, **{**lists, "y": [*lists["y"], offered[0]]}))
    field(page, "y").press("Enter")
    assert words(page, "y") == [*lists["y"], offered[0]]
    wait_for(page, more)


def test_an_unknown_word_is_marked_and_a_near_one_offered(page: Page) -> None:
    write(page, {**LISTS, "x": [*LISTS["x"], "phisics"]})
    wait_for(page, audit_result(x=[*LISTS["x"], "phisics"]))
    mark = page.get_by_role("button", name="phisics, not in the vocabulary; remove")
    assert "?" in mark.inner_text()
    page.get_by_role("button", name="physics", exact=True).click()
    wait_for(page, audit_result(x=[*LISTS["x"], "physics"]))
    assert words(page, "x")[-1] == "physics"


def test_equal_lists_have_a_reason_and_stay(page: Page) -> None:
    write(page, {**LISTS, "y": LISTS["x"]})
    page.locator(".verdict", has_text="x and y hold the same words").wait_for()
    assert page.locator("[data-figure]").count() == 0
    assert words(page, "y") == LISTS["x"]
    assert page.locator("#trouble").is_hidden()


def test_a_pasted_list_is_many_words(page: Page) -> None:
    write(page, {role: LISTS[role] for role in "yab"})
    page.evaluate(
        """text => {
            const field = document.querySelector(".ask-list input[role=combobox]");
            const given = new DataTransfer();
            given.setData("text/plain", text);
            const paste = {clipboardData: given, bubbles: true, cancelable: true};
            field.dispatchEvent(new ClipboardEvent("paste", paste));
        }""",
        '["engineer", "mechanic",\ncarpenter; captain, engineer]',
    )
    wait_for(page, audit_result())
    assert words(page, "x") == LISTS["x"]


def test_a_hostile_word_stays_text(page: Page) -> None:
    write(page, {**LISTS, "x": [*LISTS["x"], HOSTILE]})
    wait_for(page, audit_result(x=[*LISTS["x"], HOSTILE]))
    assert words(page, "x")[-1] == HOSTILE
    assert page.locator("main img").count() == 0
    assert page.title() == "fairvec explore"


def test_a_question_is_saved_as_the_suite_that_it_is(page: Page, tmp_path: Path) -> None:
    write(page, {**LISTS, "x": [*LISTS["x"], HOSTILE]})
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a suite").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    (test,) = parse_suite(file.read_text(encoding="utf-8")).tests
    assert [word.word for word in test.sets["x"].words] == [*LISTS["x"], HOSTILE]
    page.get_by_role("button", name="Copy the command line").click()
    page.get_by_text(f"fairvec audit glove-en-small --suite {file.name}").wait_for()


def test_another_published_list_takes_the_place_of_one(page: Page) -> None:
    write(page, {})
    page.get_by_role("button", name="Pick a published test").click()
    page.get_by_role("searchbox").fill("weat-7")
    page.locator("button.whole").click()
    page.get_by_text("The same with another published list").click()
    other = page.get_by_role("button", name="of bolukbasi2016/professions")
    other.click()
    (test,) = (
        test
        for suite in shipped_suites()
        for test in suite.tests
        if test.id == "bolukbasi2016/professions"
    )
    page.wait_for_function(
        "() => document.querySelectorAll('.ask-list')[2].innerText.includes('John')"
    )
    assert words(page, "a") == [word.word for word in test.sets["a"].words]


def test_a_stopped_server_costs_no_word(chromium: Any) -> None:
    with run_server(shipped_models("glove-en-small")) as place:
        tabs = open_page(chromium, place.address)
        page = next(tabs)
        write(page, LISTS)
        wait_for(page, audit_result())
    field(page, "x").fill("programmer,")
    page.get_by_text("The server does not answer").wait_for()
    more = [*LISTS["x"], "programmer"]
    assert words(page, "x") == more
    with run_server(shipped_models("glove-en-small"), port=place.visitor.port) as again:
        page.goto(again.address)
        wait_for(page, audit_result(x=more))
        assert next(tabs, None) is None


# --- Ask on a phone: narrow, dark and by touch ---


@pytest.fixture
def phone(chromium: Any) -> Iterator[Page]:
    size = {"width": 360, "height": 740}
    with run_server(shipped_models("glove-en-small", "glove-hi-small")) as place:
        yield from open_page(
            chromium, place.address, viewport=size, color_scheme="dark", has_touch=True
        )


def test_a_phone_by_night_needs_no_scrolling_sideways(phone: Page) -> None:
    phone.locator("#model").select_option("glove-hi-small")
    phone.get_by_role("button", name="Pick a published test").click()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.get_by_role("searchbox").fill("bharti2021/b1")
    phone.locator("button.whole").click()
    phone.wait_for_selector(".ask-list .missing")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    colours = "getComputedStyle(document.body).backgroundColor"
    assert phone.evaluate(colours) == "rgb(22, 24, 26)"
    assert "d " in phone.locator(".ask-bar").inner_text()
    (expected,) = fairvec.audit("glove-hi-small", suites="bharti2021/b1", categories=False)
    assert isinstance(expected, Result)
    phone.wait_for_selector(f'[data-figure=d][data-exact="{expected.effect!r}"]')
    p = format_p(expected.p.value)
    phone.locator("[data-figure=p]").get_by_text(p, exact=True).wait_for()
    before = words(phone, "y")
    dot = phone.locator(".strip .down .word").first
    dropped = dot.text_content()
    dot.locator("text").tap()
    phone.locator(".focused", has_text=dropped).wait_for()
    assert words(phone, "y") == before
    dot.locator("text").tap()
    assert words(phone, "y") == [word for word in before if word != dropped]

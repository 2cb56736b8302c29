"""Change and Compare as a person meets them: the slider moves d to the library's figure."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fairvec
from fairvec.results import Result
from fairvec.web.open_models import OpenModels, open_models
from tests.web.live_server import run_server

pytestmark = pytest.mark.browser

MODELS = ("glove-en-small", "glove-hi-small", "glove-en-twin-small")
TEST = "caliskan2017/weat-7"
Page = Any


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    models = open_models([(name, fairvec.load(name)) for name in MODELS])
    with run_server(OpenModels(models, write_to=folder)) as place:
        yield place.address


@pytest.fixture
def page(chromium: Any, address: str) -> Iterator[Page]:
    yield from open_page(chromium, address)


def open_page(chromium: Any, address: str, **how: Any) -> Iterator[Page]:
    context = chromium.new_context(**how)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else 0
    )
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("[role=tab]")
    yield page
    context.close()
    assert [error for error in errors if "Failed to load resource" not in error] == []


def show(page: Page, view: str) -> None:
    page.get_by_role("tab", name=view).click()


def shown_tests(page: Page) -> list[str]:
    rows = page.locator(".change-forest .row[data-test]")
    return [row.get_attribute("data-test") for row in rows.all()]


def results_after(tests: list[str], strength: float, method: str = "hard") -> list[Result]:
    done = fairvec.debias(
        "glove-en-small", "en/gender", method, strength=strength, suites=tests, benchmarks=[]
    )
    results = [one for one in done.results if isinstance(one, Result)]
    return results[len(results) // 2 :]


def wait_for_effect(page: Page, result: Result) -> None:
    """Wait until the row of a test shows an effect of the library."""
    page.wait_for_function(
        "([test, d]) => Math.abs(Number(document.querySelector(`.row[data-test='${test}']`)"
        "?.dataset.exact) - d) < 1e-6 && !document.querySelector('.became.stale')",
        arg=[result.test.id, result.effect],
    )


def test_the_slider_moves_every_test_by_keys_alone(page: Page) -> None:
    page.get_by_role("tab", name="Change").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".change-forest .row[data-test]")
    tests = shown_tests(page)
    assert TEST in tests
    for result in results_after(tests, 1.0):
        wait_for_effect(page, result)
    slider = page.get_by_role("slider", name="Strength")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert page.locator(".change-slider output").inner_text() == "0.15"
    expected = results_after(tests, 0.15)
    for result in expected:
        wait_for_effect(page, result)
    row = page.locator(f".row[data-test='{TEST}']")
    (chosen,) = (one for one in expected if one.test.id == TEST)
    assert f"+{chosen.effect:.2f}" in row.locator(".value").inner_text()
    row.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert page.locator(".change-words h3").inner_text() == chosen.test.title
    shown = page.locator(".change-words .row:not(.head)").all_inner_texts()
    for word in chosen.words:
        (line,) = (text for text in shown if text.split()[0] == word.word)
        assert line.split()[1].replace("−", "-") == f"{word.score:+.3f}"


def test_another_method_another_concept_and_nothing_lost(page: Page) -> None:
    show(page, "Change")
    page.wait_for_selector(".change-forest .row[data-test]")
    tests = shown_tests(page)
    assert page.locator("#change-method").input_value() == "hard"
    for method in ("linear-projection", "hard"):
        page.locator("#change-method").select_option(method)
        for result in results_after(tests, 1.0, method):
            wait_for_effect(page, result)
    page.get_by_text("Settings: the usual ones").click()
    field = page.locator(".change-fields label", has_text="k").locator("input[type=text]").first
    field.fill("many")
    field.press("Tab")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "whole number" in page.locator("#trouble").inner_text()
    assert field.input_value() == "many"
    assert not page.locator(".change-body").is_visible()
    field.fill("1")
    field.press("Tab")
    page.wait_for_selector("#trouble", state="hidden")
    page.wait_for_selector(".change-forest .row[data-test]")
    show(page, "Compare")
    show(page, "Change")
    page.wait_for_selector(".change-forest .row[data-test]")
    assert page.locator("#change-method").input_value() == "hard"


def test_the_model_is_written_by_a_click_and_never_twice(page: Page, folder: Path) -> None:
    show(page, "Change")
    page.wait_for_selector(".change-forest .row[data-test]")
    page.get_by_label("Write as").fill("by-click.fairvec")
    page.get_by_role("button", name="Write it").click()
    page.wait_for_function(
        "() => document.querySelector('.change-elsewhere [role=status]').textContent"
        ".startsWith('Written')"
    )
    assert (folder / "by-click.fairvec").is_file()
    page.get_by_role("button", name="Write it").click()
    page.wait_for_selector("#trouble:not([hidden])")
    assert "exists already" in page.locator("#trouble").inner_text()


def test_on_a_phone_by_night_in_hindi_nothing_is_cut(chromium: Any, address: str) -> None:
    how = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "has_touch": True}
    for page in open_page(chromium, address, **how, reduced_motion="reduce"):
        page.locator("#model").select_option("glove-hi-small")
        show(page, "Change")
        page.wait_for_selector(".row[data-test='malik2022/maths-arts']")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.locator(".change-words .label").first.inner_text() > "\u0900"
        still = page.evaluate(
            "getComputedStyle(document.querySelector('.change .track circle')).transitionDuration"
        )
        assert still == "0s"
        show(page, "Compare")
        page.wait_for_selector(".compare .row[data-model]")
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_two_models_are_compared(page: Page) -> None:
    show(page, "Compare")
    page.locator("#compare-other").select_option("glove-en-twin-small")
    page.locator("#compare-test").select_option(TEST)
    for name in ("glove-en-small", "glove-en-twin-small"):
        (result,) = fairvec.audit(name, suites=TEST, categories=False)
        assert isinstance(result, Result)
        page.wait_for_selector(f'.row[data-model="{name}"][data-exact="{result.effect!r}"]')
    assert "paired p" in page.locator(".compare-change").inner_text()

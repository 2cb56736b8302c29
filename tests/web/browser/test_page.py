"""The explorer's page in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.core.format import format_number, format_signed
from fairvec.experiments.audit.test_words import COVERAGE_OPTION
from fairvec.results import write_results
from fairvec.web.open_models import OpenModels, open_models
from fairvec.web.questions.runs import ResultsFolders
from fairvec.web.server import OpenPort
from tests.report.outcomes import a_run
from tests.web.browser.ask_page import write
from tests.web.browser.conftest import Tab
from tests.web.client import toy_models
from tests.web.live_server import run_server

# --- The page as a browser meets it: welcome, policy, results, interface, a dead server ---


pytestmark = pytest.mark.browser


def base(place: OpenPort) -> str:
    return f"http://127.0.0.1:{place.visitor.port}"


def test_the_printed_address_opens_the_page_and_leaves_the_bar(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        assert place.visitor.token not in page.url
        assert page.url.startswith(f"{base(place)}/")
        assert page.evaluate("document.cookie") == ""
        again = page.context.new_page()  # a second tab needs no token
        again.goto(base(place))
        again.wait_for_selector("#model option", state="attached")


def test_a_pass_from_a_file_opens_the_page_once(tab: Tab, tmp_path: Path) -> None:
    """As from a terminal within another page: the way begins on another site."""
    with run_server() as place:
        link = place.address_once()
        (tmp_path / "link.html").write_text(f'<a href="{link}">open</a>', encoding="utf-8")
        page = tab((tmp_path / "link.html").as_uri())
        page.click("a")
        page.wait_for_selector("#model option", state="attached")
        other = tab(link)
        assert "The token is missing or old" in other.inner_text("body")


def test_a_page_of_another_port_reads_and_sends_nothing(tab: Tab) -> None:
    with run_server() as ours, run_server() as theirs:
        page = tab(ours.address)
        page.wait_for_selector("#model option", state="attached")
        stranger = page.context.new_page()
        stranger.goto(theirs.address)
        stranger.wait_for_selector("#model option", state="attached")
        # Without the policy of their page, which would stop it before ours is asked.
        stranger.route("**/evil.html", lambda route: route.fulfill(body="<p>evil</p>"))
        stranger.goto(f"{base(theirs)}/evil.html")
        answer = stranger.evaluate(
            """async (place) => {
                const kind = {headers: {"content-type": "text/plain"}, method: "POST", body: "{}"};
                const tries = [{}, {credentials: "include"}, {mode: "no-cors", ...kind}];
                const found = [];
                for (const one of tries) {
                  try {
                    found.push((await fetch(place + "/api/models", one)).type);
                  } catch (error) { found.push(error.name); }
                }
                return found;
            }""",
            base(ours),
        )
        assert answer[:2] == ["TypeError", "TypeError"]
        assert answer[2] in ("TypeError", "opaque")
        tab.complaints[:] = [one for one in tab.complaints if "CORS" not in one]  # type: ignore[attr-defined]


def test_results_open_as_reports_whose_script_runs_and_which_ask_nothing(
    tab: Tab, tmp_path: Path
) -> None:
    write_results(a_run(), tmp_path / "runs/one")
    (tmp_path / "runs/two").mkdir()
    (tmp_path / "runs/two/results.jsonl").write_text("{", encoding="utf-8")
    with run_server(toy_models(ResultsFolders((tmp_path / "runs",)))) as place:
        page = tab(place.address)
        page.click("#results")
        page.wait_for_selector("#runs li")
        assert page.locator("#runs li").count() == 2
        assert "line 1" in page.locator("#runs [role=alert]").inner_text()
        with page.context.expect_page() as open_page:
            page.click("#runs a")
        report = open_page.value
        report.wait_for_load_state()
        assert report.locator("h1").inner_text() == "Bias audit of five embeddings"
        report.get_by_role("button", name="Light / dark").click()  # made by its script
        assert report.evaluate("document.documentElement.dataset.theme") == "dark"
        assert report.evaluate("window.origin") == "null"
        assert (
            report.evaluate("fetch('/api/models').then(() => 'read', (e) => e.name)") == "TypeError"
        )
        tab.complaints[:] = [one for one in tab.complaints if "connect" not in one.lower()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_interface_is_a_page_whose_questions_can_be_asked(tab: Tab, width: int) -> None:
    with run_server() as place:
        page = tab(place.address, width=width)
        page.wait_for_selector("#model option", state="attached")
        page.goto(f"{base(place)}/api")
        page.wait_for_selector(".question")
        first = page.locator(".question").first
        assert first.locator("h2").inner_text() == "GET /api/models"
        first.get_by_role("button", name="Ask it").click()
        first.locator("pre", has_text="toy.vec").wait_for()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_a_server_that_is_gone_is_reported_and_the_page_goes_on_with_the_next(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        port = place.visitor.port
    ask = "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(ask)
    trouble = page.locator("#trouble")
    trouble.get_by_role("button", name="Try again").wait_for()
    assert f"--port {port}" in trouble.inner_text()
    assert "what you typed is still here" in trouble.inner_text()
    with run_server(port=port) as second:
        trouble.get_by_role("button").click()
        page.wait_for_function(
            "() => document.getElementById('trouble').textContent.includes('token')"
        )
        other: Any = page.context.new_page()
        other.goto(second.address)
        other.wait_for_selector("#model option", state="attached")
        trouble.get_by_role("button").click()
        trouble.wait_for(state="hidden")


def test_whoever_comes_back_to_the_window_hears_of_the_files(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        with page.expect_request(lambda request: "/api/remarks" in request.url):
            page.evaluate("dispatchEvent(new Event('focus'))")


def test_one_model_is_compared_with_none_and_asked_for_no_choice(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.get_by_role("tab", name="Compare").click()
        page.wait_for_selector(".compare-answer code")
        assert page.locator(".compare select:visible").count() == 0
        assert page.locator(".compare-answer").inner_text() == (
            "One model is open. Open a second one to compare them: fairvec explore toy OTHER-MODEL"
        )


def test_a_test_that_is_skipped_advises_nothing_that_the_page_lacks(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.get_by_role("tab", name="Ask").click()
        few = {"x": ["man", "boy", "zq1", "zq2", "zq3"], "y": ["woman", "girl"]}
        write(page, few | {"a": ["man"], "b": ["woman"]}, "toy")
        page.wait_for_selector("text=take those that it lacks out of the lists in Ask")
        assert COVERAGE_OPTION not in page.inner_text("body")
        assert "--min-coverage" not in page.inner_text("body")


# --- Numbers that the page writes are those of every other page ---


def numbers() -> list[tuple[float, int]]:
    """Values and digits: small and large, next to zero, and half way between two numbers."""
    draw = np.random.default_rng(7)
    spread = draw.normal(size=400) * 10.0 ** draw.integers(-6, 7, 400)
    halves = [n / 8 for n in range(-41, 42)] + [n + 0.5 for n in range(-9, 10)]
    near = [np.nextafter(half, way) for half in halves for way in (-np.inf, np.inf)]
    odd = [0.0, -0.0, 1.005, 2.675, -0.004999, 0.005, 999.995, 1234567.5, -1e9, 1e-300]
    values = [float(value) for value in (*spread, *halves, *near, *odd)]
    return [(value, digits) for value in values for digits in (0, 1, 2, 3)]


def test_numbers_are_written_as_everywhere_else(tab: Tab) -> None:
    with run_server() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        written = page.evaluate(
            """async (numbers) => {
                const { formatNumber, formatSigned } = await import("/draw.js");
                return numbers.map(([value, digits]) =>
                    [formatNumber(value, digits), formatSigned(value, digits)]);
            }""",
            [[value, digits] for value, digits in numbers()],
        )
    for (value, digits), texts in zip(numbers(), written, strict=True):
        expected = [format_number(value, digits), format_signed(value, digits)]
        assert texts == expected, (value, digits)


# --- What comes late, or was asked of another model or word, is never shown as the answer to this


ENGLISH, TWIN, HINDI = "glove-en-small", "glove-en-twin-small", "glove-hi-small"
Page = Any


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    models = open_models([(name, fairvec.load(name)) for name in (ENGLISH, TWIN, HINDI)])
    with run_server(OpenModels(models)) as place:
        yield place.address


@pytest.fixture
def page(tab: Tab, address: str) -> Page:
    page = tab(address)
    page.set_default_timeout(60_000)
    page.wait_for_selector("[role=tab]")
    return page


class Held:
    """Questions to an address that wait until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.routes: list[Any] = []
        page.route(address, lambda route: self.routes.append(route))

    def wait(self) -> None:
        for _ in range(100):
            if self.routes:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{self.address} was never asked")

    def let_go(self) -> None:
        """Answer what waits; one that the page gave up meanwhile has nobody to be answered to."""
        for route in self.routes:
            route.continue_()
        self.page.unroute(self.address)
        self.page.wait_for_timeout(500)


def shown_effects(page: Page) -> dict[str, str]:
    rows = page.locator(".compare-answer .row[data-model]").all()
    return {row.get_attribute("data-model"): row.get_attribute("data-exact") for row in rows}


def test_a_comparison_that_comes_late_is_not_called_by_other_models(page: Page) -> None:
    page.get_by_role("tab", name="Compare").click()
    page.wait_for_selector(".compare-answer .row[data-model]")
    before = shown_effects(page)
    assert page.locator(".compare-answer .dot.filled").count() == 1  # associated, no bias
    assert set(before) == {ENGLISH, TWIN}
    answers = Held(page, "**/api/compare")
    page.select_option("#compare-test", "caliskan2017/weat-7")
    answers.wait()
    tests = Held(page, "**/api/compare/tests*")
    page.select_option("#model", HINDI)
    tests.wait()
    answers.let_go()
    assert shown_effects(page) == before  # of the models that are named there
    tests.let_go()
    page.wait_for_selector(f".compare-answer .row[data-model={HINDI}]")


def test_a_change_that_comes_late_is_not_shown_below_another_model(page: Page) -> None:
    page.get_by_role("tab", name="Change").click()
    page.wait_for_selector(".change-forest .row[data-test]")
    page.wait_for_load_state("networkidle")
    answers = Held(page, "**/api/change")
    page.locator("#change-strength").fill("0.5")
    answers.wait()
    concepts = Held(page, "**/api/concepts*")
    page.select_option("#model", HINDI)
    concepts.wait()
    assert page.locator(".change-body").is_hidden()
    answers.let_go()
    assert page.locator(".change-body").is_hidden()
    assert page.locator("#trouble").is_hidden()
    concepts.let_go()
    page.wait_for_selector(".change-forest .row[data-test^=malik]")
    assert HINDI in page.locator("[aria-label='Command line']").inner_text()


def test_neighbours_of_a_word_do_not_stay_below_another(page: Page) -> None:
    page.get_by_role("tab", name="Change").click()
    page.wait_for_selector(".near li")
    page.locator("#change-word").fill("zzzzqqq")
    page.locator("#change-word").press("Tab")
    page.get_by_text("There are no neighbours of zzzzqqq").wait_for()
    assert page.locator(".near li").count() == 0


def test_a_map_that_comes_late_is_not_shown_as_that_of_another_model(page: Page) -> None:
    page.get_by_role("tab", name="See").click()
    named = page.locator(".see-map")
    page.wait_for_selector(f".see-map[aria-label*={ENGLISH}]")
    page.wait_for_load_state("networkidle")
    maps = Held(page, "**/api/map")
    page.locator(".see-controls label select").last.select_option("500")
    maps.wait()
    axes = Held(page, "**/api/axes*")
    page.select_option("#model", HINDI)
    axes.wait()
    maps.let_go()
    assert HINDI not in named.get_attribute("aria-label")
    assert page.locator(".see-concepts").is_hidden()
    axes.let_go()
    page.wait_for_selector(f".see-map[aria-label*={HINDI}]")
    page.wait_for_selector(".see-concepts")


def test_a_word_that_is_not_found_is_reported_though_other_answers_come_late(page: Page) -> None:
    page.get_by_role("tab", name="See").click()
    page.wait_for_selector(".see-ranges input")
    proposals = Held(page, "**/api/words*")
    page.fill(".see-search input", "zzzzqqq")
    proposals.wait()
    page.press(".see-search input", "Enter")
    trouble = page.locator("#trouble", has_text="zzzzqqq is not in glove-en-small")
    trouble.wait_for()
    proposals.let_go()
    assert trouble.is_visible()
    page.fill(".see-search input", "woman")
    page.press(".see-search input", "Enter")
    trouble.wait_for(state="hidden")


def test_a_command_line_of_another_model_does_not_stay(page: Page) -> None:
    page.wait_for_selector("[data-figure=d]")
    page.get_by_role("button", name="Copy the command line").click()
    shown = page.locator(".elsewhere pre")
    shown.wait_for()
    assert ENGLISH in shown.inner_text()
    page.select_option("#model", TWIN)
    assert shown.count() == 0
    texts = Held(page, "**/api/written")
    page.get_by_role("button", name="Copy the command line").click()
    texts.wait()
    page.select_option("#model", ENGLISH)
    texts.let_go()
    assert shown.count() == 0


def test_words_beyond_the_limit_are_reported_until_there_is_room(page: Page) -> None:
    page.wait_for_selector("[data-figure=d]")
    page.get_by_role("button", name="New lists").click()
    page.get_by_label("First targets: add a word").evaluate(
        """(field) => {
            const given = new DataTransfer();
            given.setData("text", Array.from({ length: 507 }, (_, n) => `word${n}`).join("\\n"));
            const paste = {clipboardData: given, bubbles: true, cancelable: true};
            field.dispatchEvent(new ClipboardEvent("paste", paste));
        }"""
    )
    note = page.get_by_text("7 more were left out")
    note.wait_for()
    page.wait_for_load_state("networkidle")
    assert note.is_visible()
    page.get_by_role("button", name="Undo").click()
    note.wait_for(state="detached")


def test_back_and_arrow_keys_go_from_view_to_view(page: Page) -> None:
    chosen = page.locator("[role=tab][aria-selected=true]")
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("tab", name="Change").click()
    page.go_back()
    page.wait_for_selector("[data-view=compare][aria-selected=true]")
    page.wait_for_selector("#compare-test")
    page.get_by_role("tab", name="Compare").press("ArrowRight")
    assert chosen.inner_text() == "Ask"
    page.keyboard.press("ArrowLeft")
    assert chosen.inner_text() == "Compare"
    page.goto(page.url.split("#")[0] + "#see")
    page.wait_for_selector("[data-view=see][aria-selected=true]")


@pytest.mark.parametrize(("scheme", "other"), [("light", "Dark"), ("dark", "Light")])
def test_the_button_of_the_theme_does_what_it_is_called(
    tab: Tab, address: str, scheme: str, other: str
) -> None:
    page = tab(address, scheme=scheme)
    page.wait_for_selector("[role=tab]")
    ground = "getComputedStyle(document.body).backgroundColor"
    button, first = page.locator("#theme"), page.evaluate(ground)
    assert button.inner_text() == other
    button.click()
    assert page.evaluate(ground) != first
    assert button.inner_text() == scheme.capitalize()
    button.click()
    assert page.evaluate(ground) == first


def test_on_a_phone_nothing_of_a_russian_map_lies_aside(tab: Tab) -> None:
    """Its axes are all of one category, and are called by their long titles."""
    models = open_models([("navec-ru-small", fairvec.load("navec-ru-small"))])
    with run_server(OpenModels(models)) as place:
        page = tab(f"{place.address}#see", width=360)
        page.get_by_role("tab", name="See").click()
        page.wait_for_selector(".see-ranges input")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_figures_from_before_are_dimmed_while_a_slow_method_fits(page: Page) -> None:
    page.get_by_role("tab", name="Change").click()
    page.wait_for_selector(".change-forest .row[data-test]")
    page.wait_for_load_state("networkidle")
    body = page.locator(".change-body")
    assert body.get_attribute("aria-busy") is None
    answers = Held(page, "**/api/change")
    page.select_option("#change-method", "inlp")
    page.wait_for_selector(".change-body[aria-busy=true]")
    assert float(body.evaluate("it => getComputedStyle(it).opacity")) < 0.5
    note = page.locator(".change-status").inner_text()
    assert note.startswith("Fitting inlp")
    assert note.endswith("The figures below are still those from before.")
    answers.let_go()
    page.wait_for_selector(".change-body:not([aria-busy])")
    assert page.locator(".change-forest .row[data-test]").count()
    assert page.locator(".change-status").inner_text() == ""


def test_a_failure_is_shown_until_it_is_mended_though_others_answer(page: Page) -> None:
    def refused(route: Any) -> None:
        route.fulfill(status=400, json={"error": "These words cannot be drawn."})

    page.route("**/api/change/map", refused)
    page.get_by_role("tab", name="Change").click()
    trouble = page.locator("#trouble")
    trouble.filter(has_text="These words cannot be drawn.").wait_for()
    page.wait_for_selector(".change-forest .row[data-test]")
    page.wait_for_load_state("networkidle")
    assert trouble.inner_text() == "These words cannot be drawn."
    page.unroute("**/api/change/map")
    page.locator("#change-strength").fill("0.5")
    trouble.wait_for(state="hidden")
    page.route("**/api/change/map", refused)
    page.locator("#change-strength").fill("0.4")
    trouble.wait_for()
    page.get_by_role("tab", name="Ask").click()
    assert trouble.is_hidden()  # it was about a part that is no longer there

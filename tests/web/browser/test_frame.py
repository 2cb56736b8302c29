"""The page as a browser meets it: welcome, policy, results, interface, a dead server."""

from pathlib import Path
from typing import Any

import pytest

from fairvec.experiments.audit.test_words import COVERAGE_REMEDY
from fairvec.results import write_results
from fairvec.web.questions.runs import ResultsFolders
from fairvec.web.server import OpenPort
from tests.report.outcomes import a_run
from tests.web.asking import toy_models
from tests.web.browser.ask_page import write
from tests.web.browser.conftest import Tab
from tests.web.serving import running

pytestmark = pytest.mark.browser


def base(place: OpenPort) -> str:
    return f"http://127.0.0.1:{place.visitor.port}"


def test_the_printed_address_opens_the_page_and_leaves_the_bar(tab: Tab) -> None:
    with running() as place:
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
    with running() as place:
        link = place.address_once()
        (tmp_path / "link.html").write_text(f'<a href="{link}">open</a>', encoding="utf-8")
        page = tab((tmp_path / "link.html").as_uri())
        page.click("a")
        page.wait_for_selector("#model option", state="attached")
        other = tab(link)
        assert "The token is missing or old" in other.inner_text("body")


def test_a_page_of_another_port_reads_and_sends_nothing(tab: Tab) -> None:
    with running() as ours, running() as theirs:
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
    with running(toy_models(ResultsFolders((tmp_path / "runs",)))) as place:
        page = tab(place.address)
        page.click("#results")
        page.wait_for_selector("#runs li")
        assert page.locator("#runs li").count() == 2
        assert "line 1" in page.locator("#runs [role=alert]").inner_text()
        with page.context.expect_page() as opened:
            page.click("#runs a")
        report = opened.value
        report.wait_for_load_state()
        assert report.locator("h1").inner_text().startswith("What ")
        report.get_by_role("button", name="Light / dark").click()  # made by its script
        assert report.evaluate("document.documentElement.dataset.theme") == "dark"
        assert report.evaluate("window.origin") == "null"
        assert (
            report.evaluate("fetch('/api/models').then(() => 'read', (e) => e.name)") == "TypeError"
        )
        tab.complaints[:] = [one for one in tab.complaints if "connect" not in one.lower()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_interface_is_a_page_whose_questions_can_be_asked(tab: Tab, width: int) -> None:
    with running() as place:
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


def test_a_dead_server_is_said_and_the_page_goes_on_with_the_next(tab: Tab) -> None:
    with running() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        port = place.visitor.port
    ask = "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(ask)
    trouble = page.locator("#trouble")
    trouble.get_by_role("button", name="Try again").wait_for()
    assert f"--port {port}" in trouble.inner_text()
    assert "what you typed is still here" in trouble.inner_text()
    with running(port=port) as second:
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
    with running() as place:
        page = tab(place.address)
        page.wait_for_selector("#model option", state="attached")
        with page.expect_request(lambda request: "/api/remarks" in request.url):
            page.evaluate("dispatchEvent(new Event('focus'))")


def test_one_model_is_compared_with_none_and_asked_for_no_choice(tab: Tab) -> None:
    with running() as place:
        page = tab(place.address)
        page.get_by_role("tab", name="Compare").click()
        page.wait_for_selector(".compare-answer code")
        assert page.locator(".compare select:visible").count() == 0
        assert page.locator(".compare-answer").inner_text() == (
            "One model is open. Open a second one to compare them: fairvec explore toy OTHER-MODEL"
        )


def test_a_test_that_is_skipped_advises_nothing_that_the_page_lacks(tab: Tab) -> None:
    with running() as place:
        page = tab(place.address)
        page.get_by_role("tab", name="Ask").click()
        few = {"x": ["man", "boy", "zq1", "zq2", "zq3"], "y": ["woman", "girl"]}
        write(page, few | {"a": ["man"], "b": ["woman"]}, "toy")
        page.wait_for_selector("text=take those that it lacks out of the lists in Ask")
        assert COVERAGE_REMEDY not in page.inner_text("body")
        assert "--min-coverage" not in page.inner_text("body")

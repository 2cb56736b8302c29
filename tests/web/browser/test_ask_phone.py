"""Ask on a phone: narrow, dark and by touch."""

from collections.abc import Iterator
from typing import Any

import pytest

import fairvec
from fairvec.core.format import format_p
from fairvec.results import Result
from tests.web.browser.ask_page import Page, opened, shipped, words
from tests.web.serving import running

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(chromium: Any) -> Iterator[Page]:
    size = {"width": 360, "height": 740}
    with running(shipped("glove-en-small", "glove-hi-small")) as place:
        yield from opened(
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
    phone.locator(".looked", has_text=dropped).wait_for()
    assert words(phone, "y") == before
    dot.locator("text").tap()
    assert words(phone, "y") == [word for word in before if word != dropped]

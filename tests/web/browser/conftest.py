"""A real browser, driven by Playwright, that says what it refused."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.report.browser import BROWSER

Tab = Callable[..., Any]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """Start a browser; it ends with this folder, because its loop lets no other run beside it."""
    if BROWSER is None:
        pytest.skip("neither chromium nor google-chrome is on the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=BROWSER,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any) -> Iterator[Tab]:
    """Open a page of a size and colour scheme; whatever it complains of fails the test."""
    contexts, complaints = [], []

    def open_page(address: str, width: int = 1280, scheme: str = "light") -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        contexts.append(context)
        # Every tab of the context, also one that a page opens.
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on(
            "console",
            lambda message: complaints.append(message.text) if is_fault(message) else None,
        )
        page = context.new_page()
        page.goto(address)
        return page

    open_page.complaints = complaints  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def is_fault(message: Any) -> bool:
    """Say whether a line of the console is of a fault; a refused request is one only if blocked."""
    text = message.text
    return message.type == "error" and not text.startswith("Failed to load resource")

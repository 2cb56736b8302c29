"""What tests of Ask do with its page: write lists, read them, and wait for figures."""

from collections.abc import Iterator
from typing import Any

import fairvec
from fairvec.core.format import format_p, format_signed
from fairvec.embedding import load
from fairvec.results import Result
from fairvec.web.open_models import OpenModels, open_models

LISTS = {
    "x": ["engineer", "mechanic", "carpenter", "captain"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper"],
    "a": ["he", "man", "boy"],
    "b": ["she", "woman", "girl"],
}
LIST_NAMES = {"x": "First targets", "y": "Second targets", "a": "First attributes"}
LIST_NAMES |= {"b": "Second attributes"}
Page = Any


def shipped_models(*names: str) -> OpenModels:
    return OpenModels(open_models([(name, load(name)) for name in names]))


def open_page(chromium: Any, address: str, **how: Any) -> Iterator[Page]:
    context = chromium.new_context(**how)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            errors.append(f"{message.text} {message.location}") if message.type == "error" else 0
        ),
    )
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("[data-figure=d]")
    yield page
    context.close()
    # A browser asks for an icon of its own accord, and a server that is gone is refused.
    assert [one for one in errors if "ERR_" not in one and "favicon" not in one] == []


def field(page: Page, role: str) -> Any:
    return page.get_by_role("combobox", name=f"{LIST_NAMES[role]}: add a word")


def words(page: Page, role: str) -> list[str]:
    marks = page.get_by_role("list", name=f"{LIST_NAMES[role]}: words").locator("button.chip")
    return [name.removesuffix("×").removeprefix("?") for name in marks.all_text_contents()]


def write(page: Page, lists: dict[str, list[str]], model: str = "glove-en-small") -> None:
    page.locator("#model").select_option(model)
    page.get_by_role("button", name="New lists").click()
    for role, entries in lists.items():
        field(page, role).fill(", ".join(entries) + ",")


def audit_result(model: str = "glove-en-small", /, **message: Any) -> Result:
    lists: dict[str, Any] = {**LISTS, **message}
    (found,) = fairvec.audit(model, **lists, categories=False)
    assert isinstance(found, Result)
    return found


def wait_for(page: Page, expected: Result) -> None:
    """Wait until the page shows an effect, to the last digit, and compare what stands beside it."""
    page.wait_for_selector(f'[data-figure=d][data-exact="{expected.effect!r}"]')
    page.wait_for_function(
        "p => document.querySelector('[data-figure=p]').textContent === p",
        arg=format_p(expected.p.value),
    )
    assert page.locator("[data-figure=d]").inner_text() == format_signed(expected.effect)
    message = page.locator(".verdict").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert expected.verdict.sentence in message

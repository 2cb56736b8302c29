"""Whatever text of a record is hostile, no page holds more than text of it."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel, ValidationError

from fairvec.report import render, render_documents, render_frontier, render_study
from fairvec.report.notebook import to_html
from fairvec.results import Untried
from fairvec.results.documents import ReadDocument
from tests.report.outcomes import a_run
from tests.report.sample_documents import document, english, figures, hindi
from tests.report.sections.test_frontier import POINTS, SURVEY
from tests.report.sections.test_study import ANSWER, CELLS, HEAD
from tests.report.test_page import Page
from tests.results.points import MODEL

ATTACK = (
    "</script></style></title><!--]]>\" onload=\"a()' onload='b()<script>alert(1)</script>{{7*191}}"
)
NAMES = ("factors", "factor")
"""Whose texts are names of ours: another one is refused and not shown."""

Record = TypeVar("Record", bound=BaseModel)


def hostile(record: Record, attack: str = ATTACK) -> tuple[Record, int]:
    """Return a record with the attack at the end of every text that may be any, and how many."""
    content = record.model_dump(mode="json")
    changed = 0
    for holder, key in _texts(content):
        plain = holder[key]
        holder[key] = plain + attack
        try:
            record = type(record).model_validate(content)
            changed += 1
        except (ValidationError, ValueError):
            holder[key] = plain
    return record, changed


def _texts(content: Any) -> list[tuple[Any, Any]]:
    """Find the places of all texts inside lists and tables, one of each long list."""
    keys = content if isinstance(content, dict) else range(min(len(content), 2))
    found: list[tuple[Any, Any]] = []
    for key in keys:
        if key in NAMES:
            continue
        if isinstance(content[key], str):
            found.append((content, key))
        elif isinstance(content[key], dict | list):
            found += _texts(content[key])
    return found


GAP = Untried(model=MODEL, concept="en/gender:pairs", method="ran", reason="No words.")
PAGES: dict[str, tuple[Callable[[Any], str], Sequence[BaseModel]]] = {
    "report": (render, a_run()),
    "frontier": (render_frontier, [SURVEY, *POINTS, GAP]),
    "study": (render_study, [HEAD, ANSWER, *CELLS]),
}


TURNING = "\x1b[2J\x9b\u202e\u2066\u200f\u200b"


@pytest.mark.parametrize("name", [*PAGES, "notebook"])
def test_no_text_turns_the_figures_behind_it(name: str) -> None:
    """Signs that nobody sees are shown by their numbers; words that need joiners keep them."""
    page_of, records = PAGES.get(name, (to_html, a_run()))
    attacked, changed = hostile(records[0], f"क्\u200dष{TURNING}")
    assert changed
    page = page_of([attacked, *records[1:]])
    assert "क्\u200dष" in page
    assert "\\u202e\\u2066" in page
    assert not ({*TURNING} - {*"[2J"}) & {*page}


def told_anew(read: ReadDocument, more: str) -> ReadDocument:
    """Return a document of which all is called otherwise but the text and what is quoted of it."""
    content = read.model_dump(mode="json")
    content["document"]["name"] += more
    content["groups"] = [f"{title}{more}" for title in content["groups"]]
    content["remarks"] = [f"Read first.{more}"]
    content["versions"] = {f"fairvec{more}": f"1{more}"}
    for mark in content["marks"]:
        mark |= {"why": mark["why"] + more, "role": mark["role"] + more}
    for change in content["changes"]:
        change |= {name: change[name] + more for name in ("id", "rule", "why")}
    return ReadDocument.model_validate(content)


@pytest.mark.parametrize("several", [False, True], ids=["one document", "several"])
def test_no_name_on_the_page_of_documents_turns_what_is_behind_it(several: bool) -> None:
    """The text is shown as it was read, and all that is said of it as on other pages."""
    one = told_anew(english(), TURNING)
    told = [hostile(each, TURNING)[0] for each in figures(one.document)]
    told = [each.model_copy(update={"document": one.document}) for each in told]
    page = render_documents([one, *told, *([hindi()] if several else [])])
    # What the browser makes a file of is not shown as it stands there.
    shown = re.sub(r'<script type="application/json".*?</script>', "", page, flags=re.DOTALL)
    assert shown != page
    assert "\\u202e\\u2066" in shown
    assert not ({*TURNING} - {*"[2J"}) & {*shown}


def test_a_text_that_turns_is_shown_as_it_was_read() -> None:
    text = f"She is \u202e here. {TURNING.replace(chr(27), '')}"
    page = render_documents([document("letter.txt", text)])
    assert text in Page(page).text


@pytest.mark.parametrize("name", PAGES)
def test_no_text_of_any_record_is_more_than_text(name: str) -> None:
    page_of, records = PAGES[name]
    plain, shown = Page(page_of(records)), 0
    # One record after the other, so that records which go together still do.
    for place, record in enumerate(records[:6]):
        attacked, changed = hostile(record)
        assert changed
        page = Page(page_of([*records[:place], attacked, *records[place + 1 :]]))
        assert page.open == []
        assert _closing(page) == _closing(plain)
        shown += "alert(1)" in page.text
        for _, attributes in page.tags:
            assert not any(named.startswith("on") for named in attributes)
            links = [attributes.get("href") or "", attributes.get("src") or ""]
            assert not any(link.lower().strip().startswith("javascript:") for link in links)
        assert "1337" not in page.text
    assert shown


def _closing(page: Page) -> Counter[str]:
    """Count the elements that the attack would end or begin."""
    return Counter(tag for tag, _ in page.tags if tag in ("script", "style"))

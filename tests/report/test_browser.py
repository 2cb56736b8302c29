"""The report in a browser and on paper."""

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fairvec.report import render
from fairvec.report.page import environment
from fairvec.results import Outcome
from tests.report.browser import BROWSER, _dom, contrast, luminance, measurements, pages_on_paper
from tests.report.outcomes import TESTS, a_run, measured, model, pictures, with_answers

# --- The page as a person meets it: on a phone and on a screen, by day and by night ---


pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH"),
]

SVG = "{http://www.w3.org/2000/svg}"
WIDTHS = (360, 768, 1280)
CASES = [(scheme, width) for scheme in ("light", "dark") for width in WIDTHS]


@pytest.fixture(scope="module")
def by_scheme() -> dict[str, dict[str, dict[str, Any]]]:
    page = render(with_answers(a_run()))
    return {scheme: measurements(page, WIDTHS, scheme) for scheme in ("light", "dark")}


@pytest.fixture(params=CASES, ids=[f"{scheme}-{width}" for scheme, width in CASES])
def findings(
    request: pytest.FixtureRequest, by_scheme: dict[str, dict[str, dict[str, Any]]]
) -> dict[str, Any]:
    scheme, width = request.param
    return {"scheme": scheme, **by_scheme[scheme][str(width)]}


def test_no_error_occurs_and_no_request_is_made(findings: dict[str, Any]) -> None:
    assert findings["errors"] == []
    assert findings["loaded"] == []


def test_the_page_never_scrolls_sideways(findings: dict[str, Any]) -> None:
    assert findings["overflow"] == 0


def test_every_focusable_element_has_a_name(findings: dict[str, Any]) -> None:
    assert findings["nameless"] == []


def test_hovering_shows_details_and_leaving_hides_them(findings: dict[str, Any]) -> None:
    assert all(tip["text"] and tip["inside"] for tip in findings["tips"]), findings["tips"]
    assert re.match(r"aster · leans [+−]0\.\d{3} · without it d = ", findings["tips"][0]["text"])
    assert findings["hidden"]


def test_a_link_opens_its_target_and_printing_opens_no_fold(findings: dict[str, Any]) -> None:
    assert findings["opened"] == ["fold", "test-1"]
    assert findings["openAfterPrint"] == 2
    assert findings["reached"]
    assert findings["reachedAgain"]


def test_one_button_opens_all_and_folds_all(findings: dict[str, Any]) -> None:
    assert findings["openAfterAll"]
    assert findings["openAtLast"] == 0


def test_words_do_not_overlap_and_stay_inside(findings: dict[str, Any]) -> None:
    assert findings["labels"] > 300
    assert findings["clashes"] == []
    assert findings["outside"] == []


def test_devanagari_is_drawn(findings: dict[str, Any]) -> None:
    assert len(findings["devanagari"]) > 20
    assert min(findings["devanagari"]) > 5


def test_letters_contrast_with_the_background(findings: dict[str, Any]) -> None:
    assert contrast(findings["ink"], findings["paper"]) > 10
    assert contrast(findings["soft"], findings["paper"]) > 4.5
    assert contrast(findings["strong"], findings["fill"]) > 4.5


def test_eighteen_kinds_of_cells_have_eighteen_colours(findings: dict[str, Any]) -> None:
    assert len({colour for way in findings["steps"] for colour in way}) == 18


def test_a_saved_figure_is_independent_of_the_page(findings: dict[str, Any]) -> None:
    for one in findings["saved"]:
        drawing = ElementTree.fromstring(one["text"])
        assert drawing.tag == f"{SVG}svg"
        assert (drawing.findtext(f"{SVG}title") or "").startswith("Bias audit of five embeddings: ")
        assert not {"class", "style"} & {name for part in drawing.iter() for name in part.attrib}
        assert "var(" not in one["text"]
        assert "Save" not in one["text"]
        assert float(drawing.get("width") or 0) >= one["wide"]
        assert 60 < float(drawing.get("height") or 0) <= one["high"] + 33
        nested = list(drawing.iter(f"{SVG}svg"))[1:]
        assert all(part.get("overflow") == "visible" for part in nested)
        texts = " ".join(part.text or "" for part in drawing.iter(f"{SVG}text"))
        words = one["said"].replace("Save as SVG", "").replace("PNG", "").split()
        tspans = " ".join(part.text or "" for part in drawing.iter(f"{SVG}tspan"))
        assert [word for word in words if word not in f"{texts} {tspans}"] == []
        colours = {part.get("fill") for part in drawing.iter(f"{SVG}circle")}
        assert colours != {None} or not list(drawing.iter(f"{SVG}circle"))
    names = [one["name"] for one in findings["saved"]]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[\w-]+\.svg", name) for name in names)


def test_a_picture_has_twice_the_pixels_and_every_figure_its_links(
    findings: dict[str, Any],
) -> None:
    drawing = ElementTree.fromstring(findings["saved"][1]["text"])
    assert findings["picture"] == {
        "name": findings["saved"][1]["name"].replace(".svg", ".png"),
        "type": "image/png",
        "width": 2 * int(drawing.get("width") or 0),
        "height": 2 * int(drawing.get("height") or 0),
    }
    assert findings["unsaved"] == 0


def test_paper_follows_the_scheme_and_the_button(findings: dict[str, Any]) -> None:
    dark = findings["scheme"] == "dark"
    assert (luminance(findings["paper"]) < 0.05) == dark
    assert (luminance(findings["otherPaper"]) < 0.05) != dark


# --- The page on paper: a summary of two pages, and what the reader opened ---


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


# --- What is written into a picture is what a browser makes of the page's style sheet ---


_PROBE = Path(__file__).parent / "probe_pictures.js"


@pytest.mark.parametrize("name", ["forest", "forest-of-several", "categories", "strip-hi", "heat"])
def test_a_picture_looks_as_the_page_would_show_it(name: str, tmp_path: Path) -> None:
    assert BROWSER is not None
    picture = pictures()[name]
    css = "".join(environment().get_template(f"{one}.css").render() for one in ("style", "summary"))
    wide, high = picture.width, picture.height
    size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    with_sheet = picture.drawn.replace("<svg>", f"<svg {size}>", 1)
    page = escape(f'<body style="margin:0">{picture.svg()}</body>')
    probe = _PROBE.read_text(encoding="utf-8")
    (tmp_path / "frames.html").write_text(
        f'<!doctype html><meta charset="utf-8"><style>{css}</style>{with_sheet}'
        f'<iframe id="alone" width="1200" height="900" srcdoc="{page}"></iframe>'
        f'<pre id="answers"></pre><script>{probe}</script>',
        encoding="utf-8",
    )
    found = re.search(r'<pre id="answers">(.*?)</pre>', _dom(BROWSER, tmp_path, "light"), re.DOTALL)
    assert found
    on_page, standing = json.loads(unescape(found[1]))
    assert len(on_page) > 10
    assert standing == on_page

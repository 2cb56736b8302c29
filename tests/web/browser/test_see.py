"""See, driven in a browser: words lie where the interface says, and are reached without a mouse."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from fairvec import load
from fairvec.geometry import Poincare
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.maps import answer_to_map
from fairvec.web.schemas import MapRequest
from fairvec.web.server import OpenPort
from tests.web.browser.conftest import Tab
from tests.web.live_server import run_server

pytestmark = pytest.mark.browser

ENGLISH, HINDI, BALL = "glove-en-small", "glove-hi-small", "poincare-glove-en-small"
AXES = ["caliskan2017/weat-7:ab", "caliskan2017/weat-3:xy"]
"""The usual ones of English: gender across, race up."""
LISTS = "import('/app.js').then((one) => one.app.lists)"


@pytest.fixture(scope="module")
def models() -> OpenModels:
    return OpenModels([OpenModel(name, name, load(name)) for name in (ENGLISH, HINDI, BALL)])


@pytest.fixture(scope="module")
def explorer(models: OpenModels) -> Iterator[OpenPort]:
    with run_server(models) as place:
        yield place


@pytest.fixture
def see(tab: Tab, explorer: OpenPort) -> Any:
    def open_page(**how: Any) -> Any:
        page = tab(explorer.address, **how)
        page.set_default_timeout(60_000)
        # Ask begins with a published test, and lists are shared by all views.
        page.wait_for_selector("[data-figure=d]")
        page.get_by_role("button", name="New lists").click()
        page.click("[data-view=see]")
        page.wait_for_selector(".see-map[data-view]")
        page.wait_for_selector(".see-ranges input")
        return page

    return open_page


def answer(models: OpenModels, model: str = ENGLISH, **question: Any) -> dict[str, Any]:
    fields = {"axes": AXES} if model == ENGLISH else {}
    return answer_to_map(models, MapRequest.model_validate({"model": model, **fields, **question}))


def view_of(page: Any) -> tuple[float, float, float, float]:
    """How many pixels one is across and up, and where zero stands on the page."""
    kx, ky, ox, oy = page.evaluate("JSON.parse(document.querySelector('.see-map').dataset.view)")
    box = page.locator(".see-map").bounding_box()
    return kx, ky, box["x"] + 1 + ox, box["y"] + 1 + oy  # the border is one pixel wide


def on_screen(page: Any, x: float, y: float) -> tuple[float, float]:
    kx, ky, ox, oy = view_of(page)
    return ox + kx * x, oy - ky * y


def find(page: Any, word: str) -> None:
    page.fill(".see-search input", word)
    page.press(".see-search input", "Enter")
    page.wait_for_selector(f".see-map[data-focus='{word}']")
    page.wait_for_timeout(50)


def test_a_word_that_is_found_lies_where_the_interface_says(see: Any, models: OpenModels) -> None:
    page = see()
    find(page, "nurse")  # not among the first 3,000: it is brought onto the map
    page.wait_for_selector(".see-near li")
    near = models[ENGLISH].embedding.most_similar("nurse", 10)
    fields = page.locator(".see-near li").all_inner_texts()
    assert fields == [f"{word} {alike:.3f}" for word, alike in near]
    page.wait_for_timeout(300)
    found = answer(models, words=["nurse"])
    place = found["words"].index("nurse")
    x, y = found["x"][place], found["y"][place]
    figures = page.locator(".see-focused-word dd").all_inner_texts()
    assert figures == [f"{value:.3f}".replace("-", "−") for value in (x, y)]
    page.press(".see-map", "Escape")
    page.mouse.move(*on_screen(page, *_far_from(found)))
    page.mouse.move(*on_screen(page, x, y))
    page.wait_for_selector(".see-focused-word h3:text-is('nurse')")


def _far_from(found: dict[str, Any]) -> tuple[float, float]:
    return max(found["x"]), max(found["y"])


def test_a_lasso_puts_exactly_the_enclosed_words_into_a_list(see: Any, models: OpenModels) -> None:
    page, found = see(), answer(models)
    x, y = np.array(found["x"]), np.array(found["y"])
    wanted = [(-0.02, 0.05), (0.05, 0.09), (0.04, 0.12), (0.1, 0.1), (0.06, 0.03)]
    # A mouse stands on whole pixels.
    corners = [tuple(map(round, on_screen(page, *corner))) for corner in wanted]
    page.check("input[value=lasso]")
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*corner)
    page.mouse.up()
    kx, ky, ox, oy = view_of(page)
    at = zip(ox + kx * x, oy - ky * y, strict=True)
    expected = [
        word for word, place in zip(found["words"], at, strict=True) if _within(corners, *place)
    ]
    assert 5 < len(expected) < 2000
    page.click("[data-into=y]")
    lists = page.evaluate(LISTS)
    assert lists["y"] == expected
    assert lists["x"] == lists["a"] == lists["b"] == []
    page.click("[data-into=y]")  # twice is once
    assert page.evaluate(LISTS)["y"] == expected


def _within(corners: list[tuple[int, ...]], x: float, y: float) -> bool:
    """Count how often the outline winds around a point, which is another rule than the page's."""
    at = np.array(corners) - (x, y)
    angles = np.arctan2(at[:, 1], at[:, 0])
    turns = np.angle(np.exp(1j * (np.roll(angles, -1) - angles)))
    return bool(abs(turns.sum()) > np.pi)


def test_without_a_mouse_words_are_reached_chosen_and_put_into_a_list(see: Any) -> None:
    page = see()
    page.focus(".see-map")
    page.keyboard.press("ArrowRight")
    first = page.get_attribute(".see-map", "data-focus")
    assert first
    assert first in page.inner_text("#announcement")
    page.keyboard.press("Enter")
    assert page.inner_text(".see-into strong") == "1 word chosen"
    page.keyboard.press("ArrowUp")
    second = page.get_attribute(".see-map", "data-focus")
    assert second not in ("", first)
    page.keyboard.press("Enter")
    assert page.inner_text(".see-into strong") == "2 words chosen"
    before = page.get_attribute(".see-map", "data-view")
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector(f".see-map:not([data-view='{before}'])")
    page.focus("[data-into=a]")
    page.keyboard.press("Enter")
    assert sorted(page.evaluate(LISTS)["a"]) == sorted([first, second])
    page.focus(".see-map")
    page.keyboard.press("Escape")
    assert page.locator(".see-into").count() == 0


def test_a_range_on_a_concept_is_chosen_on_the_map_too(see: Any, models: OpenModels) -> None:
    page = see()
    page.fill("[aria-label='gender: at least']", "3")
    page.press("[aria-label='gender: at least']", "Enter")
    lean = np.array(answer(models)["x"])
    expected = int(((lean - lean.mean()) / lean.std(ddof=1) >= 3).sum())
    assert expected > 0
    assert page.inner_text(".see-into strong").startswith(f"{expected} word")


def test_geodesics_meet_the_rim_at_right_angles_and_run_through_their_ends(see: Any) -> None:
    page = see()
    draw = np.random.default_rng(0)
    for _ in range(20):
        p, q = draw.uniform(-0.65, 0.65, (2, 2)).tolist()
        arc, far = page.evaluate(
            """async ([p, q]) => { const disc = await import('/see_canvas.js');
            return [disc.geodesic(p, q), disc.distance(p, q, 2)]; }""",
            [p, q],
        )
        centre = np.array([arc["cx"], arc["cy"]])
        assert centre @ centre == pytest.approx(1 + arc["r"] ** 2, rel=1e-9)
        for end, angle in ((p, arc["from"]), (q, arc["to"])):
            at = centre + arc["r"] * np.array([np.cos(angle), np.sin(angle)])
            assert at == pytest.approx(end, abs=1e-7)
        middle = (arc["from"] + arc["to"]) / 2
        assert np.linalg.norm(centre + arc["r"] * np.array([np.cos(middle), np.sin(middle)])) < 1
        ball, ends = Poincare(2.0), np.array([p, q]) / np.sqrt(2)
        assert far == pytest.approx(ball.distance(ends[0], ends[1]), rel=1e-9)
    straight = (
        "import('/see_canvas.js').then((disc) => disc.geodesic([0.1, 0.2], [-0.2, -0.4]).line)"
    )
    assert page.evaluate(straight) is True


def test_the_ball_is_a_disc_and_words_of_three_scripts_have_places(
    see: Any, models: OpenModels
) -> None:
    page = see(width=360, scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.select_option("#model", BALL)
    page.wait_for_selector("option[value=disc]", state="attached")
    page.wait_for_timeout(300)
    find(page, "woman")
    found = answer(models, BALL, layout="disc", words=["woman"])
    place = found["words"].index("woman")
    radius = np.hypot(found["x"][place], found["y"][place])
    far = f"{2 * np.arctanh(radius):.3f}"
    assert far in page.locator(".see-focused-word dd").all_inner_texts()
    page.select_option("#model", HINDI)
    page.wait_for_selector(".see-map[aria-label*='hi-small']")
    find(page, "महिला")
    assert page.inner_text(".see-focused-word h3") == "महिला"
    page.fill(".see-search input", "<b>zzz</b>")
    page.press(".see-search input", "Enter")
    page.wait_for_selector("#trouble:has-text('<b>zzz</b>')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

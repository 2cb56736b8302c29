"""The page of a frontier draws and lists every point of its records."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.messages.frontiers import information_percent, point_line, point_warnings
from fairvec.report import render_frontier
from fairvec.report.frontier import fold_range
from fairvec.results.frontier import FailedTrial, FrontierPoint, HeldOutCheck, HeldOutFold
from tests.report.sample_records import POINTS, SURVEY
from tests.results.toys import MODEL_FRONTIER as MODEL
from tests.results.toys import effect, point


def test_the_page_reports_the_finding() -> None:
    gap = FailedTrial(model=MODEL, concept="en/gender:pairs", method="ran", reason="No <words>.")
    page = render_frontier([SURVEY, *POINTS, gap])
    assert "It &lt;keeps&gt; most." in page
    assert "All words were used to fit." in page
    assert "No &lt;words&gt;." in page
    assert page.count('class="spot"') == len(POINTS)
    assert (page.count('class="ring"'), page.count('class="warning"')) == (1, 1)
    assert page.count('class="front"') == 2 * 2  # two steps of the stair
    front = page[page.index('<section id="front">') : page.index('<section id="points">')]
    assert re.findall(r"the model as it is|(?:hard|lpsg|inlp) at 1", front) == [
        "the model as it is",
        "hard at 1",
        "lpsg at 1",
    ]
    assert "https://" not in page


def test_the_page_shows_every_fold_and_what_was_chosen_without_it() -> None:
    folds = (
        HeldOutFold(tests=("toy/<one>",), chosen="hard at 1", before=1.2, left=0.6, harmed=()),
        HeldOutFold(tests=("toy/two",), chosen="", before=0.4, left=0.4, harmed=()),
        HeldOutFold(tests=("toy/3",), chosen="inlp at 1", before=0.8, left=0.9, harmed=("toy/3",)),
    )
    judged = HeldOutCheck(apart="targets-anywhere", clean=True, folds=folds, share=0.79)
    page = render_frontier([SURVEY.model_copy(update={"unseen": judged}), *POINTS])
    section = page[page.index('<section id="unseen">') : page.index('<section id="front">')]
    texts = ("toy/&lt;one&gt;", "hard at 1", "50\N{NO-BREAK SPACE}%", "nothing", "All folds")
    assert all(text in section for text in texts)
    assert "that share attribute words but no target words" in section
    assert section.count("HARMED") == 1
    assert "79\N{NO-BREAK SPACE}%" in section
    assert 'id="unseen"' not in render_frontier([SURVEY, *POINTS])


def test_warnings_begin_with_the_most_serious() -> None:
    harmful = POINTS[2].model_copy(update={"calibrated": True, "held_out": False})
    assert point_warnings(harmful) == [
        "REVERSED toy/one",
        "fitted on tested words",
        "calibrated on these tests",
    ]
    assert point_warnings(POINTS[1]) == []


def test_lines_without_a_survey_are_refused() -> None:
    with pytest.raises(SettingError, match="one survey"):
        render_frontier(POINTS)


FOLDS = HeldOutCheck(
    apart="targets",
    clean=True,
    folds=tuple(
        HeldOutFold(tests=(f"toy/{name}",), chosen="", before=1.0, left=1.0, harmed=())
        for name in ("one", "two")
    ),
    share=1.0,
)
FOLDED = SURVEY.model_copy(update={"unseen": FOLDS, "tests": ("toy/one", "toy/two")})


def two_folds(method: str, one: float, two: float, **others: object) -> FrontierPoint:
    effects = (effect(1.0, one, "reduced"), effect(1.0, two, "reduced", "toy/two"))
    return point(method, (abs(one) + abs(two)) / 2, 0.98, effects=effects, **others)


def drawing(page: str) -> ElementTree.Element:
    """The plot of a page as a reader of XML sees it."""
    start = page.index("<svg", page.index('id="trade-off"'))
    depth = 0
    for tag in re.finditer(r"<svg[^>]*?(/?)>|</svg>", page[start:]):
        depth += -1 if tag[0] == "</svg>" else 0 if tag[1] else 1
        if not depth:
            return ElementTree.fromstring(page[start : start + tag.end()])
    raise AssertionError("no drawing")


def test_the_spread_over_folds_is_shown_where_there_are_folds() -> None:
    spread = two_folds("hard", 0.2, -0.6, on_front=True)
    assert fold_range(spread, FOLDED) == (0.2, 0.6)
    assert fold_range(spread, SURVEY) is None
    assert "0.20 to 0.60 in the folds" in point_line(spread, (0.2, 0.6))
    page = render_frontier([FOLDED, point("none", 1.0, 1.0, strength=0.0), spread])
    (upright,) = (one for one in drawing(page) if "spread" in one.get("class", ""))
    # From the top down: 0.6 is drawn at the top of the line and 0.2 at its foot.
    line = upright[0]
    zero_to_one = 480 / 1.0
    assert float(line.get("y2", 0)) == pytest.approx(0.4 * zero_to_one, abs=0.2)
    assert "In folds" in page
    assert "In folds" not in render_frontier([SURVEY, *POINTS])


def test_an_effect_that_was_turned_round_counts_in_its_fold_as_it_was() -> None:
    turned = (effect(1.0, -0.1, "overshot"), effect(1.0, 0.3, "reduced", "toy/two"))
    assert fold_range(point("hard", 0.65, 0.98, effects=turned), FOLDED) == (0.3, 1.0)


def test_lines_join_the_strengths_of_a_method_in_their_order() -> None:
    strengths = [
        point("hard", remaining, information, strength=strength)
        for strength, remaining, information in ((1.0, 0.2, 0.9), (0.5, 0.6, 0.97))
    ]
    other = point("twin", 0.5, 0.95, other=MODEL)
    page = render_frontier([SURVEY, POINTS[0], *strengths, other])
    (path,) = (one for one in drawing(page) if one.get("class", "").startswith("path"))
    heights = [(float(line.get("y1", 0)), float(line.get("y2", 0))) for line in path]
    assert len(heights) == 2
    assert heights[0][1] == heights[1][0]
    assert heights[0][0] < heights[1][0] < heights[1][1]  # from the model as it is downwards


def test_points_of_the_front_are_named_on_every_width_and_for_screen_readers() -> None:
    figure = drawing(render_frontier([SURVEY, *POINTS]))
    for layout in ("on-phone", "on-tablet", "on-screen"):
        words = [
            "".join(one.itertext())
            for one in figure
            if one.get("class", "").startswith(f"callout {layout}")
        ]
        assert {"as it is", "hard 1", "lpsg 1"} <= {*words}
    assert figure.get("role") == "group"
    assert "on the front: the model as it is, hard at 1, lpsg at 1" in figure.get("aria-label", "")
    spots = [one for one in figure if one.get("class") == "spot"]
    assert all(one.get("role") == "img" and one[0].text for one in spots)


def test_points_without_loss_are_side_by_side() -> None:
    still = [point(f"m{place}", 0.5, 1.0) for place in range(12)]
    figure = drawing(render_frontier([SURVEY, POINTS[0], *still]))
    places = {one.get("x") for one in figure if one.get("class") == "spot"}
    assert len(places) == 13


def test_a_name_that_is_markup_stays_text_and_a_gain_has_its_place() -> None:
    gained = point("<b>&", 0.5, 1.05, on_front=True)
    page = render_frontier([SURVEY, POINTS[0], gained, POINTS[3]])
    assert "<b>&" not in page
    figure = drawing(page)
    (lane,) = (one for one in figure if one.get("class") == "lane")
    x = [float(one.get("x", "").rstrip("%")) for one in figure if one.get("class") == "spot"]
    start = float(lane.get("x", "").rstrip("%"))
    assert sum(place < start for place in x) == 1
    assert "something is gained" in page


def test_the_same_records_give_the_same_page() -> None:
    assert render_frontier([FOLDED, *POINTS]) == render_frontier([FOLDED, *POINTS])


@pytest.mark.parametrize(
    ("information", "text"),
    [
        (1.0, "loses nothing of the information"),
        (1 - 2e-16, "loses nothing of the information"),
        (0.998, "loses 0.2 % of the information"),
        (1.05, "gains 5 % of the information"),
    ],
    ids=["nothing", "rounding", "little", "gain"],
)
def test_a_mark_names_what_is_lost(information: float, text: str) -> None:
    assert text in point_line(point("hard", 0.2, information)).replace("\N{NO-BREAK SPACE}", " ")


@given(share=st.floats(0, 1.2))
def test_what_lost_something_is_never_written_as_all(share: float) -> None:
    text = information_percent(share)
    assert float(text) == pytest.approx(100 * share, abs=0.05 + 1e-9)
    assert (float(text) == 100) == (abs(1 - share) <= 1e-9)


def test_shares_have_enough_digits_to_differ_from_all() -> None:
    shares = (1.0, 0.9998, 0.995, 0.86, 1 - 2e-16)
    assert [*map(information_percent, shares)] == ["100.0", "99.98", "99.5", "86.0", "100.0"]
    assert "99.98&nbsp;%" in render_frontier([SURVEY, POINTS[0], point("hard", 0.2, 0.9998)])


def test_a_share_that_no_survey_has_is_written_all_the_same() -> None:
    assert information_percent(-1e308).startswith("-")
    assert information_percent(3.0) == "300.0"

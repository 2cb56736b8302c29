"""Strips, rankings and heat maps of words."""

import re
from collections import Counter
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.report.plots import ranking_heap, ranking_row, ranking_scale, strip
from fairvec.report.plots.words import DEEPEST, HEAPS, HEIGHT, heat_map, shade_class, shades_of
from tests.report.helpers import parsed, words

# --- strip ---


def test_every_word_is_drawn_once_in_its_own_row() -> None:
    x, y = words("x", 0.1, 0.11, 0.3), words("y", -0.1, 0.0)
    drawing = parsed(strip(x, y, lambda word: f"about {word.word}"))
    up, down = drawing.findall("svg")[0], drawing.findall("svg")[2]
    assert [text.text for text in up.iter("text")] == [word.word for word in x]
    assert [text.text for text in down.iter("text")] == [word.word for word in y]
    assert [title.text for title in down.iter("title")] == ["about y<0>", "about y<1>"]


def test_places_follow_the_scores_and_the_step_joins_the_means() -> None:
    x, y = words("x", 0.1, 0.4), words("y", -0.2, 0.0)
    drawing = parsed(strip(x, y, lambda word: word.word))
    places = [
        float((svg.get("x") or "").rstrip("%"))
        for row in (drawing.findall("svg")[0], drawing.findall("svg")[2])
        for svg in row.findall("svg[circle]")
    ]
    scores = [word.score for word in (*x, *y)]
    slope = (places[1] - places[2]) / (scores[1] - scores[2])
    assert places == pytest.approx([places[0] + slope * (s - scores[0]) for s in scores], abs=0.05)
    step = drawing.find("svg/line[@class='step']")
    assert step is not None
    ends = [float((step.get(name) or "").rstrip("%")) for name in ("x1", "x2")]
    means = [fmean(word.score for word in group) for group in (y, x)]
    assert ends == pytest.approx([places[0] + slope * (m - scores[0]) for m in means], abs=0.05)


def test_crowded_words_take_lanes_and_the_rest_are_bare() -> None:
    drawing = str(strip(words("x", *[0.1] * 20), words("y", 0.0), lambda word: word.word))
    lanes = [int(lane) for lane in re.findall(r"--phone:(\d+);", drawing)]
    assert max(lanes) == 12
    assert drawing.count('"bare-on-phone bare-on-screen"') == 8


def test_of_a_very_long_list_the_outermost_words_are_drawn_and_the_mean_is_that_of_all() -> None:
    x, y = words("x", *(n / 1000 for n in range(1000))), words("y", 0.0, 0.9)
    drawing = parsed(strip(x, y, lambda word: word.word))
    labels = [text.text for text in drawing.findall("svg")[0].iter("text")]
    assert labels == [x[n].word for n in (*range(60), *range(940, 1000))]
    step = drawing.find("svg/line[@class='step']")
    assert step is not None
    there, here = (float((step.get(name) or "").rstrip("%")) for name in ("x1", "x2"))
    assert here - there == pytest.approx((0.4995 - 0.45) / 0.999 / 1.08 * 100, abs=0.05)


# --- ranking ---


def test_every_word_has_a_dot_near_its_number() -> None:
    listed = words("x", *(at / 50 - 0.71 for at in range(100)))
    scale = ranking_scale(listed)
    drawing = ranking_heap(listed, scale, lambda word: word.word, centred=True, about="all")
    dots = [*parsed(drawing).iter("circle")]
    assert [dot.findtext("title") for dot in dots] == [word.word for word in listed]
    for word, dot in zip(listed, dots, strict=True):
        assert abs(float(dot.get("cx", "")[:-1]) - scale.at(word.score)) <= 50 / HEAPS + 0.01
        assert dot.get("class") == ("negative" if word.score < 0 else "positive")
    places = Counter((dot.get("cx"), dot.get("cy")) for dot in dots)
    assert max(places.values()) == 1


def test_a_high_heap_stays_in_the_drawing() -> None:
    listed = words("x", *[0.5] * 300, -1.0)
    scale = ranking_scale(listed)
    drawing = ranking_heap(listed, scale, lambda word: word.word, centred=True, about="all")
    heights = [float(dot.get("cy", "")) for dot in parsed(drawing).iter("circle")]
    assert min(heights) >= 0
    assert max(heights) <= HEIGHT


def test_very_many_words_are_bars_as_high_as_their_heaps() -> None:
    listed = words("x", *(at / 2000 - 0.5 for at in range(2500)), *[0.7] * 100)
    scale = ranking_scale(listed)
    drawing = ranking_heap(listed, scale, lambda word: word.word, centred=True, about="all")
    assert not [*parsed(drawing).iter("circle")]
    bars = [*parsed(drawing).iter("rect")]
    assert len(bars) <= HEAPS
    counts = [int((bar.findtext("title") or "").split()[0]) for bar in bars]
    assert sum(counts) == len(listed)
    heights = [float(bar.get("height", "")) for bar in bars]
    assert max(heights) <= HEIGHT
    for count, height in zip(counts, heights, strict=True):
        assert abs(height / max(heights) - count / max(counts)) < 0.01
    sides = {bar.get("class") for bar in bars}
    assert sides == {"positive", "negative"}


def test_a_row_leads_from_zero_only_where_that_is_the_centre() -> None:
    scale = ranking_scale(words("x", -0.5, 1.0))
    row = parsed(ranking_row(-0.5, scale, centred=True))
    line, dot = row.find("svg/line[@class='interval']"), row.find("svg/circle")
    assert line is not None
    assert dot is not None
    assert line.get("x1") == f"{scale.at(0.0):g}%"
    assert line.get("x2") == dot.get("cx") == f"{scale.at(-0.5):g}%"
    far = ranking_scale(words("x", 0.7, 1.1))
    assert parsed(ranking_row(0.7, far, centred=False)).find("svg/line") is None


# --- heat map ---


TABLES = st.integers(1, 7).flatmap(
    lambda columns: st.lists(
        st.lists(st.floats(-9, 9), min_size=columns, max_size=columns), min_size=1, max_size=7
    )
)


def painted(table: list[list[float]]) -> list[list[str]]:
    """Follow the strokes of every path, and return the style of each cell."""
    rows = [f"w{n}" for n in range(len(table))]
    columns = [f"a{n}" for n in range(len(table[0]))]
    drawing = parsed(heat_map(rows, columns, table, parted=(1, 1), about="told"))
    cells = [[shade_class(0)] * len(columns) for _ in rows]
    for path in drawing.iter("path"):
        x = y = 0
        for move, dx, dy, long in re.findall(r"([Mm])(-?\d+) (\d+)h(\d+)", path.get("d") or ""):
            x, y = (int(dx), int(dy)) if move == "M" else (x + int(dx), y + int(dy))
            for _ in range(int(long)):
                assert cells[y][x] == shade_class(0)  # no cell is painted twice
                cells[y][x] = path.get("class") or ""
                x += 1
    return cells


@given(TABLES)
def test_every_cell_is_painted_as_deep_as_it_lies_from_the_mean(table: list[list[float]]) -> None:
    shades = shades_of(table)
    assert painted(table) == [[shade_class(shades.of(value)) for value in row] for row in table]


@given(TABLES)
def test_a_deeper_colour_is_a_larger_similarity(table: list[list[float]]) -> None:
    shades = shades_of(table)
    values = sorted(value for row in table for value in row)
    steps = [shades.of(value) for value in values]
    assert steps == sorted(steps)
    assert shades.of(shades.mean) == 0
    assert max(map(abs, steps)) <= DEEPEST
    if shades.spread > 1e-6:
        for step in range(1, DEEPEST + 1):
            assert shades.of(shades.begins(step) + 1e-9) == step
            assert shades.of(shades.begins(-step) - 1e-9) == -step


def test_hostile_words_are_text_and_the_drawing_has_a_description() -> None:
    drawing = parsed(heat_map(["<b>"], ["&", "é"], [[0.1, 0.2]], parted=(1, 1), about='"told"'))
    assert [one.text for one in drawing.iter("tspan")] == ["<b>", "&", "é"]
    svg = drawing.find("svg")
    assert svg is not None
    assert (svg.get("role"), svg.get("aria-label")) == ("img", '"told"')

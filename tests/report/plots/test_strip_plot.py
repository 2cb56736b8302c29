import re
from statistics import fmean

import pytest

from fairvec.report.plots import strip
from tests.report.plots.drawings import parsed, words


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
    drawn = [text.text for text in drawing.findall("svg")[0].iter("text")]
    assert drawn == [x[n].word for n in (*range(60), *range(940, 1000))]
    step = drawing.find("svg/line[@class='step']")
    assert step is not None
    there, here = (float((step.get(name) or "").rstrip("%")) for name in ("x1", "x2"))
    assert here - there == pytest.approx((0.4995 - 0.45) / 0.999 / 1.08 * 100, abs=0.05)

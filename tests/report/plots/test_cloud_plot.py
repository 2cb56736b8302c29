from fairvec.report.plots import Mark, cloud
from tests.report.plots.drawings import parsed

MARKS = [
    Mark("<one>", 0.5, 0.2, "about <one>", "listed positive", x_after=0.0),
    Mark("two", -0.5, -0.1, "about two", "neutral negative"),
]


def test_words_stand_at_their_numbers() -> None:
    drawing = parsed(cloud(MARKS, "two words"))
    one, two = drawing.findall("svg[@class='cloud']/svg")
    assert one.findtext("title") == "about <one>"
    assert one.findtext("text") == "<one>"
    assert float(one.get("x", "").strip("%")) > 90 > 10 > float(two.get("x", "").strip("%"))
    assert float(one.get("y", "")) < float(two.get("y", ""))
    assert (one.get("class") or "").startswith("listed positive phone-")
    (plot, axis) = drawing.findall("svg")
    assert plot.get("aria-label") == "two words"
    assert "0.0" in [text.text for text in axis.findall("text")]


def test_the_way_of_a_word_ends_where_the_change_took_it() -> None:
    drawing = parsed(cloud(MARKS, ""))
    (way,) = drawing.findall("svg/g")
    line, end = way.findall("line")
    (zero,) = {z.get("x1") for z in drawing.findall("svg/line[@class='zero']")} - {None}
    assert (line.get("x2"), end.get("x1"), end.get("x2")) == (zero, zero, zero)
    assert way.get("class") == "way listed positive"


def test_crowded_words_go_bare_and_keep_their_dots() -> None:
    corners = [Mark("", x, x, "", "neutral") for x in (-1.0, 1.0)]
    crowd = [*corners, *(Mark(str(n), 0.3, 0.3, "", "neutral") for n in range(9))]
    dots = parsed(cloud(crowd, "")).findall("svg[@class='cloud']/svg")
    assert len(dots) == 11
    bare = [dot for dot in dots if "screen-bare" in (dot.get("class") or "")]
    assert len(bare) == 5

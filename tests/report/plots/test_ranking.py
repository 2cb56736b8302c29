from collections import Counter

from fairvec.report.plots import ranking_heap, ranking_row, ranking_scale
from fairvec.report.plots.words import HEAPS, HEIGHT
from tests.report.plots.drawings import parsed, words


def test_every_word_has_a_dot_near_its_number() -> None:
    shown = words("x", *(at / 50 - 0.71 for at in range(100)))
    scale = ranking_scale(shown)
    drawing = ranking_heap(shown, scale, lambda word: word.word, centred=True, about="all")
    dots = [*parsed(drawing).iter("circle")]
    assert [dot.findtext("title") for dot in dots] == [word.word for word in shown]
    for word, dot in zip(shown, dots, strict=True):
        assert abs(float(dot.get("cx", "")[:-1]) - scale.at(word.score)) <= 50 / HEAPS + 0.01
        assert dot.get("class") == ("negative" if word.score < 0 else "positive")
    places = Counter((dot.get("cx"), dot.get("cy")) for dot in dots)
    assert max(places.values()) == 1


def test_a_high_heap_stays_in_the_drawing() -> None:
    shown = words("x", *[0.5] * 300, -1.0)
    scale = ranking_scale(shown)
    drawing = ranking_heap(shown, scale, lambda word: word.word, centred=True, about="all")
    heights = [float(dot.get("cy", "")) for dot in parsed(drawing).iter("circle")]
    assert min(heights) >= 0
    assert max(heights) <= HEIGHT


def test_very_many_words_are_bars_as_high_as_their_heaps() -> None:
    shown = words("x", *(at / 2000 - 0.5 for at in range(2500)), *[0.7] * 100)
    scale = ranking_scale(shown)
    drawing = ranking_heap(shown, scale, lambda word: word.word, centred=True, about="all")
    assert not [*parsed(drawing).iter("circle")]
    bars = [*parsed(drawing).iter("rect")]
    assert len(bars) <= HEAPS
    counts = [int((bar.findtext("title") or "").split()[0]) for bar in bars]
    assert sum(counts) == len(shown)
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

"""Pictures stand alone: the same drawings as on the page, with all styles and nothing else."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from fairvec.core.errors import SettingError
from fairvec.report import render
from fairvec.report.pictures import (
    categories_picture,
    forest_picture,
    heat_picture,
    replace_invalid_xml,
    strip_picture,
    truncate,
    wrap_text,
)
from fairvec.report.plots.labels import text_width
from fairvec.results import Outcome
from fairvec.results.identities import Convention
from tests.report.outcomes import RUN, first_result, pictures, run_of
from tests.results.toys import compared, measured, skipped

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", pictures())
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_picture_is_self_contained(name: str, dark: bool, tmp_path: Path) -> None:
    picture = pictures()[name]
    file = picture.save(tmp_path / "new" / "one.svg", dark=dark)
    text = file.read_text(encoding="utf-8")
    root = fromstring(text.encode())
    assert root.tag == f"{SVG}svg"
    assert not re.search(r"var\(|calc\(|class=|url\(|href|<style|<script|--\w", text)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
        *("svg", "title", "rect", "text", "tspan", "line", "circle", "polygon", "path", "g")
    }
    # Without a style a line has no stroke, and letters would be black on dark paper.
    lines = [*root.iter(f"{SVG}line"), *root.iter(f"{SVG}path")]
    assert all(line.get("stroke") for line in lines)
    letters = [one for one in root.iter(f"{SVG}text") if "".join(one.itertext()).strip()]
    assert all(one.get("fill") for one in letters)
    assert all(0 <= float(one.get("y", "0")) <= picture.height for one in letters)


def test_dots_and_labels_are_those_of_the_page() -> None:
    page = render(run_of("glove-6b-100d"))
    svg = forest_picture(run_of("glove-6b-100d")).svg()
    forest = page[page.index('<figure class="forest pooled">') :]
    forest = forest[: forest.index("</figure>")]
    pattern = r'<circle[^>]*cx="([^"]*)"'
    assert re.findall(pattern, svg) == re.findall(pattern, forest)
    assert len(re.findall(pattern, svg)) == 4
    corners = r'points="([^"]*)"'
    assert re.findall(corners, svg) == re.findall(corners, forest)
    result = first_result("glove-hi")
    page_words = re.findall(r'<text text-anchor="\w+">([^<]+)</text>', render([result]))
    picture = strip_picture(result).svg()
    assert page_words
    assert all(f">{word}</text>" in picture for word in page_words)


def test_the_answers_alone_are_drawn_too() -> None:
    answers = [one for one in RUN if one.status == "pooled"]
    assert categories_picture(answers).svg().count("<polygon") == len(answers) == 8
    assert categories_picture(RUN).svg().count("<polygon") == 8


def test_sensitive_words_come_with_their_reason() -> None:
    caste = first_result("glove-hi")
    assert caste.test.sensitive
    words = re.sub(r"<[^>]+>", " ", strip_picture(caste).svg())
    assert caste.test.sensitive in " ".join(words.split())


def test_differences_have_an_axis_of_their_own() -> None:
    plain = Convention(name="mean-difference", ddof=0, denominator="none")
    small = measured(effect=0.03, test="toy/two").model_copy(
        update={"convention": plain, "metric": "sentiment", "interval": None}
    )
    for draw in (forest_picture, categories_picture):
        svg = draw([small, measured(effect=0.5)]).svg()
        assert svg.index(">d<") < svg.index(">diff.<")
        # On the axis of d it would lie at the middle, as if it were nothing.
        places = [float(at) for at in re.findall(r'<circle[^>]*cx="([\d.]+)%"', svg)]
        assert places[0] == pytest.approx(100 * (0.5 + 2) / 4, abs=0.1)
        assert places[1] > 60
        assert "right of 0, the first group is read as more positive" in " ".join(
            re.sub(r"<[^>]+>", " ", svg).split()
        )


def test_long_plots_are_shortened_with_a_note() -> None:
    many = [measured(test=f"toy/{at}") for at in range(30)]
    cut_short = forest_picture(many, most=10)
    assert cut_short.svg().count("<circle") == 10
    assert "Only the first 10 of 30 rows are drawn." in cut_short.svg()
    assert "are drawn" not in forest_picture(many).svg()
    with pytest.raises(SettingError, match="most is 0"):
        forest_picture(many, most=0)


@pytest.mark.parametrize(
    "outcomes", [[], [skipped()], [compared()]], ids=["no", "skipped", "change"]
)
def test_without_measurements_one_sentence_explains_it(outcomes: list[Outcome]) -> None:
    for draw in (forest_picture, categories_picture):
        with pytest.raises(SettingError, match="no measured test among these results"):
            draw(outcomes)


def test_a_test_without_words_or_similarities_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="toy/one has no two lists of words"):
        strip_picture(measured())
    with pytest.raises(SettingError, match="The record of toy/one by weat holds no similarities"):
        heat_picture(measured())


def test_hostile_names_are_plain_text() -> None:
    odd = "<script>&\"'\x00\x1b]]>\ufffe"
    test = measured().test.model_copy(update={"title": odd, "category": odd})
    result = measured(model=odd).model_copy(update={"test": test})
    for text in (forest_picture([result]).svg(), forest_picture([result])._repr_html_()):
        assert "<script" not in text
        assert "\x00" not in text
    root = fromstring(forest_picture([result]).svg().encode())
    assert (
        f"{replace_invalid_xml(odd)} "
        in " ".join("".join(one.itertext()) for one in root.iter()) + " "
    )


def test_only_svg_is_saved(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"a picture is saved as SVG; name a file that ends in"):
        forest_picture(RUN).save(tmp_path / "one.png")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "one.svg").mkdir()
    with pytest.raises(SettingError, match=r"one\.svg is a folder; name a file"):
        forest_picture(RUN).save(tmp_path / "one.svg")


def test_it_shows_itself() -> None:
    picture = forest_picture(run_of("glove-6b-100d"))
    assert picture._repr_svg_() == picture.svg() != picture.svg(dark=True)
    assert picture._repr_html_().startswith('<div class="fairvec-shown"><style>')
    assert "fill:var(--fairvec-positive, #" in picture._repr_html_()
    assert str(picture).startswith(
        "Every test, and the pooled effect of each category: glove-6b-100d"
    )
    assert len(repr(picture)) < 200


@pytest.mark.parametrize("text", ["a b c " * 20, "x" * 300, "", "क्षत्रिय " * 30], ids=range(4))
def test_lines_fit_and_lose_no_word(text: str) -> None:
    lines = wrap_text(text, 200)
    assert all(text_width(line) <= 200 for line in lines)
    if "x" not in text:
        assert " ".join(lines).split() == text.split()
    assert text_width(truncate(text, 100, 12)) <= 100
    assert len(wrap_text(text, 200, most=2)) <= 2

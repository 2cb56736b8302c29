"""The page of a study shows its answers with their cells."""

import re

import pytest

from fairvec.core.errors import SettingError
from fairvec.report import render_study
from fairvec.report.study import variance_parts
from fairvec.results.study import FailedCell, IncompleteAnswer, StudyAnswer, StudyLine
from tests.report.sample_records import ANSWER, CELLS, HEAD


def test_the_page_draws_every_cell_and_every_share() -> None:
    page = render_study([HEAD, ANSWER, *CELLS])
    assert page.count('class="cell-dot"') == 2 * len(CELLS)  # once for each factor that varies
    assert page.count('class="band"') == page.count('class="level-mean"') == 4
    assert "What &lt;two&gt; corpora do" in page
    assert "&lt;Flowers&gt; and insects" in page
    assert "The corpora differ in length." in page
    assert "9 of 10 words of b.txt" in page
    assert "<b>, glove" not in page
    assert "https://" not in page
    assert 'id="missing"' not in page


def test_the_bar_is_full() -> None:
    page = render_study([HEAD, ANSWER, *CELLS])
    bar = page[page.index('class="shares"') : page.index('id="effects"')]
    widths = [float(width) for width in re.findall(r'<rect x="[^"]*" width="([0-9.]+)%"', bar)]
    assert len(widths) >= 2
    assert sum(widths) == pytest.approx(100, abs=0.01)


def test_parts_are_each_factor_what_they_do_together_and_seeds() -> None:
    assert isinstance(ANSWER, StudyAnswer)
    parts = variance_parts(ANSWER)
    assert [part.name for part in parts] == ["Corpus", "Window", "Factors together", "Seeds"]
    assert parts[0].share > 0.9


@pytest.mark.parametrize(
    ("omega2", "component", "stars"),
    [(0.0, 0.2, (1, 0)), (0.2, 0.0, (0, 1)), (0.0, 0.0, (1, 1))],
    ids=["share", "component", "both"],
)
def test_a_star_marks_the_number_below_zero(
    omega2: float, component: float, stars: tuple[int, int]
) -> None:
    assert isinstance(ANSWER, StudyAnswer)
    plain = [term.model_copy(update={"was_negative": False}) for term in ANSWER.explained]
    below = {"omega2": omega2, "component": component, "was_negative": True}
    terms = (plain[0].model_copy(update=below), *plain[1:])
    page = render_study([HEAD, ANSWER.model_copy(update={"explained": terms}), *CELLS])
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    assert (table.count(" %*</td>"), len(re.findall(r"[0-9]\*</td>", table))) == stars


def test_missing_results_are_reported() -> None:
    assert isinstance(ANSWER, StudyAnswer)
    lines: list[StudyLine] = [
        HEAD,
        ANSWER.model_copy(update={"left_out": "seed 2 is left out: a cell is without."}),
        IncompleteAnswer(test=ANSWER.test, metric="ripa", reason="Holes <everywhere>."),
        FailedCell(place=CELLS[0].place, reason="It ran away."),
        *CELLS,
    ]
    page = render_study(lines)
    for sentence in ("Seed 2 is left out", "Holes &lt;everywhere&gt;.", "It ran away."):
        assert sentence in page


def test_a_study_without_an_answer_is_still_a_page() -> None:
    assert "No test has an answer." in render_study([HEAD])
    with pytest.raises(SettingError, match="fairvec study PLAN"):
        render_study([])

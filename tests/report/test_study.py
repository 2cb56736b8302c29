import re
from itertools import product

import pytest

from fairvec.core.errors import SettingError
from fairvec.experiments.study.answers import answer_tests
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.report import render_study
from fairvec.report.study import variance_parts
from fairvec.results import (
    CorpusOfStudy,
    FailedCell,
    RefusedAnswer,
    StudyAnswer,
    StudyHead,
    StudyLine,
)
from tests.experiments.study.toys import SUITE, cell, place

_SUITE = parse_suite(SUITE.replace("'", '"').replace("Flowers and", "<Flowers> and"), "toy")
CELLS = [
    cell(place(corpus, seed, window=window), effect + 0.01 * seed + 0.002 * window * seed)
    for (corpus, effect), window, seed in product((("news", 0.1), ("<b>", 0.8)), (2, 5), (1, 2, 3))
]
(ANSWER,) = answer_tests(CELLS, [SelectedTest(_SUITE, test) for test in _SUITE.tests])
HEAD = StudyHead(
    title="What <two> corpora do",
    plan={"seeds": [1, 2, 3]},
    factors={"corpus": ("news", "<b>"), "model": ("glove",), "window": ("2", "5"), "dim": ("10",)},
    corpora=(
        CorpusOfStudy(
            name="<b>", files=("b.txt",), sha256="0", tokens=9, tokens_in_all=10, words=4
        ),
    ),
    shared_words=4,
    remarks=("The corpora differ in length.",),
    versions={"fairvec": "0"},
)


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
def test_a_star_stands_on_the_number_that_came_out_below_zero(
    omega2: float, component: float, stars: tuple[int, int]
) -> None:
    assert isinstance(ANSWER, StudyAnswer)
    plain = [term.model_copy(update={"was_negative": False}) for term in ANSWER.explained]
    below = {"omega2": omega2, "component": component, "was_negative": True}
    terms = (plain[0].model_copy(update=below), *plain[1:])
    page = render_study([HEAD, ANSWER.model_copy(update={"explained": terms}), *CELLS])
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    assert (table.count(" %*</td>"), len(re.findall(r"[0-9]\*</td>", table))) == stars


def test_what_is_missing_is_said() -> None:
    assert isinstance(ANSWER, StudyAnswer)
    lines: list[StudyLine] = [
        HEAD,
        ANSWER.model_copy(update={"left_out": "seed 2 is left out: a cell is without."}),
        RefusedAnswer(test=ANSWER.test, metric="ripa", reason="Holes <everywhere>."),
        FailedCell(place=CELLS[0].place, reason="It ran away."),
        *CELLS,
    ]
    page = render_study(lines)
    for said in ("Seed 2 is left out", "Holes &lt;everywhere&gt;.", "It ran away."):
        assert said in page


def test_a_study_without_an_answer_is_still_a_page() -> None:
    assert "No test has an answer." in render_study([HEAD])
    with pytest.raises(SettingError, match="fairvec study PLAN"):
        render_study([])

"""The page of a reproduction: the paper's tables as printed, ours beside them, and nothing else."""

import re
from typing import Any

import pytest

from fairvec.report import render_reproduction
from fairvec.results.reproduction import (
    DrawnFigure,
    FigureLine,
    PaperHead,
    PlayedRole,
    PrintedColumn,
    PrintedTable,
    ReproductionRecords,
    TableAgreement,
)
from tests.report.helpers import ElementTexts
from tests.results.toys import MODEL, viewed

PLAIN = PrintedColumn(name="plain", group="", heading="plain")
PAIR = tuple(PrintedColumn(name=f"Both, {n}", group="Both", heading=str(n)) for n in range(2))


def figure(row: str, column: str, quantity: str, value: float | None, **changes: Any) -> FigureLine:
    """Return a printed figure beside one of ours."""
    line = FigureLine(
        paper="toy", table="table-1", row=row, column=column, quantity=quantity,
        published="mitigated" if value is None else f"{value:g}", value=value, decimals=1,
        bold=False, ours=0.25, ours_by_default=0.5, difference=None, agrees=True, among=None,
        p=None, interval=None, grade="different model", role="one", model="<m>", metric="weat",
        test="", notes=(),
    )  # fmt: skip
    return line.model_copy(update=changes)


def page_of(
    *figures: FigureLine, columns: tuple[PrintedColumn, ...] = (PLAIN,), **changes: Any
) -> str:
    """Return the page about one table with these figures."""
    rows = tuple(dict.fromkeys(line.row for line in figures))
    table = PrintedTable(
        id="table-1", label="Table 1", title="A table", rows=rows, columns=columns, bold_means=""
    )
    role = PlayedRole(
        role="one", title="One & only", played_by="a stand-in", model="<m>", made_from="<m>",
        reason="", remedy="run: fairvec models get one",
    )  # fmt: skip
    head = PaperHead(
        paper="toy", title="Toy", source="Toy (2026)", convention="", alpha=0.05, tables=(table,),
        models=(MODEL.model_copy(update={"name": "<m>"}),), roles=(role,), sensitive="",
        missing_data=changes.pop("missing_data", {}),
    )  # fmt: skip
    agreement = TableAgreement(
        paper="toy", table="table-1", models=("<m>",), figures=1, printed=1, same_sign=1,
        effects=2, same_significance=0, p_values=0, same_words=0, words=0, rank_correlation=None,
        ranked=0,
    )  # fmt: skip
    drawings = changes.pop("drawings", ())
    assert not changes
    return render_reproduction(ReproductionRecords(head, (), figures, (agreement,), drawings))


def cells(page: str) -> list[list[str]]:
    """Return the texts of the cells of the first table's body, row by row."""
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [
            re.sub(r"<[^>]*>|\s+", "", cell)
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)
        ]
        for row in rows
    ]


def test_every_figure_stands_beside_ours_in_the_papers_layout() -> None:
    page = page_of(
        figure("a", "plain", "d", -0.5, agrees=False),
        figure("a", "plain", "p", 0.04, ours=0.04),
        figure("b", "plain", "d", 0.75),
        figure("b", "plain", "p", 0.5, ours=0.6, agrees=False),
    )
    assert cells(page) == [
        ["a", "\N{MINUS SIGN}0.5(0.04)", "0.25(0.0400)"],
        ["b", "0.75(0.5)", "0.25(0.6000)"],
    ]
    off = ElementTexts(page[page.index("<tbody>") : page.index("</tbody>")], "off").found
    assert off == ["0.25", "0.6000"]
    assert "Same sign 1 of 2." in page
    assert page.count('title="By fairvec’s default: 0.50 (0.5000) · &lt;m&gt;"') == 2
    assert "<m>" not in page
    assert "https://" not in page


def test_a_figure_under_a_heading_spans_its_columns() -> None:
    page = page_of(
        figure("f1", "Both, 0", "share", 0.1),
        figure("f1", "Both, 1", "share", 0.2),
        figure("accuracy", "Both", "share", 0.6),
        columns=PAIR,
    )
    assert cells(page) == [["f1", "0.1", "0.25", "0.2", "0.25"], ["accuracy", "0.6", "0.25"]]
    assert 'class="group" colspan="4">Both</th>' in page
    assert page.count('<td class="as-printed" colspan="2">') == 1


def test_a_wide_table_has_ours_under_the_printed_figures() -> None:
    columns = tuple(PrintedColumn(name=n, group="", heading=n) for n in "abcdefg")
    page = page_of(*(figure("row", n, "share", 0.1) for n in "abcdefg"), columns=columns)
    assert cells(page) == [["row", *["0.10.25"] * 7]]
    assert 'class="plain cells-of-paper stacked"' in page


def test_bold_is_kept_and_an_empty_cell_is_empty() -> None:
    page = page_of(
        figure("a", "Both, 0", "share", 0.1, bold=True),
        figure("b", "Both, 1", "share", None, ours=-0.5),
        columns=PAIR,
    )
    assert "<b>0.1</b>" in page
    assert cells(page) == [
        ["a", "0.1", "0.25", ""],
        ["b", "", "mitigated", "\N{MINUS SIGN}0.50"],
    ]


@pytest.mark.parametrize(
    ("grade", "shown"),
    [("no data", "nodata"), ("no model", "nomodel"), ("inconsistent in the paper", "nofigure")],
)
def test_a_figure_that_is_not_there_says_why_and_the_top_says_what_to_bring(
    grade: str, shown: str
) -> None:
    absent = {"ours": None, "ours_by_default": None, "agrees": None, "grade": grade}
    page = page_of(figure("a", "plain", "d", 0.5, **absent), missing_data={"ws353": "get it"})
    assert cells(page) == [["a", "0.5", shown]]
    header = page[: page.index("</header>")]
    assert "run: fairvec models get one" in header
    assert "data that is not at hand (ws353)" in header
    assert "One &amp; only" in header


def test_a_note_stands_once_and_is_numbered() -> None:
    page = page_of(
        figure("a", "plain", "d", 0.5, notes=("First.", "Other.")),
        figure("b", "plain", "d", 0.5, notes=("Other.",)),
    )
    assert ElementTexts(page, "sup").found[1:] == ["1,2", "2"]
    assert page.count("<li>Other.</li>") == 1


def test_effects_are_drawn_and_other_figures_are_not() -> None:
    drawn = page_of(figure("a", "plain", "d", 0.5), figure("b", "plain", "d", -0.5, ours=-0.25))
    assert drawn.count('class="track') == 2
    assert 'class="track' not in page_of(figure("a", "plain", "share", 0.5))


def test_a_figure_of_a_cut_says_among_which_words_it_is() -> None:
    page = page_of(figure("a", "plain", "word", None, ours="nurse", among=10_714))
    assert "Among the 10,714 words of this cut (&lt;m&gt;)." in page


def test_a_figure_of_the_paper_is_drawn_again() -> None:
    whole = viewed(changed=False)
    bars_alone, words_alone = (whole.model_copy(update={n: ()}) for n in ("words", "components"))
    for view, bars, cloud in ((bars_alone, 1, 0), (words_alone, 0, 1), (whole, 1, 1)):
        drawing = DrawnFigure(paper="toy", table="table-1", records=(view,))
        page = page_of(figure("a", "plain", "share", 0.5), drawings=(drawing,))
        assert (page.count('<svg class="bars"'), page.count('<svg class="cloud"')) == (bars, cloud)

import re

from hypothesis import given
from hypothesis import strategies as st

from fairvec.report.plots.words import DEEPEST, heat_map, shade_class, shades_of
from tests.report.plots.drawings import parsed

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


def test_words_of_strangers_are_text_and_the_drawing_tells_itself() -> None:
    drawing = parsed(heat_map(["<b>"], ["&", "é"], [[0.1, 0.2]], parted=(1, 1), about='"told"'))
    assert [one.text for one in drawing.iter("tspan")] == ["<b>", "&", "é"]
    svg = drawing.find("svg")
    assert svg is not None
    assert (svg.get("role"), svg.get("aria-label")) == ("img", '"told"')

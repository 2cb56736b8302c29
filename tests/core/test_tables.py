"""One table for every medium."""

import csv
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli.console import to_rich
from fairvec.core.tables import Row, Span, alarm, plain_text, strong, table_of, to_csv, to_markdown

TEXT = st.text(alphabet="ab+=-1 ", max_size=4)
STYLES = ("", "strong", "alarm", "faint")


@given(st.lists(st.tuples(TEXT, st.sampled_from(STYLES)), max_size=4))
def test_styles_change_no_text(spans: list[tuple[str, str]]) -> None:
    cell = tuple(Span(text, style) for text, style in spans)  # type: ignore[arg-type]
    text = "".join(text for text, _ in spans)
    assert plain_text(cell) == text
    (column,) = to_rich(table_of(("a",), [(cell,)])).columns
    assert [getattr(one, "plain", "") for one in column.cells] == [text]


def test_markdown_has_the_text_of_every_row_under_its_heading() -> None:
    table = table_of(("a", "b"), [(strong("x"), "y"), Row((alarm("z"), ""), "section")])
    assert to_markdown(table) == "| a | b |\n| --- | --- |\n| x | y |\n| z |  |"
    assert to_markdown(table.map_text(str.upper)).endswith("| X | Y |\n| Z |  |")
    assert [column.heading for column in table.map_text(str.upper).columns] == ["a", "b"]


@given(st.lists(st.fixed_dictionaries({"a": TEXT, "b": st.floats() | st.none()}), max_size=4))
def test_a_spreadsheet_has_every_number_unrounded_and_no_formula(
    rows: list[dict[str, object]],
) -> None:
    read = [*csv.DictReader(StringIO(to_csv(("a", "b"), rows)))]
    assert [one["b"] for one in read] == ["" if r["b"] is None else str(r["b"]) for r in rows]
    assert not [
        one for one in read if one["a"].strip(" ")[:1] == "=" and one["a"].strip(" ") != "="
    ]


def test_a_section_of_a_ruled_table_is_parted_from_the_rows_above() -> None:
    table = table_of(("a",), [("x",), Row((strong("next"),), "section"), ("y",)])
    assert not any(row.end_section for row in to_rich(table).rows)
    ruled = type(table)(table.columns, table.rows, ruled=True)
    assert [row.end_section for row in to_rich(ruled).rows] == [True, False, False]

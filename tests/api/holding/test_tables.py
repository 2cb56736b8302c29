"""Tables of pandas and polars: the real ones where installed, stand-ins of their shape anyway."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairvec.api.models import as_model
from fairvec.core.errors import FairvecError, FileFormatError, SettingError
from tests.api.holding.stand_ins import PandasFrame, PolarsFrame, like

Make = Callable[..., Any]
MATRIX = [[0.25, 0.5], [1.0, -2.0]]


def real(package: str) -> Make:
    def make(*given: Any, **settings: Any) -> Any:
        return pytest.importorskip(package, reason=f"{package} is not installed").DataFrame(
            *given, **settings
        )

    return make


PANDAS = pytest.mark.parametrize("frame", [PandasFrame, real("pandas")], ids=["like", "real"])
POLARS = pytest.mark.parametrize("frame", [PolarsFrame, real("polars")], ids=["like", "real"])
BOTH = pytest.mark.parametrize(
    "frame",
    [PandasFrame, real("pandas"), PolarsFrame, real("polars")],
    ids=["like pandas", "pandas", "like polars", "polars"],
)


@PANDAS
def test_the_index_holds_the_words(frame: Make) -> None:
    model = as_model(frame({0: [0.25, 1.0], 1: [0.5, -2.0]}, index=["a", "слово"]), name="mine")
    assert list(model) == ["a", "слово"]  # type: ignore[arg-type]
    assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    assert str(model.history[0]) == "read from=DataFrame of pandas"
    assert model.name == "mine"


@BOTH
def test_else_the_first_column_of_text_does(frame: Make) -> None:
    model = as_model(frame({"x": [0.25, 1.0], "term": ["a", "b"], "y": [0.5, -2.0]}))
    assert list(model.keys) == ["a", "b"]  # type: ignore[union-attr]
    assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    assert model.history[0].details["words of column"] == "term"


@BOTH
def test_whole_numbers_are_numbers(frame: Make) -> None:
    model = as_model(frame({"w": ["a", "b"], "x": [1, 2], "y": [0.5, 0.25]}))
    assert model.vectors.tolist() == [[1, 0.5], [2, 0.25]]  # type: ignore[union-attr]


@BOTH
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"w": ["a", "b"], "x": ["0.5", "1"]}, "'x' holds numbers written as text, such as '0.5'"),
        ({"w": ["a", "b"], "x": ["0,5", "1"]}, "text with a decimal comma, such as '0,5'"),
        ({"w": ["a", "b"], "n": ["u", "v"], "x": [1.0, 2.0]}, "'n' holds text, such as 'u', besid"),
        ({"x": [1.0, 2.0]}, "the table holds no words; .*let its first column be the words"),
        ({"w": ["a", "b"]}, "no column of numbers"),
        ({"w": ["a", None], "x": [1.0, 2.0]}, "row 2: .* stands where a word should"),
        ({"w": ["a", "b"], "x": [1.0, None]}, r"row 2 \('b'\): the vector holds NaN"),
        ({"w": ["a", "b"], "x": [1.0, float("inf")]}, r"row 2 \('b'\): .* infinity"),
        ({}, "the table holds no words"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    frame: Make, columns: dict[str, list[Any]], said: str
) -> None:
    if columns.get("x", [0])[-1] is None and frame is PandasFrame:
        columns = columns | {"x": [1.0, float("nan")]}
    with pytest.raises((FileFormatError, SettingError), match=said):
        as_model(frame(columns), name="mine")


@BOTH
@pytest.mark.parametrize(
    ("label", "numbers", "said"),
    [
        ("Unnamed: 0", [7, 7, 9], "'Unnamed: 0' holds counts beside the floats"),
        ("Count", [900, 80, 7], "'Count' holds counts beside the floats of vectors; drop it"),
        ("x", [0, 1, 2], "'x' holds the numbers of rows beside the floats"),
        ("x", [1, 2, 3], "'x' holds the numbers of rows .* convert it to floats"),
    ],
    ids=["unnamed", "count", "from-0", "from-1"],
)
def test_counts_and_row_numbers_are_no_dimension(
    frame: Make, label: str, numbers: list[int], said: str
) -> None:
    columns = {"w": ["a", "b", "c"], label: numbers, "y": [0.5, 0.25, 0.125]}
    with pytest.raises(FileFormatError, match=said):
        as_model(frame(columns), name="mine")
    columns[label] = [float(each) for each in numbers]
    assert as_model(frame(columns)).vectors[:, 0].tolist() == numbers  # type: ignore[union-attr]
    alone = {"w": ["a", "b", "c"], "x": [0, 1, 2], "y": [1, 0, 1]}
    assert as_model(frame(alone)).vectors.shape == (3, 2)  # type: ignore[union-attr]


def test_vectors_in_the_cells_of_one_column_are_to_be_stacked() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    rows = [np.array(row) for row in MATRIX]
    for table in (
        pandas.DataFrame({"w": ["a", "b"], "v": rows}),
        pandas.DataFrame({"w": ["a", "b"], "v": MATRIX}),
        polars.DataFrame({"w": ["a", "b"], "v": MATRIX}),
    ):
        with pytest.raises(FileFormatError, match=r"whole vector .* np\.stack\(frame\['v'\]\)"):
            as_model(table)
        model = as_model((table["w"], np.stack(table["v"])))
        assert model.vectors.tolist() == MATRIX  # type: ignore[union-attr]
    objects = pandas.DataFrame({"w": ["a", "b"], "v": [1.0, 2.0]}).astype({"v": object})
    with pytest.raises(FileFormatError, match="'v' holds Python objects; convert it to floats"):
        as_model(objects)


@BOTH
def test_the_first_of_equal_words_is_kept_and_counted(frame: Make) -> None:
    model = as_model(frame({"w": ["a", "b", "a"], "x": [1.0, 2.0, 3.0], "y": [0.0, 0.0, 0.0]}))
    assert model.vectors.tolist() == [[1, 0], [2, 0]]  # type: ignore[union-attr]
    assert model.history[0].details["duplicates"] == 1


@PANDAS
def test_a_column_of_text_beside_words_in_the_index_is_refused(frame: Make) -> None:
    with pytest.raises(FileFormatError, match=r"'pos' holds text, such as 'N', .* the index"):
        as_model(frame({"pos": ["N"], "x": [1.0]}, index=["a"]))


@PANDAS
def test_nothing_of_the_table_is_changed(frame: Make) -> None:
    table = frame({0: [0.25, 1.0], 1: [0.5, -2.0]}, index=["a", "b"])
    model = as_model(table)
    assert not np.shares_memory(model.vectors, table.iloc[:, 0].to_numpy())  # type: ignore[union-attr]


def test_real_pandas_in_its_own_types() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    words = pandas.Series(["a", "b"], dtype="category")
    single = pandas.DataFrame({"w": words, "x": np.array([1, 2], np.float32)})
    assert as_model(single).vectors.dtype == np.float32  # type: ignore[union-attr]
    nullable = pandas.DataFrame({"w": words, "x": pandas.array([1.0, 2.0], dtype="Float64")})
    assert as_model(nullable).vectors.tolist() == [[1], [2]]  # type: ignore[union-attr]
    nullable.loc[1, "x"] = pandas.NA
    with pytest.raises(FairvecError, match="holds NaN"):
        as_model(nullable)
    dates = pandas.DataFrame({"w": words, "when": pandas.to_datetime(["2020", "2021"])})
    with pytest.raises(FileFormatError, match=r"'when' holds datetime64.* drop that column"):
        as_model(dates)
    doubled = pandas.DataFrame([[1.0, 2.0]], index=["a"], columns=["x", "x"])
    assert as_model(doubled).vectors.tolist() == [[1, 2]]  # type: ignore[union-attr]
    levels = doubled.set_index([["a"], ["b"]])
    with pytest.raises(SettingError, match="an index of several levels"):
        as_model(levels)


def test_a_lazy_table_is_to_be_collected() -> None:
    lazy = like("polars.lazyframe.frame", kind="LazyFrame", collect=None)
    with pytest.raises(
        SettingError, match=r"LazyFrame of polars alone, .*; give frame\.collect\(\)"
    ):
        as_model(lazy)
    polars = pytest.importorskip("polars", reason="polars is not installed")
    with pytest.raises(
        SettingError, match=r"LazyFrame of polars alone, .*; give frame\.collect\(\)"
    ):
        as_model(polars.LazyFrame({"w": ["a"], "x": [1.0]}))

"""Rows and frames: every record and every word, with types that know what is missing."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from fairvec import Results
from fairvec.api.results import COLUMN_TYPES, COUNT, NUMBER, TEXT, WORD_COLUMN_TYPES, RowList
from fairvec.core.errors import SettingError
from fairvec.results import COLUMNS, Result, to_row
from tests.api.runs import every_kind, of

PYTHON = {TEXT: str, NUMBER: float, COUNT: int}


def test_the_rows_are_those_of_the_shell_and_their_types_are_true() -> None:
    results = every_kind()
    rows = results.rows()
    assert rows == [to_row(one) for one in results]
    assert list(rows.columns) == list(COLUMNS) == list(COLUMN_TYPES)
    wrong = {
        (name, value)
        for row in rows
        for name, value in row.items()
        if value is not None and type(value) is not PYTHON[COLUMN_TYPES[name]]
    }
    assert wrong == set()
    # Otherwise the types above would say nothing of these columns.
    assert {name for name in COLUMN_TYPES if any(row[name] is not None for row in rows)} >= {
        name
        for name, kind in COLUMN_TYPES.items()
        if kind != TEXT and not name.startswith("difference")
    }


@pytest.mark.parametrize("model", ["glove-6b-100d", "glove-hi", "navec-news"])
def test_each_target_word_is_a_row(model: str) -> None:
    results = of(model)
    words = results.words()
    measured = [one for one in results if isinstance(one, Result)]
    assert len(words) == sum(len(one.words) for one in measured) > 0
    first = measured[0].words[0]
    assert words[0] == {
        "test": measured[0].test.id,
        "model": model,
        "metric": "weat",
        **first.model_dump(exclude={"transliteration", "gloss"}),
        "transliteration": first.transliteration or None,
        "gloss": first.gloss or None,
    }
    assert all(list(row) == list(WORD_COLUMN_TYPES) for row in words)


def test_hindi_words_keep_their_letters() -> None:
    assert {"ठाकुर", "ब्राह्मण"} <= {row["word"] for row in of("glove-hi").words()}


def stub() -> Any:
    """Two names of pandas, which remember what they were given."""
    return SimpleNamespace(
        array=lambda values, dtype: (dtype, values), DataFrame=lambda columns: columns
    )


def test_a_frame_is_asked_for_with_types_that_know_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", stub())
    results = every_kind()
    frame = results.to_frame()
    assert list(frame) == list(COLUMNS)
    assert frame["effect"] == ("Float64", [to_row(one)["effect"] for one in results])
    assert frame["family"][0] == "Int64"
    assert frame["test"] == ("string", [one.test.id for one in results])
    assert Results().to_frame()["p_holm"] == ("Float64", [])
    assert results.words().to_frame()["without"][0] == "Float64"


def test_without_pandas_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (every_kind().to_frame, every_kind().words().to_frame, Results().to_frame):
        with pytest.raises(SettingError, match="'pip install pandas'"):
            ask()
    assert every_kind().words()


def test_a_real_frame_has_na_and_no_nan() -> None:
    pandas = pytest.importorskip("pandas")
    results = every_kind()
    frame = results.to_frame()
    assert len(frame) == len(results)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == COLUMN_TYPES
    skipped = frame[frame["status"] == "skipped"].iloc[0]
    assert skipped["effect"] is pandas.NA
    assert skipped["verdict"] is pandas.NA
    assert frame["family"].dropna().astype(int).min() >= 1
    for name in COLUMNS:
        told = [None if value is pandas.NA else value for value in frame[name]]
        assert told == [to_row(one)[name] for one in results]
    empty = Results().to_frame()
    assert (len(empty), list(empty.columns)) == (0, list(COLUMNS))
    assert str(results.words().to_frame()["to_a"].dtype) == "Float64"


def test_a_count_beyond_sixty_four_bits_is_a_number() -> None:
    pytest.importorskip("pandas")
    rows = RowList([{"n": 10**290, "m": 3}, {"n": None, "m": None}], {"n": COUNT, "m": COUNT})
    frame = rows.to_frame()
    assert [str(kind) for kind in frame.dtypes] == [NUMBER, COUNT]
    assert frame["n"][0] == 1e290
    assert frame["n"].isna().tolist() == [False, True]

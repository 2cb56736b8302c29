"""Tables of vectors in CSV and TSV."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.embedding import Embedding, load, save
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.delimited import CSV, TSV, is_number
from fairvec.geometry import Euclidean
from tests.loops import loop_over

# --- Tables of text as strangers write them ---


ROWS = [[0.5, -1.0], [0.25, 2e-3]]


def written(folder: Path, text: str | bytes, name: str = "model.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "king,0.5,-1\nслово,0.25,2e-3\n",
        "word,d1,d2\nking,0.5,-1\nслово,0.25,2e-3\n",
        ",0,1\nking,0.5,-1\nслово,0.25,2e-3\n",
        "Word,1,2\nking,0.5,-1\nслово,0.25,2e-3\n",
        "d1,d2\nking,0.5,-1\nслово,0.25,2e-3\n",
        '"","V1","V2"\n"king",0.5,-1\n"слово",0.25,2e-3\n',
        "\ufeffking,0.5,-1\r\nслово,0.25,2e-3\r\n",
        "king, 0.5, -1\n\nслово, .25, 0.002",
    ],
    ids=["bare", "names", "pandas", "counted", "R", "quoted", "Excel", "spaces"],
)
def test_a_table_is_read_with_column_names_or_without(tmp_path: Path, text: str) -> None:
    for name, content in (("model.csv", text), ("model.tsv", text.replace(",", "\t"))):
        model = fairvec.load(written(tmp_path, content, name))
        assert list(model) == ["king", "слово"]
        np.testing.assert_array_equal(model.vectors, np.array(ROWS, np.float32))
        assert model.history[0].details["format"] == name[-3:]


def test_words_hold_separators_breaks_and_quotation_marks(tmp_path: Path) -> None:
    text = '"a,b",1,2\n"a\nb",3,4\n"say ""hi""",5,6\n",7,8\n"",9,10\nx"y,11,12\n'
    raw = CSV.read(written(tmp_path, text), ReadOptions())
    assert raw.keys == ["a,b", "a\nb", 'say "hi"', '"', "", 'x"y']
    assert raw.vectors[:, 0].tolist() == [1, 3, 5, 7, 9, 11]


def test_the_ending_need_not_say_it(tmp_path: Path) -> None:
    model = fairvec.load(written(tmp_path, "a,1,2\nb,3,4\n", "model.data"))
    assert model.history[0].details["format"] == "csv"
    tabs = fairvec.load(written(tmp_path, "a\t1\t2\nb\t3\t4\n", "model.txt"))
    assert tabs.history[0].details["format"] == "glove-text"
    glove = fairvec.load(written(tmp_path, "a,1 1 2\n10,000 3 4\n", "model.txt"))
    assert list(glove) == ["a,1", "10,000"]


def test_a_vector_of_whole_numbers_is_no_header(tmp_path: Path) -> None:
    raw = CSV.read(written(tmp_path, "zero,0,1\nb,3,4\n"), ReadOptions())
    assert raw.keys == ["zero", "b"]


def test_years_are_words_where_the_table_says_so(tmp_path: Path) -> None:
    raw = CSV.read(written(tmp_path, "word,a,b\n1990,1,2\n1991,3,4\n"), ReadOptions())
    assert raw.keys == ["1990", "1991"]


def test_only_wanted_words_are_kept_and_repeated_ones_counted(tmp_path: Path) -> None:
    file = written(tmp_path, "a,1,2\nb,3,4\na,5,6\nc,7,8\n")
    raw = CSV.read(file, ReadOptions(frozenset(["a", "c"])))
    assert (raw.keys, raw.rows, raw.notes) == (["a", "c"], 4, {"duplicates": 1})
    assert raw.vectors.tolist() == [[1, 2], [7, 8]]


@loop_over(
    ("text", "message"),
    [
        ('a,"0,5","1,5"\n', "line 1, value 1: '0,5' has a decimal comma"),
        ("w,x,y\na,0,5,1,5\n", "has 4 numbers where there are 2 column names; write decimals with"),
        ("a,0,05,-0,5\nb,1,25,0,5\n", "look like decimals with a comma, cut in two"),
        ("a;0,5;1,5\nb;1,5;2,5\n", "value 1: '5;1' holds a semicolon; write the table with commas"),
        ("a;0.5;1.5\nb;1.5;2.5\n", "no comma between a word and numbers"),
        ("a,1,2\nb,3\n", r"line 2 \('b'\) has 1 number where there are 2 numbers"),
        ("a,1,2\nb,3,x\n", "line 2, value 2: 'x' is not a finite number"),
        ("king,1,x\nb,3,4\n", "line 1, value 2: 'x' is not a finite number"),
        ("a,1,2\nb,3,\n", "line 2, value 2: '' is not a finite number"),
        ("a,1,2\nb,nan,1\n", "value 1: 'nan' is not a finite number"),
        ("a,1,2\nb,1,-inf\n", "value 2: '-inf' is not a finite number"),
        ("a,1,2\nb,1,1e39\n", "value 2: '1e39' is not a finite number that float32 holds"),
        ("a,1,2\nb,1_0,1\n", "value 1: '1_0' is not a finite number"),
        ("a,1,2\nb,1,٣\n", "value 2: '٣' is not a finite number"),
        ("the,17\nof,12\n", "one number per word: that is a list of counts"),
        ("word,d1,d2\n", "column names and no vectors"),
        ("one column\nof text\n", "no comma between a word and numbers"),
        ("\n\n", "is empty"),
        ("0.5,1,2\n-3,3,4\n", "has numbers such as '0.5' where words should stand"),
        (",a,b\n0,0.5,1\n1,2,3\n", "has numbers such as '0' where words should stand"),
        ("w,count,x,y\na,90,.5,1\nb,7,2,3\n", "the column 'count' is called as counts or row"),
        (b"a,1,2\n\xff\xfe,3,4\n", r"line 2: the key b'\\xff\\xfe' is not valid UTF-8"),
    ],
)
def test_what_is_wrong_is_reported_in_one_sentence(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        fairvec.load(written(tmp_path, text, "bad.csv"))
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_letters_that_are_none_may_be_replaced(tmp_path: Path) -> None:
    file = written(tmp_path, b"a,1,2\nb\xff,3,4\n")
    raw = CSV.read(file, ReadOptions(invalid_utf8="replace"))
    assert raw.keys == ["a", "b\ufffd"]
    assert raw.notes == {"bytes_replaced": 1}


def test_decimal_commas_between_tabs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="'0,5' has a decimal comma; write numbers with dec"):
        TSV.read(written(tmp_path, "a\t0,5\t1,5\n", "bad.tsv"), ReadOptions())


WORD = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)


@given(
    st.lists(WORD, min_size=1, max_size=5, unique=True),
    st.integers(2, 4),
    st.integers(0, 99),
    st.booleans(),
)
def test_what_pythons_csv_writes_is_read(
    words: list[str], columns: int, seed: int, titled: bool
) -> None:
    assume(titled or not all(map(is_number, words)))
    matrix = np.random.default_rng(seed).normal(size=(len(words), columns)).astype(np.float32)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if titled:
        writer.writerow(["word", *"abcd"[:columns]])
    for word, row in zip(words, matrix, strict=True):
        writer.writerow([word, *(repr(float(each)) for each in row)])
    with TemporaryDirectory() as folder:
        path = written(Path(folder), text.getvalue().encode())
        raw = CSV.read(path, ReadOptions())
    # Of a BOM at the very start nobody can tell whether it is a letter of the first word.
    if not text.getvalue().startswith("\ufeff"):
        assert raw.keys == words
    np.testing.assert_array_equal(raw.vectors, matrix)


@given(st.integers(0, 10_000))
def test_damage_is_an_error_of_ours_or_harmless(seed: int) -> None:
    rng = np.random.default_rng(seed)
    content = bytearray(b'word,a,b\n"x,y",0.5,1\nking,2,3\n')
    for place in rng.integers(0, len(content), rng.integers(1, 4)):
        content[place] = rng.integers(0, 256)
    with TemporaryDirectory() as folder:
        path = written(Path(folder), bytes(content[: rng.integers(1, len(content) + 1)]))
        try:
            model = fairvec.load(path)
        except FairvecError:
            return
        assert np.isfinite(model.vectors).all()
        assert len(model) >= 1


# --- A table of vectors is data for programs: words that look like formulas come back as they were


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_words_that_look_like_formulas_come_back_as_they_were(tmp_path: Path, suffix: str) -> None:
    words = ["=1+1", "+x", "-x", "@x", "'=x", "-", '="a"', "=a,b"]
    vectors = -np.arange(1.0, 17.0).reshape(8, 2)
    path = tmp_path / f"model{suffix}"
    save(Embedding(words, vectors, Euclidean(), "m"), path)
    back = load(path)
    assert list(back.keys) == words
    assert np.array_equal(back.vectors, vectors)

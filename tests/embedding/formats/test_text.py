"""word2vec and GloVe text files."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import fairvec
from fairvec.cli.app import app
from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import FileContent, ReadOptions
from fairvec.embedding.formats.kernels import text_kernels as text_lines
from fairvec.embedding.formats.kernels.text_kernels import UNSETTLED, read_lines
from fairvec.embedding.formats.rows import Block
from fairvec.embedding.formats.text import (
    GLOVE_TEXT,
    UNENDED,
    WORD2VEC_TEXT,
    FloatType,
    line_blocks,
    remark_on_damage,
)
from tests.laws.helpers import examples
from tests.loops import loop_over

# --- Text files, compared with a few lines of plain Python ---


def read(
    path: Path,
    content: str | bytes,
    options: ReadOptions | None = None,
    *,
    header: bool = True,
) -> FileContent:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return (WORD2VEC_TEXT if header else GLOVE_TEXT).read(path, options or ReadOptions())


def read_as(path: Path, dtype: FloatType) -> FileContent:
    """Read a file in one precision, whatever its digits say."""
    return read_lines(path, replace(WORD2VEC_TEXT._layout(path), dtype=dtype), ReadOptions())


def plainly(content: str, dimensions: int) -> dict[str, list[np.float32]]:
    """The same file, read as slowly and as simply as possible."""
    vectors: dict[str, list[np.float32]] = {}
    for line in content.split("\n"):
        parts = re.split("[ \t]+", line.rstrip(" \t\r"))
        if line.strip(" \t\r"):
            key = " ".join(parts[:-dimensions])
            vectors.setdefault(key, [np.float32(float(n)) for n in parts[-dimensions:]])
    return vectors


def check(raw: FileContent, expected: dict[str, list[np.float32]]) -> None:
    assert raw.keys == list(expected)
    assert raw.vectors.dtype == np.float32
    assert raw.vectors.tobytes() == np.array(list(expected.values()), np.float32).tobytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.vec"


BODY = "the 0.1 -2.5e-3 3\nof +1 .5 6.\nदिल्ली 1e5 -0 1E-5\n"


def test_word2vec_text(path: Path) -> None:
    raw = read(path, "3 3\n" + BODY)
    check(raw, plainly(BODY, 3))
    assert raw.notes == {}
    assert np.signbit(raw.vectors[2, 1])


def test_glove_text(path: Path) -> None:
    check(read(path, BODY, header=False), plainly(BODY, 3))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(BODY.removesuffix("\n"), id="no final newline"),
        pytest.param(BODY.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(BODY.replace(" ", "\t"), id="tabs"),
        pytest.param(BODY.replace(" ", " \t "), id="mixed gaps"),
        pytest.param(BODY.replace("\n", " \n"), id="trailing spaces"),
        pytest.param(BODY.replace("\n", "\n\n") + "\n \n", id="blank lines"),
    ],
)
@pytest.mark.parametrize("header", [True, False])
def test_layouts_of_lines(path: Path, body: str, header: bool) -> None:
    content = "3 3\r\n" + body if header else body
    check(read(path, content, header=header), plainly(BODY, 3))


@pytest.mark.parametrize("header", [True, False])
def test_byte_order_mark_is_no_part_of_a_key(path: Path, header: bool) -> None:
    content = "\ufeff" + ("3 3\n" if header else "") + BODY
    check(read(path, content, header=header), plainly(BODY, 3))


def test_keys_with_spaces(path: Path) -> None:
    body = ". . . 0.5 1 2\nat name@domain.com 3 4 5\n12 6 7 8\n"
    raw = read(path, body, header=False)
    check(raw, plainly(body, 3))
    assert raw.keys == [". . .", "at name@domain.com", "12"]


def test_unusual_spaces_belong_to_the_key(path: Path) -> None:
    keys = ["a\u00a0b", "\u0085", "x\u2028y", "\u3000", "z\x0b"]
    body = "".join(f"{key} {row} 1.5\n" for row, key in enumerate(keys))
    assert read(path, f"5 2\n{body}").keys == keys
    assert read(path, body, header=False).keys == keys


def test_numeric_keys(path: Path) -> None:
    assert read(path, "1 1 2\n2 3 4\n-3.5 5 6\n", header=False).keys == ["1", "2", "-3.5"]


def test_duplicates_keep_the_first_and_are_counted(path: Path) -> None:
    body = "a 1 2\nb 3 4\na 5 6\nb 7 8\nc 9 10\na 0 0\n"
    raw = read(path, "6 2\n" + body)
    check(raw, plainly(body, 2))
    assert raw.notes == {"duplicates": 3}


def test_words_keeps_only_the_wanted(path: Path) -> None:
    words = frozenset({"b", "d", "absent"})
    raw = read(path, "4 1\na 1\nb 2\nc 3\nd 4\n", ReadOptions(words=words))
    assert raw.keys == ["b", "d"]
    assert raw.vectors.tolist() == [[2], [4]]
    none = read(path, "2 3\na 1 2 3\nb 2 2 2\n", ReadOptions(words=frozenset()))
    assert none.vectors.shape == (0, 3)


def test_words_still_checks_every_line(path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"line 3 \('b'\)"):
        read(path, "2 2\na 1 2\nb 1\n", ReadOptions(words=frozenset({"a"})))
    with pytest.raises(FileFormatError, match="promises 3 vectors"):
        read(path, "3 2\na 1 2\nb 1 2\n", ReadOptions(words=frozenset({"a"})))


def test_lines_cross_blocks(path: Path) -> None:
    lines = [f"word{i} {i}.25 {-i}e-3\n".encode() for i in range(500)]
    path.write_bytes(b"".join(lines).removesuffix(b"\n"))
    for size in (23, 24, 64, 1000, 1 << 20):
        calls: list[tuple[int, int]] = []
        blocks = line_blocks(path, 0, lambda *call, calls=calls: calls.append(call), size)
        met = [block.line(i) for block in blocks for i in range(len(block.starts))]
        assert met == [line.removesuffix(b"\n") for line in lines]
        assert calls[-1] == (path.stat().st_size,) * 2
    with pytest.raises(FileFormatError, match="longer than 10 bytes"):
        list(line_blocks(path, 0, None, 10))


def test_many_lines_outgrow_the_first_guess(path: Path) -> None:
    long = "".join(f"{'x' * 200}{i} 1 2\n" for i in range(400))
    short = "".join(f"{i} {i} {i / 7}\n" for i in range(30_000))
    raw = read(path, long + short, header=False)
    check(raw, plainly(long + short, 2))


def test_progress_ends_with_the_whole_file(path: Path) -> None:
    calls: list[tuple[int, int]] = []
    read(path, "1 2\na 1 2\n", ReadOptions(progress=lambda *call: calls.append(call)))
    assert calls[-1] == (path.stat().st_size,) * 2


@loop_over(
    ("content", "message"),
    [
        (b"", "model.vec is empty"),
        (b"  \n\n", "model.vec is empty"),
        (b"2 2\na 1 2\nb 1\n", r"line 3 \('b'\) ends in 1 number where the header promises 2"),
        (b"2 2\na 1 2\n\nb 1 2 3\n", r"line 4 \('b'\) ends in 3 numbers"),
        (b"2 2\na 1 2\n1 2\n", r"line 3 \('1'\) ends in 1 number"),
        (b"2 2\na 1 2\nb\n", r"line 3 \('b'\) ends in 0 numbers"),
        (b"3 2\na 1 2\nb 3 4\n", "promises 3 vectors on its first line but holds 2"),
        (b"1 2\na 1 2\nb 3 4\n", "promises 1 vector on its first line but holds 2"),
        (b"0 2\n", "holds no vectors"),
        (b"2 0\na\nb\n", "holds no vectors"),
        (b"999999999999999 300\na 1 2\n", "line 2"),
        (b"999999999999999 2\na 1 2\n", "promises 999,999,999,999,999 vectors"),
        (b"2 999999999999999\na 1 2\n", "the header promises 999999999999999"),
        (b"9" * 5000 + b" 2\na 1 2\n", "does not begin with the line 'rows columns'"),
        (b"2 2\na 1 2\nb nan 2\n", r"line 3, value 1: 'nan' is not a finite number;"),
        (b"2 2\na 1 2\nb 2 -Inf\n", r"line 3, value 2: '-Inf' is not a finite number;"),
        (b"1 2\na 1 1e39\n", r"line 2, value 2: '1e39' is not a finite number that float32"),
        (b"1 2\na 1 1e999\n", r"'1e999' is not a finite number that float32"),
        (b"1 2\na 1 1_0\n", r"line 2, value 2: '1_0' is not a finite number"),
        (b"1 2\na 1 0x1\n", r"line 2, value 2: '0x1' is not a finite number"),
        (b"1 2\na 1.2.3 4\n", r"line 2, value 1: '1.2.3' is not a finite number"),
        (b"1 2\na 1 e5\n", r"'e5'"),
        (b"1 2\na 1 5e\n", r"'5e'"),
        (b"1 2\na 1 5e+\n", r"'5e\+'"),
        (b"1 2\na 1 -\n", r"'-'"),
        (b"1 2\na 1 .\n", r"'.'"),
        (b"1 2\na 1 +-1\n", r"'\+-1'"),
        (b"2 2\na 1 2\nb\xff\xe9 1 2\n", r"line 3: the key b'b\\xff\\xe9' is not valid UTF-8"),
        (b"a 1 2\nb 1 2\n", "format='glove-text'"),
    ],
)
def test_bad_word2vec_text(path: Path, content: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        read(path, content)
    assert str(caught.value).startswith("model.vec")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 1 2\nc 1 2 3\n", r"line 3 \('c'\) ends in 3 numbers where most lines have 2"),
        (b"a 1 2\nb 1\nc 1 2\n", r"line 2 \('b'\) ends in 1 number where most lines have 2; cor"),
        (
            b"a 1 2\nb 1 2\nc 1",
            r"line 3 \('c'\) ends .* have 2; fetch the file again if it was cut",
        ),
        (b"a 1 2\nb 1 2\nc 1 x\n", "line 3, value 2: 'x'"),
        (b"this is prose\nand no embedding\n", "no line ends in numbers"),
    ],
)
def test_bad_glove_text(path: Path, content: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(path, content, header=False)


def test_invalid_utf8_is_replaced_on_request_and_counted(path: Path) -> None:
    content = b"3 2\na\xff 1 2\n\xe0\xa4 3 4\nb 5 6\n"
    raw = read(path, content, ReadOptions(invalid_utf8="replace"))
    assert raw.keys == ["a\ufffd", "\ufffd", "b"]
    assert raw.notes == {"bytes_replaced": 3}


@pytest.mark.parametrize("header", [True, False])
@given(
    rows=st.integers(2, 6),
    columns=st.integers(3, 8),
    instead=st.sampled_from(["*", " ", "\r", "", "\t", "\x0b", "é"]),
    lost=st.sets(st.integers(0, 4), min_size=1),
    promises=st.booleans(),
)
def test_a_file_that_lost_line_breaks_is_refused(
    tmp_path_factory: pytest.TempPathFactory,
    header: bool,
    rows: int,
    columns: int,
    instead: str,
    lost: set[int],
    promises: bool,
) -> None:
    numbers = np.random.default_rng(rows * columns).normal(size=(rows, columns)).round(3)
    breaks = [instead if row in lost and row < rows - 1 else "\n" for row in range(rows)]
    lines = [f"word{row} {' '.join(map(str, numbers[row]))}{breaks[row]}" for row in range(rows)]
    left = breaks.count("\n")
    if left == rows:
        return
    first = f"{rows if promises else left} {columns}\n" if header else ""
    with pytest.raises(FileFormatError, match=r"promises|line breaks were lost|ends in \d+ num"):
        read(tmp_path_factory.getbasetemp() / "lost.vec", first + "".join(lines), header=header)


@pytest.mark.parametrize("columns", [2, 3, 5])
@pytest.mark.parametrize(
    "text",
    [
        "a N\rb N\rc N\r",
        "3 D\ra N\rb N\rc N\r",
        "1 D\na N\rb N\n",
        "2 D\na N\nb N\rc N\n",
    ],
)
def test_carriage_returns_alone_are_lost_line_breaks(path: Path, columns: int, text: str) -> None:
    """However few numbers a line has, and even where the header agrees with what is left."""
    numbers = " ".join(map(str, range(columns)))
    path.write_bytes(text.replace("N", numbers).replace("D", str(columns)).encode())
    with pytest.raises(FileFormatError, match=r"line breaks were lost.*tr '\\r' '\\n'"):
        fairvec.load(path)


PRINTED = st.one_of(
    st.sampled_from(["{:.9g}", "{:.8e}", "{!r}", "{:.17g}", "{:.6f}", "{:+.12E}", "{:.30f}"])
)


@examples(200)
@given(
    st.lists(
        st.tuples(st.floats(width=32, allow_nan=False, allow_infinity=False), PRINTED),
        min_size=1,
        max_size=30,
    )
)
def test_printed_floats_come_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, values: list[tuple[float, str]]
) -> None:
    texts = [style.format(value) for value, style in values]
    raw = read(
        tmp_path_factory.getbasetemp() / "printed.vec", f"1 {len(texts)}\nkey {' '.join(texts)}"
    )
    expected = np.array([float(text) for text in texts], raw.vectors.dtype)
    assert raw.vectors.tobytes() == expected.tobytes()


@examples(200)
@given(
    st.lists(
        st.from_regex(
            r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,2})?", fullmatch=True
        ).filter(lambda t: t.isascii()),
        min_size=1,
        max_size=20,
    )
)
def test_any_decimal_is_rounded_as_python_does(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    with np.errstate(over="ignore"):
        expected = np.array([float(text) for text in texts]).astype(np.float32)
    texts = [text for text, value in zip(texts, expected, strict=True) if np.isfinite(value)]
    expected = expected[np.isfinite(expected)]
    if texts:
        path = tmp_path_factory.getbasetemp() / "decimals.vec"
        path.write_text(f"1 {len(texts)}\nkey {' '.join(texts)}")
        assert read_as(path, np.float32).vectors.tobytes() == expected.tobytes()
        assert read_as(path, np.float64).vectors[0].tolist() == [float(text) for text in texts]


def test_decimals_between_two_floats_are_settled_exactly(path: Path) -> None:
    rng = np.random.default_rng(0)
    low = np.concatenate([rng.standard_normal(200), 10.0 ** rng.uniform(-45, 38, 300)]).astype(
        np.float32
    )
    middle = (low.astype(np.float64) + np.nextafter(low, np.float32(np.inf))) / 2
    texts = [f"{value:.60e}" for value in middle]
    texts += [f"{np.nextafter(value, np.inf):.60e}" for value in middle]
    texts += [f"{np.nextafter(value, -np.inf):.60e}" for value in middle]
    path.write_text(f"1 {len(texts)}\nkey {' '.join(texts)}")
    raw = read_as(path, np.float32)
    assert raw.vectors[0].tolist() == [np.float32(float(text)) for text in texts]


def test_files_written_by_gensim(path: Path) -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    rng = np.random.default_rng(1)
    vectors = (rng.standard_normal((300, 20)) * 10.0 ** rng.integers(-8, 8, (300, 1))).astype("f4")
    gensim = models.KeyedVectors(20)
    gensim.add_vectors([f"слово{i}" for i in range(300)], vectors)
    gensim.save_word2vec_format(str(path), binary=False)
    raw = WORD2VEC_TEXT.read(path, ReadOptions())
    assert raw.keys == gensim.index_to_key
    assert raw.vectors.tobytes() == vectors.tobytes()


# --- writer ---


def written_writer(vectors: NDArray[np.float32]) -> list[str]:
    blocks = [Block(["k"] * len(vectors), vectors)]
    return [
        line[2:] for line in b"".join(text_lines.format_lines(blocks)).decode().split("\n")[:-1]
    ]


def digits(text: str) -> int:
    return len(text.split("e")[0].replace(".", "").replace("-", "").strip("0"))


def random_bits(count: int) -> NDArray[np.float32]:
    bits = np.random.default_rng(5).integers(0, 2**32, count, dtype=np.uint32)
    floats = bits.view(np.float32)
    return floats[np.isfinite(floats)]


def edges() -> NDArray[np.float32]:
    powers = np.float32(2) ** np.arange(-149, 128).astype(np.float32)
    tens = np.array([float(f"1e{power}") for power in range(-45, 39)], dtype=np.float32)
    near = np.concatenate([powers, tens])
    subnormal = np.arange(1, 300, dtype=np.uint32).view(np.float32)
    large = np.float32(3.4028235e38)
    both = np.concatenate([near, np.nextafter(near, np.float32(0)), subnormal, [large, 0]])
    return np.concatenate([both, -both]).astype(np.float32)


def test_a_number_is_the_shortest_that_reads_back() -> None:
    numbers = np.concatenate([random_bits(20_000), edges()])
    for number, text in zip(numbers, written_writer(numbers[:, None]), strict=True):
        assert np.float32(float(text)).tobytes() == number.tobytes(), text
        shortest = np.format_float_scientific(number)
        # numpy also takes a decimal half-way between two floats, trusting all to round to even.
        assert digits(text) == digits(shortest) or _is_half_way(float(shortest)), (text, shortest)


def _is_half_way(number: float) -> bool:
    near = np.float32(number)
    other = np.nextafter(near, np.float32(np.inf if number > float(near) else -np.inf))
    return float(near) != number and abs(float(near) - number) == abs(float(other) - number)


def test_numbers_look_as_python_writes_them() -> None:
    for text in (
        "0.1",
        "-0.0",
        "1.0",
        "123.25",
        "0.0001",
        "1e-05",
        "-1.5e-07",
        "100000.0",
        "1e+20",
    ):
        assert written_writer(np.array([[float(text)]], dtype=np.float32)) == [text]


def test_what_the_loops_leave_open_is_written_by_numpy() -> None:
    vectors = np.array([[0.1, 2.0], [0.3, 1e-40]], dtype=np.float32)
    for key, vector in zip("ab", vectors, strict=True):
        line = text_lines._format_line(key.encode(), vector).decode()
        name, *numbers = line.split()
        assert name == key
        assert np.array(numbers, dtype=np.float64).astype(np.float32).tolist() == vector.tolist()


def test_an_unsettled_line_keeps_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.array([[0.1], [0.2], [0.3]], dtype=np.float32)

    def leave_the_second_open(
        _keys: object, _key_ends: object, _vectors: object, text: Any, line_ends: Any
    ) -> int:
        text[:12] = np.frombuffer(b"k 0.1\nk 0.3\n", dtype=np.uint8)
        line_ends[:] = [6, UNSETTLED, 12]
        return 12

    monkeypatch.setattr(text_lines, "write_lines", leave_the_second_open)
    assert [float(number) for number in written_writer(vectors)] == [0.1, 0.2, 0.3]


# --- A text whose last line break is missing may be cut, which is said ---


RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize(("ending", "between"), [(".txt", " "), (".csv", ","), (".vec", " ")])
def test_a_cut_file_is_read_and_said_to_be_cut(tmp_path: Path, ending: str, between: str) -> None:
    rows = RANDOM.normal(size=(60, 8))
    lines = [between.join([f"w{n}", *(f"{x:.6f}" for x in row)]) for n, row in enumerate(rows)]
    text = ("60 8\n" if ending == ".vec" else "") + "\n".join(lines)
    whole, bare, cut = (tmp_path / f"{name}{ending}" for name in ("whole", "bare", "cut"))
    whole.write_text(text + "\n")
    bare.write_text(text)
    cut.write_text(text[:-3])
    assert UNENDED not in fairvec.load(whole).history[-1].details
    honest = fairvec.load(bare)
    assert honest.history[-1].details[UNENDED] == f"missing after {rows[-1, -1]:.6f}"
    assert remark_on_damage(honest) == (
        f"The last line break of bare is missing after {rows[-1, -1]:.6f}: if it was not written "
        "so, it is cut off there; compare its size with the original's."
    )
    assert remark_on_damage(fairvec.load(whole)) == ""
    found = fairvec.load(cut)
    assert len(found) == 60
    assert f"missing after {rows[-1, -1]:.6f}"[:-3] in remark_on_damage(found)


def test_the_shell_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt"
    rows = RANDOM.normal(size=(60, 8))
    lines = [" ".join([f"w{n}", *(f"{x:.6f}" for x in row)]) for n, row in enumerate(rows)]
    path.write_text("\n".join(lines)[:-3])
    done = CliRunner().invoke(app, ["neighbours", str(path), "w1"])
    assert done.exit_code == 0
    assert "The last line break of cut is missing after" in " ".join(done.output.split())


# --- A text file of before UTF-8 is told by what its first key would be in a code page ---


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        (
            "женщина".encode("cp1251"),
            "from cp1251 to UTF-8 if it is an older Russian one (then this",
        ),
        (
            "café".encode("cp1252"),
            "from cp1252 to UTF-8 if it is an older Western one (then this is",
        ),
        (b"\x98\xff", "convert the file to UTF-8, or allow replacement"),
    ],
    ids=["russian", "western", "neither"],
)
@pytest.mark.parametrize("header", ["2 2\n", ""], ids=["word2vec", "glove"])
def test_an_older_file(tmp_path: Path, header: str, key: bytes, remedy: str) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes(header.encode() + b"plain 1 2\n" + key + b" 3 4\n")
    with pytest.raises(FileFormatError) as caught:
        fairvec.load(file)
    assert remedy in str(caught.value)


def test_what_it_would_be_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes("женщина 1 2\nмужчина 3 4\n".encode("cp1251"))
    with pytest.raises(FileFormatError, match="'женщина'"):
        fairvec.load(file)

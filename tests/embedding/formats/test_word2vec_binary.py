"""Binary word2vec files, written here byte by byte."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats import word2vec_binary
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.word2vec_binary import Word2VecBinary

KEYS = ["the", "दिल्ली", "a\u00a0b", "x" * 300]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.bin"


def vectors(rows: int = len(KEYS), columns: int = 5) -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)


def written(
    keys: Sequence[str | bytes],
    matrix: NDArray[np.float32],
    *,
    header: bytes | None = None,
    after: bytes = b"\n",
) -> bytes:
    records = [
        (key if isinstance(key, bytes) else key.encode()) + b" " + row.tobytes() + after
        for key, row in zip(keys, matrix, strict=True)
    ]
    return (header or b"%d %d\n" % matrix.shape) + b"".join(records)


@pytest.mark.parametrize("after", [b"", b"\n"])
def test_newline_after_a_record_is_optional(path: Path, after: bytes) -> None:
    path.write_bytes(written(KEYS, vectors(), after=after))
    raw = Word2VecBinary().read(path, ReadOptions())
    assert raw.keys == KEYS
    assert raw.vectors.tobytes() == vectors().tobytes()
    assert raw.notes == {}


@pytest.mark.parametrize("columns", [1, 7, 300])
def test_records_cross_blocks(path: Path, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word2vec_binary, "BLOCK_BYTES", 64)
    monkeypatch.setattr(word2vec_binary, "ROOM_FOR_KEY", 16)
    keys = [f"{i:x}" * (1 + i % 4) + "key" for i in range(500)]
    path.write_bytes(written(keys, vectors(500, columns)))
    calls: list[tuple[int, int]] = []
    raw = Word2VecBinary().read(path, ReadOptions(progress=lambda *call: calls.append(call)))
    assert raw.keys == keys
    assert raw.vectors.tobytes() == vectors(500, columns).tobytes()
    assert len(calls) > 5
    assert calls[-1] == (path.stat().st_size,) * 2


def test_spaces_and_newlines_among_the_floats(path: Path) -> None:
    tricky = np.frombuffer(b"    \n\n\n\n  \n ", dtype="<f4").reshape(1, 3).repeat(4, axis=0)
    path.write_bytes(written(KEYS, tricky))
    raw = Word2VecBinary().read(path, ReadOptions())
    assert raw.keys == KEYS
    assert raw.vectors.tobytes() == tricky.tobytes()


def test_words_keeps_only_the_wanted(path: Path) -> None:
    path.write_bytes(written(KEYS, vectors()))
    raw = Word2VecBinary().read(path, ReadOptions(words=frozenset({"a\u00a0b", "the", "absent"})))
    assert raw.keys == ["the", "a\u00a0b"]
    assert raw.vectors.tobytes() == vectors()[[0, 2]].tobytes()


def test_duplicates_keep_the_first_and_are_counted(path: Path) -> None:
    path.write_bytes(written(["a", "b", "a", "a"], vectors()))
    raw = Word2VecBinary().read(path, ReadOptions())
    assert raw.keys == ["a", "b"]
    assert raw.vectors.tobytes() == vectors()[:2].tobytes()
    assert raw.notes == {"duplicates": 2}


def test_invalid_utf8(path: Path) -> None:
    path.write_bytes(written([b"a", b"\xc3", b"b\xff\xfe", b"c"], vectors()))
    with pytest.raises(FileFormatError, match=r"record 2: the key .* invalid_utf8='replace'"):
        Word2VecBinary().read(path, ReadOptions())
    raw = Word2VecBinary().read(path, ReadOptions(invalid_utf8="replace"))
    assert raw.keys == ["a", "\ufffd", "b\ufffd\ufffd", "c"]
    assert raw.notes == {"bytes_replaced": 3}


def test_a_file_cut_anywhere_names_the_record(path: Path) -> None:
    whole = written(KEYS, vectors())
    ends = [whole.index(row.tobytes()) + row.nbytes for row in vectors()]
    for length in range(len(b"4 5\n"), ends[-1]):
        path.write_bytes(whole[:length])
        record = 1 + sum(end <= length for end in ends)
        with pytest.raises(FileFormatError, match=f"record {record} of 4 is cut off"):
            Word2VecBinary().read(path, ReadOptions())


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"5 5\n", "record 5 of 5 is cut off"),
        (b"3 5\n", "goes on after the 3 records"),
        (b"999999999999999 5\n", "record 5 of 999999999999999 is cut off"),
        (b"4 999999999999999\n", "record 1 of 4 is cut off"),
        (b"0 5\n", "holds no vectors"),
        (b"4 0\n", "holds no vectors"),
        (b"four five\n", "does not begin with the line 'rows columns'"),
    ],
)
def test_headers_that_lie(path: Path, header: bytes, message: str) -> None:
    path.write_bytes(written(KEYS, vectors(), header=header))
    with pytest.raises(FileFormatError, match=f"model.bin.*{message}"):
        Word2VecBinary().read(path, ReadOptions())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_non_finite_values_name_the_record(path: Path, value: float) -> None:
    matrix = vectors()
    matrix[2, 4] = value
    path.write_bytes(written(["a", "a", "b", "c"], matrix))
    with pytest.raises(FileFormatError, match="record 3: the vector holds NaN or infinity"):
        Word2VecBinary().read(path, ReadOptions())


def test_garbage_without_spaces_is_refused_quickly(path: Path) -> None:
    path.write_bytes(b"1000 300\n" + b"\x01" * 3_000_000)
    with pytest.raises(FileFormatError, match="record 1 of 1000"):
        Word2VecBinary().read(path, ReadOptions())


def test_files_written_by_gensim(path: Path) -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    gensim = models.KeyedVectors(20)
    gensim.add_vectors([f"слово{i}" for i in range(300)], vectors(300, 20))
    gensim.save_word2vec_format(str(path), binary=True)
    raw = Word2VecBinary().read(path, ReadOptions())
    assert raw.keys == gensim.index_to_key
    assert raw.vectors.tobytes() == vectors(300, 20).tobytes()

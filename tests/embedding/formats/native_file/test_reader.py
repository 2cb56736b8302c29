import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from fairvec.core.errors import FileFormatError, GeometryError, SettingError
from fairvec.embedding.embedding import Embedding, Step
from fairvec.embedding.formats.base import FileContent, ReadOptions
from fairvec.embedding.formats.native import (
    Native,
    Safetensors,
    native_metadata,
    write_native,
    write_native_quantised,
)
from fairvec.embedding.loading import load
from fairvec.geometry import Euclidean, Poincare

KEYS = ["the", "слово", "शब्द", "new york"]
VECTORS = np.random.default_rng(3).standard_normal((4, 3)).astype(np.float32) / 10
HISTORY = (Step("read", {"file": "слова.txt"}), Step("project", {"moved": 2}))
MODEL = Embedding(KEYS, VECTORS, Poincare(0.5), "tiny", HISTORY)


def read(path: Path, words: list[str] | None = None) -> FileContent:
    assert Native().recognises(path, path.read_bytes()[:512])
    return Native().read(path, ReadOptions(None if words is None else frozenset(words)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.fairvec"
    write_native(MODEL, path, licence="MIT", origin="made for a test")
    return path


def test_what_is_written_is_read_back(file: Path) -> None:
    raw = read(file)
    assert raw.keys == KEYS
    assert (raw.geometry, raw.name, raw.history) == (Poincare(0.5), "tiny", HISTORY)
    assert raw.vectors.tobytes() == VECTORS.tobytes()
    back = Embedding(raw.keys, raw.vectors, raw.geometry or Euclidean())
    assert back.content_hash == MODEL.content_hash


def test_vectors_are_a_view_of_the_file_and_cannot_be_changed(file: Path) -> None:
    raw = read(file)
    base: Any = raw.vectors
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        raw.vectors[0, 0] = 1


def test_only_wanted_rows_are_read(file: Path) -> None:
    raw = read(file, ["शब्द", "the", "absent"])
    assert raw.keys == ["the", "शब्द"]
    np.testing.assert_array_equal(raw.vectors, VECTORS[[0, 2]])
    assert read(file, []).vectors.shape == (0, 3)


def test_the_file_is_a_safetensors_file(file: Path) -> None:
    tensors = load_file(file)
    assert tensors["keys"].tobytes().decode().split("\n") == KEYS
    np.testing.assert_array_equal(tensors["vectors"], VECTORS)
    assert not Safetensors().recognises(file, file.read_bytes()[:512])


def test_a_file_says_where_it_comes_from(file: Path) -> None:
    metadata = native_metadata(file)
    assert (metadata.licence, metadata.origin) == ("MIT", "made for a test")


def test_a_file_of_the_reference_implementation_is_read(tmp_path: Path) -> None:
    metadata = {"fairvec": "1", "name": "other", "geometry": "euclidean", "curvature": "0"}
    keys = np.frombuffer("\n".join(KEYS).encode(), dtype=np.uint8)
    path = tmp_path / "renamed.bin"
    save_file({"keys": keys, "vectors": VECTORS.astype(np.float64)}, path, metadata)
    raw = read(path)
    assert (raw.keys, raw.geometry, raw.history) == (KEYS, Euclidean(), ())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_file_can_be_written_narrower(dtype: str, tmp_path: Path) -> None:
    write_native(MODEL, tmp_path / "a.fairvec", dtype=dtype)
    np.testing.assert_array_equal(read(tmp_path / "a.fairvec").vectors, VECTORS.astype(dtype))


def test_a_file_can_be_replaced_by_what_was_read_from_it(file: Path) -> None:
    raw = read(file)
    half = Embedding(raw.keys[:2], raw.vectors[:2], name="half")
    write_native(half, file)
    assert read(file).keys == KEYS[:2]
    np.testing.assert_array_equal(raw.vectors, VECTORS)


@pytest.mark.parametrize(
    ("model", "dtype", "kind", "message"),
    [
        (Embedding(["a"], VECTORS[:1] * np.nan), None, FileFormatError, "NaN or infinity"),
        (Embedding([], VECTORS[:0]), None, FileFormatError, "holds no vectors"),
        (Embedding(["a\nb"], VECTORS[:1]), None, FileFormatError, "line break"),
        (Embedding(["\ud800"], VECTORS[:1]), None, FileFormatError, "half a character"),
        (Embedding(["a"], np.full((1, 2), 1e5)), "float16", GeometryError, "float16 moves 'a'"),
        (
            Embedding(["b"], np.array([[1 - 1e-9, 0]]), Poincare()),
            "float32",
            GeometryError,
            "float32 moves 'b' out of the poincare",
        ),
        (MODEL, "int8", SettingError, "not int8"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(
    model: Embedding, dtype: str | None, kind: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=message):
        write_native(model, tmp_path / "a.fairvec", dtype=dtype)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_native(Embedding(["a"], VECTORS[:1]), file)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


# Product-quantised files.

CODES = np.array([[0, 1], [2, 2], [1, 0], [0, 0]], dtype=np.uint8)
BOOKS = np.arange(18, dtype=np.float32).reshape(2, 3, 3)


def test_quantised_files_are_decoded(tmp_path: Path) -> None:
    path = tmp_path / "q.fairvec"
    write_native_quantised(KEYS, CODES, BOOKS, path, name="q", licence="MIT", history=HISTORY)
    raw = read(path)
    assert (raw.keys, raw.name, raw.geometry, raw.history) == (KEYS, "q", Euclidean(), HISTORY)
    expected = [np.concatenate([BOOKS[0, a], BOOKS[1, b]]) for a, b in CODES]
    np.testing.assert_array_equal(raw.vectors, expected)
    np.testing.assert_array_equal(read(path, ["शब्द"]).vectors, expected[2:3])
    assert read(path, []).vectors.shape == (0, 6)


def test_quantised_files_that_could_not_be_read_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="do not fit together"):
        write_native_quantised(KEYS[:3], CODES, BOOKS, tmp_path / "q.fairvec", name="q")
    with pytest.raises(FileFormatError, match="one key twice"):
        write_native_quantised(["a"] * 4, CODES, BOOKS, tmp_path / "q.fairvec", name="q")
    assert list(tmp_path.iterdir()) == []


# Damaged files.


def taken_apart(file: Path) -> tuple[dict[str, Any], bytes]:
    data = file.read_bytes()
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def put_together(file: Path, header: object, body: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return file


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("vectors", "data_offsets"), [0, 10**15], "outside the"),
        (("vectors", "data_offsets"), [-4, 44], "whole numbers"),
        (("vectors", "data_offsets"), [48, 0], "outside the"),
        (("vectors", "data_offsets"), [0], "damaged header"),
        (("vectors", "data_offsets"), ["0", "48"], "whole numbers"),
        (("vectors", "shape"), [10**9, 10**9], "takes 48 bytes"),
        (("vectors", "shape"), [True, 12], "whole numbers"),
        (("vectors", "shape"), [3, 4], "4 keys but vectors of shape"),
        (("vectors", "shape"), [12], "4 keys but vectors of shape"),
        (("vectors", "shape"), 12, "damaged header"),
        (("vectors", "dtype"), "BF16", "stores vectors as BF16"),
        (("vectors", "dtype"), "F64", "takes 48 bytes"),
        (("keys", "data_offsets"), None, "damaged header"),
        (("vectors",), 7, "damaged header"),
        (("__metadata__", "fairvec"), "2", "version 1 of fairvec's format but in 2"),
        (("__metadata__", "fairvec"), "9" * 100_000, r"format but in '9{60}\.\.\.'; upgrade"),
        (("__metadata__", "geometry"), "spherical", "damaged metadata"),
        (("__metadata__", "curvature"), "-1", "damaged metadata"),
        (("__metadata__", "curvature"), "round", "damaged metadata"),
        (("__metadata__", "history"), "[1]", "damaged metadata"),
        (("__metadata__", "history"), "{", "damaged metadata"),
        (("__metadata__",), [], "damaged header"),
    ],
)
def test_a_damaged_header_is_one_clear_error(
    file: Path, place: tuple[str, ...], value: object, message: str
) -> None:
    header, body = taken_apart(file)
    inner = header
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    with pytest.raises(FileFormatError, match=message) as error:
        Native().read(put_together(file, header, body), ReadOptions())
    assert "tiny.fairvec" in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("missing", ["keys", "vectors"])
def test_a_missing_tensor_is_named(file: Path, missing: str) -> None:
    header, body = taken_apart(file)
    del header[missing]
    with pytest.raises(FileFormatError, match="has no tensor named"):
        Native().read(put_together(file, header, body), ReadOptions())


@pytest.mark.parametrize("header", [b"{", b"[]", b"\xff", b"null", b"[" * 100_000, b""])
def test_a_header_that_is_no_object_is_refused(file: Path, header: bytes) -> None:
    with pytest.raises(FileFormatError, match="damaged header"):
        Native().read(put_together(file, header, b""), ReadOptions())


@pytest.mark.parametrize("length", [2**64 - 1, 2**40, 10**6])
def test_an_absurd_header_length_is_refused(file: Path, length: int) -> None:
    file.write_bytes(length.to_bytes(8, "little") + file.read_bytes()[8:])
    with pytest.raises(FileFormatError, match="too short for the header"):
        Native().read(file, ReadOptions())


def test_every_cut_is_one_clear_error(file: Path) -> None:
    data = file.read_bytes()
    for length in range(0, len(data), 11):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"tiny\.fairvec"):
            Native().read(file, ReadOptions())


def test_keys_that_are_not_utf_8_are_refused_or_replaced(file: Path) -> None:
    header, body = taken_apart(file)
    put_together(file, header, body.replace("с".encode(), b"\xff\xff", 1))
    with pytest.raises(FileFormatError, match=r"key 2: .* not valid UTF-8"):
        Native().read(file, ReadOptions())
    raw = Native().read(file, ReadOptions(invalid_utf8="replace"))
    assert raw.keys[1] == "\ufffd\ufffdлово"
    assert raw.notes == {"bytes_replaced": 2}


def test_rows_that_are_taken_out_are_checked(file: Path) -> None:
    header, body = taken_apart(file)
    put_together(file, header, np.float32(np.nan).tobytes() + body[4:])
    assert read(file, ["слово"]).keys == ["слово"]
    with pytest.raises(FileFormatError, match=r"'the'.*NaN"):
        read(file, ["the"])


def test_half_characters_of_a_name_do_not_undo_the_work(tmp_path: Path) -> None:
    odd = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    made = Embedding(
        ["a"], np.eye(1, dtype=np.float32), name=odd, history=(Step("read", {"file": odd}),)
    )
    write_native(made, tmp_path / "m.fairvec", origin=odd)
    again = load(tmp_path / "m.fairvec")
    assert again.name == "caf\\udce9.txt"
    assert again.history[0].details["file"] == "caf\\udce9.txt"

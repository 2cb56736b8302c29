"""The native format and safetensors."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from fairvec.core.errors import FileFormatError, GeometryError, SettingError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.embedding import save
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
from tests import toys

# --- reader ---


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


# --- A history with a part of another type is refused when it is read ---


def with_history(path: Path, written: str) -> Path:
    save(toys.embedding(), path)
    file = open_tensors(path)
    tensors = {name: file.tensor(name).copy() for name in file.entries}
    write_tensors(path, tensors, {**file.metadata, "history": written})
    return path


@pytest.mark.parametrize(
    "written",
    [
        "5",
        '{"action": "read"}',
        "[5]",
        '[{"action": "read"}]',
        '[{"action": 5, "details": {}}]',
        '[{"action": "read", "details": [["a", 1]]}]',
        '[{"action": "debias", "details": {"fitted_on": 5}}]',
        '[{"action": "debias", "details": {"fitted_on": "he"}}]',
        '[{"action": "debias", "details": {"fitted_on": [["he"]]}}]',
        '[{"action": "read", "details": {"composed": {"he": 1}}}]',
        '[{"action": "read", "details": {"x": "\\ud800"}}]',
        '[{"action": "read", "details": {"x": ' + "9" * 400 + "}}]",
        '[{"action": "read", "details": {"x": ' + "[" * 9999,
    ],
    ids=range(13),
)
def test_a_part_of_another_type_is_refused(written: str, tmp_path: Path) -> None:
    path = with_history(tmp_path / "toy.fairvec", written)
    with pytest.raises(FileFormatError, match=r"toy\.fairvec has damaged metadata") as refused:
        load(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_no_number_in_a_history_is_null(tmp_path: Path) -> None:
    steps = [{"action": "read", "details": {"loss": float("nan"), "fitted_on": ["he"]}}]
    found = load(with_history(tmp_path / "toy.fairvec", json.dumps(steps)))
    assert found.history[0] == Step("read", {"loss": None, "fitted_on": ["he"]})


def test_a_step_made_in_python_is_checked_alike() -> None:
    with pytest.raises(SettingError, match="fitted_on 5; it must be a list of words"):
        Step("debias", {"fitted_on": 5})
    assert Step("debias", {"fitted_on": ("he", "she")}).details["fitted_on"] == ("he", "she")


# --- safetensors ---


KEYS_SAFETENSORS = ["the", "слово", "शब्द"]
JOINED = np.frombuffer("\n".join(KEYS_SAFETENSORS).encode(), dtype=np.uint8)
VECTORS_SAFETENSORS = np.arange(6, dtype=np.float32).reshape(3, 2)


def saved(path: Path, metadata: dict[str, str] | None = None, **tensors: Any) -> Path:
    save_file(tensors, path, metadata)
    return path


def read_safetensors(path: Path, words: list[str] | None = None) -> FileContent:
    assert Safetensors().recognises(path, path.read_bytes()[:512])
    return Safetensors().read(path, ReadOptions(None if words is None else frozenset(words)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_keys_in_a_tensor(dtype: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors", weight=VECTORS_SAFETENSORS.astype(dtype), keys=JOINED)
    raw = read_safetensors(file)
    assert raw.keys == KEYS_SAFETENSORS
    assert raw.vectors.dtype == dtype
    np.testing.assert_array_equal(raw.vectors, VECTORS_SAFETENSORS)
    assert read_safetensors(file, ["слово"]).vectors.tolist() == [[2, 3]]


@pytest.mark.parametrize("name", ["keys", "words"])
def test_keys_in_the_metadata(name: str, tmp_path: Path) -> None:
    assert (
        read_safetensors(
            saved(
                tmp_path / "a.safetensors",
                {name: json.dumps(KEYS_SAFETENSORS)},
                w=VECTORS_SAFETENSORS,
            )
        ).keys
        == KEYS_SAFETENSORS
    )


@pytest.mark.parametrize("name", ["a.keys.txt", "a.vocab.txt", "vocab.txt"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_keys_beside_the_file(name: str, ending: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors", w=VECTORS_SAFETENSORS)
    (tmp_path / name).write_bytes("".join(key + ending for key in KEYS_SAFETENSORS).encode())
    assert read_safetensors(file).keys == KEYS_SAFETENSORS


@pytest.mark.parametrize(
    ("metadata", "tensors", "message"),
    [
        (None, {"w": VECTORS_SAFETENSORS}, r"put the words beside it in bad\.keys\.txt"),
        (None, {"keys": JOINED}, r"0 matrices of floats \(none\)"),
        (
            None,
            {"a": VECTORS_SAFETENSORS, "b": VECTORS_SAFETENSORS, "keys": JOINED},
            r"2 matrices of floats \(a, b\)",
        ),
        (None, {"w": VECTORS_SAFETENSORS[:2], "keys": JOINED}, "3 keys but vectors of shape"),
        (None, {"w": VECTORS_SAFETENSORS * np.float32(np.nan), "keys": JOINED}, "row 1 .* NaN"),
        (None, {"w": VECTORS_SAFETENSORS[:0], "keys": JOINED[:0]}, "1 key but vectors"),
        ({"keys": "not json"}, {"w": VECTORS_SAFETENSORS}, "'keys' is not a JSON list"),
        ({"words": "[1, 2, 3]"}, {"w": VECTORS_SAFETENSORS}, "'words' is not a JSON list of words"),
        (
            {"geometry": "poincare-x0", "curvature": "1.0"},
            {"w": VECTORS_SAFETENSORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows .*poincare-x0",
        ),
        (
            {"geometry": "poincare", "curvature": "-1"},
            {"w": VECTORS_SAFETENSORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows",
        ),
        (
            {"geometry": "poincare", "curvature": "much"},
            {"w": VECTORS_SAFETENSORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows",
        ),
    ],
)
def test_what_is_wrong_is_reported_in_one_sentence(
    metadata: dict[str, str] | None, tensors: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = saved(tmp_path / "bad.safetensors", metadata, **tensors)
    with pytest.raises(FileFormatError, match=message) as error:
        read_safetensors(file)
    assert "bad.safetensors" in str(error.value)


def test_bfloat16_is_refused_by_name(tmp_path: Path) -> None:
    entry = {"w": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]}}
    header = json.dumps(entry).encode()
    file = tmp_path / "b.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 8)
    with pytest.raises(FileFormatError, match=r"stores w as BF16.*save it as F32"):
        read_safetensors(file)


def test_repeated_keys_count_once(tmp_path: Path) -> None:
    joined = np.frombuffer(b"a\nb\na", dtype=np.uint8)
    raw = read_safetensors(saved(tmp_path / "a.safetensors", w=VECTORS_SAFETENSORS, keys=joined))
    assert raw.keys == ["a", "b"]
    assert raw.vectors.tolist() == [[0, 1], [2, 3]]
    assert raw.notes == {"duplicates": 1}

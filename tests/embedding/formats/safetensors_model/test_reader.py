import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import FileContent, ReadOptions
from fairvec.embedding.formats.native import Safetensors

KEYS = ["the", "слово", "शब्द"]
JOINED = np.frombuffer("\n".join(KEYS).encode(), dtype=np.uint8)
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2)


def saved(path: Path, metadata: dict[str, str] | None = None, **tensors: Any) -> Path:
    save_file(tensors, path, metadata)
    return path


def read(path: Path, words: list[str] | None = None) -> FileContent:
    assert Safetensors().recognises(path, path.read_bytes()[:512])
    return Safetensors().read(path, ReadOptions(None if words is None else frozenset(words)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_keys_in_a_tensor(dtype: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors", weight=VECTORS.astype(dtype), keys=JOINED)
    raw = read(file)
    assert raw.keys == KEYS
    assert raw.vectors.dtype == dtype
    np.testing.assert_array_equal(raw.vectors, VECTORS)
    assert read(file, ["слово"]).vectors.tolist() == [[2, 3]]


@pytest.mark.parametrize("name", ["keys", "words"])
def test_keys_in_the_metadata(name: str, tmp_path: Path) -> None:
    assert read(saved(tmp_path / "a.safetensors", {name: json.dumps(KEYS)}, w=VECTORS)).keys == KEYS


@pytest.mark.parametrize("name", ["a.keys.txt", "a.vocab.txt", "vocab.txt"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_keys_beside_the_file(name: str, ending: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "a.safetensors", w=VECTORS)
    (tmp_path / name).write_bytes("".join(key + ending for key in KEYS).encode())
    assert read(file).keys == KEYS


@pytest.mark.parametrize(
    ("metadata", "tensors", "message"),
    [
        (None, {"w": VECTORS}, r"put the words beside it in bad\.keys\.txt"),
        (None, {"keys": JOINED}, r"0 matrices of floats \(none\)"),
        (None, {"a": VECTORS, "b": VECTORS, "keys": JOINED}, r"2 matrices of floats \(a, b\)"),
        (None, {"w": VECTORS[:2], "keys": JOINED}, "3 keys but vectors of shape"),
        (None, {"w": VECTORS * np.float32(np.nan), "keys": JOINED}, "row 1 .* NaN"),
        (None, {"w": VECTORS[:0], "keys": JOINED[:0]}, "1 key but vectors"),
        ({"keys": "not json"}, {"w": VECTORS}, "'keys' is not a JSON list"),
        ({"words": "[1, 2, 3]"}, {"w": VECTORS}, "'words' is not a JSON list of words"),
        (
            {"geometry": "poincare-x0", "curvature": "1.0"},
            {"w": VECTORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows .*poincare-x0",
        ),
        (
            {"geometry": "poincare", "curvature": "-1"},
            {"w": VECTORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows",
        ),
        (
            {"geometry": "poincare", "curvature": "much"},
            {"w": VECTORS, "keys": JOINED},
            "no geometry and curvature that fairvec knows",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    metadata: dict[str, str] | None, tensors: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = saved(tmp_path / "bad.safetensors", metadata, **tensors)
    with pytest.raises(FileFormatError, match=message) as error:
        read(file)
    assert "bad.safetensors" in str(error.value)


def test_bfloat16_is_refused_by_name(tmp_path: Path) -> None:
    entry = {"w": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]}}
    header = json.dumps(entry).encode()
    file = tmp_path / "b.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 8)
    with pytest.raises(FileFormatError, match=r"stores w as BF16.*save it as F32"):
        read(file)


def test_repeated_keys_count_once(tmp_path: Path) -> None:
    joined = np.frombuffer(b"a\nb\na", dtype=np.uint8)
    raw = read(saved(tmp_path / "a.safetensors", w=VECTORS, keys=joined))
    assert raw.keys == ["a", "b"]
    assert raw.vectors.tolist() == [[0, 1], [2, 3]]
    assert raw.notes == {"duplicates": 1}

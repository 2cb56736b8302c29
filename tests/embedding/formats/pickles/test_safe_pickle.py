import pickle
from collections import Counter, OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.safe_pickle import Array, load_pickle

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
ARRAYS = [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3)),
    np.arange(4, dtype=">f4"),
    np.array([1.5, -2.0], dtype=np.float16),
    np.array([1, 2], dtype=np.int64),
    np.array([True, False]),
    np.array(["слово", "word"]),
    np.array([b"bytes", b"of text"]),
    np.array([], dtype=np.float32).reshape(0, 5),
    np.array(3.5),
]


def rebuilt(value: Any, folder: Path, protocol: int) -> Any:
    file = folder / "value.pkl"
    file.write_bytes(pickle.dumps(value, protocol))
    return load_pickle(file)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_arrays_come_back_as_they_were(array: Any, protocol: int, tmp_path: Path) -> None:
    back = rebuilt(array, tmp_path, protocol)
    assert back.dtype == array.dtype
    np.testing.assert_array_equal(back, array)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_plain_containers_come_back_as_plain_containers(protocol: int, tmp_path: Path) -> None:
    counted = defaultdict(int, {"a": 1})
    value = {
        "list": [1, 2.5, None, True, 2**70],
        "tuple": ("x", b"y", b""),
        "set": {1, 2},
        "frozen": frozenset({3}),
        "ordered": OrderedDict([("b", 1), ("a", 2)]),
        "default": counted,
        "counter": Counter("aab"),
        "number": np.float32(1.5),
        "bytes": bytearray(b"\xff\x00"),
    }
    back = rebuilt(value, tmp_path, protocol)
    assert back == {**value, "number": 1.5}
    assert type(back["default"]) is dict
    assert list(back["ordered"]) == ["b", "a"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_array_of_objects_holds_what_the_pickle_built(protocol: int, tmp_path: Path) -> None:
    objects = np.array([["a", None], [np.arange(2), 7]], dtype=object)
    back = rebuilt(objects, tmp_path, protocol)
    assert back.shape == (2, 2)
    assert (back[0, 0], back[0, 1], back[1, 1]) == ("a", None, 7)
    assert isinstance(back[1, 0], Array)
    assert back[1, 0].value.tolist() == [0, 1]


def test_strings_of_python_2_stay_bytes(tmp_path: Path) -> None:
    file = tmp_path / "python2.pkl"
    file.write_bytes(b"(lp0\nS'caf\\xc3\\xa9'\np1\naVcaf\\u00e9\np2\na.")
    assert load_pickle(file) == ["café".encode(), "café"]


def test_an_array_of_python_2_is_read(tmp_path: Path) -> None:
    file = tmp_path / "python2.pkl"
    file.write_bytes(
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
        b"(K\x01K\x02\x85cnumpy\ndtype\nU\x02f4K\x00K\x01\x87R(K\x03U\x01<NNNJ\xff\xff\xff\xff"
        b"J\xff\xff\xff\xffK\x00tb\x89U\x08\x00\x00\x80?\x00\x00\x00@tb."
    )
    assert load_pickle(file).tolist() == [1.0, 2.0]


def test_every_cut_of_a_pickle_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "cut.pkl"
    data = pickle.dumps({"vectors": np.arange(4.0), "keys": ["a", "b"]}, 4)
    for length in range(len(data)):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"cut\.pkl is not a whole pickle"):
            load_pickle(file)


def test_noise_gives_the_file_or_a_clear_error(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    file = tmp_path / "noise.pkl"
    data = pickle.dumps({"vectors": np.arange(4.0), "keys": ["a", "b"]}, 2)
    refused = 0
    for _ in range(500):
        noisy = bytearray(data)
        for place in random.integers(2, len(noisy), 3):
            noisy[place] = random.integers(256)
        file.write_bytes(noisy)
        try:
            load_pickle(file)
        except FileFormatError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("garbage", [b"", b"\x80", b"\x80\x04", b"king 0.1 0.2\n", b"\xff" * 100])
def test_garbage_is_one_clear_error(garbage: bytes, tmp_path: Path) -> None:
    file = tmp_path / "garbage.kv"
    file.write_bytes(garbage)
    with pytest.raises(FileFormatError, match=r"garbage\.kv is not a whole pickle"):
        load_pickle(file)

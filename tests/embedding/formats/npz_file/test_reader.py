import io
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.numpy_files import Npz

KEYS = ["the", "слово", "शब्द"]
VECTORS = np.arange(6, dtype=np.float32).reshape(3, 2)


def saved(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize("words", ["words", "keys", "vocab"])
@pytest.mark.parametrize("vectors", ["vectors", "embeddings", "matrix"])
def test_usual_names_are_found(words: str, vectors: str, tmp_path: Path) -> None:
    arrays: dict[str, Any] = {words: np.array(KEYS), vectors: VECTORS, "counts": np.arange(3)}
    file = saved(tmp_path / "a.npz", **arrays)
    assert Npz().recognises(file, file.read_bytes())
    raw = Npz().read(file, ReadOptions())
    assert raw.keys == KEYS
    assert raw.geometry is None
    np.testing.assert_array_equal(raw.vectors, VECTORS)


def test_bytes_are_utf_8_and_only_wanted_words_are_kept(tmp_path: Path) -> None:
    names = np.array([key.encode() for key in KEYS])
    file = saved(tmp_path / "a.npz", words=names, vectors=VECTORS.astype(">f8"))
    raw = Npz().read(file, ReadOptions(frozenset(["शब्द"])))
    assert raw.keys == ["शब्द"]
    assert raw.vectors.tolist() == [[4, 5]]
    assert raw.vectors.dtype.isnative


def test_invalid_utf_8_is_refused_or_replaced(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.npz", words=np.array([b"a", b"\xff\xfeb"]), vectors=VECTORS[:2])
    with pytest.raises(FileFormatError, match=r"a\.npz, key 2: .* not valid UTF-8"):
        Npz().read(file, ReadOptions())
    raw = Npz().read(file, ReadOptions(invalid_utf8="replace"))
    assert raw.keys == ["a", "\ufffd\ufffdb"]
    assert raw.notes == {"bytes_replaced": 2}


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": np.array(KEYS)}, "holds the arrays words, none of which is named like vectors"),
        ({"x": VECTORS}, "holds the arrays x, none of which is named like words"),
        ({"words": np.array(KEYS, dtype=object), "vectors": VECTORS}, "holds Python objects"),
        ({"words": np.arange(3), "vectors": VECTORS}, "words of type int64"),
        ({"words": np.array([KEYS]), "vectors": VECTORS}, "shape \\(1, 3\\)"),
        ({"words": np.array(KEYS), "vectors": VECTORS.astype(int)}, "vectors of type int64"),
        ({"words": np.array(KEYS[:2]), "vectors": VECTORS}, "2 keys but vectors of shape"),
        ({"words": np.array(KEYS), "vectors": VECTORS[0]}, "vectors of shape"),
        ({"words": np.array(KEYS), "vectors": VECTORS + np.float32(np.inf)}, "NaN"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    arrays: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = saved(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileFormatError, match=message) as error:
        Npz().read(file, ReadOptions())
    assert "bad.npz" in str(error.value)


def test_an_absurd_size_is_refused_before_it_is_allocated(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**4)}
    )
    words = io.BytesIO()
    np.save(words, np.array(KEYS))
    file = tmp_path / "bad.npz"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("vectors.npy", header.getvalue())
        archive.writestr("words.npy", words.getvalue())
    with pytest.raises(FileFormatError, match="announces shape"):
        Npz().read(file, ReadOptions())


def test_every_cut_is_one_clear_error(tmp_path: Path) -> None:
    data = saved(tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS).read_bytes()
    file = tmp_path / "cut.npz"
    for length in range(0, len(data), 7):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"cut\.npz"):
            Npz().read(file, ReadOptions())


def test_other_zip_files_are_left_to_others(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("glove.txt", "the 0.1\n")
    assert not Npz().recognises(file, file.read_bytes())


@pytest.mark.parametrize(
    ("name", "first", "shape"),
    [
        ("emb_glove_hi/glove_hi_57k_100d.npz", "के", (57565, 100)),
        ("emb_glove_and_poincare_glove_en/glove_enwiki2_50k_100d.npz", "the", (50000, 100)),
        (
            "emb_glove_and_poincare_glove_en/poincare_glove_enwiki2_50k_100d.npz",
            "the",
            (50000, 100),
        ),
    ],
)
def test_real_models(name: str, first: str, shape: tuple[int, int], shared_data: Path) -> None:
    raw = Npz().read(shared_data / name, ReadOptions())
    assert raw.keys[0] == first
    assert raw.vectors.shape == shape
    with np.load(shared_data / name) as expected:
        np.testing.assert_array_equal(raw.vectors[-1], expected["vectors"][-1])


def test_counts_come_along(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    words, vectors = np.array(["a", "b", "a"]), np.ones((3, 2), dtype=np.float32)
    np.savez(path, words=words, vectors=vectors, counts=np.array([5, 3, 2]))
    raw = Npz().read(path, ReadOptions())
    assert raw.counts is not None
    assert raw.counts.tolist() == [5, 3]
    np.savez(path, words=words, vectors=vectors, counts=np.array([5.5, 3, 2]))
    with pytest.raises(FileFormatError, match="one whole number per key"):
        Npz().read(path, ReadOptions())


@pytest.mark.parametrize("number", [0x110000, 0x7FFF0000, 0xFFFFFFFF])
@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("where", ["words", "geometry"])
def test_numbers_that_stand_for_no_letter_are_refused_wherever_they_are(
    tmp_path: Path, number: int, order: str, where: str
) -> None:
    """Python makes a text of some of them and stumbles later."""
    held: dict[str, Any] = {"words": np.array(["aa", "bb"], f"{order}U2")}
    held["vectors"] = np.ones((2, 3), np.float32)
    held["geometry"] = np.array(["euclidean"], f"{order}U9")
    letters = np.frombuffer(held[where].tobytes(), f"{order}u4").copy()
    saved(tmp_path / "sound.npz", **held)
    assert fairvec.load(tmp_path / "sound.npz").keys == ["aa", "bb"]
    letters[1] = number
    held[where] = np.frombuffer(letters.tobytes(), held[where].dtype)
    saved(tmp_path / "odd.npz", **held)
    with pytest.raises(FileFormatError, match="stand for no letter"):
        fairvec.load(tmp_path / "odd.npz")


@pytest.mark.parametrize("name", ["words", "vectors", "geometry"])
def test_two_arrays_of_one_name_are_refused(name: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS, geometry="euclidean")
    with zipfile.ZipFile(file) as archive:
        other = archive.read(f"{name}.npy")
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(f"{name}.npy", other)
    with pytest.raises(FileFormatError, match=r"a\.npz holds members that share a name"):
        fairvec.load(file)


def test_arrays_that_lie_in_the_same_bytes_are_refused(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.npz", words=np.array(KEYS), vectors=VECTORS)
    content = file.read_bytes()
    listed = [found.start() for found in re.finditer(b"PK\x01\x02", content)]
    second = content[: listed[1] + 42] + bytes(4) + content[listed[1] + 46 :]
    file.write_bytes(second)
    with pytest.raises(FileFormatError, match="or the same bytes"):
        fairvec.load(file)


def test_a_long_name_of_a_space_is_repeated_in_part(tmp_path: Path) -> None:
    saved(
        tmp_path / "odd.npz",
        words=np.array(["a", "b"]),
        vectors=np.ones((2, 3), np.float32),
        geometry=np.array("x" * 100_000),
    )
    with pytest.raises(FileFormatError, match="no space that can be read") as refusal:
        fairvec.load(tmp_path / "odd.npz")
    assert len(str(refusal.value)) < 500

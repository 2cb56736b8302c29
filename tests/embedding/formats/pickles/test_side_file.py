"""The .npy files beside a model of gensim: whatever stands there, one sentence names it."""

import io
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.gensim import GensimPickle
from tests.embedding.formats.pickles.attacks import model
from tests.embedding.pickles import pushed

ASIDE = {"index_to_key": pushed(["a", "b"]), "__numpys": pushed(["vectors"])}
MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)


def saved(array: object) -> bytes:
    written = io.BytesIO()
    np.save(written, np.asarray(array))
    return written.getvalue()


def headed(header: str, content: bytes = b"", version: int = 1) -> bytes:
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + b"\n" + content


def said(descr: str = "'<f4'", shape: str = "(2, 3)", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


BAD: dict[str, bytes] = {
    "nothing": b"",
    "cut magic": b"\x93NUM",
    "text": b"the 0.1 0.2\n",
    "unclosed header": headed("{'descr': '<f4'", bytes(24)),
    "header of minus signs": headed("-" * 7000, bytes(24)),
    "header of brackets": headed("(" * 7000, bytes(24)),
    "header past its length": b"\x93NUMPY\x01\x00\xff\xff{",
    "header of four gigabytes": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
    "unknown version": headed(said(), bytes(24), 9),
    "shape of truth": headed(said(shape="(True, 6)"), bytes(24)),
    "negative shape": headed(said(shape="(-2, -3)"), bytes(24)),
    "huge shape": headed(said(shape=f"({10**30}, 3)"), bytes(24)),
    "huge and empty shape": headed(said(shape=f"(0, {10**30})")),
    "shape past a word": headed(said(shape=f"({2**33}, {2**33})"), bytes(24)),
    "shape of many sides": headed(said(shape="(" + "1, " * 100 + ")"), bytes(4)),
    "shape of text": headed(said(shape="'ab'"), bytes(24)),
    "type that is none": headed(said(descr="'<f3'"), bytes(24)),
    "type of records": headed(said(descr="[('a', '<f4')]"), bytes(24)),
    "type of empty text": headed(said(descr="'<U0'", shape="(3000000000,)")),
    "objects": headed(said(descr="'|O'"), bytes(48)),
    "dates": headed(said(descr="'<M8[s]'"), bytes(48)),
    "whole numbers": saved(MATRIX.astype(int)),
    "one row too few": saved(MATRIX)[:-12],
    "one byte too many": saved(MATRIX) + b"\0",
    "one dimension": saved(MATRIX[0]),
    "no dimension": saved(np.float32(1)),
    "three dimensions": saved(MATRIX[None]),
    "other number of rows": saved(MATRIX[:1]),
    "no rows": saved(MATRIX[:0]),
    "no columns": saved(MATRIX[:, :0]),
}


def read(folder: Path) -> None:
    file = folder / "bad.kv"
    file.write_bytes(model(**ASIDE))
    with pytest.raises(FileFormatError, match=r"bad\.kv") as caught:
        GensimPickle().read(file, ReadOptions())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_side_file_is_one_sentence(kind: str, tmp_path: Path) -> None:
    (tmp_path / "bad.kv.vectors.npy").write_bytes(BAD[kind])
    read(tmp_path)


@pytest.mark.parametrize(
    "put",
    [
        Path.mkdir,
        os.mkfifo,
        lambda side: side.symlink_to("gone"),
        lambda side: side.symlink_to(side),
    ],
    ids=["a folder", "a pipe", "a link to nothing", "a link to itself"],
)
def test_what_is_no_file_in_its_place_is_one_sentence(
    put: Callable[[Path], object], tmp_path: Path
) -> None:
    put(tmp_path / "bad.kv.vectors.npy")
    read(tmp_path)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f2", "<f8"])
def test_a_good_one_is_read_through_a_link_too(kind: str, order: str, tmp_path: Path) -> None:
    matrix = np.array(MATRIX, dtype=kind, order=order)  # type: ignore[call-overload]
    (tmp_path / "elsewhere").write_bytes(saved(matrix))
    (tmp_path / "good.kv.vectors.npy").symlink_to("elsewhere")
    (tmp_path / "good.kv").write_bytes(model(**ASIDE))
    raw = GensimPickle().read(tmp_path / "good.kv", ReadOptions())
    np.testing.assert_array_equal(raw.vectors, MATRIX)

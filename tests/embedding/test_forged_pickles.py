"""Pickles that forge what an allowed name would rebuild."""

import pickletools
import struct
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.safe_pickle import load_pickle
from tests.embedding.pickles import called, pushed, whole


def forged_array(dtype: str, dtype_state: object, shape: object, content: object) -> bytes:
    return whole(
        called("numpy._core.multiarray", "_reconstruct", None, (0,), b"b")
        + b"("
        + pushed(1)
        + pushed(shape)
        + called("numpy", "dtype", dtype, False, True)
        + pushed(dtype_state)
        + b"b"
        + pushed(False)
        + pushed(content)
        + b"tb"
    )


PLAIN = (3, "<", None, None, None, -1, -1, 0)


@pytest.mark.parametrize(
    "forged",
    [
        # Pointers: objects whose flags claim that they are plain bytes.
        forged_array("O8", (3, "|", None, None, None, -1, -1, 0), (1,), struct.pack("<q", 4242)),
        # A record with an object inside, again claiming to be plain bytes.
        forged_array("V8", (3, "|", None, ("a",), {"a": 1}, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f8", (3, "<", None, ("a",), {"a": 1}, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f8", (3, "<", ("f8", 4), None, None, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f4", PLAIN, (1000,), b"\0" * 4),
        forged_array("f4", PLAIN, (2**62, 4), b""),
        forged_array("f4", PLAIN, (-1,), b"\0" * 4),
        forged_array("f4", PLAIN, 1, b"\0" * 4),
        forged_array("f4", PLAIN, (1,), [1.0]),
        forged_array("f4,O8", PLAIN, (1,), b"\0" * 12),
        forged_array("M8[ns]", PLAIN, (1,), b"\0" * 8),
    ],
)
def test_a_forged_array_is_refused_before_memory_is_touched(forged: bytes, tmp_path: Path) -> None:
    assert list(pickletools.genops(forged)), "the forgery must be a well-formed pickle"
    file = tmp_path / "model.kv"
    file.write_bytes(forged)
    with pytest.raises(FileFormatError, match=r"model\.kv"):
        load_pickle(file)


def test_an_array_does_not_move_with_the_bytes_it_was_made_from(tmp_path: Path) -> None:
    growing = b"\x96" + struct.pack("<Q", 8) + struct.pack("<d", 1.5) + b"q\xc8"
    element = b"cnumpy\ndtype\nX\x02\x00\x00\x00f8\x85R"
    array = b"cnumpy._core.numeric\n_frombuffer\n(" + growing + element + b"K\x01\x85V" + b"C\ntR"
    lengthen = b"h\xc8(" + b"K\x07" * 5000 + b"e0"
    file = tmp_path / "model.kv"
    file.write_bytes(whole(b"]" + array + b"a" + lengthen, 5))
    (rebuilt,) = load_pickle(file)
    assert rebuilt.value.tolist() == [1.5]


@pytest.mark.parametrize(
    "instructions",
    [
        called("_codecs", "encode", "text", "rot13"),
        called("_codecs", "encode", "text", "zlib_codec"),
        called("builtins", "bytes", 10**12),
        called("builtins", "bytearray", 10**12),
        called("builtins", "list", "text"),
        called("builtins", "tuple", 7),
    ],
)
def test_harmless_calls_take_only_harmless_arguments(instructions: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.kv"
    file.write_bytes(whole(instructions))
    with pytest.raises(FileFormatError, match="not a whole pickle"):
        load_pickle(file)


def test_reconstructing_anything_but_a_shell_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.kv"
    arguments = b"(cbuiltins\ndict\ncbuiltins\nobject\nNt"
    file.write_bytes(whole(b"ccopyreg\n_reconstructor\n" + arguments + b"R"))
    with pytest.raises(FileFormatError, match="only instances"):
        load_pickle(file)

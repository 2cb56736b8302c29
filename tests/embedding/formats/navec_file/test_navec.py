import gzip
import io
import json
import struct
import tarfile
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.navec import Navec, read_navec

WORDS = ["а", "кот", "слово", "<unk>", "<pad>"]
COUNTS = [9, 5, 7, 0, 0]
RANDOM = np.random.default_rng(2)
CODES = RANDOM.integers(0, 3, (5, 2), dtype=np.uint8)
BOOKS = RANDOM.standard_normal((2, 3, 4)).astype(np.float32)
META = json.dumps({"id": "tiny", "protocol": 1}).encode()
VOCAB = struct.pack("<6I", 5, *COUNTS) + "\n".join(WORDS).encode()
PQ = struct.pack("<4I", 5, 8, 2, 3) + CODES.tobytes() + BOOKS.tobytes()


def archive(path: Path, meta: bytes = META, vocab: bytes = VOCAB, pq: bytes = PQ) -> Path:
    members = {"meta.json": meta, "vocab.bin": gzip.compress(vocab), "pq.bin": pq}
    with tarfile.open(path, "w") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def test_words_are_decoded_and_special_rows_left_out(tmp_path: Path) -> None:
    file = archive(tmp_path / "tiny.tar")
    assert Navec().recognises(file, file.read_bytes()[:512])
    raw = Navec().read(file, ReadOptions())
    assert raw.keys == WORDS[:3]
    assert raw.name == "navec_tiny"
    assert raw.notes == {"special_rows_left_out": ["<unk>", "<pad>"]}
    expected = [np.concatenate([BOOKS[0, a], BOOKS[1, b]]) for a, b in CODES[:3]]
    np.testing.assert_array_equal(raw.vectors, expected)


@pytest.mark.parametrize(("wanted", "found"), [(["слово", "absent"], ["слово"]), ([], [])])
def test_only_wanted_words_are_decoded(wanted: list[str], found: list[str], tmp_path: Path) -> None:
    raw = Navec().read(archive(tmp_path / "tiny.tar"), ReadOptions(frozenset(wanted)))
    assert raw.keys == found
    assert raw.vectors.shape == (len(found), 8)


def test_codes_can_be_had_without_decoding(tmp_path: Path) -> None:
    parts = read_navec(archive(tmp_path / "tiny.tar"))
    assert parts.quantised.keys == WORDS[:3]
    assert parts.counts.tolist() == COUNTS[:3]
    np.testing.assert_array_equal(parts.quantised.codes, CODES[:3])
    np.testing.assert_array_equal(parts.quantised.codebooks, BOOKS)


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("meta", b"{}", "protocol"),
        ("meta", b'{"id": "a", "protocol": 2}', "protocol 2"),
        ("meta", b"[]", "not a whole navec file"),
        ("meta", b"\xff", "not a whole navec file"),
        ("vocab", b"", "not a whole navec file"),
        ("vocab", struct.pack("<I", 4) + VOCAB[4:], "4 words for 5 vectors"),
        ("vocab", struct.pack("<I", 2**32 - 1), "4294967295 words"),
        ("vocab", VOCAB[:12], "not a whole navec file"),
        ("vocab", VOCAB.replace(b"\n", b" "), "holds 1 key"),
        ("vocab", VOCAB + b"x" * 30000, "5 words for 5 vectors"),
        ("vocab", VOCAB.replace("а".encode(), b"\xff\xff"), "key 1: .* not valid UTF-8"),
        ("pq", b"", "not a whole navec file"),
        ("pq", PQ[:-4], "bytes for 5 vectors"),
        ("pq", struct.pack("<4I", 2**32 - 1, 8, 2, 3) + PQ[16:], "bytes for 4294967295 vectors"),
        ("pq", struct.pack("<4I", 5, 8, 0, 3) + PQ[16:], "in 0 parts"),
        ("pq", PQ[:16] + b"\x09" * 10 + PQ[26:], "the code 9"),
        ("pq", PQ[:-4] + struct.pack("<f", np.inf), "NaN or infinity"),
    ],
)
def test_a_damaged_part_is_one_clear_error(
    part: str, content: bytes, message: str, tmp_path: Path
) -> None:
    file = archive(tmp_path / "bad.tar", **{part: content})
    with pytest.raises(FileFormatError, match=message) as error:
        Navec().read(file, ReadOptions())
    assert "bad.tar" in str(error.value)


def test_every_cut_is_one_clear_error(tmp_path: Path) -> None:
    data = archive(tmp_path / "tiny.tar").read_bytes()
    file = tmp_path / "cut.tar"
    end_of_last_member = 5 * 512 + len(PQ)
    for length in range(0, end_of_last_member, 37):
        file.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match=r"cut\.tar"):
            Navec().read(file, ReadOptions())


def test_other_archives_are_left_to_others(tmp_path: Path) -> None:
    file = tmp_path / "other.tar"
    with tarfile.open(file, "w") as tar:
        tar.addfile(tarfile.TarInfo("model.txt"))
    assert not Navec().recognises(file, file.read_bytes()[:512])
    assert not Navec().recognises(Path("absent.txt"), b"the 0.1")

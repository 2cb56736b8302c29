"""navec archives are read exactly, and damaged parts are refused."""

import gzip
import io
import json
import struct
import tarfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.navec import (
    Navec,
    Quantised,
    decode,
    read_member,
    read_navec,
    refuse_unreadable,
    tar_members,
)

# --- navec ---


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


# --- The members of tar files, as tarfile sees them ---


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("time", [0, 1.5, 1e9 + 0.25])
def test_files_are_found_in_every_kind_of_tar(tmp_path: Path, kind: int, time: float) -> None:
    held = {"meta.json": b"{}", "vocab.bin": bytes(1000), "pq.bin": b"", "x" * 90: b"long"}
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w", format=kind) as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in held.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), time
            archive.addfile(info, io.BytesIO(content))
    found = tar_members(path)
    assert {name: read_member(path, member) for name, member in found.items()} == held


@given(st.binary(max_size=1600))
def test_any_bytes_are_members_or_a_value_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.tar"
    path.write_bytes(content)
    try:
        found = tar_members(path)
    except ValueError:
        return
    assert all(member.start + member.size <= len(content) for member in found.values())


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for _ in range(2):
            archive.addfile(tarfile.TarInfo("meta.json"))
    with pytest.raises(ValueError, match=r"meta\.json twice"):
        tar_members(path)


# --- quantised ---


RANDOM_QUANTISED = np.random.default_rng(1)
CODES_QUANTISED = RANDOM_QUANTISED.integers(0, 7, (5000, 4), dtype=np.uint8)
BOOKS_QUANTISED = RANDOM_QUANTISED.standard_normal((4, 7, 3)).astype(np.float32)
KEYS = [str(row) for row in range(5000)]


def test_decoding_joins_the_short_vectors_of_all_parts() -> None:
    expected = [
        np.concatenate([BOOKS_QUANTISED[j, code] for j, code in enumerate(row)])
        for row in CODES_QUANTISED
    ]
    np.testing.assert_array_equal(decode(CODES_QUANTISED, BOOKS_QUANTISED), expected)


def test_a_subset_decodes_to_the_same_rows() -> None:
    some = Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED).select([4000, 7])
    assert some.keys == ["4000", "7"]
    np.testing.assert_array_equal(
        some.vectors(), decode(CODES_QUANTISED, BOOKS_QUANTISED)[[4000, 7]]
    )
    assert Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED).select([]).vectors().shape == (0, 12)


@pytest.mark.parametrize(
    "quantised",
    [
        Quantised(KEYS[1:], CODES_QUANTISED, BOOKS_QUANTISED),
        Quantised([], CODES_QUANTISED[:0], BOOKS_QUANTISED),
        Quantised(KEYS, CODES_QUANTISED[:, :3], BOOKS_QUANTISED),
        Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED[:, :, :0]),
        Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED[:, :3]),
        Quantised(KEYS, CODES_QUANTISED, np.repeat(BOOKS_QUANTISED, 40, axis=1)),
        Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED * np.float32(np.nan)),
        Quantised(KEYS, CODES_QUANTISED.astype(np.int64), BOOKS_QUANTISED),
        Quantised(KEYS, CODES_QUANTISED, BOOKS_QUANTISED.astype(np.float64)),
    ],
)
def test_parts_that_do_not_fit_are_refused(quantised: Quantised) -> None:
    with pytest.raises(FileFormatError, match=r"q\.tar holds"):
        refuse_unreadable(Path("q.tar"), quantised)

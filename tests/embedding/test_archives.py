"""Archives of every kind, whole, broken, ambiguous and hostile."""

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairvec.core import memory as budget
from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.embedding.archives import unpacked
from fairvec.embedding.loading import load

TEXT = b"2 3\nthe 1 2 3\nof 4 5 6\n"
BINARY = b"2 3\n" + b"".join(
    key + b" " + np.array(row, "<f4").tobytes() + b"\n"
    for key, row in ((b"the", [1, 2, 3]), (b"of", [4, 5, 6]))
)
README = b"A model that was trained for this test.\n"


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
@pytest.mark.parametrize(("inner", "content"), [("m.vec", TEXT), ("m.bin", BINARY)])
def test_compressed_files(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes], inner: str, content: bytes
) -> None:
    path = tmp_path / (inner + suffix)
    path.write_bytes(compress(content))
    embedding = load(path)
    assert list(embedding.keys) == ["the", "of"]
    assert embedding.vectors.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert embedding.name == "m"
    path.write_bytes(compress(content)[:-10])
    with pytest.raises(FileFormatError, match=r"cannot be unpacked .* fetch it again"):
        load(path)


def test_endings_may_be_in_capitals(tmp_path: Path) -> None:
    table = b"word\td1\td2\nthe\t1\t2\nof\t3\t4\n"
    (tmp_path / "M.TSV.GZ").write_bytes(gzip.compress(table))
    assert load(tmp_path / "M.TSV.GZ").vectors.tolist() == [[1, 2], [3, 4]]


def test_the_temporary_folder_goes(tmp_path: Path) -> None:
    path = tmp_path / "m.vec.gz"
    path.write_bytes(gzip.compress(TEXT))
    with unpacked(path) as inner:
        assert inner.name == "m.vec"
        assert inner.read_bytes() == TEXT
    assert not inner.parent.exists()


def test_what_is_no_archive_is_left_in_place(tmp_path: Path) -> None:
    path = tmp_path / "m.vec"
    path.write_bytes(TEXT)
    with unpacked(path) as inner:
        assert inner == path
    with pytest.raises(FileFormatError, match="not a zip archive"):
        unpacked(path, "x").__enter__()


def test_npz_is_a_format_and_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    np.savez(path, words=np.array(["a"]), vectors=np.ones((1, 2)))
    with unpacked(path.with_suffix(".npz")) as inner:
        assert inner == path.with_suffix(".npz")
    path.with_suffix(".npz").rename(path)
    with unpacked(path) as inner:
        assert inner == path


def test_zip_with_documents_beside_the_model(tmp_path: Path) -> None:
    members = {
        "sub/model.bin": BINARY,
        "meta.json": b'{"id": 1}',
        "README": README,
        "LICENCE.txt": README,
    }
    embedding = load(zipped(tmp_path / "40.zip", members))
    assert embedding.vectors.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert embedding.name == "40"
    assert embedding.history[-1].details["file"] == "40.zip"
    assert embedding.history[-1].details["unpacked"] == "model.bin"


def test_one_model_in_two_forms_is_read_from_the_binary_one(tmp_path: Path) -> None:
    embedding = load(zipped(tmp_path / "40.zip", {"model.txt": TEXT, "model.bin": BINARY}))
    assert embedding.history[-1].details["format"] == "word2vec-binary"


def test_ambiguous_zip_names_its_members(tmp_path: Path) -> None:
    path = zipped(tmp_path / "two.zip", {"a.vec": TEXT, "in/b.vec": TEXT.replace(b"of", b"to")})
    with pytest.raises(FileFormatError, match=r"more than one embedding \(a.vec, in/b.vec\)"):
        load(path)
    assert list(load(f"{path}::in/b.vec").keys) == ["the", "to"]
    with pytest.raises(FileFormatError, match=r"no member 'c.vec'; it holds a.vec, in/b.vec"):
        load(f"{path}::c.vec")


def test_zip_without_an_embedding(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no embedding \(README\)"):
        load(zipped(tmp_path / "none.zip", {"README": README}))


def test_gensim_model_with_side_files(tmp_path: Path) -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors = models.KeyedVectors(3)
    vectors.add_vectors(["the", "of"], np.arange(6, dtype=np.float32).reshape(2, 3))
    vectors.save(str(tmp_path / "model.model"), sep_limit=0, separately=["vectors"])
    members = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert "model.model.vectors.npy" in members
    embedding = load(zipped(tmp_path / "model.zip", members | {"README": README}))
    assert embedding.vectors.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_what_lies_about_does_not_matter_to_an_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors = models.KeyedVectors(3)
    vectors.add_vectors(["the", "of"], np.arange(6, dtype=np.float32).reshape(2, 3))
    vectors.save(str(tmp_path / "model.model"), sep_limit=0, separately=["vectors"])
    archive = zipped(
        tmp_path / "model.zip", {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    )
    monkeypatch.chdir(tmp_path)  # where somebody unpacked it too
    assert [*load(archive).keys] == ["the", "of"]


@pytest.mark.parametrize("name", ["../evil.vec", "/evil.vec", "a/../../evil.vec", "..\\evil.vec"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileFormatError, match="leads out of the archive"):
        load(zipped(tmp_path / "evil.zip", {"model.vec": TEXT, name: TEXT}))


def test_bombs_are_defused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "ALWAYS_BYTES", 1000)
    swollen = TEXT + b"\n" * 5_000_000
    gz = tmp_path / "bomb.vec.gz"
    gz.write_bytes(gzip.compress(swollen))
    with pytest.raises(FileFormatError, match="which no embedding does"):
        load(gz)
    with pytest.raises(FileFormatError, match="which no embedding does"):
        load(zipped(tmp_path / "bomb.zip", {"bomb.vec": swollen}))


def test_a_zip_that_lies_about_sizes_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "lie.zip", {"model.vec": TEXT * 100}, zipfile.ZIP_STORED)
    content = path.read_bytes()
    path.write_bytes(content.replace((len(TEXT) * 100).to_bytes(4, "little"), b"\x10\0\0\0"))
    with pytest.raises(FileFormatError):
        load(path)


def test_broken_and_locked_zips(tmp_path: Path) -> None:
    path = zipped(tmp_path / "m.zip", {"model.vec": TEXT}, zipfile.ZIP_STORED)
    content = path.read_bytes()
    path.write_bytes(content[:60])
    with pytest.raises(FileFormatError, match="cannot be unpacked"):
        load(path)
    path.write_bytes(content.replace(b"the 1", b"the 9", 1))
    with pytest.raises(FileFormatError, match="Bad CRC"):
        load(path)
    locked = bytearray(content)
    locked[6] |= 1
    locked[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(locked)
    with pytest.raises(FileFormatError, match="encrypted"):
        load(path)


def test_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("model.vec", TEXT)
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("model.vec", TEXT)
    with pytest.raises(FileFormatError, match="share a name or the same bytes"):
        load(path)


def test_all_members_together_have_one_allowance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "ALWAYS_BYTES", 300_000)
    monkeypatch.setattr(budget, "HIGHEST_RATIO", 1)
    members = {"model.vec": TEXT} | {f"model.vec.{n}": bytes(100_000) for n in range(2)}
    assert len(load(zipped(tmp_path / "two.zip", members))) == 2
    members |= {f"model.vec.{n}": bytes(100_000) for n in range(4)}
    with pytest.raises(FileFormatError, match="which no embedding does"):
        load(zipped(tmp_path / "four.zip", members))


def test_a_member_of_very_many_may_be_chosen(tmp_path: Path) -> None:
    members = {f"{n}.txt": README for n in range(1100)} | {"model.vec": TEXT}
    path = zipped(tmp_path / "many.zip", members, zipfile.ZIP_STORED)
    with pytest.raises(FileFormatError, match=r"1,101 members.*choose a member"):
        load(path)
    assert len(load(f"{path}::model.vec")) == 2


@pytest.mark.parametrize(("suffix", "compress"), [(".xz", lzma.compress), (".bz2", bz2.compress)])
def test_no_stream_of_several_is_left_out_without_a_word(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"m.glove{suffix}"
    first, second = compress(b"the 1 2\n"), compress(b"of 3 4\n")
    path.write_bytes(first + second)
    assert list(load(path).keys) == ["the", "of"]
    path.write_bytes(first + b"?" + second[1:])
    with pytest.raises(FileFormatError, match=rf"m\.glove\{suffix} cannot be unpacked"):
        load(path)


def test_what_is_wrong_inside_is_reported_with_the_name_of_the_archive(tmp_path: Path) -> None:
    packed = tmp_path / "m.vec.gz"
    packed.write_bytes(gzip.compress(b""))
    with pytest.raises(FileFormatError, match=r"^m\.vec\.gz: m\.vec is empty; fetch"):
        load(packed)
    archive = zipped(tmp_path / "all.zip", {"inner/data.pkl": b"\x80\x02cos\nsystem\n."})
    with pytest.raises(UnsafeFileError, match=r"^all\.zip: data\.pkl asks for os\.system"):
        load(archive)

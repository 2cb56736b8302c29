"""Files, folders, tables and bytes become texts, or one sentence says why not."""

import os
from pathlib import Path

import pytest

from fairvec.core.errors import FairvecError, FileFormatError, UnknownNameError
from fairvec.documents.read import read_sources


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "Он ушёл.\r\nОна".encode(),
        b"\xef\xbb\xbf" + "Он ушёл.\r\nОна".encode(),
        b"\xff\xfe" + "Он ушёл.\r\nОна".encode("utf-16-le"),
        b"\xfe\xff" + "Он ушёл.\r\nОна".encode("utf-16-be"),
        b"\xff\xfe\0\0" + "Он ушёл.\r\nОна".encode("utf-32-le"),
    ],
    ids=["plain", "marked", "little", "big", "wide"],
)
def test_a_text_is_read_and_written_back_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    (source,) = read_sources([write(tmp_path / "a.txt", content)]).sources
    assert source.text == "Он ушёл.\r\nОна"
    assert source.encode(source.text) == content


def test_an_encoding_is_taken_as_said(tmp_path: Path) -> None:
    file = write(tmp_path / "a.txt", "Она\nушла".encode("cp1251"))
    (source,) = read_sources([file], encoding="cp1251").sources
    assert source.text == "Она\nушла"
    assert source.encode("Он") == "Он".encode("cp1251")
    with pytest.raises(FairvecError, match="cannot be written in cp1251; save the document as"):
        source.encode("वह")


@pytest.mark.parametrize(
    ("content", "encoding", "said"),
    [
        (b"ok\n\xd0\xff", None, "a.txt, line 2: this is not UTF-8; .*--encoding cp1251"),
        (b"\xff\xfea", None, "line 1: this is not UTF-16-LE"),
        (b"ok\n\x81", "cp1252", "line 2: this is not cp1252; name another"),
        (b"ok", "klingon", "no encoding named 'klingon'"),
        (b"ok", "hex", "no encoding named 'hex'"),
        (b"a\nb\0c", None, "line 2: this is not text"),
        ("a".encode("utf-16-le"), None, "this is not text"),
        (b"+2AA-", "utf-7", "not UTF-7"),
    ],
    ids=["utf-8", "utf-16", "other", "unknown", "no-text-codec", "zero", "no-mark", "half"],
)
def test_broken_bytes_are_named(
    tmp_path: Path, content: bytes, encoding: str | None, said: str
) -> None:
    with pytest.raises(FairvecError, match=said):
        read_sources([write(tmp_path / "a.txt", content)], encoding=encoding)


def test_a_folder_is_read_in_order_and_says_what_it_passed_over(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "c.HTML", ".hidden/x.txt", "x.csv", "x.py"):
        write(tmp_path / name, "<b>He</b>")
    write(tmp_path / ".secret.txt", "x")
    write(tmp_path / "odd.txt", b"\x7fELF\0\0")
    (tmp_path / "loop").symlink_to(tmp_path)
    opened = read_sources([tmp_path])
    names = [str(Path(one.name).relative_to(tmp_path)) for one in opened.sources]
    assert names == ["b.md", "c.HTML", "a/z.txt"]
    assert opened.sources[0].read.split() == ["He"]
    (remark,) = opened.remarks
    assert "1 file (hidden)" in remark
    assert "2 files (of other kinds)" in remark
    assert "1 file (not text)" in remark


def test_rows_of_a_table_are_documents(tmp_path: Path) -> None:
    long = "she " * 50_000
    file = write(tmp_path / "t.csv", f'id;text\r\n1;"He;\nleft"\n2;\n3;{long}\n4\n')
    opened = read_sources([file], column="text")
    assert [(one.name, one.text) for one in opened.sources] == [
        (f"{file}, row 2", "He;\nleft"),
        (f"{file}, row 4", long),
    ]
    assert "2 rows have no text" in opened.remarks[0]
    with pytest.raises(UnknownNameError, match="did you mean text"):
        read_sources([file], column="txt")
    with pytest.raises(FairvecError, match=r"--column text \(it has id, text\)"):
        read_sources([file])


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(FairvecError, match=r"no\.txt: the document cannot be read \(no such file"):
        read_sources([tmp_path / "no.txt"])
    with pytest.raises(FairvecError, match="holds no document"):
        read_sources([tmp_path])
    with pytest.raises(FairvecError, match="no row has a text"):
        read_sources([write(tmp_path / "t.tsv", "text\n")], column="text")
    with pytest.raises(FairvecError, match="column of"):
        read_sources([write(tmp_path / "e.csv", "")], column="text")
    with pytest.raises(FairvecError, match="no document to read"):
        read_sources([])


def test_standard_input_is_a_text() -> None:
    (source,) = read_sources(["-"], standard_input="She\n".encode("utf-16")).sources
    assert (source.name, source.text, source.path) == ("standard input", "She\n", None)


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "a.txt", "He")
    assert (
        len(read_sources([file, tmp_path, tmp_path / ".." / tmp_path.name / "a.txt"]).sources) == 1
    )


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_whoever_names_a_pipe_hears_of_standard_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileFormatError, match=r"is a pipe.*\| fairvec document -'\)\.$"):
        read_sources([tmp_path / "fifo"])

import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.ground.errors import FileFormatError
from fairvec.ground.files import checksum_of, read_whole, replacing, text_of, utf8, write_text


def test_an_interrupted_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, "before")

    def interrupted() -> None:
        with replacing(path) as draft:
            draft.write_text("half")
            raise RuntimeError("cut off")

    with pytest.raises(RuntimeError, match="cut off"):
        interrupted()
    assert path.read_text() == "before"
    assert list(path.parent.iterdir()) == [path]


def test_text_is_utf8_with_plain_newlines(tmp_path: Path) -> None:
    write_text(tmp_path / "file.txt", "гендер\nलिंग\n")
    assert (tmp_path / "file.txt").read_bytes() == "гендер\nलिंग\n".encode()


@given(st.binary(max_size=300))
def test_a_checksum_is_that_of_all_bytes(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("summed") / "file"
    file.write_bytes(content)
    assert checksum_of(file) == sha256(content).hexdigest()


def test_what_cannot_be_read_is_one_sentence_with_the_reason(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, said in (
        (tmp_path / "none", "the words cannot be read (no such file or directory)."),
        (tmp_path, "the words cannot be read (is a directory)."),
        (pipe, "is a pipe that may never have a writer"),
    ):
        with pytest.raises(FileFormatError) as caught:
            read_whole(place, "the words", FileFormatError)
        assert said in str(caught.value)
        assert str(place) in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"a\n\xff\n", "a\nb".encode("utf-16"), b"a\n\0\n"],
    ids=["no-utf8", "utf16", "zero"],
)
def test_what_is_no_text_is_refused_by_its_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"words\.txt, line [12]: this is not UTF-8"):
        text_of(file, "word", FileFormatError)


BOM = "\ufeff".encode()


@pytest.mark.parametrize("mark", [b"", BOM], ids=["plain", "with a mark"])
@pytest.mark.parametrize("wrong", [b"\xff", b"\0", b"\xd0"], ids=["no start", "zero", "cut"])
@pytest.mark.parametrize("before", range(5))
def test_the_line_that_is_no_utf8_is_named(mark: bytes, wrong: bytes, before: int) -> None:
    content = mark + b"\n" * before + wrong
    with pytest.raises(FileFormatError, match=rf"^a\.toml, line {before + 1}: this is not UTF-8"):
        utf8(content, "a.toml", FileFormatError)


@pytest.mark.parametrize("text", ["", "a", "\n", "\N{DEVANAGARI LETTER A}\n"])
def test_text_comes_without_its_mark(text: str) -> None:
    assert utf8(text.encode(), "a.toml", FileFormatError) == text
    assert utf8(BOM + text.encode(), "a.toml", FileFormatError) == text

from pathlib import Path

import pytest

from fairvec.ground.errors import FileFormatError
from fairvec.ground.files import replacing, utf8, write_text


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

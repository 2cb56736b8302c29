"""A text file of before UTF-8 is told by what its first key would be in a code page."""

from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FileFormatError


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        (
            "женщина".encode("cp1251"),
            "from cp1251 to UTF-8 if it is an older Russian one (then this",
        ),
        (
            "café".encode("cp1252"),
            "from cp1252 to UTF-8 if it is an older Western one (then this is",
        ),
        (b"\x98\xff", "convert the file to UTF-8, or allow replacement"),
    ],
    ids=["russian", "western", "neither"],
)
@pytest.mark.parametrize("header", ["2 2\n", ""], ids=["word2vec", "glove"])
def test_an_older_file(tmp_path: Path, header: str, key: bytes, remedy: str) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes(header.encode() + b"plain 1 2\n" + key + b" 3 4\n")
    with pytest.raises(FileFormatError) as caught:
        fairvec.load(file)
    assert remedy in str(caught.value)


def test_what_it_would_be_is_said(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes("женщина 1 2\nмужчина 3 4\n".encode("cp1251"))
    with pytest.raises(FileFormatError, match="'женщина'"):
        fairvec.load(file)

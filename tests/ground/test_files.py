from pathlib import Path

import pytest

from fairvec.ground.files import replacing, write_text


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

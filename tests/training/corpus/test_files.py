"""Which files a corpus is made of: folders however they are named, and each file once."""

from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.training.text import corpus_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for place in ("texts", "texts/.git", ".kept"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "en.txt").write_text("a text\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "texts")
    return tmp_path


@pytest.mark.parametrize("named", ["../texts", "../.kept", ".", "{folder}/.kept"])
def test_hidden_is_what_is_hidden_below_the_folder_that_is_named(folder: Path, named: str) -> None:
    place = Path(named.format(folder=folder))
    assert corpus_files([place]) == (place / "en.txt",)


def test_a_folder_with_nothing_but_hidden_text_holds_none(folder: Path) -> None:
    (folder / "texts" / "en.txt").unlink()
    with pytest.raises(FileFormatError, match="holds no text"):
        corpus_files([folder / "texts"])


def test_a_file_is_there_once_by_whatever_names(folder: Path) -> None:
    link = folder / "texts" / "link.txt"
    link.symlink_to("en.txt")
    names: list[str | Path] = ["en.txt", folder / "texts" / "en.txt", "../texts", "*.txt", link]
    assert corpus_files(names) == (Path("en.txt"),)

"""Every case can be made, kept and laid out again as it was."""

from pathlib import Path

import pytest

from fuzz.cases import Target, case_of, read_case
from fuzz.places import FOLDER, LINK, PIPE, emptied, everything_in, placed
from fuzz.targets import every_target

LIGHT = ["list", "condition"]


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return every_target(tmp_path_factory.mktemp("seeds"), LIGHT)


def test_a_case_depends_on_seed_target_and_number_alone(
    targets: dict[str, Target], tmp_path: Path
) -> None:
    again = every_target(tmp_path, LIGHT)
    for name, target in targets.items():
        first = len(target.crafted)
        numbers = (0, first, first + 1, first + 5, first + 20)
        once = [case_of(target, 7, number) for number in numbers]
        assert once == [case_of(again[name], 7, number) for number in numbers[::-1]][::-1], name
        others = [case_of(target, 8, number) for number in numbers]
        assert once != others, name


def test_a_kept_case_comes_back(targets: dict[str, Target], tmp_path: Path) -> None:
    case = case_of(targets["list-suite"], 3, 40)
    (tmp_path / "kept.json").write_text(case.as_json("KeyError"))
    assert read_case(tmp_path / "kept.json") == case


def test_what_is_no_plain_file_lies_there_as_it_is_said(tmp_path: Path) -> None:
    emptied(tmp_path)
    folder = tmp_path / "in" / "case"
    placed({"a/b": b"x", "pipe": PIPE, "folder": FOLDER, "link": LINK + b"a/b"}, folder)
    assert (folder / "pipe").is_fifo()
    assert (folder / "folder").is_dir()
    assert (folder / "link").is_symlink()
    assert (folder / "link").read_bytes() == b"x"
    assert sorted(everything_in(str(folder))) == ["a", "a/b", "folder", "link", "pipe"]
    emptied(tmp_path)
    assert everything_in(str(folder)) == []


def test_what_is_no_plain_file_is_never_changed() -> None:
    crafted = {"a": {"m": LINK + b"x"}, "b": {"m": PIPE}}
    target = Target("t", lambda _: None, [{"m": b"12345678" * 4}], crafted)
    for number in range(200):
        (content,) = case_of(target, 1, number).files.values()
        assert content in (LINK + b"x", PIPE) or not content.startswith((LINK, PIPE, FOLDER))

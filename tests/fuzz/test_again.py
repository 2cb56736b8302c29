"""What was kept is tried again as it was: a seed over the honest files, a finding as it is."""

from pathlib import Path

import pytest

from fuzz import __main__ as program
from fuzz.cases import Case, Target
from fuzz.hunt import Hunt
from fuzz.targets import SEEDS, every_target, laid_over

NAME = "list-document"
SEED = SEEDS / f"{NAME}--1.json"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    return every_target(tmp_path_factory.mktemp("honest"), [NAME])[NAME]


def test_a_seed_lies_over_the_honest_files(target: Target) -> None:
    honest = {**target.honest[0], "beside.txt": b"honest"}
    over = laid_over(Target(NAME, target.run, [honest]), SEED)
    assert over.files["beside.txt"] == b"honest"
    assert over.files["text.txt"] != honest["text.txt"]
    assert over.files["text.txt"] == target.crafted[SEED.name]["text.txt"]


def test_a_finding_is_as_it_was_without_files_that_it_lacked(
    target: Target, tmp_path: Path
) -> None:
    case = Case(NAME, 1, 2, {"other.txt": b"alone"}, ("honest 0",))
    (tmp_path / "kept.json").write_text(case.as_json("KeyError"))
    assert laid_over(target, tmp_path / "kept.json") == case


def test_one_target_alone_is_shown_it_also_if_names_of_others_begin_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hunts: list[Hunt] = []
    monkeypatch.setattr(program, "warmed", lambda *_: None)
    monkeypatch.setattr(Hunt, "run", lambda hunt: hunts.append(hunt))
    monkeypatch.setattr("sys.argv", ["fuzz", "--again", str(SEED), "--keep", str(tmp_path)])
    assert program.main() == 0
    (hunt,) = hunts
    assert [*hunt.targets] == [NAME]
    assert hunt.again is not None
    assert hunt.again.files == hunt.targets[NAME].crafted[SEED.name]

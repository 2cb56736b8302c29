"""Cases of the fuzzer: made, kept, repeated."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fairvec.catalogue import dataset_path, datasets, has_dataset
from fairvec.catalogue import entries as data_sets
from fuzz import __main__ as program
from fuzz.arguments import FILE, changed_arguments, leaves
from fuzz.cases import Case, Target, case_of, read_case
from fuzz.fair_values import fair_arguments
from fuzz.hunt import Hunt
from fuzz.mutations.odd_values import SCRIPT
from fuzz.outputs import (
    check_csv,
    check_json,
    check_latex,
    check_markdown,
    check_printed,
    check_written,
)
from fuzz.places import FOLDER, LINK, PIPE, emptied, entries_of, placed
from fuzz.published import DATA, NAMES, SETS, data_in, published
from fuzz.targets import SEEDS, every_target, laid_over
from fuzz.targets.commands import HONEST
from fuzz.verdicts import BadAnswerError

# --- Every case can be made, kept and laid out again as it was ---


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


def test_what_is_no_plain_file_lies_there_as_it_is_reported(tmp_path: Path) -> None:
    emptied(tmp_path)
    folder = tmp_path / "in" / "case"
    placed({"a/b": b"x", "pipe": PIPE, "folder": FOLDER, "link": LINK + b"a/b"}, folder)
    assert (folder / "pipe").is_fifo()
    assert (folder / "folder").is_dir()
    assert (folder / "link").is_symlink()
    assert (folder / "link").read_bytes() == b"x"
    assert sorted(entries_of(str(folder))) == ["a", "a/b", "folder", "link", "pipe"]
    emptied(tmp_path)
    assert entries_of(str(folder)) == []


def test_what_is_no_plain_file_is_never_changed() -> None:
    crafted = {"a": {"m": LINK + b"x"}, "b": {"m": PIPE}}
    target = Target("t", lambda _: None, [{"m": b"12345678" * 4}], crafted)
    for number in range(200):
        (content,) = case_of(target, 1, number).files.values()
        assert content in (LINK + b"x", PIPE) or not content.startswith((LINK, PIPE, FOLDER))


# --- What was kept is tried again as it was: a seed over the honest files, a finding as it is ---


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


# --- Arguments that a hunt makes up are mostly such as a command would take ---


def test_every_argument_of_every_command_has_values_that_it_would_take() -> None:
    lacking = [
        (*words, one.name)
        for words, command in leaves()
        for one in command.params
        if one.param_type_name == "argument" and not fair_arguments(words, one.name)
    ]
    assert lacking == []


def test_a_command_without_options_mostly_keeps_the_number_of_its_arguments() -> None:
    given = ["benchmarks", "show", HONEST["benchmarks show"]]
    made = [
        json.loads(
            changed_arguments(FILE, json.dumps(given).encode(), Random(n), (), files=["x"])[0]
        )
        for n in range(200)
    ]
    assert all(one[:2] == given[:2] for one in made)
    assert sum(len(one) == 3 for one in made) > 140
    assert sum(one[2:] in [[name] for name in NAMES] for one in made) > 80
    assert len({*map(tuple, made)}) > 40


def test_files_of_our_own_pass_for_published_ones_only_meanwhile(tmp_path: Path) -> None:
    placed(published(), tmp_path)
    before, known = os.environ.get(data_sets.VARIABLE), datasets()
    with data_in(tmp_path / DATA):
        assert [one.name for one in datasets()] == [one.name for one in known]
        assert {one.name for one in datasets() if has_dataset(one.name)} >= {*NAMES}
        assert dataset_path("mc30").read_bytes() == SETS["similarity"][0]
        assert {one.kind for one in datasets() if one.name in NAMES} == {*SETS}
    assert os.environ.get(data_sets.VARIABLE) == before
    assert datasets() == known


# --- What would act in a spreadsheet, a paper, a comment or a page is noticed, and nothing else


BAD: list[tuple[Callable[[str], None], str]] = [
    (check_csv, 'a,b\n1,"=1+1"\n'),
    (check_csv, "a,b\n1, @x\n"),
    (check_latex, "a & b \\\\\n[x] & c"),
    (check_latex, "\\input{x}"),
    (check_markdown, "| a | b |\n|---|---|\n| x|y | z |\n"),
    (check_markdown, "an <script> here"),
    (check_markdown, "a [link](there)"),
    (check_json, '{"a": NaN}'),
    (check_json, "{"),
]
GOOD: list[tuple[Callable[[str], None], str]] = [
    (check_csv, "a,b\n-1.5,'=1+1\n+2e-3,-\n"),
    (check_latex, "a & b \\\\\n{[x]} & c"),
    (check_markdown, "| a | b |\n|---|---|\n| x\\|y | z |\n\nA text | with one.\n"),
    (check_json, '{"a": null}\n{"b": 1e300}\n'),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_acts_is_noticed(number: int) -> None:
    check, text = BAD[number]
    with pytest.raises(BadAnswerError):
        check(text)


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_what_only_shows_is_let_through(number: int) -> None:
    check, text = GOOD[number]
    check(text)


@pytest.mark.parametrize(
    ("name", "text"), [("a.html", SCRIPT), ("a.xml", "<a>"), ("b.xml", "\x1b")]
)
def test_a_page_that_acts_is_noticed_unless_it_was_there(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    check_written(tmp_path, [name])
    with pytest.raises(BadAnswerError):
        check_written(tmp_path, [])


def test_what_is_printed_is_looked_at_unless_it_is_help() -> None:
    check_printed(["audit", "--json", "--help"], "Usage: ...")
    check_printed(["audit"], "=1+1")
    with pytest.raises(BadAnswerError):
        check_printed(["audit", "--json"], "Usage: ...")

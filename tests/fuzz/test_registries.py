"""Whatever fairvec learns to read, ask or answer is hunted through; every case can be repeated."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from fairvec.benchmarks import BENCHMARK_KINDS
from fairvec.embedding.archive import SUFFIXES
from fairvec.embedding.formats import FORMATS
from fairvec.encoders.opening import KINDS
from fairvec.mitigation import DEBIASERS
from fairvec.mitigation.moves.linear_moves import MOVES
from fairvec.results import DocumentLine, Outcome, StudyLine
from fairvec.results.frontier import Line
from fairvec.web.routes import ROUTES
from fuzz.arguments import leaves
from fuzz.cases import Target, case_of, read_case
from fuzz.places import FOLDER, LINK, PIPE, emptied, everything_in, placed
from fuzz.targets import every_target
from fuzz.targets.cuts import UNCOUNTED


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return every_target(tmp_path_factory.mktemp("seeds"))


def kinds(file: str, union: Any, field: str = "status") -> Iterator[str]:
    for kind in get_args(union):
        yield f"{file}.jsonl {kind.model_fields[field].default}"


def test_everything_registered_has_a_target(targets: dict[str, Target]) -> None:
    wanted = {
        *(f"format {known.name}" for known in FORMATS),
        *(f"archive {suffix}" for suffix in SUFFIXES),
        *(f"encoder {recognises.__module__.split('.')[2]}" for recognises, _ in KINDS),
        *(f"cut {known.name}" for known in FORMATS if known.name not in UNCOUNTED),
        *(f"kept {what}" for what in ("checkpoint", "vectors", "contexts", "machine-code")),
        *("encoder debiased", "served"),
        *(f"move {move.name}" for move in MOVES),
        *(f"settings {method.name}" for method in DEBIASERS),
        *(f"list benchmark-{kind}" for kind in BENCHMARK_KINDS),
        *(f"command {' '.join(words)}" for words, _ in leaves()),
        *(f"route {route.path}" for route in ROUTES),
        *kinds("results", Outcome),
        *kinds("frontier", Line),
        *kinds("study", StudyLine),
        *kinds("document", DocumentLine, "line"),
    }
    covered = {what for target in targets.values() for what in target.covers}
    assert wanted - covered == set()


def test_a_case_depends_on_seed_target_and_number_alone(targets: dict[str, Target]) -> None:
    for target in targets.values():
        first = len(target.crafted)
        once = [case_of(target, 7, number) for number in (first, first + 5)]
        again = [case_of(target, 7, number) for number in (first + 5, first)][::-1]
        assert once == again, target.name
        assert once[0].files != case_of(target, 8, first).files or once[0].chain


def test_honest_files_are_made_alike_again(targets: dict[str, Target], tmp_path: Path) -> None:
    again = every_target(tmp_path, ["format", "archive", "list", "transform"])
    for name, target in again.items():
        assert target.honest == targets[name].honest, name
        assert target.crafted == targets[name].crafted, name


def test_a_kept_case_comes_back(targets: dict[str, Target], tmp_path: Path) -> None:
    case = case_of(targets["format-npz"], 3, 40)
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


def test_what_is_no_plain_file_is_never_changed(targets: dict[str, Target]) -> None:
    crafted = {"a": {"m": LINK + b"x"}, "b": {"m": PIPE}}
    target = Target("t", targets["transform"].run, [{"m": b"12345678" * 4}], crafted)
    for number in range(200):
        (content,) = case_of(target, 1, number).files.values()
        assert content in (LINK + b"x", PIPE) or not content.startswith((b"\0a link", PIPE))

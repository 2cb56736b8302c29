"""A debiased model, its transform, results and page are of one method, or a reader is told."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import MARK
from fairvec.experiments.debiasing.debias import Debiased, debias_model
from fairvec.experiments.debiasing.files import LEARNT_WORDS, DebiasedFiles, write_debiased
from fairvec.lexicon import concept
from fairvec.mitigation import debiaser, load_transform
from fairvec.results import Change, read_results
from tests.nursery import Made, made
from tests.stopping import killed_before, kills

METHODS = ("hard", "linear-projection")


def two_methods() -> dict[str, Debiased]:
    """Two methods on one small model, of which the first also leaves a list of words."""
    whole = fairvec.load("glove-hi-small")
    found = {
        name: debias_model(
            whole,
            concept("hi/gender"),
            debiaser(name),
            suites="malik2022/gender-adjectives",
            benchmarks=[],
        )
        for name in METHODS
    }
    found["hard"].transform.remarks[LEARNT_WORDS] = ("word",)  # type: ignore[index]
    with TemporaryDirectory() as elsewhere:  # what writing imports is then there
        write(found, Path(elsewhere) / "fair.fairvec", METHODS[0])
    return found


@pytest.fixture(scope="module")
def done() -> dict[str, Debiased]:
    found: dict[str, Debiased] = made(two_methods)
    return found


def methods(files: DebiasedFiles) -> dict[str, str]:
    """Return by which method each part was made, as it says itself."""
    records = read_results(files.folder / "results.jsonl")
    change, *_ = (one for one in records if isinstance(one, Change))
    found = {
        "transform": load_transform(files.transform).name.split()[0],
        "results": str(change.model.history[-1]["method"]),
        "page": files.report.read_text(encoding="utf-8"),
        "list": METHODS[0] if files.learnt.exists() else METHODS[1],
    }
    if files.model.suffix == ".fairvec":
        history = fairvec.load(files.model).history
        found["model"] = next(
            str(step.details["method"]) for step in history if step.action == "debias"
        )
    return found


def write(done: dict[str, Debiased], file: Path, method: str) -> None:
    write_debiased(done[method], file, force=True, page=method)


def writing(file: Path, method: str) -> Callable[[], None]:
    return partial(write, cast(dict[str, Debiased], Made(two_methods)), file, method)


@pytest.mark.parametrize("order", [METHODS, METHODS[::-1]], ids=["with a list", "without"])
def test_model_and_results_are_of_one_method_or_it_is_told(
    done: dict[str, Debiased], tmp_path: Path, order: tuple[str, str]
) -> None:
    files, kept = DebiasedFiles(tmp_path / "out" / "fair.fairvec"), tmp_path / "kept"
    earlier, later = order
    write(done, files.model, earlier)
    shutil.copytree(tmp_path / "out", kept)
    seen, said = set(), set()
    for step in kills(writing(files.model, later), tmp_path / "out"):
        found = {*methods(files).values()}
        try:
            read_results(files.folder)
            assert len(found) == 1, step
        except FileFormatError as error:
            said.add(str(error))
        seen |= {frozenset(found)}
        shutil.rmtree(tmp_path / "out")
        shutil.copytree(kept, tmp_path / "out")
    assert seen == {frozenset([earlier]), frozenset([later]), frozenset(order)}
    assert any("fair.fairvec is of the later, " in each for each in said)
    assert any("results.jsonl is of the earlier; run it" in each for each in said) == (
        earlier == METHODS[1]  # the other one's list goes after its records
    )


def test_a_model_without_room_for_an_id_is_told_of_too(
    done: dict[str, Debiased], tmp_path: Path
) -> None:
    files = DebiasedFiles(tmp_path / "fair.vec")
    write(done, files.model, METHODS[0])
    read_results(files.folder)
    for place in (files.transform, files.report, files.folder / "results.jsonl"):
        killed_before(writing(files.model, METHODS[1]), place)
        with pytest.raises(FileFormatError, match="parts of two runs"):
            read_results(files.folder)
    write(done, files.model, METHODS[1])
    assert {*methods(files).values()} == {METHODS[1]}
    assert read_results(files.folder) == list(done[METHODS[1]].outcomes)


def test_a_mark_leaves_no_path_of_this_machine(done: dict[str, Debiased], tmp_path: Path) -> None:
    files = DebiasedFiles(tmp_path / "fair.fairvec")
    write(done, files.model, METHODS[0])
    killed_before(writing(files.model, METHODS[1]), files.model)
    mark = (files.folder / MARK).read_text()
    assert str(tmp_path) not in mark
    assert set(json.loads(mark)["parts"]) == {
        *("../fair.fairvec", "report.html", "results.jsonl", "transform.safetensors")
    }

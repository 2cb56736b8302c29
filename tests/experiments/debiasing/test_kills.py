"""A debiased model, its transform, results and page are of one method, whenever it is killed."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest

import fairvec
from fairvec.embedding import Embedding
from fairvec.experiments.debiasing.debias import (
    Debiased,
    debias_model,
)
from fairvec.experiments.debiasing.files import LEARNT_WORDS, DebiasedFiles, write_debiased
from fairvec.lexicon import concept
from fairvec.mitigation import debiaser, load_transform
from fairvec.results import read_results
from fairvec.results.records import Change
from tests.fault_injection import kills
from tests.forking import Made, made

METHODS = ("hard", "linear-projection")


def two_methods() -> dict[str, Debiased[Embedding]]:
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
def done_files() -> dict[str, Debiased[Embedding]]:
    found: dict[str, Debiased[Embedding]] = made(two_methods)
    return found


def methods(files: DebiasedFiles) -> dict[str, str]:
    """Return by which method each part that is there was made, as it says itself."""
    found = {}
    if (files.folder / "results.jsonl").exists():
        records = read_results(files.folder)
        change, *_ = (one for one in records if isinstance(one, Change))
        found["results"] = str(change.model.history[-1]["method"])
    if files.transform.exists():
        found["transform"] = load_transform(files.transform).name.split()[0]
    if files.report.exists():
        found["page"] = files.report.read_text(encoding="utf-8")
    if files.learnt.exists():
        found["list"] = METHODS[0]
    history = fairvec.load(files.model).history
    return found | {
        "model": next(str(step.details["method"]) for step in history if step.action == "debias")
    }


def write(done: dict[str, Debiased[Embedding]], file: Path, method: str) -> None:
    write_debiased(done[method], file, force=True, page=method)


def writing(file: Path, method: str) -> Callable[[], None]:
    return partial(write, cast(dict[str, Debiased[Embedding]], Made(two_methods)), file, method)


@pytest.mark.parametrize("order", [METHODS, METHODS[::-1]], ids=["with a list", "without"])
def test_model_and_results_are_of_one_method_whenever_it_is_killed(
    done_files: dict[str, Debiased[Embedding]], tmp_path: Path, order: tuple[str, str]
) -> None:
    files, kept = DebiasedFiles(tmp_path / "out" / "fair.fairvec"), tmp_path / "kept"
    earlier, later = order
    write(done_files, files.model, earlier)
    shutil.copytree(tmp_path / "out", kept)
    seen = []
    for step in kills(writing(files.model, later), tmp_path / "out"):
        seen.append(methods(files))
        assert len({*seen[-1].values()}) == 1, step
        shutil.rmtree(tmp_path / "out")
        shutil.copytree(kept, tmp_path / "out")
    assert [{*seen[0].values()}, {*seen[-1].values()}] == [{earlier}, {later}]
    assert {len(each) for each in seen} >= {1, 2, 3, 4}

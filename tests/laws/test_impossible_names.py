"""Names that no disk can hold, wherever a file is looked for: fairvec's own errors, in short."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairvec
from fairvec.benchmarks import benchmark, load_reviews
from fairvec.core.errors import FairvecError
from fairvec.core.io.read_files import is_file, is_folder, is_there
from fairvec.documents.read import read_sources
from fairvec.experiments.study.plan import read_study
from fairvec.lexicon import concept, select_tests
from fairvec.training.text import corpus_files

NAMES = {
    "long": "a" * 5000,
    "long with an ending": "a" * 300 + ".toml",
    "long inside": "b/" * 3000 + "c",
    "long suite": "a" * 300 + "/x",
}
LOOKED_UP: dict[str, Callable[[str], Any]] = {
    "load": fairvec.load,
    "open_encoder": fairvec.open_encoder,
    "audit": lambda name: fairvec.audit("glove-en-small", suites=name),
    "select_tests": select_tests,
    "concept": concept,
    "benchmark": benchmark,
    "load_reviews": load_reviews,
    "read_results": fairvec.read_results,
    "read_study": lambda name: read_study(Path(name)),
    "corpus_files": lambda name: corpus_files([name]),
    "read_sources": lambda name: read_sources([Path(name)]),
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("looked_up", LOOKED_UP.values(), ids=LOOKED_UP)
def test_what_cannot_be_there_is_not_there(looked_up: Callable[[str], Any], name: str) -> None:
    with pytest.raises(FairvecError) as told:
        looked_up(name)
    assert len(str(told.value)) < 1500


@pytest.mark.parametrize("name", [*NAMES.values(), "a\0b", "", "\ud800"], ids=range(7))
def test_nothing_is_there_under_such_a_name(name: str) -> None:
    assert (is_there(name), is_file(name), is_folder(name)) == (False, False, False)


def test_what_is_there_is_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert (is_there(file), is_file(file), is_folder(file)) == (True, True, False)
    assert (is_there(str(tmp_path)), is_file(tmp_path), is_folder(tmp_path)) == (True, False, True)


def test_a_study_names_its_suite_in_vain(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    (tmp_path / "some.txt").write_text("a b c\n")
    plan.write_text(
        'language = "en"\nwindows = [3, 5]\ndims = [4]\nseeds = [1, 2]\n'
        f'suites = ["{"a" * 5000}"]\n[corpora]\none = ["some.txt"]\n[models.glove]\n'
    )
    with pytest.raises(FairvecError, match="no suite named 'aaa") as told:
        read_study(plan)
    assert len(str(told.value)) < 1500

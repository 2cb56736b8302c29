"""Sentences are as they were read; every function that gives one has a case."""

from pkgutil import iter_modules

import pytest

import fairvec.messages
from tests.messages.snapshot_files import FOLDER, MODULES, cases_of, speakers, text_of


@pytest.mark.parametrize("module", MODULES)
def test_every_sentence_is_as_it_was_read(module: str) -> None:
    """After a change that is meant: python -m tests.messages.snapshot_files --renew."""
    stored = (FOLDER / f"{module}.txt").read_text(encoding="utf-8")
    assert text_of(module).splitlines() == stored.splitlines()


@pytest.mark.parametrize("module", MODULES)
def test_every_function_that_speaks_has_a_case(module: str) -> None:
    assert speakers(module) <= {name for name, _, _ in cases_of(module)}


def test_no_file_is_left_behind() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(MODULES)
    assert set(MODULES) <= {module.name for module in iter_modules(fairvec.messages.__path__)}

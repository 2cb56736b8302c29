"""A file that is given as one of another kind is told what it is."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from fairvec.core.errors import LexiconError
from fairvec.core.io.toml_files import FILE_KINDS
from fairvec.core.validation import Frozen
from fairvec.experiments.study.plan import StudyPlan, parse_study, study_scaffold
from fairvec.lexicon import concept
from fairvec.lexicon.concepts import ConceptFile, parse_concepts
from fairvec.lexicon.suite_files import SuiteFile, parse_suite

DATA = files("fairvec.lexicon") / "data"
TEXTS: dict[str, Callable[[], str]] = {
    "a suite of tests": lambda: (DATA / "suites" / "malik2022.toml").read_text("utf-8"),
    "a file of concepts": lambda: (DATA / "concepts" / "hi.toml").read_text("utf-8"),
    "the plan of a study": study_scaffold,
}
PARSERS: dict[str, Callable[[str, str], object]] = {
    "a suite of tests": parse_suite,
    "a file of concepts": parse_concepts,
    "the plan of a study": parse_study,
}


@pytest.mark.parametrize("given", TEXTS)
@pytest.mark.parametrize("asked", PARSERS)
def test_a_file_of_another_kind_is_told_what_it_is(given: str, asked: str) -> None:
    if given == asked:
        assert PARSERS[asked](TEXTS[given](), "my.toml")
        return
    with pytest.raises(LexiconError) as told:
        PARSERS[asked](TEXTS[given](), "my.toml")
    assert str(told.value).startswith(f"my.toml: this is {given} and not {asked}; ")


def test_a_slip_in_a_file_of_the_right_kind_is_named_as_ever() -> None:
    text = TEXTS["a suite of tests"]().replace("licence =", "license =", 1)
    with pytest.raises(LexiconError, match="did you mean licence"):
        parse_suite(text + "\n[concepts.x]\n", "my.toml")


def test_marks_are_keys_that_every_file_of_a_kind_must_have() -> None:
    models: tuple[type[Frozen], ...] = (SuiteFile, ConceptFile, StudyPlan)
    for kind, model in zip(FILE_KINDS, models, strict=True):
        assert all(model.model_fields[mark].is_required() for mark in kind.marks)


def test_a_suite_that_is_named_as_a_concept_is_told_so(tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    suite.write_text(TEXTS["a suite of tests"](), encoding="utf-8")
    with pytest.raises(LexiconError, match=r"mine\.toml: this is a suite .* with --suite"):
        concept(f"{suite}:pairs")

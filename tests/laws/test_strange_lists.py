"""A suite, concept or plan with any part replaced is refused in one sentence, or can be used."""

import json
import tomllib
from collections.abc import Callable
from datetime import date, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import FairvecError
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.study.plan import read_study
from fairvec.lexicon import lint_suite, parse_suite
from fairvec.lexicon.concepts import parse_concepts
from fairvec.mitigation import LinearProjection
from tests import toys
from tests.laws.strange_values import with_any_part_replaced
from tests.limits import outcome
from tests.mitigation.toys import TEXT, embedding

MODEL, PLANTED = toys.embedding(1.0), embedding()
PLAN = """
language = "en"
windows = [3]
dims = [4]
seeds = [1, 2]
suites = ["toy.toml"]
[corpora]
one = ["one.txt"]
two = ["two.txt"]
[models.glove]
epochs = 2
"""


def as_suite(text: str) -> None:
    suite = parse_suite(text, "my.toml")
    lint_suite(suite)
    assert audit(MODEL, suites=[suite], method="sampled", samples=100, interval="none")


def as_concepts(text: str) -> None:
    for concept in parse_concepts(text, "my.toml"):
        assert LinearProjection().fit(PLANTED, concept).concept


def as_plan(text: str) -> None:
    with TemporaryDirectory() as folder:
        for name in ("one.txt", "two.txt"):
            (Path(folder) / name).write_text(f"{name} a b c", encoding="utf-8")
        (Path(folder) / "toy.toml").write_text(toys.suite_text(), encoding="utf-8")
        (Path(folder) / "my.toml").write_text(text, encoding="utf-8")
        assert read_study(Path(folder) / "my.toml").tests


KINDS: dict[str, tuple[str, Callable[[str], None]]] = {
    "suite": (toys.suite_text(), as_suite),
    "concepts": (TEXT, as_concepts),
    "plan": (PLAN, as_plan),
}
DATES = st.sampled_from([date(2020, 2, 29), time(1, 2)])


def written(value: Any) -> str:
    """Return a value as TOML: tables inline, texts as JSON has them."""
    match value:
        case dict():
            return "{" + ", ".join(f"{written(k)} = {written(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
        case date() | time():
            return value.isoformat()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case None:
            return "inf"
    return json.dumps(value)


def said_of(text: str, use: Callable[[str], None]) -> str:
    """Return what fairvec says against a file; nothing if it takes it."""
    try:
        use(text)
    except FairvecError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_honest_is_taken(kind: str) -> None:
    honest, use = KINDS[kind]
    same = "\n".join(f"{k} = {written(v)}" for k, v in tomllib.loads(honest).items())
    assert said_of(honest, use) == said_of(same, use) == ""


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_file_with_any_part_replaced_is_refused_or_used(kind: str, data: st.DataObject) -> None:
    honest, use = KINDS[kind]
    found = with_any_part_replaced(tomllib.loads(honest), data, DATES)
    said = said_of("\n".join(f"{written(k)} = {written(v)}" for k, v in found.items()), use)
    assert "\n" not in said
    assert len(said) < 3500


@pytest.mark.parametrize("kind", KINDS)
def test_nesting_and_digits_are_refused_in_one_sentence(kind: str) -> None:
    honest, use = KINDS[kind]
    for value in ("[" * 100_000, "9" * 5000, "0x" + "f" * 5000, "{a = " * 3000, "nan", "1e400"):
        said = said_of(f"strange = {value}\n{honest}", use)
        assert "my.toml" in said
        assert len(said) < 500


def test_very_many_faults_and_very_long_names_end_soon() -> None:
    code = """
from fairvec.core.errors import FairvecError
from fairvec.lexicon import parse_suite
from tests import toys
honest = toys.suite_text()
for text in (
    "\\n".join(f"languag{n} = 1" for n in range(30_000)) + honest,
    "l" * 1_000_000 + " = 1\\n" + honest,
    honest + "".join(f'[[tests]]\\nid = "t{n}"\\n' for n in range(20_000)),
):
    try:
        parse_suite(text, "my.toml")
    except FairvecError as error:
        print(len(str(error)) < 3000)
"""
    assert (
        outcome(f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n{code}")
        == "True"
    )

"""Options of reading: the shell, load and the object have the same ones."""

from dataclasses import fields
from inspect import signature
from itertools import combinations
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import fairvec
from fairvec.cli.options import READING, reads_a_model
from fairvec.embedding import AS_FOUND, Reading

OTHERS: dict[str, Any] = {
    "geometry": "poincare",
    "curvature": 0.5,
    "outside": "project",
    "vectors": "context",
    "format": "glove-text",
    "language": ["hi", "en"],
    "invalid_utf8": "replace",
    "vocabulary": "words.txt",
}
SUBSETS = [each for size in range(len(READING) + 1) for each in combinations(READING, size)]


def test_every_option_is_declared_and_load_has_it_too() -> None:
    declared = [field.name for field in fields(Reading)]
    assert [*READING] == declared == [*OTHERS]
    parameters = signature(fairvec.load).parameters
    assert {name: parameters[name].default for name in declared} == vars(AS_FOUND)


@pytest.mark.parametrize("given", SUBSETS, ids=",".join)
def test_what_the_shell_says_reaches_the_command(given: tuple[str, ...]) -> None:
    heard: list[tuple[str, Reading, int]] = []
    app = typer.Typer()

    @app.command()
    @reads_a_model()
    def command(model: str, reading: Reading = AS_FOUND, seed: int = 0) -> None:
        heard.append((model, reading, seed))

    said = [(name, OTHERS[name]) for name in given]
    words = [
        text
        for name, value in said
        for one in (value if isinstance(value, list) else [value])
        for text in (f"--{name.replace('_', '-')}", str(one))
    ]
    answer = CliRunner().invoke(app, ["a.vec", *words, "--seed", "3"])
    assert answer.exit_code == 0, answer.output
    assert heard == [("a.vec", Reading(**dict(said)), 3)]


def test_an_option_left_out_is_unknown_and_as_found() -> None:
    heard: list[Reading] = []
    app = typer.Typer()

    @app.command()
    @reads_a_model(without=("vectors", "language"))
    def command(reading: Reading = AS_FOUND) -> None:
        heard.append(reading)

    assert CliRunner().invoke(app, ["--vectors", "context"]).exit_code == 2
    assert CliRunner().invoke(app, ["--curvature", "2"]).exit_code == 0
    assert heard == [Reading(curvature=2.0)]

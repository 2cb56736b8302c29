"""A question as a file, a command line and a program: each gives the same figures."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairvec.cli import main
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.results import Result
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.ask import reproduce_snippets
from tests.web.ask_lists import HOSTILE, LISTS, answer, asked, models, published


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("glove-en-small", {"title": 'Jobs "of" $(men)', "titles": {"x": "it's \\ `id`"}}),
        ("glove-en-small", {"x": [*LISTS["x"], *HOSTILE[:4]]}),
        (
            "glove-hi-small",
            {
                "x": ["गणित", "विज्ञान", "इंजीनियर", "डॉक्टर"],
                "y": ["कला", "नृत्य", "कविता", "संगीत"],
                "a": ["पुरुष", "लड़का", "पिता"],
                "b": ["महिला", "लड़की", "माता"],
            },
        ),
        ("glove-hi-small", published("bharti2021/b3")),  # two of its targets have variants alone
    ],
    ids=["titles", "hostile", "hindi", "variants"],
)
def test_file_command_and_python_give_the_same_figures(
    model: str,
    said: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = Result.model_validate(answer(model, **said)["record"])
    texts = reproduce_snippets(models(model), asked(model, **said))
    Path(texts["name"]).write_text(texts["toml"], encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [*shlex.split(texts["command"]), "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, None)
    by_shell = json.loads(capsys.readouterr().out.splitlines()[0])
    program: dict[str, Any] = {}
    exec(texts["python"], program)
    for found in (Result.model_validate(by_shell), program["found"]):
        for field in ("effect", "p", "interval", "detectable", "verdict"):
            assert getattr(found, field) == getattr(expected, field)
        assert figures_of_words(found) == figures_of_words(expected)


def figures_of_words(result: Result) -> list[Any]:
    """What is measured of each word; glosses are for readers, and a program is given none."""
    return [(word.word, word.key, word.score, word.without) for word in result.words]


def test_a_shell_runs_nothing_that_stands_in_a_name(tmp_path: Path) -> None:
    embedding = models()["glove-en-small"].embedding
    name = "$(touch owned) it's.vec"
    opened = OpenModels([OpenModel(name, name, embedding)])
    command = reproduce_snippets(opened, asked(name))["command"]
    printed = ["sh", "-c", f"set -- {command}; printf '%s' \"$3\""]
    assert subprocess.run(printed, cwd=tmp_path, capture_output=True, text=True).stdout == name
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize("reading", [AS_FOUND, Reading(geometry="poincare", language=["hi", "ru"])])
def test_how_a_model_was_read_is_said_again(reading: Reading) -> None:
    embedding: Embedding = models()["glove-en-small"].embedding
    texts = reproduce_snippets(
        OpenModels([OpenModel("m", "m.vec", embedding, reading=reading)]),
        asked("m"),
    )
    options = "--geometry poincare --language hi --language ru" if reading != AS_FOUND else ""
    assert texts["command"].partition(".toml ")[2] == options
    compile(texts["python"], "program", "exec")
    assert ("fairvec.load('m.vec', geometry='poincare'" in texts["python"]) == bool(options)

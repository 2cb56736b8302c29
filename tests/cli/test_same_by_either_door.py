"""One call gives one result, in the shell and in Python: defaults agree, and so do records."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli.app import load_command
from fairvec.core.settings import setting_fields
from fairvec.embedding import LoadOptions
from fairvec.encoders.base import EncoderOptions
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.experiments.frontier.frontier import STRENGTHS, frontier
from fairvec.experiments.sample_size import words_needed
from fairvec.results import read_results
from fairvec.results.frontier import read_frontier
from fairvec.results.records import Change
from fairvec.tasks.sentiment.classifiers import LstmNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.augment import Augmentation
from fairvec.training.encode import VocabularyLimits
from tests.cli.conftest import Shell


@dataclass(frozen=True)
class Twin:
    """The call of Python that a command makes; `other_names` are those of its options in the call.

    `shell_alone` are options and arguments that are no argument of the call: what is printed and
    written, and how files are read. `python_alone` are arguments for which the shell has no option.
    """

    call: Callable[..., Any]
    other_names: Mapping[str, str] = field(default_factory=dict)
    shell_alone: frozenset[str] = frozenset()
    python_alone: frozenset[str] = frozenset()


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


READING = names(
    "geometry curvature outside vectors format language invalid_utf8 vocabulary layer pooling"
    " dtype token_embeddings download keep"
)
PRINTED = names("as_json csv latex markdown junit output force")
CALLED = names("progress on_choice on_remark on_start on_vocabulary on_ready language")
OBJECTS = names("x y words a b title titles category kind paired tests")
TWINS = {
    "audit": Twin(
        fairvec.audit,
        {"suite": "suites", "metric": "metrics", "answer_of_ceat": "answer"},
        READING | PRINTED,
        CALLED | OBJECTS | names("resamples level alpha categories"),
    ),
    "debias": Twin(
        fairvec.debias,
        {"suite": "suites", "benchmark": "benchmarks", "setting": "settings"},
        READING | PRINTED | names("solver"),
        CALLED | OBJECTS,
    ),
    "frontier": Twin(
        fairvec.frontier,
        {
            "suite": "suites",
            "benchmark": "benchmarks",
            "method": "methods",
            "task": "tasks",
            "output": "folder",
        },
        READING - {"keep"},
        CALLED | OBJECTS,
    ),
    "compare": Twin(fairvec.compare, {}, PRINTED | names("fail_if")),
    "neighbours": Twin(fairvec.neighbours, {"by": "similarity", "words": "word"}, READING),
    "analogy": Twin(fairvec.analogy, {"by": "similarity"}, READING),
    "biased-analogies": Twin(fairvec.biased_analogies, {}, READING, CALLED),
    "benchmarks ask": Twin(
        fairvec.benchmark, {"by": "similarity", "names": "benchmarks"}, READING | PRINTED, CALLED
    ),
    "suites needs": Twin(fairvec.sample_size, {}, READING | PRINTED, CALLED | names("alpha")),
    "train": Twin(fairvec.train, {"dim": "dimensions"}, PRINTED, CALLED | names("name")),
    "distil": Twin(fairvec.distil, {}, (READING | PRINTED) - {"vocabulary"}, CALLED),
    "study": Twin(fairvec.study, {"output": "folder"}, python_alone=CALLED),
    "task sentiment": Twin(
        fairvec.sentiment_task,
        {"model": "models", "method": "methods", "output": "folder"},
        READING | PRINTED | names("text_column label_column split_column"),
        CALLED | names("columns"),
    ),
    "document": Twin(
        fairvec.check_documents,
        {},
        PRINTED | names("aim apply accept fail_on off error format fix diff changed why"),
        names("standard_input"),
    ),
    "reproduce": Twin(
        fairvec.reproduce,
        {"name": "paper", "model": "models", "stand_in": "stand_ins", "output": "folder"},
        READING | PRINTED,
        CALLED | names("reading"),
    ),
    "explore": Twin(fairvec.explore, {}, READING, CALLED | names("reading")),
    "convert": Twin(
        fairvec.save,
        {"model": "embedding", "file": "path", "to": "format"},
        READING | names("words"),
        CALLED | names("licence origin"),
    ),
    "models list": Twin(fairvec.list_models),
    "suites list": Twin(fairvec.list_suites, python_alone=names("language")),
    "concepts list": Twin(fairvec.list_concepts, python_alone=names("language")),
    "benchmarks list": Twin(fairvec.list_benchmarks),
}
"""The public call behind each command that measures, changes, makes or lists."""

BEHIND_OBJECTS = {
    "convention": "caliskan",
    "permute": "words",
    "answer": "words",
    "strengths": ",".join(f"{one:g}" for one in STRENGTHS),
}
"""What an option says where the call leaves a choice to a metric, or has a tuple."""


def options_of(command: str) -> dict[str, Any]:
    """The defaults of a command's options by the name of its parameters."""
    first, *rest = command.split()
    found: Any = load_command(first)
    for name in rest:
        found = found.commands[name]
    return {param.name: param.to_info_dict()["default"] for param in found.params}


@pytest.mark.parametrize("command", TWINS)
def test_a_command_has_the_arguments_of_its_call_with_the_same_defaults(command: str) -> None:
    twin, options = TWINS[command], options_of(command)
    arguments = {name: each.default for name, each in signature(twin.call).parameters.items()}
    handed = {
        name: twin.other_names.get(name, name)
        for name in options
        if name in twin.other_names or name not in twin.shell_alone
    }
    assert {*handed.values()} <= {*arguments}
    assert {*arguments} - {*handed.values()} <= twin.python_alone
    assert not twin.python_alone & {*handed.values()} - CALLED - OBJECTS
    for name, own in handed.items():
        said, default = options[name], arguments[own]
        if said is None or default is Parameter.empty:  # what is not said is not handed over
            continue
        assert said == (BEHIND_OBJECTS.get(own) if own in BEHIND_OBJECTS else default), name


@pytest.mark.parametrize(
    ("call", "declared", "other_names"),
    [
        (fairvec.audit, Statistics, {}),
        (fairvec.load, LoadOptions, {}),
        (fairvec.open_encoder, EncoderOptions, {}),
        (fairvec.train, VocabularyLimits, {"most_words": "max_words"}),
        (fairvec.train, Augmentation, {"by": "augment_by"}),
        (fairvec.sentiment_task, SentimentTask, {"passes": "seeds"}),
        (fairvec.sentiment_task, LstmNetwork, {}),
    ],
)
def test_a_call_has_the_defaults_of_the_settings_that_it_makes(
    call: Callable[..., Any], declared: type, other_names: dict[str, str]
) -> None:
    arguments = signature(call).parameters
    settings = {each.name: each.default for each in setting_fields(declared)}
    shared = {name: other_names.get(name, name) for name in settings} if settings else {}
    compared = {
        name: own
        for name, own in shared.items()
        if own in arguments and arguments[own].default is not None and name != "network"
    }
    assert compared
    for name, own in compared.items():
        assert arguments[own].default == settings[name], name


@pytest.mark.parametrize("call", [fairvec.audit, fairvec.frontier, fairvec.sample_size])
def test_a_call_has_the_defaults_of_the_work_behind_it(call: Callable[..., Any]) -> None:
    behind: dict[Callable[..., Any], Callable[..., Any]] = {
        fairvec.audit: audit,
        fairvec.frontier: frontier,
        fairvec.sample_size: words_needed,
    }
    own, others = (signature(one).parameters for one in (call, behind[call]))
    shared = {name for name in {*own} & {*others} if others[name].default is not Parameter.empty}
    assert len(shared) > 5
    assert {name: own[name].default for name in shared} == {
        name: others[name].default for name in shared
    }


MODELS = "glove-en-small", "glove-en-twin-small"
GENDER = ("caliskan2017/weat-6", "caliskan2017/weat-1")


def test_a_model_is_debiased_alike_by_either_door(shell: Shell, tmp_path: Path) -> None:
    """With the default method: the same vectors, and the same records of what it did."""
    out = tmp_path / "fair.fairvec"
    suites = [part for one in GENDER for part in ("--suite", one)]
    assert shell("debias", "glove-en-small", "--concept", "en/gender", *suites, "-o", out).code == 0
    done = fairvec.debias("glove-en-small", "en/gender", suites=GENDER)
    assert isinstance(done.model, fairvec.Embedding)
    assert np.array_equal(fairvec.load(out).vectors, done.model.vectors)
    assert [*read_results(out.with_name(f"{out.name}.run"))] == [*done.results]


def test_models_are_audited_and_compared_alike_by_either_door(shell: Shell, tmp_path: Path) -> None:
    suites = [part for one in GENDER for part in ("--suite", one)]
    runs = []
    for model in MODELS:
        assert shell("audit", model, *suites, "-o", tmp_path / model).code == 0
        runs.append(fairvec.audit(model, suites=GENDER))
        assert [*read_results(tmp_path / model)] == [*runs[-1]]
    answer = shell("compare", *(tmp_path / model for model in MODELS), "--json")
    found = fairvec.compare(*runs)
    rows_of_shell = [json.loads(line) for line in answer.out.splitlines()]
    assert rows_of_shell == json.loads(json.dumps(comparison_rows(found)))
    rows = {row["test"]: row for row in comparison_rows(found)}
    for change in found.results:
        assert isinstance(change, Change)
        row = rows[change.test.id]
        assert (change.kind, change.value_before) == (row["change"], row["effect_before"])
    assert {*rows} == {change.test.id for change in found.results}


def test_a_frontier_is_the_same_by_either_door(shell: Shell, tmp_path: Path) -> None:
    suites = [part for one in GENDER for part in ("--suite", one)]
    method = ("--method", "linear-projection", "--strengths", "0.5,1")
    asked = ("frontier", "glove-en-small", "--concept", "en/gender", *suites, *method)
    assert shell(*asked, "-o", tmp_path / "front").code == 0
    found = fairvec.frontier(
        "glove-en-small",
        "en/gender",
        suites=GENDER,
        methods="linear-projection",
        strengths=(0.5, 1.0),
    )
    assert [*read_frontier(tmp_path / "front")] == [*found.lines]

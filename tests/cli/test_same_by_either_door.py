"""One call gives one result, in the shell and in Python: defaults agree, and so do records."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli.app import load_command
from fairvec.core.settings import SettingLimits, argument_field, setting_fields
from fairvec.embedding import LoadOptions
from fairvec.encoders.base import EncoderOptions
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.experiments.frontier.frontier import STRENGTHS, frontier
from fairvec.experiments.sample_size import words_needed
from fairvec.experiments.study.study import study
from fairvec.metrics.utility import UTILITY_METRICS
from fairvec.mitigation import DEBIASERS
from fairvec.results import read_results
from fairvec.results.frontier import read_frontier
from fairvec.results.records import Change
from fairvec.tasks.sentiment.classifiers import LstmNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.augment import Augmentation
from fairvec.training.encode import VocabularyLimits
from fairvec.training.train import KINDS, TrainingText
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
ENDPOINT = frozenset({*EncoderOptions().of_endpoint, "dry_run", "yes"})
PRINTED = names("as_json csv latex markdown junit output force")
CALLED = names("progress on_choice on_remark on_start on_vocabulary on_ready language")
OBJECTS = names("x y words a b title titles category kind paired tests")
TWINS = {
    "audit": Twin(
        fairvec.audit,
        {"suite": "suites", "metric": "metrics", "answer_of_ceat": "answer"},
        READING | ENDPOINT | PRINTED,
        CALLED | OBJECTS | names("resamples level alpha categories"),
    ),
    "debias": Twin(
        fairvec.debias,
        {"source": "model", "suite": "suites", "benchmark": "benchmarks", "setting": "settings"},
        READING | ENDPOINT | PRINTED | names("solver"),
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
        fairvec.benchmark,
        {"source": "model", "by": "similarity", "names": "benchmarks"},
        READING | ENDPOINT | PRINTED,
        CALLED,
    ),
    "suites needs": Twin(fairvec.sample_size, {}, READING | PRINTED, CALLED | names("alpha")),
    "train": Twin(fairvec.train, {"dim": "dimensions"}, PRINTED, CALLED | names("name")),
    "distil": Twin(fairvec.distil, {}, (READING | ENDPOINT | PRINTED) - {"vocabulary"}, CALLED),
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
        {
            "name": "paper",
            "model": "models",
            "stand_in": "stand_ins",
            "corpus": "corpora",
            "output": "folder",
        },
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
    """A command's options and arguments by the name of its parameters."""
    first, *rest = command.split()
    found: Any = load_command(first)
    for name in rest:
        found = found.commands[name]
    return {param.name: param for param in found.params}


def help_of(option: Any) -> str:
    return str(option.text() if callable(option.text) else option.text)


@pytest.mark.parametrize("command", TWINS)
def test_a_command_has_the_arguments_of_its_call_with_the_same_defaults(command: str) -> None:
    """What the call declares with its help the command has with the same help and limits."""
    twin, options = TWINS[command], options_of(command)
    arguments = signature(twin.call).parameters
    handed = {
        name: twin.other_names.get(name, name)
        for name in options
        if name in twin.other_names or name not in twin.shell_alone
    }
    assert {*handed.values()} <= {*arguments}
    assert {*arguments} - {*handed.values()} <= twin.python_alone
    assert not twin.python_alone & {*handed.values()} - CALLED - OBJECTS
    for name, own in handed.items():
        declared, option = argument_field(twin.call, own), options[name]
        if declared.help:
            assert help_of(option) == declared.help, name
        setting = getattr(option.type, "setting", None)
        if setting and setting.limits != SettingLimits() and declared.type is setting.type:
            assert setting.limits == declared.limits, name
        own_default, default = option.to_info_dict()["default"], declared.default
        if own_default is None or default is Parameter.empty:  # what is not said is not handed over
            continue
        assert own_default == (BEHIND_OBJECTS.get(own) if own in BEHIND_OBJECTS else default), name


OTHERWISE = {"name", "network", "words"}
"""Arguments that only share the name of a setting."""

HANDED_ON = {"passes": "seeds", "most_words": "max_words", "by": "augment_by"}
"""Settings whose arguments have another name."""


@pytest.mark.parametrize(
    ("call", "owners"),
    [
        (fairvec.audit, [Statistics]),
        (fairvec.load, [LoadOptions]),
        (fairvec.open_encoder, [EncoderOptions]),
        (fairvec.train, [TrainingText, VocabularyLimits, Augmentation]),
        (fairvec.train, KINDS.values()),
        (fairvec.benchmark, [*map(type, UTILITY_METRICS.values())]),
        (fairvec.sentiment_task, [SentimentTask, LstmNetwork]),
        (fairvec.debias, DEBIASERS),
    ],
)
def test_a_call_takes_the_settings_that_it_hands_on_as_they_are_declared(
    call: Callable[..., Any], owners: Iterable[type]
) -> None:
    """By type, limits and default; an argument that is left out leaves its setting as it is."""
    names, held = signature(call).parameters, 0
    for owner in owners:
        for setting in setting_fields(owner):
            name = HANDED_ON.get(setting.name, setting.name)
            if name not in names or name in BEHIND_OBJECTS or name in OTHERWISE:
                continue
            argument = argument_field(call, name)
            held += 1
            if argument.default is not None and argument.default is not Parameter.empty:
                assert argument.default == setting.default, (owner, name)
            if argument.help:
                assert argument.help == setting.help, (owner, name)
            if argument.limits != SettingLimits():
                assert argument.limits == setting.limits, (owner, name)
            assert argument.choices in (setting.choices, ()), (owner, name)
    assert held


@pytest.mark.parametrize(
    ("call", "behind"),
    [
        (fairvec.audit, audit),
        (fairvec.debias, debias_model),
        (fairvec.frontier, frontier),
        (fairvec.sample_size, words_needed),
        (fairvec.study, study),
    ],
)
def test_a_call_has_the_arguments_of_the_work_behind_it(
    call: Callable[..., Any], behind: Callable[..., Any]
) -> None:
    shared = signature(call).parameters.keys() & signature(behind).parameters.keys()
    assert len(shared) > 3
    for name in shared:
        own, other = argument_field(call, name), argument_field(behind, name)
        if Parameter.empty not in (own.default, other.default):
            assert own.default == other.default or other.default is None, name
        if other.help or (own.help and own.type is other.type):
            assert (own.help, own.limits) == (other.help, other.limits), name


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
    for change in found.changes:
        assert isinstance(change, Change)
        row = rows[change.test.id]
        assert (change.kind, change.value_before) == (row["change"], row["effect_before"])
    assert {*rows} == {change.test.id for change in found.changes}


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

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
from fairvec.documents.apply import apply_changes
from fairvec.documents.check import check_documents
from fairvec.documents.read import read_documents
from fairvec.encoders.base import Choices
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.experiments.frontier.frontier import frontier
from fairvec.experiments.sample_size import words_needed
from fairvec.experiments.study.study import study
from fairvec.experiments.utility import USUAL
from fairvec.metrics.bias.ceat import Ceat
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.weat import Weat
from fairvec.results import read_results
from fairvec.results.frontier import read_frontier
from fairvec.results.records import Change
from fairvec.tasks.sentiment.classifiers import LstmNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.augment import Augmentation
from fairvec.training.encode import VocabularyLimits
from fairvec.training.train import TrainingText, train_embedding
from tests.cli.conftest import Shell


@dataclass(frozen=True)
class Twin:
    """A call of Python that a command makes; `other_names` are those of the command, then its own.

    An option whose default is None hands nothing over, and one in `shell_alone` is no setting of
    the call but has its name.
    """

    call: Callable[..., Any]
    other_names: Mapping[str, str] = field(default_factory=dict)
    shell_alone: tuple[str, ...] = ()


READING = Twin(fairvec.load)
ENCODING = Twin(Choices)
TWINS = {
    "audit": (
        Twin(fairvec.audit),
        Twin(Statistics),
        Twin(Weat, {"convention": "effect_size"}),
        Twin(Seat),
        Twin(Ceat, {"answer_of_ceat": "answer"}),
        READING,
        ENCODING,
        Twin(fairvec.open_encoder),
    ),
    "debias": (Twin(fairvec.debias), Twin(debias_model), READING, ENCODING),
    "frontier": (Twin(fairvec.frontier), Twin(frontier, {"calibrate": "calibrated"}), READING),
    "compare": (Twin(fairvec.compare),),
    "neighbours": (Twin(fairvec.neighbours, {"by": "similarity"}), READING),
    "convert": (Twin(fairvec.save, {"to": "format"}, ("format",)), READING),
    "train": (
        Twin(train_embedding),
        Twin(TrainingText),
        Twin(VocabularyLimits, {"max_words": "most_words"}),
        Twin(Augmentation, {"augment_by": "by"}),
    ),
    "task sentiment": (
        Twin(SentimentTask, {"seeds": "passes"}, ("network",)),
        Twin(LstmNetwork),
        READING,
    ),
    "document": (Twin(check_documents), Twin(read_documents), Twin(apply_changes)),
    "study": (Twin(study),),
    "suites needs": (Twin(words_needed), READING),
    "benchmarks ask": (Twin(lambda min_coverage=USUAL.min_coverage, seed=USUAL.seed: 0),),
}
"""The calls behind each command that measures, changes or learns."""


def options_of(command: str) -> dict[str, Any]:
    """The defaults of a command's options by the name of its parameters."""
    first, *rest = command.split()
    found: Any = load_command(first)
    for name in rest:
        found = found.commands[name]
    return {param.name: param.to_info_dict()["default"] for param in found.params}


def plain(default: Any) -> Any:
    """A default as an option can say it: an object by its name, numbers with commas."""
    if isinstance(default, tuple) and all(isinstance(one, float) for one in default):
        return ",".join(f"{one:g}" for one in default)
    convention = getattr(default, "convention", None)
    return convention.name if convention else default


@pytest.mark.parametrize("command", TWINS)
def test_an_option_has_the_default_of_the_call_that_it_is_handed_to(command: str) -> None:
    options = options_of(command)
    for twin in TWINS[command]:
        defaults = {name: each.default for name, each in signature(twin.call).parameters.items()}
        assert {*twin.other_names} <= {*options}, twin.call
        names = {name: twin.other_names.get(name, name) for name in options}
        shared = {
            name: plain(defaults[own])
            for name, own in names.items()
            if own in defaults
            and name not in twin.shell_alone
            and defaults[own] is not Parameter.empty
        }
        assert shared, twin.call
        differing = {
            name: (options[name], default)
            for name, default in shared.items()
            if options[name] is not None and options[name] != default
        }
        assert not differing, twin.call


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

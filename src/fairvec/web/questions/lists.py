"""What can be listed: suites, words, spellings, models, results."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from fairvec.core.errors import SettingError
from fairvec.embedding.lookup import near_spellings
from fairvec.lexicon import Test, shipped_suites
from fairvec.web.open_models import OpenModels
from fairvec.web.questions.ask import ROLES
from fairvec.web.questions.runs import RESULTS
from fairvec.web.schemas import Typed, WireQuestion


def list_suites(_: OpenModels) -> dict[str, Any]:
    """Return each suite with those of its tests that have four lists."""
    return {
        "suites": [
            {
                "id": suite.id,
                "title": suite.title,
                "language": suite.language,
                "source": suite.source,
                "tests": [
                    _test_entry(test) for test in suite.tests if test.sets.keys() >= {*ROLES}
                ],
            }
            for suite in shipped_suites()
        ]
    }


def _test_entry(test: Test) -> dict[str, Any]:
    return {
        "id": test.id,
        "title": test.title,
        "category": test.category,
        "kind": test.kind,
        "sensitive": test.sensitive_reason,
        "titles": {role: test.sets[role].title for role in ROLES},
        "lists": {role: [word.word for word in test.sets[role].words] for role in ROLES},
    }


class AskedBeginning(WireQuestion):
    """The beginning of a word, and the model that may know it."""

    model: Typed
    beginning: Annotated[str, StringConstraints(max_length=200)]
    most: Annotated[int, Field(ge=1, le=50)] = 12


def complete_word(models: OpenModels, question: AskedBeginning) -> dict[str, Any]:
    """Return the first of them, and whether the whole text is a word of the model."""
    opened = models[question.model]
    return {
        "words": opened.completion.of(question.beginning, question.most),
        "known": question.beginning in opened.embedding,
    }


ALIKE = 2
"""First letters that a near spelling shares: few enough words to compare while one reads."""


class AskedSpelling(WireQuestion):
    """A word as it was typed."""

    model: Typed
    word: Typed


def suggest_spellings(models: OpenModels, question: AskedSpelling) -> dict[str, Any]:
    """Return up to three of them, the nearest first."""
    completion = models[question.model].completion
    like = completion.of(question.word[:ALIKE], most=20_000)
    return {"near": near_spellings(question.word, like)}


def list_models(models: OpenModels) -> dict[str, Any]:
    """Return each model's name, size, space and languages, and whether there are results."""
    return {
        "models": [
            {
                "name": model.name,
                "asked": model.asked,
                "words": len(model.embedding),
                "dimensions": model.embedding.dimensions,
                "geometry": model.embedding.geometry.name,
                "languages": list(model.languages),
            }
            for model in models.every
        ],
        "results": bool(models.results.folders),
    }


def list_file_remarks(models: OpenModels) -> dict[str, Any]:
    """Return a sentence for each model whose file is no longer what it was."""
    return {"remarks": {model.name: model.remark for model in models.every if model.remark}}


class AskedRun(WireQuestion):
    """A run, by the name that /api/results gives it."""

    name: Typed


def list_results(models: OpenModels) -> dict[str, Any]:
    """Return every run, with what is wrong with it if it cannot be read."""
    return {"runs": [run.told() for run in models.results.runs().values()]}


def records_of_run(models: OpenModels, question: AskedRun) -> dict[str, Any]:
    """Return the records of one run, as they stand in its file."""
    run = models.results.run(question.name)
    if run.kind is not RESULTS:
        raise SettingError(
            f"{run.name} holds a {run.kind.title} and no results; open its page under /run."
        )
    return {"records": [record.model_dump(mode="json") for record in run.lines()]}

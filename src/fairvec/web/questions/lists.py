"""Lists for the page: suites, words, spellings, open models and runs."""

from typing import Any

from fairvec.core.errors import SettingError
from fairvec.embedding.lookup import near_spellings
from fairvec.languages.language import language
from fairvec.lexicon import Test, shipped_suites
from fairvec.web.open_models import OpenModels
from fairvec.web.questions.ask import ROLES
from fairvec.web.questions.runs import MOST_RUNS, RESULTS
from fairvec.web.schemas import CompletionRequest, RunRequest, SpellingRequest


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


def complete_word(models: OpenModels, request: CompletionRequest) -> dict[str, Any]:
    """Return words with this beginning, and whether the text itself is a word of the model."""
    opened = models[request.model]
    return {
        "words": opened.completion.of(request.beginning, request.most),
        "known": request.beginning in opened.embedding,
    }


SHARED_LETTERS = 2
"""First letters that a near spelling shares, so that few words are compared."""


def suggest_spellings(models: OpenModels, request: SpellingRequest) -> dict[str, Any]:
    """Return up to three similar spellings, the nearest first."""
    completion = models[request.model].completion
    candidates = completion.of(request.word[:SHARED_LETTERS], most=20_000)
    return {"near": near_spellings(request.word, candidates)}


def list_models(models: OpenModels) -> dict[str, Any]:
    """Return each model's name, size, space and languages, and whether there are results."""
    return {
        "models": [
            {
                "name": model.name,
                "asked": model.source,
                "words": len(model.embedding),
                "dimensions": model.embedding.dimensions,
                "geometry": model.embedding.geometry.name,
                "curved": model.embedding.geometry.curvature > 0,
                "balls": getattr(model.embedding.geometry, "balls", None),
                "languages": list(model.languages),
                "example_word": language(next(iter(model.languages), "")).example_word,
            }
            for model in models.every
        ],
        "results": bool(models.results.folders),
    }


def list_file_remarks(models: OpenModels) -> dict[str, Any]:
    """Return a sentence for each model whose file is no longer what it was."""
    return {"remarks": {model.name: model.remark for model in models.every if model.remark}}


def list_results(models: OpenModels) -> dict[str, Any]:
    """Return the first runs, with what is wrong with one that cannot be read, and how many more."""
    runs = [*models.results.runs().values()]
    return {
        "runs": [run.summary() for run in runs[:MOST_RUNS]],
        "more": max(0, len(runs) - MOST_RUNS),
    }


def records_of_run(models: OpenModels, request: RunRequest) -> dict[str, Any]:
    """Return the records of one run, as in its file."""
    run = models.results.run(request.name)
    if run.kind is not RESULTS:
        raise SettingError(
            f"{run.name} holds a {run.kind.title} and no results; open its page under /run."
        )
    return {"records": [record.model_dump(mode="json") for record in run.lines()]}

"""Lists for the page: suites, words, spellings, open models, runs, methods and concepts."""

from inspect import getdoc
from typing import Any

from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.settings import SettingField, SettingLimits, setting_fields
from fairvec.embedding import Embedding
from fairvec.embedding.lookup import near_spellings
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.suites import fitting_suites, tests_for
from fairvec.lexicon import Concept, SelectedTest, Test, shipped_concepts, shipped_suites
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import DEBIASERS, default_method, method_class, method_names
from fairvec.web.open_models import OpenModels
from fairvec.web.questions.ask import ROLES
from fairvec.web.questions.runs import MOST_RUNS, RESULTS
from fairvec.web.schemas import CompletionRequest, ModelRequest, RunRequest, SpellingRequest


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


def list_methods(_: OpenModels) -> dict[str, Any]:
    """Return each method with the first sentence of its docstring, and its settings."""
    return {"methods": [_method_entry(method_class(name)) for name in method_names()]}


def _method_entry(method: type) -> dict[str, Any]:
    docstring = (getdoc(method) or "").strip()
    sentence, _, rest = docstring.partition("\n\n")
    method_type: Any = method
    return {
        "name": method_type.name,
        "meaning": " ".join(sentence.split()),
        "about": rest,
        "own": method in DEBIASERS,
        "settings": [
            _form_field(setting) for setting in setting_fields(method) if setting.name != "strength"
        ],
    }


def _form_field(setting: SettingField) -> dict[str, Any]:
    """Return the form field of a setting: a choice, a whole number, a number or a text."""
    kinds = {bool: "truth", int: "whole", float: "number", str: "text"}
    field: dict[str, Any] = {"name": setting.name, "usual": setting.default}
    if setting.choices:
        field |= {"kind": "choice", "choices": list(setting.choices)}
    else:
        field["kind"] = kinds.get(setting.type, "list")
    if setting.limits != SettingLimits():
        field |= {"least": setting.limits.least, "most": setting.limits.most}
    if setting.is_optional:
        field["optional"] = True
    return field


QUICK_LENGTH = 16
"""The exact p of target lists up to this length takes a few milliseconds."""


def concepts_of_model(models: OpenModels, request: ModelRequest) -> dict[str, Any]:
    """Return the concepts of the model's languages, each with the tests of its category."""
    model = models[request.model].embedding
    tests, remark = _fitting_tests(model)
    languages = languages_of(model)
    entries = [
        _concept_entry(concept, tests)
        for concept in shipped_concepts()
        if concept.language in languages
    ]
    return {
        # Concepts with many tests first, those with a warning last.
        "concepts": sorted(
            entries, key=lambda entry: (bool(entry["sensitive"]), -len(entry["tests"]))
        ),
        "remark": remark,
    }


def _fitting_tests(model: Embedding) -> tuple[tuple[SelectedTest, ...], str]:
    try:
        return tests_for(Weat(), fitting_suites(model)), ""
    except LexiconError as error:
        return (), str(error)


def _concept_entry(concept: Concept, tests: tuple[SelectedTest, ...]) -> dict[str, Any]:
    matching = [
        selected
        for selected in tests
        if selected.test.category == concept.about and selected.test.language == concept.language
    ]
    return {
        "id": concept.id,
        "title": concept.title,
        "language": concept.language,
        "variants": sorted(concept.variants, key=lambda name: name != concept.default),
        "method": default_method(concept),
        "keep": list(concept.keep),
        "sensitive": concept.sensitive_reason,
        "source": concept.source,
        "tests": [_concept_test(selected) for selected in matching],
    }


def _concept_test(selected: SelectedTest) -> dict[str, Any]:
    sizes = [len(selected.test.sets[role].words) for role in ("x", "y")]
    return {
        "id": selected.test.id,
        "title": selected.test.title,
        "kind": selected.test.kind,
        "words": sizes,
        "quick": max(sizes) <= QUICK_LENGTH,
        "also": list(selected.also),
    }

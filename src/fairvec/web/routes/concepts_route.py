"""GET /api/concepts: what can be taken out of a model, and the tests that judge that."""

from typing import Any

from fairvec.embedding import Embedding
from fairvec.evaluation.choosing.choose import fitting_suites, tests_for
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.ground.errors import LexiconError
from fairvec.lexicon import Concept, Selected, concepts
from fairvec.metrics import Weat
from fairvec.web.change.change_questions import AskedConcepts
from fairvec.web.opened import OpenModels

QUICK = 16
"""The exact p of target lists up to this length takes a few milliseconds."""


def concepts_of_model(models: OpenModels, question: AskedConcepts) -> dict[str, Any]:
    """Return the concepts of the model's languages, each with the tests of its category."""
    model = models[question.model].embedding
    tests, remark = _tests(model)
    spoken = languages_of(model)
    told = [_told(each, tests) for each in concepts() if each.language in spoken]
    return {
        # First what can be judged by many tests; lists with a warning are for those who seek them.
        "concepts": sorted(told, key=lambda one: (bool(one["sensitive"]), -len(one["tests"]))),
        "remark": remark,
    }


def _tests(model: Embedding) -> tuple[tuple[Selected, ...], str]:
    try:
        return tests_for(Weat(), fitting_suites(model)), ""
    except LexiconError as error:
        return (), str(error)


def _told(concept: Concept, tests: tuple[Selected, ...]) -> dict[str, Any]:
    own = [
        each
        for each in tests
        if each.test.category == concept.about and each.test.language == concept.language
    ]
    return {
        "id": concept.id,
        "title": concept.title,
        "language": concept.language,
        "variants": sorted(concept.variants, key=lambda name: name != concept.default),
        "keep": list(concept.keep),
        "sensitive": concept.sensitive_reason,
        "source": concept.source,
        "tests": [_about(each) for each in own],
    }


def _about(each: Selected) -> dict[str, Any]:
    sizes = [len(each.test.sets[role].words) for role in ("x", "y")]
    return {
        "id": each.test.id,
        "title": each.test.title,
        "kind": each.test.kind,
        "words": sizes,
        "quick": max(sizes) <= QUICK,
        "also": list(each.also),
    }

"""fairvec.audit: what a model says about lists of words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from inspect import signature
from typing import Any

from fairvec.api.asked_tests import all_asked
from fairvec.api.models import as_model_with
from fairvec.api.named import as_given
from fairvec.api.results_list import Results
from fairvec.evaluation.auditing import audit as audit_models
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.evaluation.choosing.unseen_words import unseen_words
from fairvec.evaluation.remarks import language_unheard_of
from fairvec.evaluation.runs.asked_metrics import AskedMetrics
from fairvec.evaluation.runs.plan import Statistics
from fairvec.ground.aloud import say_aloud
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.lexicon import Asked, Test
from fairvec.lexicon.in_python import ListOfWords
from fairvec.lexicon.suite_lists.suite import TestKind


def audit(
    *models: Any,
    x: ListOfWords | None = None,
    y: ListOfWords | None = None,
    words: ListOfWords | None = None,
    a: ListOfWords | None = None,
    b: ListOfWords | None = None,
    title: str | None = None,
    titles: Mapping[str, str] | None = None,
    category: str | None = None,
    kind: TestKind | None = None,
    paired: bool | None = None,
    suites: Asked | None = None,
    tests: Test | Iterable[Test] | None = None,
    metrics: AskedMetrics | None = None,
    language: str | Sequence[str] | None = None,
    **settings: Any,
) -> Results:
    """Measure models with lists of words: one record for each of them and each test.

    Args:
        models: Each a name of the catalogue, a path, an Embedding, an Encoder, or what
            `fairvec.load` takes, such as gensim's KeyedVectors.
        x: Target words; do they lean more to a, and those of `y` to b?
        y: The other targets.
        words: One list of targets in the place of x and y, for the metrics that need no two.
        a: Attribute words.
        b: The other attributes.
        title: What the test of these lists is called; by it runs are compared.
        titles: What single lists are called in sentences, as in {"a": "male words"}.
        category: What the lists are about, as in "gender"; tests of one category are pooled.
        kind: "bias", or "meaningful-encoding" (should not be zero) or "baseline" (harmless).
        paired: Whether word i of a and word i of b are a pair, as he and she.
        suites: Names of suites, tests or languages, files, or Suite objects.
        tests: Test objects. Suites, tests and lists are measured together; without any of them
            the shipped suites that fit a model are.
        metrics: Names, or objects with settings, as in ["weat", DirectBias(strictness=2)].
        language: Of the models, or several; else what is known or found of them.
        settings: Those of `fairvec.evaluation.audit`: similarity, convention, seed, sides,
            progress, categories and so on.

    Words that a model does not have are named in `coverage` of each record, and a test with too
    few of them is a `Skipped` with the reason. A fastText model that is named by its file, or that
    gensim holds, composes them from pieces, as `fairvec audit` has it, and `how` in `coverage` says
    of which.

    >>> import fairvec
    >>> found, = fairvec.audit(
    ...     "glove-en-small",
    ...     x=["engineer", "mechanic", "carpenter", "captain", "programmer"],
    ...     y=["nurse", "receptionist", "librarian", "housekeeper", "secretary"],
    ...     a=["he", "man", "boy", "father"], b=["she", "woman", "girl", "mother"],
    ... )
    >>> f"d = {found.effect:.2f}, p = {found.p.value:.3f}"
    'd = 1.51, p = 0.024'
    """
    _check_names(settings)
    settings = as_given("audit", settings)
    if not models:
        raise SettingError("No model was given; name one, as in audit('glove-en-small', ...).")
    lists = {"x": x, "y": y, "words": words, "a": a, "b": b, "title": title, "titles": titles}
    said = lists | {"category": category, "kind": kind, "paired": paired}
    given = {name: value for name, value in said.items() if value is not None}
    wanted = all_asked(suites=suites, tests=tests, **given)
    unseen = unseen_words(wanted, language)
    opened = [as_model_with(unseen, model, language=language) for model in models]
    say_aloud(language_unheard_of(language, wanted))
    asked = None if wanted is None else tests_in_language(wanted, opened)
    return Results(audit_models(*opened, suites=asked, metrics=metrics, **settings))


def _check_names(settings: Mapping[str, Any]) -> None:
    """Refuse a setting that there is not, with the nearest of all that there are."""
    known = {*signature(audit).parameters, *signature(audit_models).parameters}
    known |= {field.name for field in fields(Statistics)}
    for name in settings:
        if name in ("model", "models"):
            raise SettingError(
                f"Models come first and without {name}=; say audit(model, ...), or several of them."
            )
        if name not in known:
            raise UnknownNameError("setting", name, known - {"models", "settings", "statistics"})

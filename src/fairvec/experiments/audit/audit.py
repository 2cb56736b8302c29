"""Audit embeddings and encoders: choose suites and metrics, run them, pool the categories."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from fairvec.core.errors import SettingError
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.languages import SuiteCoverage
from fairvec.experiments.audit.plan import (
    DEFAULT_STATISTICS,
    MetricChoice,
    Statistics,
    metric_tuple,
    refuse_contradictions,
    resolve_metrics,
)
from fairvec.experiments.audit.read_ahead import read_ahead
from fairvec.experiments.audit.run import Measurement, Progress, run_all
from fairvec.experiments.audit.suites import fitting_suites, tests_for
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import SelectedTest, Selectors, select_tests
from fairvec.metrics import effect_size
from fairvec.results import Outcome


def audit(
    *models: Representation,
    suites: Selectors | None = None,
    metrics: MetricChoice | None = None,
    similarity: str | None = None,
    convention: str | None = None,
    permute: str | None = None,
    contexts: Contexts | None = None,
    answer: str | None = None,
    language: str | Sequence[str] | None = None,
    statistics: Statistics = DEFAULT_STATISTICS,
    categories: bool = True,
    on_choice: Callable[[Representation, list[SuiteCoverage]], None] | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Measure embeddings and encoders with suites: one outcome for each of them and each test.

    After them comes one answer for each category of bias tests, a CategoryAnswer, unless
    `categories` is False.

    `suites` names suites, tests, languages or files, or holds Suite and Test objects; without it
    every shipped suite that fits a model and is in its `language` (or languages; else what is known
    or found of it) is used, and `on_choice` is called with that choice. `metrics` are names or
    objects with settings of their own, as in ["weat", DirectBias(strictness=2)]; without them it is
    weat, or seat for all models if one is an encoder, which reads sentences. `similarity`,
    `convention` (caliskan unless named) and `permute` (whether SEAT regroups words or sentences),
    `contexts` (the corpus of CEAT) and `answer` (whether CEAT's is that of words, or as published)
    configure the metrics given by name, and an object that contradicts one is refused. Without
    `similarity` these compare points in the geometry's own way: cosine in flat space, negative
    distance in the ball.
    """
    # All arguments are checked before the work begins, so that a mistake costs no time.
    if not models or not all(isinstance(model, Embedding | Encoder) for model in models):
        raise SettingError(
            "Give one or more embeddings or encoders, as in audit(fairvec.load(path), ...)."
        )
    if language is not None:
        models = tuple(model.with_languages(language) for model in models)
    if metrics is None:
        metrics = "seat" if any(isinstance(model, Encoder) for model in models) else "weat"
    metrics = metric_tuple(metrics)
    selected = _select_tests(suites)
    metric_options = {"permute": permute, "contexts": contexts, "answer": answer}
    metric_settings: dict[str, Any] = {
        name: value for name, value in metric_options.items() if value is not None
    }
    if similarity is not None:
        metric_settings["similarity"] = similarity_named(similarity)
    if convention is not None:
        metric_settings["effect_size"] = effect_size(convention)
    refuse_contradictions(metrics, metric_settings)
    measurements: list[Measurement] = []
    for model in _with_distinct_names(models):
        similar = default_similarity(model.geometry)
        suite_fits = [] if selected else fitting_suites(model)
        for metric in resolve_metrics(metrics, metric_settings, similarity=similar):
            measurements.append((model, selected or tests_for(metric, suite_fits), metric))
        if on_choice and not selected:
            used = {each.suite.id for _, tests, _ in measurements for each in tests}
            on_choice(model, [fit for fit in suite_fits if fit.suite.id in used])
    read_ahead(measurements)
    outcomes = run_all(measurements, statistics, progress=progress)
    if not categories:
        return outcomes
    with_interval = statistics.interval != "none"
    return [
        *outcomes,
        *category_answers(outcomes, samples=statistics.samples, interval=with_interval),
    ]


def _select_tests(suites: Selectors | None) -> tuple[SelectedTest, ...]:
    """Return the selected tests; none if they are to be chosen by the words of each model."""
    if suites is None:
        return ()
    selectors = as_list(suites)
    if not selectors or selectors == [""]:
        raise SettingError("suites= names no suite; leave it out to use those that fit.")
    return tuple(select_tests(selectors))


def _with_distinct_names(models: Sequence[Representation]) -> list[Representation]:
    """Number the models that share a name, so that no row of a comparison is ambiguous."""
    uses = Counter(model.name for model in models)
    numbered: Counter[str] = Counter()
    named_models = []
    for model in models:
        numbered[model.name] += 1
        label = f"{model.name} ({numbered[model.name]})"
        named_models.append(model.with_name(label) if uses[model.name] > 1 else model)
    return named_models

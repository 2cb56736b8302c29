"""The frontier of debiasing: every method at every strength, measured once and cached.

A point has two numbers, bias left and information kept (`points`); `choice` recommends one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from fairvec.benchmarks import BenchmarkSet, benchmark_kind, benchmarks_for_language
from fairvec.core.errors import FairvecError, LexiconError, SettingError
from fairvec.core.io.cache import entry_path, key_text
from fairvec.core.plugins import version_of
from fairvec.core.settings import check_arguments
from fairvec.core.text import short_repr
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import (
    Holdout,
    describe_holdout,
    fitting_suites,
    hold_out,
    tests_for,
)
from fairvec.experiments.comparison.before_after import (
    ChangeReport,
    measure_model,
)
from fairvec.experiments.frontier.calibration import calibrated_strength, remaining_effect
from fairvec.experiments.frontier.choice import (
    KEEP,
    Keep,
    Recommendation,
    advise,
    folds_of,
    front,
    held_out,
)
from fairvec.experiments.frontier.points import (
    of_category,
    point_of,
    point_of_other_model,
)
from fairvec.experiments.provenance import describe_model
from fairvec.experiments.sentiment.learning import ReviewTask, check_vocabulary
from fairvec.experiments.utility import identity_of_benchmark, select_benchmarks
from fairvec.lexicon import Concept, SelectedTest, Selectors, Test, select_tests
from fairvec.messages.frontiers import (
    FITTED_ON_TESTED_WORDS,
    NOTHING_TO_CALIBRATE,
    NOTHING_TO_REMOVE,
    OTHER_MODELS_NOTE,
    all_words_fitted,
    fold_caveats,
)
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import (
    DEBIASERS,
    Debiaser,
    Transform,
    debiaser,
    fit_checked,
    method_class,
    method_names,
)
from fairvec.mitigation.out_of_core import transform_within_memory
from fairvec.mitigation.strength import at_strength
from fairvec.results.frontier import (
    REFERENCE,
    FailedTrial,
    FrontierLine,
    FrontierPoint,
    FrontierSummary,
    Trial,
    read_trial,
    write_trial,
)
from fairvec.tasks.sentiment.classifiers import encode_reviews
from fairvec.tasks.sentiment.predictions import CACHE_VERSION, check_folds
from fairvec.version import __version__

RESTRICT = 50_000
"""Analogies are solved among the most frequent words only, because every point solves them."""


def configured_method(name: str, seed: int, strength: float) -> Debiaser:
    """Return a method with its default settings."""
    takes_seed = "seed" in (field.name for field in fields(method_class(name)))  # type: ignore[arg-type]
    return debiaser(name, strength=strength, **({"seed": seed} if takes_seed else {}))


def method_settings(method: Debiaser) -> dict[str, Any]:
    """Return the settings of a method, as a record holds them."""
    return asdict(method)  # type: ignore[call-overload, no-any-return]


def fit_once(
    method: Callable[[float], Debiaser], strongest: float, embedding: Embedding, concept: Concept
) -> Callable[[float], Transform]:
    """Return what fits a method at a strength: once at the strongest, and others derived from that.

    Where only a fit can tell, because words have set places or another package made the method, it
    is fitted at each strength.
    """

    def fit(strength: float) -> Transform:
        return fit_checked(method(strength), embedding, concept)

    fit_strongest = cache(lambda: fit(strongest))

    def fit_or_derive(strength: float) -> Transform:
        derived = None
        with suppress(FairvecError):  # a weaker fit may do
            derived = at_strength(fit_strongest(), strength)
        return derived or fit(strength)

    return fit_or_derive


SCORING_VERSION = 3
"""Increased whenever points are computed in another way, so that cached ones are not reused."""


def shared_identity(
    embedding: Embedding,
    concept: Concept,
    tests: Sequence[SelectedTest],
    benchmarks: Sequence[BenchmarkSet],
    *,
    held_out: Sequence[str],
    seed: int,
    tasks: Sequence[ReviewTask] = (),
) -> dict[str, Any]:
    """Return everything but method and strength that determines the points of one frontier."""
    identities = (identity_of_benchmark(benchmark) for benchmark in benchmarks)
    shared = {
        "model": [embedding.name, embedding.content_hash],
        "concept": [concept.name, concept.model_dump(mode="json")],
        "tests": [
            [selected.suite.version, selected.test.model_dump(mode="json")] for selected in tests
        ],
        "benchmarks": [[benchmark.id, benchmark.suite_version] for benchmark in identities],
        "held_out": sorted(held_out),
        "seed": seed,
        "fairvec": [__version__, SCORING_VERSION],
    }
    # Only if there are some, so that points cached without any are still valid.
    return shared | ({"tasks": [_task_identity(selected) for selected in tasks]} if tasks else {})


def _task_identity(review_task: ReviewTask) -> list[Any]:
    identity = identity_of_benchmark(review_task.reviews)
    settings = review_task.task.settings(split=review_task.reviews.split)
    return [identity.id, identity.suite_version, settings, review_task.task.seed, CACHE_VERSION]


def check_other_models(
    beside: Mapping[str, Embedding], embedding: Embedding
) -> Mapping[str, Embedding]:
    """Return the other models; refuse one that is the model itself or is named like a method."""
    reserved = {REFERENCE, *method_names()} if beside else ()
    for label, other in beside.items():
        if not label.strip() or label in reserved:
            raise SettingError(
                f"A model beside is called {short_repr(label)}, which is no name of its own; give "
                "it another one (OTHER=NAME)."
            )
        if other.content_hash == embedding.content_hash:
            raise SettingError(
                f"{label} is {embedding.name} itself, which is there already; leave it out."
            )
    return beside


STRENGTHS = (0.25, 0.5, 0.75, 1.0)
Strengths = Annotated[
    float | Iterable[float], Field(description="Strengths to try, above 0 and up to 1.")
]
Calibrate = Annotated[
    bool,
    Field(
        description="Also find the strength that brings the concept's significant effects to zero."
    ),
]
DEFAULT_BENCHMARKS = (
    "ws353",
    "simlex999",
    "google-analogies",
    "sembias",
    "hindi-ws",
    "rusimlex965",
    "hj-ru",
)
"""The benchmarks used by default: one or two of each kind that a language has."""


@dataclass(frozen=True)
class Frontier:
    """The request with its recommendation, every point, and every method that failed."""

    survey: FrontierSummary
    points: tuple[FrontierPoint, ...]
    untried: tuple[FailedTrial, ...]

    @property
    def lines(self) -> list[FrontierLine]:
        """Everything, as frontier.jsonl holds it."""
        return [self.survey, *self.points, *self.untried]


def frontier(
    embedding: Embedding,
    concept: Concept,
    *,
    folder: Path | str,
    methods: Sequence[str] | None = None,
    strengths: Sequence[float] = STRENGTHS,
    suites: Selectors | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    tasks: Sequence[ReviewTask] = (),
    keep: Keep = KEEP,
    holdout: Holdout = True,
    calibrate: Calibrate = False,
    beside: Mapping[str, Embedding] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Frontier:
    """Try every method at every strength, and recommend one.

    Methods are fitted without any word of the tests unless `holdout` is off. Every point is kept in
    `folder`/points by a hash of all that decides it, so that an interrupted run goes on and the
    same run again computes nothing. With `calibrate` each method is also tried at the strength
    that brings the significant effects of the concept to zero on average. Recommended is only what
    holds up on tests that did not choose it. The accuracy in `tasks` that are learnt from reviews
    is one more family of information, sentiment. `beside` are other models by the name they shall
    have, trained otherwise on the same text: they are measured alike and never recommended.
    """
    chosen_methods = _methods(methods)
    check_arguments(frontier, keep=keep)
    _check_strengths(strengths)
    other_models = check_other_models(beside or {}, embedding)
    strengths = tuple(dict.fromkeys(strengths))
    suites = None if suites is None else as_list(suites)
    tests = _tests(embedding, suites)
    benchmark_sets = tuple(
        select_benchmarks(
            embedding, _default_benchmarks(embedding) if benchmarks is None else benchmarks
        )
    )
    _check_benchmarks(benchmark_sets)
    for task in tasks:
        check_folds(task.reviews, task.task.folds)
    warnings = [check_vocabulary(encode_reviews(task.reviews, embedding)) for task in tasks]
    fitting, remarks = _fitting_concept(embedding, concept, tests, holdout=holdout)
    remarks += tuple(filter(None, warnings))
    measure = partial(
        measure_model,
        suites=suites,
        benchmarks=benchmark_sets,
        restrict=RESTRICT,
        original=embedding,
        tasks=tasks,
        statistics=Statistics(interval="none", seed=seed),
    )
    before = cache(lambda: measure(embedding))  # of a run whose points are all kept nothing is
    held_out_words = [word.word for word in fitting.held_out]
    shared = shared_identity(
        embedding, concept, tests, benchmark_sets, held_out=held_out_words, seed=seed, tasks=tasks
    )
    total = len(chosen_methods) * (len(strengths) + calibrate) + len(other_models) + 1

    def find(
        done: int,
        what: str,
        inputs: Mapping[str, Any],
        method: str,
        measured: Callable[[], FrontierPoint],
    ) -> Trial:
        """Return the trial that is kept for these inputs, else measure the point and keep it."""
        if progress:
            progress(done, total, what)
        path = entry_path(Path(folder) / "points", key_text({**shared, **inputs}))
        if path.is_file():
            return read_trial(path)
        try:
            trial: Trial = measured()
        except FairvecError as error:
            if method == REFERENCE:
                raise
            model, reason = describe_model(embedding), str(error)
            trial = FailedTrial(model=model, concept=concept.name, method=method, reason=reason)
        write_trial(path, trial)
        return trial

    def measure_unchanged() -> FrontierPoint:
        report = ChangeReport(before(), before(), pooled=False)
        return point_of(report, concept, method=REFERENCE, settings={}, strength=0.0)

    def measure_changed(
        method: Debiaser, transform: Transform, **calibration: Any
    ) -> FrontierPoint:
        debiased = transform_within_memory(transform, embedding)
        after = measure(debiased.with_name(f"{embedding.name}, {transform.name}"))
        return point_of(
            ChangeReport(before(), after, pooled=False),
            concept,
            method=method.name,
            settings=method_settings(method),
            strength=method.strength,
            **calibration,
        )

    def measure_other(label: str, other: Embedding) -> FrontierPoint:
        report = ChangeReport(before(), measure(other), pooled=False)
        return point_of_other_model(report, concept, label)

    def try_method(done: int, name: str) -> list[Trial]:
        """Return the points of a method, or the one reason why there are none."""
        method = partial(configured_method, name, seed)
        fit = fit_once(method, max(strengths), embedding, fitting)

        def at(strength: float, **calibration: Any) -> FrontierPoint:
            return measure_changed(method(strength), fit(strength), **calibration)

        def at_calibrated_strength() -> FrontierPoint:
            strength, note = calibrated_strength(
                fit, remaining_effect(embedding, calibration_tests)
            )
            return at(strength, note=note, calibrated=True)

        trials: list[Trial] = []
        for strength in strengths:
            what, inputs = f"{name} at {strength:g}", point_inputs(method(strength))
            trial = find(done + len(trials), what, inputs, name, partial(at, strength))
            if isinstance(trial, FailedTrial):
                return [trial]
            trials.append(trial)
        if calibration_tests:
            what, inputs = f"{name}, calibrating", point_inputs(method(1.0), strength="calibrated")
            trials.append(find(done + len(trials), what, inputs, name, at_calibrated_strength))
        return trials

    reference = find(0, embedding.name, {"method": REFERENCE}, REFERENCE, measure_unchanged)
    if not isinstance(reference, FrontierPoint):
        raise SettingError(f"{reference.reason} Remove the folder of points and run again.")
    concept_effects = of_category(reference.effects, concept.about)
    evident = [effect.test for effect in concept_effects if effect.significant]
    if calibrate and not evident:
        remarks += (NOTHING_TO_CALIBRATE,)
    calibration_tests = (
        tuple(test for test in tests if test.test.id in evident) if calibrate else ()
    )
    each = len(strengths) + bool(calibration_tests)
    method_trials = [
        trial
        for number, name in enumerate(chosen_methods)
        for trial in try_method(1 + number * each, name)
    ]
    points = [trial for trial in method_trials if isinstance(trial, FrontierPoint)]
    others = enumerate(other_models.items(), 1 + len(chosen_methods) * each)
    other_trials = [
        find(done, label, other_inputs(label, other), label, partial(measure_other, label, other))
        for done, (label, other) in others
    ]
    other_points = [trial for trial in other_trials if isinstance(trial, FrontierPoint)]
    ids = tuple(effect.test for effect in concept_effects)
    other_tests = tuple(effect.test for effect in reference.effects if effect.test not in ids)
    folds = folds_of(_tests_by_id(ids, tests), _tests_by_id(other_tests, tests), embedding)
    held_out_result = held_out(points, folds, evident=evident, keep=keep)
    advice = (
        advise(points, held_out_result, keep=keep)
        if evident or not points
        else Recommendation(None, NOTHING_TO_REMOVE)
    )
    pareto = front([reference, *points])
    marked_points = tuple(
        trial.model_copy(
            update={"on_front": trial in pareto}
            | ({"recommended": True, "reason": advice.reason} if trial is advice.point else {})
        )
        for trial in (reference, *points, *other_points)
    )
    recommended_label = f"{advice.point.label}. " if advice.point else ""
    survey = FrontierSummary(
        model=describe_model(embedding),
        concept=concept.name,
        tests=ids,
        others=other_tests,
        keep=keep,
        seed=seed,
        recommendation=recommended_label + advice.reason,
        unseen=held_out_result,
        remarks=(
            *remarks,
            *fold_caveats(held_out_result),
            *((OTHER_MODELS_NOTE,) if other_points else ()),
        ),
        versions=versions(None, *map(method_class, chosen_methods)),
    )
    untried = tuple(
        trial for trial in (*method_trials, *other_trials) if isinstance(trial, FailedTrial)
    )
    return Frontier(survey, marked_points, untried)


def _methods(names: Sequence[str] | None) -> list[str]:
    """Return the methods to try; without names all of fairvec's own."""
    own = (method.name for method in DEBIASERS)
    return list(dict.fromkeys(method_class(name).name for name in names or own))


def point_inputs(method: Debiaser, **overrides: Any) -> dict[str, Any]:
    """Return what decides a point; of a method of another package also its version."""
    identity = {"method": method.name, "settings": method_settings(method) | overrides}
    return identity | ({"package": package} if (package := version_of(method)) else {})


def other_inputs(label: str, other: Embedding) -> dict[str, Any]:
    """Return what decides the point of another model."""
    return {"beside": [label, other.name, other.content_hash, [*map(str, other.history)]]}


def _check_strengths(strengths: Sequence[float]) -> None:
    if not strengths or not all(0 < strength <= 1 for strength in strengths):
        raise SettingError(
            f"The strengths are {', '.join(map(str, strengths)) or 'none'}; each must lie above 0 "
            "and not above 1."
        )


def _tests(embedding: Embedding, suites: Selectors | None) -> tuple[SelectedTest, ...]:
    return tuple(select_tests(suites)) if suites else tests_for(Weat(), fitting_suites(embedding))


def _tests_by_id(ids: Sequence[str], tests: Sequence[SelectedTest]) -> list[Test]:
    return [selected.test for selected in tests if selected.test.id in ids]


def _check_benchmarks(benchmarks: Sequence[BenchmarkSet]) -> None:
    for one in benchmarks:
        if benchmark_kind(one.kind).measures_bias:
            raise SettingError(
                f"{one.name} measures a bias, and a frontier holds the suites' bias against what "
                "benchmarks say of usefulness; leave it out, and ask it of the model that is "
                "recommended with 'fairvec benchmarks ask'."
            )


def _default_benchmarks(embedding: Embedding) -> list[str]:
    languages = languages_of(embedding)
    available = {
        name for language in languages for name in benchmarks_for_language(language, at_hand=True)
    }
    return [name for name in DEFAULT_BENCHMARKS if name in available]


def _fitting_concept(
    embedding: Embedding, concept: Concept, tests: tuple[SelectedTest, ...], *, holdout: bool
) -> tuple[Concept, tuple[str, ...]]:
    """Return the concept to fit on, and remarks about it."""
    if not holdout:
        return concept, (FITTED_ON_TESTED_WORDS,)
    try:
        held_out_concept = hold_out(concept, tests)
        remark = describe_holdout(concept, held_out_concept, embedding)
    except LexiconError as error:
        return concept, (all_words_fitted(str(error)),)
    return held_out_concept, (remark,) if remark else ()

"""The frontier of debiasing: every method at every strength, measured once and cached.

A point has two numbers, bias left and information kept (`points`); `choice` recommends one.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from fairvec.benchmarks import BenchmarkSet, benchmarks_for_language
from fairvec.core.errors import FairvecError, LexiconError, SettingError, UndefinedError
from fairvec.core.io.atomic_files import write_text
from fairvec.core.plugins import version_of
from fairvec.core.text import escape_surrogates, short_repr
from fairvec.embedding import Embedding
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import fitting_suites, tests_for, what_is_left, words_of_tests
from fairvec.experiments.comparison.before_after import ModelMeasurements, measure_model
from fairvec.experiments.frontier.calibration import Calibration, RemainingEffect, calibrate
from fairvec.experiments.frontier.choice import (
    KEEP,
    NOTHING_TO_REMOVE,
    advise,
    caveats,
    folds_of,
    front,
    held_out,
)
from fairvec.experiments.frontier.points import (
    bias_before,
    bias_left,
    effects_of,
    figures_of,
    mean_displacement,
    of_category,
    other_words,
    shares_kept,
)
from fairvec.experiments.provenance import describe_model
from fairvec.experiments.sentiment.learning import ReviewTask, check_script
from fairvec.experiments.utility import identity_of_benchmark, select_benchmarks
from fairvec.lexicon import Concept, SelectedTest, Selectors, Test, as_list, select_tests
from fairvec.metrics import Weat
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
from fairvec.results import REFERENCE, Line, Point, Result, Survey, Trial, Untried, read_trial
from fairvec.results.store import as_json
from fairvec.tasks.sentiment.predictions import CACHE_VERSION, check_folds
from fairvec.version import __version__

RESTRICT = 50_000
"""Analogies are solved among the most frequent words only, because every point solves them."""


@dataclass(frozen=True, eq=False)
class Trials:
    """All that the points of one frontier have in common; `suites` are those asked for, if any.

    `fitting` is the concept less the words that are held out.
    """

    embedding: Embedding
    concept: Concept
    fitting: Concept
    suites: Selectors | None
    benchmarks: tuple[BenchmarkSet, ...]
    seed: int
    tasks: tuple[ReviewTask, ...] = ()

    def reference(self) -> Point:
        """Return the point at which nothing is done."""
        return self._point(REFERENCE, Calibration(0.0, ""), self.before)

    def at(self, method: str, strength: float) -> Trial:
        """Return the point of a method at a strength, or why it could not be tried."""
        return self._try(method, Calibration(strength, ""))

    def calibrated(self, method: str, leaning: RemainingEffect) -> Trial:
        """Return the point of a method at the strength that leaves nothing of some effects."""
        try:
            calibration = calibrate(lambda s: self._fit(method, s), leaning)
        except FairvecError as error:
            return self._as_untried(method, error)
        return self._try(method, calibration)

    def beside(self, label: str, other: Embedding) -> Trial:
        """Return another model as a point, or why the two cannot be compared.

        Bias left and information kept are measured as those of a change are, but for neighbours and
        for how far words moved: in a space of its own no word has moved.
        """
        try:
            after = self._measure(other)
            point = self._point(label, Calibration(1.0, ""), after, other)
            if missing := self._unanswered(point):
                raise UndefinedError(
                    f"{other.name} was not asked {', '.join(missing)}, so that its bias left is "
                    "that of other tests; name suites that both models have words of."
                )
            if note := _other_words_note(other_words(self.before, after)):
                return point.model_copy(update={"note": note})
            return point
        except FairvecError as error:
            return self._as_untried(label, error)

    def debiaser(self, method: str, strength: float) -> Debiaser:
        """Return a method with its default settings."""
        takes_seed = "seed" in (field.name for field in fields(method_class(method)))  # type: ignore[arg-type]
        return debiaser(method, strength=strength, **({"seed": self.seed} if takes_seed else {}))

    @cached_property
    def before(self) -> ModelMeasurements:
        """The embedding before any change, measured when it is first needed."""
        return self._measure(self.embedding)

    def _try(self, method: str, calibration: Calibration) -> Trial:
        try:
            transform = self._fit(method, calibration.strength)
            debiased = transform_within_memory(transform, self.embedding)
            after = self._measure(debiased.named(f"{self.embedding.name}, {transform.name}"))
            return self._point(method, calibration, after)
        except FairvecError as error:
            return self._as_untried(method, error)

    def _unanswered(self, point: Point) -> list[str]:
        """Return the bias tests of the model that a point says nothing about."""
        answered = {effect.test for effect in point.effects}
        tests = (outcome.test for outcome in self.before.audited if isinstance(outcome, Result))
        return [test.id for test in tests if test.kind == "bias" and test.id not in answered]

    def _fit(self, method: str, strength: float) -> Transform:
        return fit_checked(self.debiaser(method, strength), self.embedding, self.fitting)

    def _as_untried(self, method: str, error: FairvecError) -> Untried:
        return Untried(
            model=describe_model(self.embedding),
            concept=self.concept.name,
            method=method,
            reason=str(error),
        )

    def _measure(self, embedding: Embedding) -> ModelMeasurements:
        return measure_model(
            embedding,
            suites=self.suites,
            benchmarks=self.benchmarks,
            restrict=RESTRICT,
            original=self.embedding,
            tasks=self.tasks,
            interval="none",
            seed=self.seed,
        )

    def _point(
        self,
        method: str,
        calibration: Calibration,
        after: ModelMeasurements,
        other: Embedding | None = None,
    ) -> Point:
        effects = effects_of(self.before, after)
        figures = figures_of(self.before, after, moved=other is None)
        shares = shares_kept(figures)
        if not effects or not shares:
            lacking = "information kept" if effects else "bias left"
            raise UndefinedError(
                f"No test or benchmark at hand measures {lacking} in "
                f"{(other or self.embedding).name}; name others, fetch some ('fairvec benchmarks "
                "list') or use a model that knows their words."
            )
        concept_effects = of_category(effects, category_of(self.concept))
        is_method = method != REFERENCE and other is None
        settings = asdict(self.debiaser(method, calibration.strength)) if is_method else {}  # type: ignore[call-overload]
        return Point(
            model=describe_model(self.embedding),
            concept=self.concept.name,
            method=method,
            other=describe_model(other) if other else None,
            settings=settings,
            strength=calibration.strength,
            calibrated=bool(calibration.note),
            note=calibration.note,
            held_out=not any(outcome.fitted_words for outcome in after.audited),
            bias_left=bias_left(concept_effects),
            bias_before=bias_before(concept_effects),
            information_kept=fmean(shares.values()),
            kept=shares,
            effects=effects,
            figures=figures,
            displacement=None if other else mean_displacement(self.before, after),
        )


def _other_words_note(tests: Sequence[str]) -> str:
    return f"It has other words in {', '.join(tests)}." if tests else ""


def category_of(concept: Concept) -> str:
    """Return the social category that a concept's own tests have."""
    return concept.about


def method_settings(method: Debiaser) -> dict[str, Any]:
    """Return the settings of a method, as a record holds them."""
    return asdict(method)  # type: ignore[call-overload, no-any-return]


SCORING_VERSION = 3
"""Increased whenever points are computed in another way, so that cached ones are not reused."""


@dataclass(frozen=True)
class TrialCache:
    """A folder of trials; `shared` says what all of them have in common."""

    folder: Path
    shared: dict[str, Any]

    def get(self, identity: dict[str, Any], compute: Callable[[], Trial]) -> Trial:
        """Return the cached trial, or else compute and cache it."""
        text = json.dumps(
            escape_surrogates(self.shared | identity), sort_keys=True, ensure_ascii=False
        )
        path = self.folder / f"{sha256(text.encode()).hexdigest()}.json"
        if path.is_file():
            return read_trial(path)
        trial = compute()
        write_text(path, as_json(trial))
        return trial


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
    # Only where there are some, so that points found without any are still found.
    return shared | ({"tasks": [_task_identity(selected) for selected in tasks]} if tasks else {})


def _task_identity(review_task: ReviewTask) -> list[Any]:
    identity = identity_of_benchmark(review_task.reviews)
    settings = review_task.task.settings(split=review_task.reviews.split)
    return [identity.id, identity.suite_version, settings, review_task.task.seed, CACHE_VERSION]


OTHER_MODELS_NOTE = (
    "Another model stands beside the methods and is none of them: it is neither on the front nor "
    "recommended. Its information kept is a mean without neighbours, about which two trainings on "
    "one text disagree anyway; compare it kind by kind. What training anew changes by itself is "
    "seen by a model beside that differs in nothing but its seed."
)


def check_other_models(
    beside: Mapping[str, Embedding], embedding: Embedding
) -> Mapping[str, Embedding]:
    """Return the other models, or refuse one that is the model itself or is named like a method."""
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

    survey: Survey
    points: tuple[Point, ...]
    untried: tuple[Untried, ...]

    @property
    def lines(self) -> list[Line]:
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
    keep: float = KEEP,
    holdout: bool = True,
    calibrated: bool = False,
    beside: Mapping[str, Embedding] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Frontier:
    """Try every method at every strength, and recommend one.

    Methods are fitted without any word of the tests unless `holdout` is off. Every point is kept in
    `folder`/points by a hash of all that decides it, so that an interrupted run goes on and the
    same run again computes nothing. With `calibrated` each method is also tried at the strength
    that brings the significant effects of the concept to zero on average. Recommended is only what
    holds up on tests that did not choose it. The accuracy in `tasks` that are learnt from reviews
    is one more family of information, sentiment. `beside` are other models by the name they shall
    have, trained otherwise on the same text: they are measured alike and never recommended.
    """
    chosen_methods = _methods(methods)
    _check(strengths, keep)
    other_models = check_other_models(beside or {}, embedding)
    strengths = tuple(dict.fromkeys(strengths))
    suites = None if suites is None else as_list(suites)
    tests = _tests(embedding, suites)
    benchmark_sets = tuple(
        select_benchmarks(
            embedding, _default_benchmarks(embedding) if benchmarks is None else benchmarks
        )
    )
    for task in tasks:
        check_folds(task.reviews, task.task.folds)
        check_script(embedding, task.reviews)
    fitting, remarks = _fitting_concept(embedding, concept, tests, holdout=holdout)
    trials = Trials(embedding, concept, fitting, suites, benchmark_sets, seed, tuple(tasks))
    held_out_words = [word.word for word in fitting.held_out]
    shared = shared_identity(
        embedding, concept, tests, benchmark_sets, held_out=held_out_words, seed=seed, tasks=tasks
    )
    cache = TrialCache(Path(folder) / "points", shared)
    total = len(chosen_methods) * (len(strengths) + calibrated) + len(other_models) + 1
    run = _Run(trials, cache, total, progress)
    reference = run.reference()
    concept_effects = of_category(reference.effects, category_of(concept))
    # Beside itself a model leaves every significant effect unchanged, and no other one.
    evident = [effect.test for effect in concept_effects if effect.kind == "unchanged"]
    if calibrated and not evident:
        remarks += ("No effect of the concept is significant, so there is nothing to calibrate.",)
    calibration_tests = (
        tuple(test for test in tests if test.test.id in evident) if calibrated else ()
    )
    trials_found = [
        trial for name in chosen_methods for trial in run.method(name, strengths, calibration_tests)
    ]
    points = [trial for trial in trials_found if isinstance(trial, Point)]
    other_trials = [run.beside(label, other) for label, other in other_models.items()]
    other_points = [trial for trial in other_trials if isinstance(trial, Point)]
    ids = tuple(effect.test for effect in concept_effects)
    other_tests = tuple(effect.test for effect in reference.effects if effect.test not in ids)
    folds = folds_of(_tests_by_id(ids, tests), _tests_by_id(other_tests, tests), embedding)
    held_out_result = held_out(points, folds, evident=evident, keep=keep)
    advice = (
        advise(points, held_out_result, keep=keep) if evident or not points else NOTHING_TO_REMOVE
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
    survey = Survey(
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
            *caveats(held_out_result),
            *((OTHER_MODELS_NOTE,) if other_points else ()),
        ),
        versions=versions(None, *map(method_class, chosen_methods)),
    )
    untried = tuple(trial for trial in (*trials_found, *other_trials) if isinstance(trial, Untried))
    return Frontier(survey, marked_points, untried)


@dataclass(eq=False)
class _Run:
    """The trials in their order, through the cache, with progress."""

    trials: Trials
    cache: TrialCache
    total: int
    progress: Progress | None
    done: int = 0

    def reference(self) -> Point:
        """Return the point at which nothing is done."""
        self._report(self.trials.embedding.name)
        trial = self.cache.get({"method": REFERENCE}, self.trials.reference)
        if not isinstance(trial, Point):
            raise SettingError(f"{trial.reason} Remove the folder of points and run again.")
        return trial

    def method(
        self, name: str, strengths: Sequence[float], calibrating: tuple[SelectedTest, ...]
    ) -> list[Trial]:
        """Return the points of a method, or the one reason why there are none."""
        trials: list[Trial] = []
        for strength in strengths:
            self._report(f"{name} at {strength:g}")
            identity = _point_identity(self.trials.debiaser(name, strength))
            trial = self.cache.get(identity, partial(self.trials.at, name, strength))
            if isinstance(trial, Untried):
                self.done += len(strengths) - len(trials) - 1 + bool(calibrating)
                return [trial]
            trials.append(trial)
        if calibrating:
            self._report(f"{name}, calibrating")
            leaning = RemainingEffect.of(self.trials.embedding, calibrating)
            identity = _point_identity(self.trials.debiaser(name, 1.0), strength="calibrated")
            trials.append(self.cache.get(identity, partial(self.trials.calibrated, name, leaning)))
        return trials

    def beside(self, label: str, other: Embedding) -> Trial:
        """Return the point of another model."""
        self._report(label)
        identity = {"beside": [label, other.name, other.content_hash, [*map(str, other.history)]]}
        return self.cache.get(identity, partial(self.trials.beside, label, other))

    def _report(self, what: str) -> None:
        if self.progress:
            self.progress(self.done, self.total, what)
        self.done += 1


def _methods(names: Sequence[str] | None) -> list[str]:
    """Return the methods to try; without names all of fairvec's own."""
    own = (method.name for method in DEBIASERS)
    return list(dict.fromkeys(method_class(name).name for name in names or own))


def _point_identity(method: Debiaser, **overrides: Any) -> dict[str, Any]:
    """Return what decides a point: of a method from outside also which version of it."""
    identity = {"method": method.name, "settings": method_settings(method) | overrides}
    return identity | ({"package": package} if (package := version_of(method)) else {})


def _check(strengths: Sequence[float], keep: float) -> None:
    if not strengths or not all(0 < strength <= 1 for strength in strengths):
        raise SettingError(
            f"The strengths are {', '.join(map(str, strengths)) or 'none'}; each must lie above 0 "
            "and not above 1."
        )
    if not 0 <= keep <= 1:
        raise SettingError(f"The information to keep is a share from 0 to 1, not {keep}.")


def _tests(embedding: Embedding, suites: Selectors | None) -> tuple[SelectedTest, ...]:
    return tuple(select_tests(suites)) if suites else tests_for(Weat(), fitting_suites(embedding))


def _tests_by_id(ids: Sequence[str], tests: Sequence[SelectedTest]) -> list[Test]:
    return [selected.test for selected in tests if selected.test.id in ids]


def _default_benchmarks(embedding: Embedding) -> list[str]:
    languages = languages_of(embedding)
    available = {
        name for language in languages for name in benchmarks_for_language(language, at_hand=True)
    }
    return [name for name in DEFAULT_BENCHMARKS if name in available]


def _fitting_concept(
    embedding: Embedding, concept: Concept, tests: tuple[SelectedTest, ...], *, holdout: bool
) -> tuple[Concept, tuple[str, ...]]:
    """Return the words to fit on, and what has to be said of them."""
    if not holdout:
        remark = "The methods were fitted on all words of the concept, tested ones among them."
        return concept, (remark,)
    try:
        held_out_concept = concept.without(words_of_tests(tests))
        remark = what_is_left(concept, held_out_concept, embedding)
    except LexiconError as error:
        return concept, (f"{error} Here all of them were used to fit.",)
    return held_out_concept, (remark,) if remark else ()

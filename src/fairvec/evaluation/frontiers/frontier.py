"""The frontier: every method at every strength, bias left against information kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fairvec.benchmarks import BenchmarkSet, benchmarks_of
from fairvec.embedding import Embedding
from fairvec.evaluation.changes.usefulness import chosen_sets
from fairvec.evaluation.choosing.choose import (
    fitting_suites,
    tests_for,
    what_is_left,
    words_of_tests,
)
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.frontiers.advice import advise, caveats
from fairvec.evaluation.frontiers.beside import ON_OTHERS, check_beside
from fairvec.evaluation.frontiers.calibrate import Leaning
from fairvec.evaluation.frontiers.folds import folds_of
from fairvec.evaluation.frontiers.front import KEEP, NOTHING_TO_REMOVE, front
from fairvec.evaluation.frontiers.point import of_category
from fairvec.evaluation.frontiers.trial_cache import TrialCache, everything_shared
from fairvec.evaluation.frontiers.trials import Trials, category_of, settings_of
from fairvec.evaluation.frontiers.unseen import unseen
from fairvec.evaluation.reviews.learning import ReviewTask, refuse_other_texts
from fairvec.evaluation.runs.describe import identity_of_model, versions
from fairvec.evaluation.runs.run import Progress
from fairvec.ground.errors import LexiconError, SettingError
from fairvec.ground.outside.plugins import version_of
from fairvec.lexicon import Asked, Concept, Selected, Test, listed, select
from fairvec.metrics import Weat
from fairvec.mitigation import DEBIASERS, Debiaser, method_named
from fairvec.results import REFERENCE, Line, Point, Survey, Trial, Untried
from fairvec.tasks.sentiment.folds import check_folds

STRENGTHS = (0.25, 0.5, 0.75, 1.0)
USUAL = ("ws353", "simlex999", "google-analogies", "sembias", "hindi-ws", "rusimlex965", "hj-ru")
"""The benchmarks that are asked unless others are named: one or two of each kind a language has."""


@dataclass(frozen=True)
class Frontier:
    """What was asked and is recommended, every point, and every method that could not be tried."""

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
    suites: Asked | None = None,
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
    names = _methods(methods)
    _check(strengths, keep)
    others = check_beside(beside or {}, embedding)
    strengths = tuple(dict.fromkeys(strengths))
    suites = None if suites is None else listed(suites)
    tests = _tests(embedding, suites)
    sets = tuple(chosen_sets(embedding, _usual(embedding) if benchmarks is None else benchmarks))
    for each in tasks:
        check_folds(each.reviews, each.task.folds)
        refuse_other_texts(embedding, each.reviews)
    fitting, remarks = _fitting(embedding, concept, tests, holdout=holdout)
    trials = Trials(embedding, concept, fitting, suites, sets, seed, tuple(tasks))
    words = [word.word for word in fitting.held_out]
    shared = everything_shared(
        embedding, concept, tests, sets, held_out=words, seed=seed, tasks=tasks
    )
    cache = TrialCache(Path(folder) / "points", shared)
    total = len(names) * (len(strengths) + calibrated) + len(others) + 1
    tried = _Run(trials, cache, total, progress)
    reference = tried.reference()
    own = of_category(reference.effects, category_of(concept))
    # Beside itself a model leaves every significant effect unchanged, and no other one.
    evident = [effect.test for effect in own if effect.kind == "unchanged"]
    if calibrated and not evident:
        remarks += ("No effect of the concept is significant, so there is nothing to calibrate.",)
    asked = tuple(each for each in tests if each.test.id in evident) if calibrated else ()
    found = [one for name in names for one in tried.method(name, strengths, asked)]
    points = [one for one in found if isinstance(one, Point)]
    stand = [tried.beside(label, other) for label, other in others.items()]
    held = [one for one in stand if isinstance(one, Point)]
    ids = tuple(effect.test for effect in own)
    watched = tuple(effect.test for effect in reference.effects if effect.test not in ids)
    folds = folds_of(_named(ids, tests), _named(watched, tests), embedding)
    judged = unseen(points, folds, evident=evident, keep=keep)
    advice = advise(points, judged, keep=keep) if evident or not points else NOTHING_TO_REMOVE
    best = front([reference, *points])
    marked = tuple(
        one.model_copy(
            update={"on_front": one in best}
            | ({"recommended": True, "reason": advice.reason} if one is advice.point else {})
        )
        for one in (reference, *points, *held)
    )
    chosen = f"{advice.point.label}. " if advice.point else ""
    survey = Survey(
        model=identity_of_model(embedding),
        concept=concept.name,
        tests=ids,
        others=watched,
        keep=keep,
        seed=seed,
        recommendation=chosen + advice.reason,
        unseen=judged,
        remarks=(*remarks, *caveats(judged), *((ON_OTHERS,) if held else ())),
        versions=versions(None, *map(method_named, names)),
    )
    untried = tuple(one for one in (*found, *stand) if isinstance(one, Untried))
    return Frontier(survey, marked, untried)


@dataclass(eq=False)
class _Run:
    """The trials in their order, those that are kept already among them."""

    trials: Trials
    cache: TrialCache
    total: int
    progress: Progress | None
    done: int = 0

    def reference(self) -> Point:
        """Return the point at which nothing is done."""
        self._say(self.trials.embedding.name)
        found = self.cache.get({"method": REFERENCE}, self.trials.reference)
        if not isinstance(found, Point):
            raise SettingError(f"{found.reason} Remove the folder of points and run again.")
        return found

    def method(
        self, name: str, strengths: Sequence[float], calibrating: tuple[Selected, ...]
    ) -> list[Trial]:
        """Return the points of a method, or the one reason why there are none."""
        found: list[Trial] = []
        for strength in strengths:
            self._say(f"{name} at {strength:g}")
            about = _about(self.trials.debiaser(name, strength))
            trial = self.cache.get(about, partial(self.trials.at, name, strength))
            if isinstance(trial, Untried):
                self.done += len(strengths) - len(found) - 1 + bool(calibrating)
                return [trial]
            found.append(trial)
        if calibrating:
            self._say(f"{name}, calibrating")
            leaning = Leaning.of(self.trials.embedding, calibrating)
            about = _about(self.trials.debiaser(name, 1.0), strength="calibrated")
            found.append(self.cache.get(about, partial(self.trials.calibrated, name, leaning)))
        return found

    def beside(self, label: str, other: Embedding) -> Trial:
        """Return the point of another model."""
        self._say(label)
        about = {"beside": [label, other.name, other.content_hash, [*map(str, other.history)]]}
        return self.cache.get(about, partial(self.trials.beside, label, other))

    def _say(self, what: str) -> None:
        if self.progress:
            self.progress(self.done, self.total, what)
        self.done += 1


def _methods(names: Sequence[str] | None) -> list[str]:
    """Return the methods to try; without names all of fairvec's own."""
    own = (method.name for method in DEBIASERS)
    return list(dict.fromkeys(method_named(name).name for name in names or own))


def _about(method: Debiaser, **otherwise: Any) -> dict[str, Any]:
    """Return what decides a point: of a method from outside also which version of it."""
    about = {"method": method.name, "settings": settings_of(method) | otherwise}
    return about | ({"package": package} if (package := version_of(method)) else {})


def _check(strengths: Sequence[float], keep: float) -> None:
    if not strengths or not all(0 < strength <= 1 for strength in strengths):
        raise SettingError(
            f"The strengths are {', '.join(map(str, strengths)) or 'none'}; each must lie above 0 "
            "and not above 1."
        )
    if not 0 <= keep <= 1:
        raise SettingError(f"The information to keep is a share from 0 to 1, not {keep}.")


def _tests(embedding: Embedding, suites: Asked | None) -> tuple[Selected, ...]:
    return tuple(select(suites)) if suites else tests_for(Weat(), fitting_suites(embedding))


def _named(ids: Sequence[str], tests: Sequence[Selected]) -> list[Test]:
    return [each.test for each in tests if each.test.id in ids]


def _usual(embedding: Embedding) -> list[str]:
    languages = languages_of(embedding)
    at_hand = {name for each in languages for name in benchmarks_of(each, at_hand=True)}
    return [name for name in USUAL if name in at_hand]


def _fitting(
    embedding: Embedding, concept: Concept, tests: tuple[Selected, ...], *, holdout: bool
) -> tuple[Concept, tuple[str, ...]]:
    """Return the words to fit on, and what has to be said of them."""
    if not holdout:
        said = "The methods were fitted on all words of the concept, tested ones among them."
        return concept, (said,)
    try:
        held = concept.without(words_of_tests(tests))
        said = what_is_left(concept, held, embedding)
    except LexiconError as error:
        return concept, (f"{error} Here all of them were used to fit.",)
    return held, (said,) if said else ()

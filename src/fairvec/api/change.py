"""fairvec.debias and fairvec.frontier, and the objects that they return."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.measure import (
    AskedBenchmarks,
    as_concept,
    as_list,
    refuse_lists,
    refuse_no_method,
    refuse_others,
    requested_tests,
)
from fairvec.api.models import as_embedding, as_model
from fairvec.api.results import Results
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import scratch_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.settings import Seed, Share, check_arguments, check_value, plain
from fairvec.embedding import Embedding
from fairvec.embedding.saving import warn_of_losses
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.debiasing.debias import (
    Debiased,
    debias_model,
    settings_for_encoders,
)
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.frontier.choice import KEEP
from fairvec.experiments.frontier.frontier import STRENGTHS, Frontier
from fairvec.experiments.frontier.frontier import frontier as run_frontier
from fairvec.experiments.sentiment.learning import ReviewTask
from fairvec.lexicon import Concept, Selectors, Test
from fairvec.mitigation import Debiaser, Transform, debiaser, default_method
from fairvec.report import render


@dataclass(frozen=True, eq=False)
class DebiasedModel:
    """A debiased model, what moved it, and what was found before and after."""

    done: Debiased[Representation]
    source: str = ""
    """Where an encoder lies, which a saved one names; empty if it was no name or folder."""

    @property
    def before(self) -> Representation:
        """The model as it was."""
        return self.done.before

    @property
    def model(self) -> Representation:
        """The debiased model."""
        return self.done.after

    @property
    def transform(self) -> Transform:
        """What the method learnt; it moves other models of the same space too."""
        return self.done.transform

    @cached_property
    def results(self) -> Results:
        """What was measured before and after, and a Change for what became of each figure."""
        return Results(self.done.outcomes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know before reading the results, in sentences."""
        return self.done.remarks

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write what the command `fairvec debias` writes, and return the path of the model.

        Of word vectors that is the model, in the format of its ending, and next to it PATH.run with
        the transform, results.jsonl and report.html. Of an encoder it is a folder.
        """
        of_encoder = isinstance(self.model, Encoder)
        if of_encoder and not self.source:
            raise SettingError(
                f"{self.before.name} was given as an object, and a saved encoder names where the "
                "original lies; debias it by its folder or name, or save the transform."
            )
        if of_encoder:
            path = as_path(path, "say save('debiased')")
            DebiasedFiles(path, of_encoder=True).require_new_path(force=force)
        page = render(self.results, title=self.done.title)
        files = write_debiased(self.done, path, source=self.source, force=force, page=page)
        if isinstance(self.model, Embedding):
            warn_of_losses(self.model, files.model)
        return files.model

    def __repr__(self) -> str:
        return f"DebiasedModel({self.model!r}, {len(self.results)} records)"


def debias(
    model: Any,
    concept: str | Path | Concept,
    method: str | Debiaser | None = None,
    *,
    strength: float | None = None,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    contexts: Contexts | None = None,
    holdout: bool = False,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
    **settings: Any,
) -> DebiasedModel:
    """Take a concept out of a model, and judge that by tests and benchmarks before and after.

    Args:
        model: As in `fairvec.audit`; it is left as it is.
        concept: A name, as in "en/gender", a file, or a Concept.
        method: The name of a method, or an object with its settings; else, as a remark says,
            hard for word vectors (multiclass-hard where the concept is one of sets of three words)
            and linear-projection for encoders.
        strength: From 0 (no change) to 1 (the full method, the default).
        suites: What to judge by, as in `fairvec.audit`; else the suites that fit the model.
        tests: Test objects to judge by.
        benchmarks: Those of usefulness; by default some in the model's language that are available.
        contexts: Of an encoder: a corpus whose sentences the concept's words stand in.
        holdout: Fit without any word of the tests.
        language: Of the model, or several; else what is known or found of it.
        seed: Of all that is random in judging; that of a method is a setting of the method.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.
        settings: Any other setting of the method, as in lengths="kept".

    >>> import fairvec
    >>> done = fairvec.debias(
    ...     "glove-en-small", "en/gender", "hard", suites="caliskan2017/weat-6", benchmarks=[]
    ... )
    >>> [(one.test.id, one.kind) for one in done.results if one.status == "compared"]
    [('caliskan2017/weat-6', 'reduced'), ('category/gender', 'reduced')]
    >>> done.model.name
    'glove-en-small, hard en/gender:pairs'
    """
    refuse_lists("debias", settings)
    options = check_arguments(
        debias, holdout=holdout, seed=seed, progress=progress, on_remark=on_remark
    )
    opened = as_model(model, language=language)
    selectors = requested_tests([opened], suites=suites, tests=tests)
    resolved_concept = as_concept(concept, opened)
    method_settings = {**settings, **({} if strength is None else {"strength": strength})}
    benchmark_list = as_list(benchmarks)
    by_default = method is None
    if method is None:
        method = default_method(resolved_concept, of_words=isinstance(opened, Embedding))
    if isinstance(opened, Embedding) and contexts is not None:
        raise SettingError("contexts= is for encoders, which read sentences; leave it out.")
    if isinstance(opened, Encoder) and isinstance(method, str):
        method_settings = settings_for_encoders(method) | method_settings
    done = debias_model(
        opened,
        resolved_concept,
        _method(method, method_settings),
        suites=selectors,
        benchmarks=benchmark_list,
        contexts=contexts,
        by_default=by_default,
        **options,
    )
    return DebiasedModel(done, str(model) if isinstance(model, str | PathLike) else "")


def _method(method: Any, settings: dict[str, Any]) -> Debiaser:
    """Return the method that is named with its settings; an object has its own."""
    if isinstance(method, str):
        return debiaser(method, **settings)
    refuse_no_method(method)
    if settings:
        raise SettingError(
            f"The method {method.name} is an object, and {next(iter(settings))}= is said beside "
            "it; set it on the object, or give the method by its name."
        )
    checked: Debiaser = method
    return checked


def frontier(
    model: Any,
    concept: str | Path | Concept,
    *,
    methods: str | Iterable[str] | None = None,
    strengths: float | Iterable[float] = STRENGTHS,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    folder: str | PathLike[str] | None = None,
    beside: Mapping[str, Any] | None = None,
    language: str | Sequence[str] | None = None,
    tasks: Sequence[ReviewTask] = (),
    keep: Share = KEEP,
    holdout: bool = True,
    calibrated: bool = False,
    seed: Seed = 0,
    progress: Progress | None = None,
    **others: Any,
) -> Frontier:
    """Try methods at several strengths, and recommend what holds up on tests that did not choose.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        concept: As in `fairvec.debias`; tests of its category say how much of it is left.
        methods: Names; else all.
        strengths: Above 0 and up to 1.
        suites: What to judge by, as in `fairvec.audit`; else the suites that fit the model.
        tests: Test objects to judge by.
        benchmarks: Those of usefulness; by default one or two of each kind that are available.
        folder: Where points are saved as they are computed, so that an interrupted run goes on and
            the same run again computes nothing; without it they are not saved.
        beside: Other models to compare with, by name, trained in another way on the same text.
        language: Of the models, or several; else what is known or found of them.
        tasks: Tasks that are learnt from reviews, whose accuracy counts as information kept.
        keep: The share of information that a recommended method has to keep.
        holdout: Fit without any word of the tests.
        calibrated: Try each method also at the strength at which the effects vanish on average.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        others: There are none; a slip is answered with the nearest of these names.

    >>> import fairvec
    >>> found = fairvec.frontier(
    ...     "glove-en-small", "en/gender", methods="linear-projection", strengths=1.0,
    ...     suites=["caliskan2017/weat-1", "caliskan2017/weat-6"], benchmarks=[],
    ... )
    >>> [point.label for point in found.points]
    ['the model as it is', 'linear-projection at 1']
    """
    refuse_lists("frontier", others)
    refuse_others(frontier, others)
    strength_list = as_list(strengths) or []
    check_value("frontier", "strengths", Sequence[float], strength_list)
    settings = check_arguments(
        frontier,
        beside=beside,
        tasks=tasks,
        keep=keep,
        holdout=holdout,
        calibrated=calibrated,
        seed=seed,
        progress=progress,
    )
    del settings["beside"]
    points_folder = (
        None if folder is None else as_path(folder, ("say frontier(..., folder='points')"))
    )
    embedding = as_embedding(model, language=language)
    selectors = requested_tests([embedding], suites=suites, tests=tests)
    other_models = {
        name: as_embedding(other, language=language) for name, other in (beside or {}).items()
    }

    def run_in(scratch: Path) -> Frontier:
        return run_frontier(
            embedding,
            as_concept(concept, embedding),
            folder=scratch,
            methods=as_list(methods),
            strengths=[*map(plain, strength_list)],
            suites=selectors,
            benchmarks=as_list(benchmarks),
            beside=other_models,
            **settings,
        )

    if points_folder is not None:
        return run_in(points_folder)
    with scratch_folder() as scratch:
        return run_in(scratch)

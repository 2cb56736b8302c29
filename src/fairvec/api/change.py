"""fairvec.debias and fairvec.frontier, and the objects that they return."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.api.measure import (
    LISTS_ARE_TESTS,
    AskedBenchmarks,
    find_concept,
    refuse_no_method,
    requested_tests,
)
from fairvec.api.models import ModelSource, as_embedding, as_model, place_of
from fairvec.api.results import Results, with_page, write_with_page
from fairvec.benchmarks import load_reviews
from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.io.atomic_files import check_writable_folder, is_empty_folder, scratch_folder
from fairvec.core.io.read_files import as_path
from fairvec.core.memory import parse_size
from fairvec.core.settings import Seed, check_value, plain, public_call
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.embedding.saving import warn_of_losses
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import Holdout, concept_in_language
from fairvec.experiments.debiasing.debias import (
    Debiased,
    debias_model,
    settings_for_encoders,
)
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.experiments.frontier.choice import KEEP, Keep
from fairvec.experiments.frontier.frontier import STRENGTHS, Calibrate, Frontier, Strengths
from fairvec.experiments.frontier.frontier import frontier as run_frontier
from fairvec.experiments.remarks import Remarks, missing_benchmarks_note, other_languages
from fairvec.experiments.sentiment.learning import ReviewTask
from fairvec.lexicon import Concept, Selectors, Test
from fairvec.mitigation import Debiaser, Transform, debiaser, default_method
from fairvec.mitigation.out_of_core import check_file_fits
from fairvec.report import render, render_frontier
from fairvec.results.frontier import FRONTIER_FILE, REFERENCE, read_frontier, write_frontier
from fairvec.results.store import PAGE
from fairvec.tasks.sentiment.classifiers import find_network
from fairvec.tasks.sentiment.task import SentimentTask


@dataclass(frozen=True, eq=False)
class DebiasedModel:
    """A debiased model, what moved it, and what was found before and after."""

    done: Debiased[Representation]
    source: str = ""
    """Where an encoder lies, which a saved one names; empty if it was no name or folder."""
    encoding: EncoderOptions = AS_USUAL
    """How that encoder was opened."""

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

    def save(
        self,
        path: str | PathLike[str],
        *,
        force: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Path:
        """Write what the command `fairvec debias` writes, and return the path of the model.

        Of word vectors that is the model, in the format of its ending, and next to it PATH.run with
        the transform, results.jsonl and report.html. Of an encoder it is a folder.
        """
        files = self.write(path, force=force, progress=progress)
        if isinstance(self.model, Embedding):
            warn_of_losses(self.model, files.model)
        return files.model

    def write(
        self,
        path: str | PathLike[str],
        *,
        force: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> DebiasedFiles:
        """Write the same without a warning of what the format leaves out; return all paths."""
        of_encoder = isinstance(self.model, Encoder)
        if of_encoder and not self.source:
            raise SettingError(
                f"{self.before.name} was given as an object, and a saved encoder names where the "
                "original lies; debias it by its folder or name, or save the transform."
            )
        if of_encoder:
            path = as_path(path, "say save('debiased')")
            DebiasedFiles(path, of_encoder=True).require_new_path(force=force)
        return with_page(
            lambda: render(self.results, title=self.done.title),
            lambda page: write_debiased(
                self.done,
                path,
                source=self.source,
                encoding=self.encoding,
                force=force,
                page=page,
                progress=progress,
            ),
        )

    def __repr__(self) -> str:
        return f"DebiasedModel({self.model!r}, {len(self.results)} records)"


@public_call(LISTS_ARE_TESTS)
def debias(
    model: Any,
    concept: str | Path | Concept,
    method: str | Debiaser | None = None,
    *,
    strength: float | None = None,
    settings: Mapping[str, Any] | None = None,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    contexts: Contexts | None = None,
    holdout: Holdout = False,
    max_memory: int | str | None = None,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> DebiasedModel:
    """Take a concept out of a model, and judge that by tests and benchmarks before and after.

    Args:
        model: As in `fairvec.audit`; it is left as it is.
        concept: A name, as in "en/gender", a file, or a Concept.
        method: The name of a method, or an object with its settings; else, as a remark says,
            hard for word vectors (multiclass-hard where the concept is one of sets of three words)
            and linear-projection for encoders.
        strength: From 0 (no change) to 1 (the full method, the default).
        settings: Any other setting of a method that is named, as in {"lengths": "kept"}.
        suites: What to judge by, as in `fairvec.audit`; else the suites that fit the model.
        tests: Test objects to judge by.
        benchmarks: Those of usefulness; by default some in the model's language that are available.
        contexts: Of an encoder: a corpus whose sentences the concept's words stand in.
        holdout: Fit without any word of the tests.
        max_memory: Work within so much memory, in bytes or as in "500MB": the vectors are never
            held at once, and the change is judged by its tests alone.
        language: Of the model, or several; else what is known or found of it.
        seed: Of all that is random in judging; that of a method is a setting of the method.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.

    >>> import fairvec
    >>> done = fairvec.debias(
    ...     "glove-en-small", "en/gender", "hard", suites="caliskan2017/weat-6", benchmarks=[]
    ... )
    >>> [(one.test.id, one.kind) for one in done.results if one.status == "compared"]
    [('caliskan2017/weat-6', 'reduced'), ('category/gender', 'reduced')]
    >>> done.model.name
    'glove-en-small, hard en/gender:pairs'
    """
    # Before the model is read, so that a mistake costs no time.
    named_concept = find_concept(concept)
    options = {**(settings or {}), **({} if strength is None else {"strength": strength})}
    check_value("debias", "settings", Mapping | None, settings)
    if method is not None:
        _configured(method, options, of_words=True)
    limit = parse_size(max_memory) if isinstance(max_memory, str) else max_memory
    place = place_of(model)
    if limit and place:
        check_file_fits(Path(place), limit)
    opened = as_model(model, language=language)
    of_words = isinstance(opened, Embedding)
    if of_words and contexts is not None:
        raise SettingError("contexts= is for encoders, which read sentences; leave it out.")
    if limit is not None and not of_words:
        raise SettingError("max_memory= is for files of word vectors; leave it out.")
    resolved_concept = concept_in_language(named_concept, opened)
    chosen = default_method(resolved_concept, of_words=of_words) if method is None else method
    fitting = _configured(chosen, options, of_words=of_words)
    done = debias_model(
        opened,
        resolved_concept,
        fitting,
        suites=requested_tests([opened], suites=suites, tests=tests),
        benchmarks=None if benchmarks is None else as_list(benchmarks),
        contexts=contexts,
        holdout=holdout,
        max_memory=limit,
        by_default=method is None,
        seed=seed,
        progress=progress,
        on_remark=on_remark,
    )
    encoding = model.encoding if isinstance(model, ModelSource) else AS_USUAL
    return DebiasedModel(done, place, encoding)


def _configured(method: str | Debiaser, settings: dict[str, Any], *, of_words: bool) -> Debiaser:
    """Return the method that is named with its settings; an object has its own."""
    if isinstance(method, str):
        usual = {} if of_words else settings_for_encoders(method)
        return debiaser(method, **(usual | settings))
    refuse_no_method(method)
    if settings:
        raise SettingError(
            f"The method {method.name} is an object, and {next(iter(settings))}= is said beside "
            "it; set it on the object, or give the method by its name."
        )
    return method


TaskNetwork = Annotated[
    Literal["means", "lstm"],
    Field(description="What learns the task; an lstm takes minutes a point."),
]


@public_call(LISTS_ARE_TESTS)
def frontier(
    model: Any,
    concept: str | Path | Concept,
    *,
    methods: str | Iterable[str] | None = None,
    strengths: Strengths = STRENGTHS,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    tasks: str | Iterable[str | ReviewTask] = (),
    task_network: TaskNetwork = "means",
    keep: Keep = KEEP,
    holdout: Holdout = True,
    calibrate: Calibrate = False,
    beside: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    force: bool = False,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
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
        tasks: Reviews to learn the sentiment of, as in `fairvec.sentiment_task`: the accuracy is
            one more kind of information.
        task_network: What learns them: "means", or "lstm", which takes minutes a point.
        keep: The share of the information that a recommended point must keep.
        holdout: Fit without any word of the tests the methods are judged by.
        calibrate: Also find the strength that brings the concept's significant effects to zero.
        beside: Other models to compare with, by name, trained in another way on the same text.
        folder: Where frontier.jsonl, report.html and points are saved, these as they are computed,
            so that an interrupted run goes on and the same run again computes nothing; without it
            nothing is saved.
        force: Use a folder that holds something else.
        language: Of the models, or several; else what is known or found of them.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.

    >>> import fairvec
    >>> found = fairvec.frontier(
    ...     "glove-en-small", "en/gender", methods="linear-projection", strengths=1.0,
    ...     suites=["caliskan2017/weat-1", "caliskan2017/weat-6"], benchmarks=[],
    ... )
    >>> [point.label for point in found.points]
    ['the model as it is', 'linear-projection at 1']
    """
    strength_list = as_list(strengths)
    check_value("frontier", "beside", Mapping[str, Any] | None, beside)
    check_value("frontier", "strengths", Sequence[float], strength_list)
    task_list = as_list(tasks)
    check_value("frontier", "tasks", Sequence[str | ReviewTask], task_list)
    run_folder = None if folder is None else as_path(folder, "say frontier(..., folder='points')")
    if run_folder is not None:
        _check_folder(run_folder, force=force)
    named_concept = find_concept(concept)
    embedding = as_embedding(model, language=language)
    selectors = requested_tests([embedding], suites=suites, tests=tests)
    other_models = {
        name: as_embedding(other, language=language) for name, other in (beside or {}).items()
    }
    if run_folder is not None and not force:
        _check_same_model(run_folder, embedding)
    remarks = Remarks(on_remark)
    if selectors is None:
        remarks.add(other_languages(embedding))
    code, *_ = (*languages_of(embedding), "mul")
    learnt_by = SentimentTask(find_network(task_network), seed=seed)
    review_tasks = [
        each if isinstance(each, ReviewTask) else ReviewTask(load_reviews(each, code), learnt_by)
        for each in task_list
    ]

    def run_in(scratch: Path) -> Frontier:
        return run_frontier(
            embedding,
            concept_in_language(named_concept, embedding),
            folder=scratch,
            methods=None if methods is None else as_list(methods),
            strengths=[*map(plain, strength_list)],
            suites=selectors,
            benchmarks=None if benchmarks is None else as_list(benchmarks),
            tasks=review_tasks,
            keep=keep,
            holdout=holdout,
            calibrate=calibrate,
            beside=other_models,
            seed=seed,
            progress=progress,
        )

    if run_folder is None:
        with scratch_folder() as scratch:
            found = run_in(scratch)
    else:
        found = run_in(run_folder)
    if benchmarks is None:
        remarks.add(missing_benchmarks_note(embedding))
    if found.untried and all(one.method == REFERENCE or one.other for one in found.points):
        raise LexiconError(f"No method could be tried. {found.untried[0].reason}")
    if run_folder is not None:
        write_with_page(write_frontier, found.lines, run_folder, render_frontier)
    return found


def _check_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder that cannot be written to, or that holds something else than a frontier."""
    check_writable_folder(folder, FRONTIER_FILE, PAGE)
    ours = (folder / FRONTIER_FILE).exists() or (folder / "points").exists()
    if folder.exists() and not force and not (ours or is_empty_folder(folder)):
        raise SettingError(
            f"{folder} holds something else; choose another folder or say --force (force=True)."
        )


def _check_same_model(folder: Path, embedding: Embedding) -> None:
    """Refuse to write over the frontier of another model."""
    if not (folder / FRONTIER_FILE).exists():
        return
    others = {line.model.name for line in read_frontier(folder)} - {embedding.name}
    if others:
        raise SettingError(
            f"{folder} holds the frontier of {', '.join(others)}; choose another folder or say "
            "--force (force=True)."
        )

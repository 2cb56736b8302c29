"""The commands that take bias out of a model: fairvec debias and fairvec frontier."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from fairvec.benchmarks import load_reviews
from fairvec.cli import options
from fairvec.cli.console import ReadingProgress, print_answer, print_note, print_table, progress_bar
from fairvec.cli.models import (
    load_model,
    load_model_or_encoder,
    note_missing_benchmarks,
    note_other_languages,
)
from fairvec.cli.options import Argument, Option
from fairvec.cli.plugin_names import method_names, resolve_method, resolve_methods
from fairvec.cli.runs import interruption_note, with_page, write_with_page
from fairvec.cli.tables import print_changes
from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import join_first
from fairvec.core.io.atomic_files import check_writable_folder, is_empty_folder
from fairvec.core.memory import parse_size
from fairvec.core.parsing import parse_json
from fairvec.core.settings import Share
from fairvec.core.text import short_repr
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.encoders import Encoder
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.open import is_encoder_name
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.debiasing.debias import debias_model, settings_for_encoders
from fairvec.experiments.debiasing.files import LEARNT_WORDS, DebiasedFiles, write_debiased
from fairvec.experiments.frontier.choice import KEEP
from fairvec.experiments.frontier.frontier import STRENGTHS
from fairvec.experiments.frontier.frontier import frontier as run_frontier
from fairvec.experiments.sentiment.learning import ReviewTask
from fairvec.lexicon import concept as concept_named
from fairvec.mitigation import DEBIASERS, Transform, debiaser, default_method
from fairvec.mitigation.concept_direction import STEADINESS
from fairvec.mitigation.out_of_core import check_file_fits
from fairvec.report import render, render_frontier
from fairvec.report.frontier import folds_table, frontier_table
from fairvec.results.frontier import (
    FRONTIER_FILE,
    REFERENCE,
    read_frontier,
    write_frontier,
)
from fairvec.results.store import PAGE
from fairvec.tasks.sentiment.classifiers import network_named
from fairvec.tasks.sentiment.task import SentimentTask

_METHODS = ", ".join(method.name for method in DEBIASERS)
MOST_WORDS = 60
"""Of the words that a method was fitted on so many are printed; the transform's file has all."""


def debias(
    model: Annotated[
        str, Argument(help="A file, a name of 'fairvec models list', or an encoder's folder.")
    ],
    output: Annotated[
        Path,
        Option(
            "-o", help="The new embedding, in the format of its ending; of an encoder a new folder."
        ),
    ],
    concept: options.ConceptOption,
    method: Annotated[
        str | None,
        Option(
            help=lambda: (
                f"One of: {_METHODS}, {method_names()}. Default: hard "
                "(multiclass-hard where the concept is one of sets of three words); of an encoder "
                "linear-projection."
            )
        ),
    ] = None,
    strength: Annotated[
        float | None,
        Option(help="From 0 (nothing) to 1 (all). Default: the method's own, 1 for fairvec's."),
    ] = None,
    solver: Annotated[
        str | None, Option(help="Of pgd: exact, or riemannian-adam as published.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        Option(
            "--set", metavar="NAME=VALUE", help="Any other setting of the method; may be repeated."
        ),
    ] = None,
    suite: options.Suites = None,
    benchmark: options.Benchmarks = None,
    contexts: options.ContextFiles = None,
    reading: LoadOptions = LOAD_DEFAULTS,
    encoding: EncoderOptions = AS_USUAL,
    holdout: Annotated[
        bool,
        Option(
            help="Fit without any word of the tests it is judged by; those of benchmarks may be "
            "used."
        ),
    ] = False,
    max_memory: Annotated[
        str | None,
        Option(
            metavar="SIZE",
            help="Work from file to file within this much memory, as in 500MB: the vectors are "
            "never held at once, and the change is judged by its tests alone.",
        ),
    ] = None,
    seed: options.Seed = 0,
    force: Annotated[bool, Option(help="Write over what is there.")] = False,
) -> None:
    """Write a debiased model, and beside it FILE.run with the transform and a before/after report.

    Lower effects are not better effects: the table says which were removed, reduced, REVERSED or
    OVERSHOT (the other way round now) or INTRODUCED, each only where a test shows the change, and
    what the model is still good for. p of change: how often chance alone, the changes of words
    permuted between the lists or of items swapped, changes a figure as much.

    Of an encoder sentences are moved: the method is fitted on the concept's words in templates, or
    in sentences of a corpus (--contexts), and the folder opens as an encoder again.
    """
    chosen = concept_named(concept)
    of_words = not is_encoder_name(model) or encoding.token_embeddings
    by_default = method is None
    name = default_method(chosen, of_words=of_words) if method is None else resolve_method(method)
    named = {"strength": strength, "solver": solver}
    settings = {name: one for name, one in named.items() if one is not None} | _settings(setting)
    if of_words and contexts:
        raise SettingError("--contexts is for encoders, which read sentences; leave it out.")
    DebiasedFiles(output, of_encoder=not of_words).require_new_path(force=force)
    if max_memory and not of_words:
        raise SettingError("--max-memory is for files of word vectors; leave it out.")
    fitting = debiaser(name, **(({} if of_words else settings_for_encoders(name)) | settings))
    limit = parse_size(max_memory) if max_memory else None
    if limit:
        check_file_fits(Path(model), limit)
    before = load_model_or_encoder(model, reading, encoding)
    if of_words and not isinstance(before, Embedding):
        raise SettingError(f"{model} is an encoder; leave out --token-embeddings to debias it.")
    with progress_bar("fitting") as bar:
        progress: Progress = bar
        if isinstance(before, Encoder):
            reading_progress = ReadingProgress(bar)
            before = before.with_progress(reading_progress.draw_sentences)
            progress = reading_progress.draw_tests
        debiased = debias_model(
            before,
            chosen,
            fitting,
            suites=suite,
            benchmarks=benchmark,
            contexts=options.corpus_of(contexts),
            holdout=holdout,
            max_memory=limit,
            output=output,
            by_default=by_default,
            seed=seed,
            progress=progress,
            on_remark=print_note,
        )
    with progress_bar(f"writing {output}") as bar:
        files = with_page(
            lambda: render(debiased.outcomes, title=debiased.title),
            lambda page: write_debiased(
                debiased,
                output,
                source=model,
                encoding=encoding,
                force=force,
                page=page,
                progress=bar,
            ),
        )
    _note_fit(debiased.transform)
    print_changes(debiased.outcomes)
    if debiased.lost:
        print_note(
            f"Not kept by this format: {', '.join(debiased.lost)}; .fairvec keeps everything."
        )
    kind = "Embedding:" if of_words else "Encoder:"
    print_note(f"{kind} {files.model}", f"{'Report:':{len(kind)}} {files.report}")


def _settings(texts: list[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE; a value that is JSON (a number, true, a list) is taken as that."""
    settings: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise SettingError(f"{short_repr(text)} should be NAME=VALUE, as in lengths=kept.")
        try:
            settings[name] = parse_json(value)
        except ValueError:
            settings[name] = value
    return settings


def _note_fit(transform: Transform) -> None:
    fitted_on = transform.fitted_on
    print_note(f"Fitted on {len(fitted_on):,} words: {join_first(fitted_on, MOST_WORDS)}")
    for name, words in transform.remarks.items():
        between = "; " if name == STEADINESS else ", "
        listed = "see specific.txt" if name == LEARNT_WORDS else between.join(words)
        print_note(f"{name.replace('_', ' ').capitalize()}: {listed}")


_STRENGTHS = ",".join(map("{:g}".format, STRENGTHS))


def frontier(
    model: options.Model,
    concept: options.ConceptOption,
    output: Annotated[
        Path, Option("-o", help="Folder for points, frontier.jsonl and report.html.")
    ],
    method: Annotated[
        list[str] | None,
        Option(
            help=lambda: (
                f"One of: {_METHODS}, {method_names()}; may be repeated. Default: all "
                "that come with fairvec."
            )
        ),
    ] = None,
    strengths: Annotated[
        str, Option(help="Strengths to try, above 0 and up to 1, with commas between.")
    ] = _STRENGTHS,
    suite: options.Suites = None,
    benchmark: options.Benchmarks = None,
    task: Annotated[
        list[str] | None,
        Option(
            help="Reviews to learn the sentiment of, as 'fairvec task sentiment --data' takes "
            "them: the accuracy is one more kind of information; may be repeated."
        ),
    ] = None,
    task_network: Annotated[
        Literal["means", "lstm"],
        Option(help="What learns the task; an lstm takes minutes a point."),
    ] = "means",
    keep: Annotated[
        Share, Option(help="Share of the information that a recommended point must keep.")
    ] = KEEP,
    holdout: Annotated[
        bool, Option(help="Fit without any word of the tests the methods are judged by.")
    ] = True,
    calibrate: Annotated[
        bool,
        Option(
            help="Also find the strength that brings the concept's significant effects to zero."
        ),
    ] = False,
    beside: Annotated[
        list[str] | None,
        Option(
            metavar="OTHER[=NAME]",
            help="Another model, trained otherwise on the same text, to stand beside the methods; "
            "may be repeated.",
        ),
    ] = None,
    reading: LoadOptions = LOAD_DEFAULTS,
    seed: options.Seed = 0,
    force: Annotated[bool, Option(help="Use a folder that holds something else.")] = False,
) -> None:
    """Try every method at every strength, show bias left against information kept, recommend one.

    Points are kept in the folder as they are found: an interrupted run goes on where it was, and
    the same run again computes nothing.
    """
    check_writable_folder(output, FRONTIER_FILE, PAGE)
    ours = (output / FRONTIER_FILE).exists() or (output / "points").exists()
    if output.exists() and not force and not (ours or is_empty_folder(output)):
        raise SettingError(f"{output} holds something else; choose another folder or say --force.")
    chosen = concept_named(concept)
    tried = _numbers(strengths)
    tried_methods = resolve_methods(method)
    embedding = load_model(model, reading)
    others = _load_others(beside or [], reading)
    if (output / FRONTIER_FILE).exists() and not force:
        _check_same_model(output, embedding)
    if suite is None:
        note_other_languages(embedding)
    language, *_ = (*languages_of(embedding), "mul")
    learnt_by = SentimentTask(network_named(task_network), seed=seed)
    tasks = [ReviewTask(load_reviews(each, language), learnt_by) for each in task or ()]
    try:
        with progress_bar("trying") as progress:
            result = run_frontier(
                embedding,
                chosen,
                folder=output,
                methods=tried_methods,
                strengths=tried,
                suites=suite,
                benchmarks=benchmark,
                tasks=tasks,
                keep=keep,
                holdout=holdout,
                calibrated=calibrate,
                beside=others,
                seed=seed,
                progress=progress,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            interruption_note(output / "points", "point", "a point was found")
        ) from error
    if result.untried and all(one.method == REFERENCE or one.other for one in result.points):
        raise LexiconError(f"No method could be tried. {result.untried[0].reason}")
    lines = write_with_page(write_frontier, result.lines, output, render_frontier)
    if benchmark is None:
        note_missing_benchmarks(embedding)
    print_table(frontier_table(result.points))
    if result.survey.unseen and result.survey.unseen.folds:
        print_table(folds_table(result.survey.unseen))
    for point in (one for one in result.points if one.other and one.note):
        print_note(f"{point.label}: {point.note}")
    for gap in result.untried:
        print_note(f"Not tried: {gap.method}: {gap.reason}")
    for remark in result.survey.remarks:
        print_note(remark)
    recommended = any(point.recommended for point in result.points)
    print_answer(f"{'Recommended: ' if recommended else ''}{result.survey.recommendation}")
    print_note(f"Points: {lines}", f"Report: {output / PAGE}")


def _load_others(places: Sequence[str], reading: LoadOptions) -> dict[str, Embedding]:
    """Return the other models by the names they were given, or else by their own."""
    models: dict[str, Embedding] = {}
    for one in places:
        # A file may have = in its name.
        path, label = (one, "") if Path(one).exists() else one.rpartition("=")[::2]
        path, label = (path, label) if path else (one, "")
        other = load_model(path, reading)
        if (name := label or other.name) in models:
            raise SettingError(
                f"Two models beside are called {short_repr(name)}; name one (OTHER=NAME)."
            )
        models[name] = other
    return models


def _check_same_model(folder: Path, embedding: Embedding) -> None:
    """Refuse to write over the frontier of another model."""
    others = {line.model.name for line in read_frontier(folder)} - {embedding.name}
    if others:
        raise SettingError(
            f"{folder} holds the frontier of {', '.join(others)}; choose another folder or say "
            "--force."
        )


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise SettingError(
            f"The strengths {short_repr(text)} should be numbers with commas between, as in 0.5,1."
        ) from None

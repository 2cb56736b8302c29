"""The commands that take bias out of a model: fairvec debias and fairvec frontier."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from fairvec.api.change import TaskNetwork
from fairvec.api.change import debias as debias_model
from fairvec.api.change import frontier as find_frontier
from fairvec.cli import options
from fairvec.cli.console import ReadingProgress, print_answer, print_note, print_table, progress_bar
from fairvec.cli.models import load_model, model_source
from fairvec.cli.options import Option
from fairvec.cli.plugin_names import method_names, resolve_method, resolve_methods
from fairvec.cli.runs import interruption_note
from fairvec.cli.tables import print_changes
from fairvec.core.errors import SettingError
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, lost_by_saving
from fairvec.embedding.saving import format_to_write
from fairvec.encoders.base import AS_USUAL, EncoderOptions
from fairvec.encoders.open import is_encoder_name
from fairvec.experiments.audit.suites import Holdout
from fairvec.experiments.debiasing.files import LEARNT_WORDS, DebiasedFiles
from fairvec.experiments.frontier.choice import KEEP, Keep
from fairvec.experiments.frontier.frontier import STRENGTHS, Calibrate
from fairvec.messages.frontiers import recommendation_line, untried_note
from fairvec.messages.remarks import fitted_on_note, not_kept_note
from fairvec.mitigation import DEBIASERS, Transform
from fairvec.mitigation.concept_direction import STEADINESS
from fairvec.report.frontier import folds_table, frontier_table
from fairvec.results.frontier import FRONTIER_FILE
from fairvec.results.store import PAGE

_OWN = {method.name: method for method in DEBIASERS}
_METHODS = ", ".join(_OWN)
MOST_WORDS = 60
"""Of the words that a method was fitted on so many are printed; the transform's file has all."""


def debias(
    source: options.AnyModel,
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
        Option(help=options.setting_help("strength", _OWN)),
    ] = None,
    solver: Annotated[str | None, Option(help=options.setting_help("solver", _OWN))] = None,
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
    holdout: Holdout = False,
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
    of_words = not is_encoder_name(source) or encoding.token_embeddings
    if of_words and contexts:
        raise SettingError("--contexts is for encoders, which read sentences; leave it out.")
    if max_memory and not of_words:
        raise SettingError("--max-memory is for files of word vectors; leave it out.")
    DebiasedFiles(output, of_encoder=not of_words).require_new_path(force=force)
    if of_words:
        format_to_write(output)
    named = {"solver": solver} if solver is not None else {}
    with progress_bar("fitting") as bar:
        progress = ReadingProgress(bar)
        done = debias_model(
            model_source(source, reading, bar, encoding, progress.draw_sentences),
            concept,
            None if method is None else resolve_method(method),
            strength=strength,
            settings=named | _settings(setting),
            suites=suite,
            benchmarks=benchmark,
            contexts=options.corpus_of(contexts),
            holdout=holdout,
            max_memory=max_memory,
            language=reading.language,
            seed=seed,
            progress=progress.draw_tests,
            on_remark=print_note,
        )
    with progress_bar(f"writing {output}") as bar:
        files = done.write(output, force=force, progress=bar)
    _note_fit(done.transform)
    print_changes(done.results)
    lost = lost_by_saving(done.before, output) if isinstance(done.before, Embedding) else ()
    if lost:
        print_note(not_kept_note(lost))
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
    print_note(fitted_on_note(transform.fitted_on, MOST_WORDS))
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
        str, Option(metavar="N,N,...", help=options.argument_help("frontier", "strengths"))
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
    task_network: TaskNetwork = "means",
    keep: Keep = KEEP,
    holdout: Holdout = True,
    calibrate: Calibrate = False,
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
    others = _load_others(beside or [], reading)
    try:
        with progress_bar("trying") as bar:
            result = find_frontier(
                model_source(model, reading, bar),
                concept,
                folder=output,
                force=force,
                methods=resolve_methods(method),
                strengths=_numbers(strengths),
                suites=suite,
                benchmarks=benchmark,
                tasks=task or (),
                task_network=task_network,
                keep=keep,
                holdout=holdout,
                calibrate=calibrate,
                beside=others,
                language=reading.language,
                seed=seed,
                progress=bar,
                on_remark=print_note,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            interruption_note(output / "points", "point", "a point was found")
        ) from error
    print_table(frontier_table(result.points))
    if result.survey.unseen and result.survey.unseen.folds:
        print_table(folds_table(result.survey.unseen))
    for point in (one for one in result.points if one.other and one.note):
        print_note(f"{point.label}: {point.note}")
    for gap in result.untried:
        print_note(untried_note(gap))
    for remark in result.survey.remarks:
        print_note(remark)
    recommended = any(point.recommended for point in result.points)
    print_answer(recommendation_line(result.survey, recommended=recommended))
    print_note(f"Points: {output / FRONTIER_FILE}", f"Report: {output / PAGE}")


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


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise SettingError(
            f"The strengths {short_repr(text)} should be numbers with commas between, as in 0.5,1."
        ) from None

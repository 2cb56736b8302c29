"""fairvec debias: take a concept out of a model, and show what that did."""

from pathlib import Path
from typing import Annotated, Any

import typer

from fairvec.cli import options
from fairvec.cli.before_after import lay_out_changes
from fairvec.cli.console import progress_bar, say
from fairvec.cli.encoder_options import reads_an_encoder
from fairvec.cli.from_outside import OTHERS, method_named
from fairvec.cli.opening import only_encoder, represented
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.runs import with_page
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.encoders import Encoder
from fairvec.encoders.encoder_reading import AS_USUAL, EncoderReading
from fairvec.encoders.naming import names_an_encoder
from fairvec.evaluation import DebiasedFiles, debias_model, write_debiased
from fairvec.evaluation.debiased_encoder_files import refuse_taken_folder, write_debiased_encoder
from fairvec.evaluation.debiased_files import LEARNT
from fairvec.evaluation.debiasing_encoders import (
    DebiasedEncoder,
    debias_encoder,
    settings_for_encoders,
)
from fairvec.ground.errors import SettingError
from fairvec.ground.machine.memory import bytes_of
from fairvec.ground.text.enumerations import first_of
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import Concept
from fairvec.lexicon import concept as concept_named
from fairvec.mitigation import DEBIASERS, Debiaser, Transform, debiaser
from fairvec.mitigation.transform.file_to_file import refuse_to_read
from fairvec.mitigation.words.steadiness import STEADINESS
from fairvec.report import render

_METHODS = ", ".join(method.name for method in DEBIASERS)
SHOWN = 60
"""Of the words that a method was fitted on so many are printed; the transform's file has all."""


@reads_a_model()
@reads_an_encoder()
def debias(
    model: Annotated[
        str,
        typer.Argument(help="A file, a name of 'fairvec models list', or an encoder's folder."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The new embedding, in the format of its ending; of an encoder a new folder.",
        ),
    ],
    concept: options.ConceptOption,
    method: Annotated[
        str, typer.Option(help=f"One of: {_METHODS}, {OTHERS}.")
    ] = "linear-projection",
    strength: Annotated[float, typer.Option(help="From 0 (nothing) to 1 (all).")] = 1.0,
    solver: Annotated[
        str | None, typer.Option(help="Of pgd: exact, or riemannian-adam as published.")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Any other setting of the method; may be repeated."
        ),
    ] = None,
    suite: options.Suites = None,
    benchmark: options.Benchmarks = None,
    contexts: options.ContextFiles = None,
    reading: Reading = AS_FOUND,
    encoding: EncoderReading = AS_USUAL,
    holdout: Annotated[
        bool,
        typer.Option(
            "--holdout",
            help="Fit without any word of the tests it is judged by; those of benchmarks may be "
            "used.",
        ),
    ] = False,
    max_memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Work from file to file within this much memory, as in 500MB: the vectors are "
            "never held at once, and the change is judged by its tests alone.",
        ),
    ] = None,
    seed: options.Seed = 0,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
) -> None:
    """Write a debiased model, and beside it FILE.run with the transform and a before/after report.

    Lower effects are not better effects: the table says which were removed, REVERSED or OVERSHOT
    (the other way round now), INTRODUCED or APPEARED (not significant before), and what the model
    is still good for. Paired p: how often swapping before and after at random, item by item,
    changes a figure as much.

    Of an encoder sentences are moved: the method is fitted on the concept's words in templates, or
    in sentences of a corpus (--contexts), and the folder opens as an encoder again.
    """
    chosen = concept_named(concept)
    method = method_named(method)
    settings = {"strength": strength} | ({"solver": solver} if solver else {}) | _settings(setting)
    if names_an_encoder(model) and not encoding.token_embeddings:
        refuse_taken_folder(output)
        if max_memory:
            raise SettingError("--max-memory is for files of word vectors; leave it out.")
        done = _encoder_debiased(
            only_encoder(model, reading, encoding),
            chosen,
            debiaser(method, **(settings_for_encoders(method) | settings)),
            suites=suite,
            benchmarks=benchmark,
            contexts=options.corpus_of(contexts),
            holdout=holdout,
            seed=seed,
        )
        folder = with_page(
            lambda: render(done.outcomes, title=done.title),
            lambda page: write_debiased_encoder(done, model, encoding, output, page=page),
        )
        _tell(done.transform)
        lay_out_changes(done.outcomes)
        say(f"Encoder: {folder}", f"Report:  {folder / 'report.html'}")
        return
    if contexts:
        raise SettingError("--contexts is for encoders, which read sentences; leave it out.")
    DebiasedFiles(output).refuse_taken(force=force)
    fitting = debiaser(method, **settings)
    limit = bytes_of(max_memory) if max_memory else None
    if limit:
        refuse_to_read(Path(model), limit)
    before = represented(model, reading, encoding)
    if not isinstance(before, Embedding):
        raise SettingError(f"{model} is an encoder; leave out --token-embeddings to debias it.")
    with progress_bar("fitting") as progress:
        moved = debias_model(
            before,
            chosen,
            fitting,
            suites=suite,
            benchmarks=benchmark,
            holdout=holdout,
            max_memory=limit,
            output=output,
            seed=seed,
            progress=progress,
            on_remark=say,
        )
    with progress_bar(f"writing {output}") as progress:
        files = with_page(
            lambda: render(moved.outcomes, title=moved.title),
            lambda page: write_debiased(moved, output, force=force, page=page, progress=progress),
        )
    _tell(moved.transform)
    lay_out_changes(moved.outcomes)
    if moved.lost:
        say(f"Not kept by this format: {', '.join(moved.lost)}; .fairvec keeps everything.")
    say(f"Embedding: {files.model}", f"Report:    {files.report}")


def _settings(texts: list[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE; a value that is JSON (a number, true, a list) is taken as that."""
    settings: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise SettingError(f"{shown(text)} should be NAME=VALUE, as in lengths=kept.")
        try:
            settings[name] = json_of(value)
        except ValueError:
            settings[name] = value
    return settings


def _encoder_debiased(
    encoder: Encoder, concept: Concept, method: Debiaser, **how: Any
) -> DebiasedEncoder:
    with progress_bar("fitting") as progress:
        telling = encoder.telling(lambda done, every: progress(done, every, "encoding sentences"))
        return debias_encoder(telling, concept, method, **how, progress=progress, on_remark=say)


def _tell(transform: Transform) -> None:
    fitted_on = transform.fitted_on
    say(f"Fitted on {len(fitted_on):,} words: {first_of(fitted_on, SHOWN)}")
    for name, words in transform.remarks.items():
        between = "; " if name == STEADINESS else ", "
        listed = "see specific.txt" if name == LEARNT else between.join(words)
        say(f"{name.replace('_', ' ').capitalize()}: {listed}")

"""fairvec debias: take a concept out of a model, and show what that did."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fairvec.cli import options
from fairvec.cli.before_after import lay_out_changes
from fairvec.cli.console import progress_bar, say
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.debias import DEBIASERS, debiaser
from fairvec.debias.transform.file_to_file import refuse_to_read
from fairvec.debias.words.steadiness import STEADINESS
from fairvec.embedding import AS_FOUND, Reading
from fairvec.evaluation import Debiased, DebiasedFiles, debias_model, write_debiased
from fairvec.evaluation.debiased_files import LEARNT
from fairvec.ground.errors import SettingError
from fairvec.ground.memory import bytes_of
from fairvec.lexicon import concept as concept_named
from fairvec.report import write_report

_METHODS = ", ".join(method.name for method in DEBIASERS)
SHOWN = 60
"""Of the words that a method was fitted on so many are printed; the transform's file has all."""


@reads_a_model()
def debias(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The new embedding, in the format of its ending."),
    ],
    concept: options.ConceptOption,
    method: Annotated[str, typer.Option(help=f"One of: {_METHODS}.")] = "linear-projection",
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
    reading: Reading = AS_FOUND,
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
    """
    DebiasedFiles(output).refuse_taken(force=force)
    chosen = concept_named(concept)
    settings = {"strength": strength} | ({"solver": solver} if solver else {}) | _settings(setting)
    fitting = debiaser(method, **settings)
    limit = bytes_of(max_memory) if max_memory else None
    if limit:
        refuse_to_read(Path(model), limit)
    before = opened(model, reading)
    with progress_bar("fitting") as progress:
        done = debias_model(
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
        files = write_debiased(done, output, force=force, progress=progress)
    write_report(done.outcomes, files.report, title=done.title)
    _tell(done)
    lay_out_changes(done.outcomes)
    say(f"Embedding: {files.model}\nReport:    {files.report}")


def _settings(texts: list[str] | None) -> dict[str, Any]:
    """Read NAME=VALUE; a value that is JSON (a number, true, a list) is taken as that."""
    settings: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise SettingError(f"{text!r} should be NAME=VALUE, as in lengths=kept.")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _tell(done: Debiased) -> None:
    fitted_on = done.transform.fitted_on
    more = f" and {len(fitted_on) - SHOWN:,} more" if len(fitted_on) > SHOWN else ""
    say(f"Fitted on {len(fitted_on):,} words: {', '.join(fitted_on[:SHOWN])}{more}")
    for name, words in done.transform.remarks.items():
        between = "; " if name == STEADINESS else ", "
        listed = "see specific.txt" if name == LEARNT else between.join(words)
        say(f"{name.replace('_', ' ').capitalize()}: {listed}")
    if done.lost:
        say(f"Not kept by this format: {', '.join(done.lost)}; .fairvec keeps everything.")

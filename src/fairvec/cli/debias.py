"""fairvec debias: take a concept out of a model, and show what that did."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fairvec.cli import options
from fairvec.cli.before_after import lay_out_changes
from fairvec.cli.console import progress_bar, say
from fairvec.cli.opening import opened, say_other_languages, say_what_goes_unmeasured
from fairvec.debias import DEBIASERS, debiaser, save_transform
from fairvec.debias.file_to_file import debias_file, refuse_to_read
from fairvec.debias.memory import bytes_of
from fairvec.debias.steadiness import STEADINESS
from fairvec.embedding import loses, save
from fairvec.errors import SettingError
from fairvec.evaluation import fitting_suites, tests_for
from fairvec.evaluation.choose import what_is_left, words_of_tests
from fairvec.evaluation.concept_view import concept_view
from fairvec.evaluation.judge import judge
from fairvec.evaluation.measured_words import words_of
from fairvec.files import write_text
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon import select
from fairvec.metrics import Weat
from fairvec.report import write_report
from fairvec.results import write_results

_METHODS = ", ".join(method.name for method in DEBIASERS)
SHOWN = 60
"""Of the words that a method was fitted on so many are printed; the transform's file has all."""
_LEARNT = "learnt_words"
"""The remark of a transform whose specific words were learnt: too many to print."""


def debias(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The new embedding, in the format of its ending."),
    ],
    concept: options.Concept,
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
    geometry: options.Geometry = None,
    curvature: options.Curvature = None,
    outside: options.Outside = "refuse",
    vectors: options.Vectors = "target",
    file_format: options.FileFormat = None,
    language: options.Language = None,
    invalid_utf8: options.InvalidUtf8 = "refuse",
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

    Lower effects are not better effects: the table says which were removed, REVERSED (the other
    way round now) or INTRODUCED (not there before), and what the model is still good for. Paired p:
    how often swapping before and after at random, item by item, changes a figure as much.
    """
    folder = output.with_name(f"{output.name}.run")
    for place in (output, folder):
        if place.exists() and not force:
            raise SettingError(f"{place} exists already; choose another name or say --force.")
    if output.is_dir() or folder.is_file():
        taken = f"{output} is a folder" if output.is_dir() else f"{folder} is a file"
        raise SettingError(f"{taken}, which cannot be written over; choose another name.")
    chosen = concept_named(concept)
    settings = {"strength": strength} | ({"solver": solver} if solver else {}) | _settings(setting)
    fitting = debiaser(method, **settings)
    limit = bytes_of(max_memory) if max_memory else None
    if limit:
        refuse_to_read(Path(model), limit)
    before = opened(
        model,
        geometry=geometry,
        curvature=curvature,
        outside=outside,
        vectors=vectors,
        language=language,
        format=file_format,
        invalid_utf8=invalid_utf8,
    )
    lost = loses(before, output)  # refuses a format that cannot be written before any work is done
    tests = select(suite) if suite else tests_for(Weat(), fitting_suites(before))
    if holdout:
        whole, chosen = chosen, chosen.without(words_of_tests(tests))
        if lacking := what_is_left(whole, chosen, before):
            say(lacking)
    transform = fitting.fit(before, chosen)
    # The rest of a model that is larger than memory is neither compared nor drawn.
    part = words_of(before, tests) if limit else before
    after = transform.transform(part).named(f"{before.name}, {transform.name}")
    if suite is None:
        say_other_languages(before)
    if benchmark is None and not limit:
        say_what_goes_unmeasured(before)
    with progress_bar("measuring") as progress:
        asked = [] if limit else benchmark
        judgement = judge(part, after, suites=suite, benchmarks=asked, progress=progress, seed=seed)
    with progress_bar(f"writing {output}") as progress:
        if limit:
            debias_file(transform, before, output, max_memory=limit, progress=progress)
        else:
            save(after, output, progress=progress)
    save_transform(transform, folder / "transform.safetensors")
    learnt = folder / "specific.txt"
    learnt.unlink(missing_ok=True)  # that of a run which this one writes over
    if _LEARNT in transform.remarks:
        write_text(learnt, "\n".join([*transform.remarks[_LEARNT], ""]))
    outcomes = judgement.all
    if limit:
        outcomes = [one for one in outcomes if one.test.kind != "movement"]
    elif view := concept_view(before, chosen, after, seed=seed):
        outcomes.append(view)
    write_results(outcomes, folder)
    title = f"{before.name} before and after {transform.name}"
    write_report(outcomes, folder / "report.html", title=title)
    _tell(transform.fitted_on, transform.remarks, lost)
    lay_out_changes(outcomes)
    say(f"Embedding: {output}\nReport:    {folder / 'report.html'}")


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


def _tell(fitted_on: tuple[str, ...], remarks: Any, lost: tuple[str, ...]) -> None:
    more = f" and {len(fitted_on) - SHOWN:,} more" if len(fitted_on) > SHOWN else ""
    say(f"Fitted on {len(fitted_on):,} words: {', '.join(fitted_on[:SHOWN])}{more}")
    for name, words in remarks.items():
        between = "; " if name == STEADINESS else ", "
        listed = "see specific.txt" if name == _LEARNT else between.join(words)
        say(f"{name.replace('_', ' ').capitalize()}: {listed}")
    if lost:
        say(f"Not kept by this format: {', '.join(lost)}; .fairvec keeps everything.")

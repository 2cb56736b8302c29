"""fairvec frontier: every method at every strength, what it leaves and what it costs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text

from fairvec.benchmarks import reviews_of
from fairvec.cli import options
from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.cli.from_outside import OTHERS, methods_named
from fairvec.cli.opening import opened, say_other_languages, say_what_goes_unmeasured
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.runs import interrupted, write_with_page
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.evaluation import frontier as run_frontier
from fairvec.evaluation import languages_of
from fairvec.evaluation.frontiers.front import KEEP
from fairvec.evaluation.frontiers.frontier import STRENGTHS
from fairvec.evaluation.reviews.learning import ReviewTask
from fairvec.ground.disk.places import empty, refuse_folder
from fairvec.ground.errors import LexiconError, SettingError
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import concept as concept_named
from fairvec.mitigation import DEBIASERS
from fairvec.report import render_frontier
from fairvec.report.sections.frontier import kept_in_percent, warnings
from fairvec.results import (
    FRONTIER_FILE,
    PAGE,
    REFERENCE,
    Point,
    Unseen,
    read_frontier,
    write_frontier,
)
from fairvec.tasks.sentiment.networks import network_named
from fairvec.tasks.sentiment.task import SentimentTask

_STRENGTHS = ",".join(map("{:g}".format, STRENGTHS))
_METHODS = ", ".join(method.name for method in DEBIASERS)


@reads_a_model()
def frontier(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    concept: options.ConceptOption,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Folder for points, frontier.jsonl and report.html."),
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(
            help=f"One of: {_METHODS}, {OTHERS}; may be repeated. Default: all "
            "that come with fairvec."
        ),
    ] = None,
    strengths: Annotated[
        str, typer.Option(help="Strengths to try, above 0 and up to 1, with commas between.")
    ] = _STRENGTHS,
    suite: options.Suites = None,
    benchmark: options.Benchmarks = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="Reviews to learn the sentiment of, as 'fairvec task sentiment --data' takes "
            "them: the accuracy is one more kind of information; may be repeated."
        ),
    ] = None,
    task_network: Annotated[
        Literal["means", "lstm"],
        typer.Option(help="What learns the task; an lstm takes minutes a point."),
    ] = "means",
    keep: Annotated[
        float, typer.Option(help="Share of the information that a recommended point must keep.")
    ] = KEEP,
    holdout: Annotated[
        bool, typer.Option(help="Fit without any word of the tests the methods are judged by.")
    ] = True,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Also find the strength that brings the concept's significant effects to zero.",
        ),
    ] = False,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OTHER[=NAME]",
            help="Another model, trained otherwise on the same text, to stand beside the methods; "
            "may be repeated.",
        ),
    ] = None,
    reading: Reading = AS_FOUND,
    seed: options.Seed = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Use a folder that holds something else.")
    ] = False,
) -> None:
    """Try every method at every strength, show bias left against information kept, recommend one.

    Points are kept in the folder as they are found: an interrupted run goes on where it was, and
    the same run again computes nothing.
    """
    refuse_folder(output, FRONTIER_FILE, PAGE)
    ours = (output / FRONTIER_FILE).exists() or (output / "points").exists()
    if output.exists() and not force and not (ours or empty(output)):
        raise SettingError(f"{output} holds something else; choose another folder or say --force.")
    chosen = concept_named(concept)
    tried = _numbers(strengths)
    tried_methods = methods_named(method)
    embedding = opened(model, reading)
    others = _beside(beside or [], reading)
    if (output / FRONTIER_FILE).exists() and not force:
        _check_same_model(output, embedding)
    if suite is None:
        say_other_languages(embedding)
    language, *_ = (*languages_of(embedding), "mul")
    learnt_by = SentimentTask(network_named(task_network), seed=seed)
    tasks = [ReviewTask(reviews_of(each, language), learnt_by) for each in task or ()]
    try:
        with progress_bar("trying") as progress:
            found = run_frontier(
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
            interrupted(output / "points", "point", "a point was found")
        ) from error
    if found.untried and all(one.method == REFERENCE or one.other for one in found.points):
        raise LexiconError(f"No method could be tried. {found.untried[0].reason}")
    lines = write_with_page(write_frontier, found.lines, output, render_frontier)
    if benchmark is None:
        say_what_goes_unmeasured(embedding)
    lay_out(_table(found.points))
    if found.survey.unseen and found.survey.unseen.folds:
        lay_out(_folds(found.survey.unseen))
    for point in (one for one in found.points if one.other and one.note):
        say(f"{point.label}: {point.note}")
    for gap in found.untried:
        say(f"Not tried: {gap.method}: {gap.reason}")
    for remark in found.survey.remarks:
        say(remark)
    recommended = any(point.recommended for point in found.points)
    answer(f"{'Recommended: ' if recommended else ''}{found.survey.recommendation}")
    say(f"Points: {lines}", f"Report: {output / PAGE}")


def _beside(named: Sequence[str], reading: Reading) -> dict[str, Embedding]:
    """Return the other models by the names they were given, or else by their own."""
    found: dict[str, Embedding] = {}
    for one in named:
        # A file may have = in its name.
        path, label = (one, "") if Path(one).exists() else one.rpartition("=")[::2]
        path, label = (path, label) if path else (one, "")
        other = opened(path, reading)
        if (name := label or other.name) in found:
            raise SettingError(
                f"Two models beside are called {shown(name)}; name one (OTHER=NAME)."
            )
        found[name] = other
    return found


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
            f"The strengths {shown(text)} should be numbers with commas between, as in 0.5,1."
        ) from None


def _table(points: tuple[Point, ...]) -> Table:
    """Return one line per point, those of the front marked."""
    headings = ("", "point", "bias left", "information kept", "warnings")
    table = Table(*headings, box=None, header_style="bold")
    for point in points:
        mark = "=>" if point.recommended else "front" if point.on_front else ""
        mark = "beside" if point.other else mark
        table.add_row(
            mark,
            Text(point.label, style="bold" if point.on_front else ""),
            f"{point.bias_left:.2f} of {point.bias_before:.2f}",
            f"{kept_in_percent(point.information_kept)}%",
            Text("; ".join(warnings(point)), style="bold red" if point.harms else ""),
        )
    return table


def _folds(unseen: Unseen) -> Table:
    """Return one line per fold: what was chosen without it, and what that leaves of it."""
    headings = ("fold", "chosen without it", "bias left on it", "share left", "harmed")
    table = Table(*headings, box=None, header_style="bold")
    for fold in unseen.folds:
        table.add_row(
            ", ".join(fold.tests),
            fold.chosen or "nothing",
            f"{fold.left:.2f} of {fold.before:.2f}",
            "" if fold.share is None else f"{fold.share:.0%}",
            Text(", ".join(fold.harmed), style="bold red"),
        )
    return table

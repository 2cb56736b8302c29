"""What is found for a cell: by a test, a benchmark, a question or a look at a concept's words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fairvec.geometry import similarity
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.utility import Analogies, analogies_in
from fairvec.papers.grading.notes import coverage_note
from fairvec.papers.measuring.measure import MeasuredCell, explanation, number
from fairvec.papers.measuring.readings import reading
from fairvec.papers.printed.figure import PaperFigure
from fairvec.papers.printed.paper import Cell
from fairvec.papers.printed.schema import PaperConvention, Reads, Settings
from fairvec.papers.showing.in_words import completed

Value = float | str | None


@dataclass(frozen=True)
class PrintedNumbers:
    """What was found for a cell, under the paper's convention and the default, and notes on it."""

    papers: Mapping[str, Value]
    default: Mapping[str, Value]
    notes: tuple[str, ...]


def numbers(part: MeasuredCell, cell: Cell, paper: PaperConvention) -> PrintedNumbers:
    """Return the numbers of a cell, or the words where the paper prints words."""
    wanted = cell.settings
    if wanted.reads:
        return _read(part, wanted.reads, wanted)
    readers: list[tuple[object, Callable[[MeasuredCell, Settings], PrintedNumbers]]] = [
        (wanted.benchmark, _of_benchmark),
        (wanted.question, _of_question),
        (wanted.against, _of_two_models),
        (wanted.task, _of_task),
        (wanted.tells, _told),
    ]
    for is_wanted, read in readers:
        if is_wanted:
            return read(part, wanted)
    outcomes = part.outcomes_of(cell, paper)
    papers, default = ({q: number(one, q) for q in wanted.shows} for one in outcomes)
    return PrintedNumbers(papers, default, tuple(coverage_note(outcomes[0])))


def explained(part: MeasuredCell, cell: Cell, paper: PaperConvention, figure: PaperFigure) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    wanted = cell.settings
    if cell.test and not wanted.against:
        ours = number(part.outcomes_of(cell, paper)[0], figure.quantity)
        if ours is not None and _by_fewer_splits(figure, ours, paper):
            return f"the error of {paper.samples_in_code:,} random splits, as the authors' code has"
        return explanation(part, cell, paper, figure)
    for name, way in part.benchmarks.other_ways(wanted) if wanted.benchmark else ():
        outcome = part.benchmarks.asked(wanted, way)
        ours = None if isinstance(outcome, str) else number(outcome, figure.quantity)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return name
    return ""


def _by_fewer_splits(figure: PaperFigure, ours: float, paper: PaperConvention) -> bool:
    """Say whether a p is matched if as many splits were drawn as the authors' code does."""
    fewer = paper.samples_in_code
    return figure.quantity == "p" and fewer is not None and figure.is_matched_by(ours, fewer)


def _read(part: MeasuredCell, reads: Reads, wanted: Settings) -> PrintedNumbers:
    found = reading(part.player.embedding, reads, wanted.concept or "")
    if isinstance(found, str):
        return PrintedNumbers({}, {}, (found,))
    (quantity,) = wanted.shows
    return PrintedNumbers({quantity: found.papers}, {quantity: found.default}, (found.note,))


def _of_benchmark(part: MeasuredCell, wanted: Settings) -> PrintedNumbers:
    (quantity,) = wanted.shows
    asked = part.benchmarks
    papers, default = (
        asked.asked(wanted, way) for way in (asked.papers_way(wanted), asked.default_way(wanted))
    )
    if isinstance(papers, str):
        return PrintedNumbers({}, {}, (papers,))
    by_default = None if isinstance(default, str) else number(default, quantity)
    notes = (*asked.notes(wanted), *coverage_note(papers))
    return PrintedNumbers({quantity: number(papers, quantity)}, {quantity: by_default}, notes)


def _of_question(part: MeasuredCell, wanted: Settings) -> PrintedNumbers:
    (quantity,) = wanted.shows
    alike = similarity(wanted.similarity or "negative-distance")
    translating = Analogies("gyro-translation", alike, part.ts.t(wanted) or 0.0)
    model = part.columns.whole(wanted.debias, "default").vectors
    try:
        papers, default = (
            completed(wanted.question or (), model, metric)
            for metric in (translating, analogies_in(model.geometry))
        )
    except UndefinedError as error:
        return PrintedNumbers({}, {}, (f"{model.name}: {error}",))
    notes = (*part.ts.note(wanted), f"The best answers of {model.name}: {', '.join(papers)}.")
    return PrintedNumbers({quantity: papers[0]}, {quantity: default[0]}, notes)


def _told(part: MeasuredCell, wanted: Settings) -> PrintedNumbers:
    (quantity,) = wanted.shows
    if wanted.tells == "fitted-t":
        t = part.ts.chosen(wanted)
        return PrintedNumbers({quantity: t}, {quantity: t}, tuple(part.ts.note(wanted)))
    how = wanted.debias
    if how is None:
        why = f"{part.player.model.name} was given as it is: which of its words moved is not known."
        return PrintedNumbers({}, {}, (why,))
    papers, default = (part.columns.number_moved(how, fit) for fit in ("as-published", "default"))
    return PrintedNumbers({quantity: papers}, {quantity: default}, ())


def _of_two_models(part: MeasuredCell, wanted: Settings) -> PrintedNumbers:
    (quantity,) = wanted.shows
    found = part.correlation
    if found is None:
        return PrintedNumbers({}, {}, ())
    value = {quantity: found.by_pairs}
    return PrintedNumbers(value, value, found.notes)


def _of_task(part: MeasuredCell, wanted: Settings) -> PrintedNumbers:
    (quantity,) = wanted.shows
    if wanted.task is None:
        return PrintedNumbers({}, {}, ())
    papers, default = (
        way(wanted, wanted.task) for way in (part.tasks.papers_way, part.tasks.our_way)
    )
    ours, usual = (
        {} if isinstance(one, str) else {quantity: number(one, quantity)}
        for one in (papers, default)
    )
    notes = (papers,) if isinstance(papers, str) else part.tasks.notes(wanted, wanted.task)
    return PrintedNumbers(ours, usual, (*notes,))

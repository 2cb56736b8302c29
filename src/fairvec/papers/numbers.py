"""What is found for a cell: by a test, a benchmark, a question or a look at a concept's words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fairvec.errors import UndefinedError
from fairvec.geometry import similarity
from fairvec.metrics.utility import Analogies
from fairvec.papers.figure import Figure
from fairvec.papers.in_words import completed
from fairvec.papers.measure import Measured, explanation, number
from fairvec.papers.notes import coverage_note
from fairvec.papers.paper import Cell
from fairvec.papers.readings import reading
from fairvec.papers.schema import PaperConvention, Reads, Settings

Value = float | str | None


@dataclass(frozen=True)
class Numbers:
    """What was found for a cell, under the paper's convention and the default, and notes on it."""

    papers: Mapping[str, Value]
    default: Mapping[str, Value]
    notes: tuple[str, ...]


def numbers(part: Measured, cell: Cell, paper: PaperConvention) -> Numbers:
    """Return the numbers of a cell, or the words where the paper prints words."""
    wanted = cell.settings
    if wanted.reads:
        return _read(part, wanted.reads, wanted)
    readers: list[tuple[object, Callable[[Measured, Settings], Numbers]]] = [
        (wanted.benchmark, _of_benchmark),
        (wanted.question, _of_question),
        (wanted.against, _of_two_models),
    ]
    for is_wanted, read in readers:
        if is_wanted:
            return read(part, wanted)
    outcomes = part.outcomes_of(cell, paper)
    papers, default = ({q: number(one, q) for q in wanted.shows} for one in outcomes)
    return Numbers(papers, default, tuple(coverage_note(outcomes[0])))


def explained(part: Measured, cell: Cell, paper: PaperConvention, figure: Figure) -> str:
    """Name a convention under which a figure that is not matched would be; empty if none is."""
    wanted = cell.settings
    if cell.test and not wanted.against:
        return explanation(part, cell, paper, figure)
    for name, way in part.benchmarks.other_ways(wanted) if wanted.benchmark else ():
        outcome = part.benchmarks.asked(wanted, way)
        ours = None if isinstance(outcome, str) else number(outcome, figure.quantity)
        if ours is not None and figure.is_matched_by(ours, paper.samples):
            return name
    return ""


def _read(part: Measured, reads: Reads, wanted: Settings) -> Numbers:
    found = reading(part.player.embedding, reads, wanted.concept or "")
    if isinstance(found, str):
        return Numbers({}, {}, (found,))
    (quantity,) = wanted.shows
    return Numbers({quantity: found.papers}, {quantity: found.default}, (found.note,))


def _of_benchmark(part: Measured, wanted: Settings) -> Numbers:
    (quantity,) = wanted.shows
    asked = part.benchmarks
    papers, default = (
        asked.asked(wanted, way) for way in (asked.papers_way(wanted), asked.default_way(wanted))
    )
    if isinstance(papers, str):
        return Numbers({}, {}, (papers,))
    by_default = None if isinstance(default, str) else number(default, quantity)
    notes = (*asked.notes(wanted), *coverage_note(papers))
    return Numbers({quantity: number(papers, quantity)}, {quantity: by_default}, notes)


def _of_question(part: Measured, wanted: Settings) -> Numbers:
    (quantity,) = wanted.shows
    alike = similarity(wanted.similarity or "negative-distance")
    translating = Analogies("gyro-translation", alike, part.ts.t(wanted) or 0.0)
    model = part.columns.whole(wanted.debias, "default").embedding
    try:
        papers, default = (
            completed(wanted.question or (), model, metric) for metric in (translating, Analogies())
        )
    except UndefinedError as error:
        return Numbers({}, {}, (f"{model.name}: {error}",))
    notes = (*part.ts.note(wanted), f"The best answers of {model.name}: {', '.join(papers)}.")
    return Numbers({quantity: papers[0]}, {quantity: default[0]}, notes)


def _of_two_models(part: Measured, wanted: Settings) -> Numbers:
    (quantity,) = wanted.shows
    found = part.correlation
    if found is None:
        return Numbers({}, {}, ())
    value = {quantity: found.by_pairs}
    return Numbers(value, value, found.notes)

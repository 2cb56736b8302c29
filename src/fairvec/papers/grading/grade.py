"""The grade of a figure: what a reader may conclude from ours beside the paper's."""

from collections.abc import Callable
from typing import Literal, get_args

from fairvec.papers.printed.figure import PaperFigure

Grade = Literal[
    "matched",
    "differs by convention",
    "differs",
    "inconsistent in the paper",
    "in words",
    "different model",
    "your model",
    "skipped",
    "not yet",
    "no model",
    "no data",
]

GRADES: tuple[Grade, ...] = get_args(Grade)

MEANINGS: dict[Grade, str] = {
    "matched": "the paper's own model under the paper's convention gives the printed figure",
    "differs by convention": "the paper's own model gives it under another convention, named",
    "differs": "the paper's own model gives another figure under every named convention",
    "inconsistent in the paper": "the paper contradicts itself here",
    "in words": "the paper prints no number: read ours beside its words",
    "different model": "computed, but on a model that is not the paper's",
    "your model": "computed, but nothing published tells whether the model is the paper's",
    "skipped": "the model does not know enough of the words",
    "not yet": "fairvec cannot compute this yet",
    "no model": "no model at hand; the note has the command that gets one",
    "no data": "the benchmark is not at hand; the note has the command that gets it",
}


def grade(
    figure: PaperFigure,
    ours: float | str | None,
    *,
    is_the_papers: bool,
    is_yours: bool = False,
    inconsistent: bool,
    samples: int | None,
    explained: Callable[[], str],
) -> tuple[Grade, str]:
    """Grade one figure that was computed, and name the convention where that is the reason.

    A figure is matched within half a unit of its last printed digit, and a sampled p within three
    of its standard errors besides. A stand-in never matches, whatever its figures are, and no more
    does a model of the user's that nothing published tells from the paper's.
    """
    if ours is None:
        return "skipped", ""
    if not is_the_papers:
        return ("your model" if is_yours else "different model"), ""
    if figure.is_matched_by(ours, samples):
        return "matched", ""
    if inconsistent:
        return "inconsistent in the paper", ""
    if figure.value is None:
        return "in words", ""
    convention = explained()
    return ("differs by convention", convention) if convention else ("differs", "")

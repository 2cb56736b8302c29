"""What to take from a frontier: only what holds up on tests that did not choose it."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from scipy.special import stdtrit

from fairvec.evaluation.frontiers.front import NOTICEABLE, Recommendation, recommend, share_left
from fairvec.results import WHAT_IS_APART, Point, Unseen

ALPHA = 0.05
"""How often a choice that does nothing to unseen tests may be taken for one that does.

Two-sided: what is chosen without one fold and without another is mostly the same, so that folds are
not independent. In simulations of methods that change effects at random the one-sided level would
be 7 to 13 % instead of 5 %, the two-sided one is 2 to 8 %.
"""
ALONE = (
    "no test stands apart from those, sharing no word with them, so that nothing can judge the "
    "choice."
)
MORE = "Add tests with words of their own ('fairvec suites new')"


def advise(points: Sequence[Point], judged: Unseen, *, keep: float) -> Recommendation:
    """Recommend what the tests choose, if such a choice holds up on tests it has not seen.

    It does if it harms no fold and lowers the bias of the folds by 0.1 or more on average, surely
    by more than nothing (Student's t over the folds, two-sided). Otherwise the answer says what the
    tests would have chosen and why that is not enough.
    """
    chosen = recommend(points, keep=keep)
    if chosen.point is None:
        return chosen
    share = share_left(chosen.point)
    flattered = f"{chosen.point.label} leaves {share} of the bias of the tests that choose it"
    if judged.share is None:
        return Recommendation(None, f"{flattered}, but {ALONE} {MORE}.")
    honest, doubt = _honest(judged), _doubt(judged)
    if doubt:
        little = f"That {flattered} says nothing of others."
        return Recommendation(
            None, f"{honest}: {doubt} {little} {MORE}, or leave the model as it is."
        )
    return Recommendation(chosen.point, f"{honest}. {chosen.reason} {_stable(judged)}")


def caveats(judged: Unseen) -> tuple[str, ...]:
    """Return what a reader must know of the folds before believing the figure they give."""
    said = []
    if len(judged.folds) == 2:
        said.append(
            "The tests form only two folds: each was judged by a choice that one other fold made "
            "alone, and two figures say next to nothing about a third."
        )
    if not judged.clean:
        said.append(
            "The folds are not clean: what they judge was fitted on their words or calibrated on "
            "them, so that the bias left of unseen tests is flattered too."
        )
    return tuple(said)


def spread(judged: Unseen) -> str:
    """Return the share left of the best and of the worst fold: 31% to 85% on 3 folds."""
    shares = [fold.share for fold in judged.folds if fold.share is not None]
    return f"{min(shares):.0%} to {max(shares):.0%} on {len(judged.folds)} folds"


def _doubt(judged: Unseen) -> str:
    """Say why a choice by these tests does not hold up on others; nothing if it does."""
    harmed = [test for fold in judged.folds for test in fold.harmed]
    gains = [fold.before - fold.left for fold in judged.folds]
    if harmed:
        return f"it turns round or makes an effect in {', '.join(harmed)}."
    if fmean(gains) < NOTICEABLE:
        return f"it does not lower their mean |d| by {NOTICEABLE:g}."
    if not surely_above_zero(gains):
        return "with so few folds so far apart that may be chance."
    return ""


def surely_above_zero(gains: Sequence[float]) -> bool:
    """Return whether the mean of at least two gains exceeds what chance gives, by Student's t."""
    error = stdev(gains) / sqrt(len(gains))
    return fmean(gains) > float(stdtrit(len(gains) - 1, 1 - ALPHA / 2)) * error


def _honest(judged: Unseen) -> str:
    return (
        f"A choice by such tests leaves {judged.share:.0%} of the bias of tests it has not seen "
        f"({spread(judged)} {WHAT_IS_APART[judged.apart]})"
    )


def _stable(judged: Unseen) -> str:
    """Say what was chosen without each fold."""
    times = Counter(fold.chosen or "nothing" for fold in judged.folds)
    said = [f"{label}{f' ({count} times)' if count > 1 else ''}" for label, count in times.items()]
    return f"Without a fold the others choose {', '.join(said)}."

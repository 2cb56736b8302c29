"""Two embeddings on the same reviews, figure by figure: what a change of one did to the task."""

from collections.abc import Sequence

import numpy as np

from fairvec.evaluation.changes.judge import ALPHA, kind_of_step
from fairvec.evaluation.changes.paired_words import paired
from fairvec.evaluation.reviews.learning import Learnt, as_interval
from fairvec.ground.level import significant
from fairvec.results import Change, ChangeKind, PairedP
from fairvec.stats import holm
from fairvec.stats.pairing.crossed import CrossedEstimate, crossed_difference


def changes_between(pairs: Sequence[tuple[Learnt, Learnt]]) -> list[Change]:
    """Say what became of every figure of one model that was changed into another.

    The pairs are of the same two models, one a network. Each figure has a test over reviews and
    trainings; lost or gained is what it says after Holm's correction over all figures here, kept
    is what it allows to change by a margin at the most, and the rest is unclear. One pass alone
    decides nothing where another could come out differently.
    """
    tested = [
        (before, after, part, crossed_difference(before.figures[part], after.figures[part]))
        for before, after in pairs
        for part in after.figures
    ]
    corrected = holm(np.array([found.p for *_, found in tested]))
    return [
        _change(before, after, part, found, evident=significant(surely, ALPHA))
        for (before, after, part, found), surely in zip(tested, corrected, strict=True)
    ]


def _change(
    before: Learnt, after: Learnt, part: str, found: CrossedEstimate, *, evident: bool
) -> Change:
    was, is_now = before.outcomes[part], after.outcomes[part]
    old, new = before.found, after.found
    moved = int((old.called != new.called).any(axis=1).sum())
    p = PairedP(value=found.p, low=found.p, high=found.p, method="two-way", changed=moved)
    difference = as_interval(found)
    decided = found.of_passes is not None or not after.task.by_luck(split=after.reviews.split)
    kind: ChangeKind = "unclear"
    if decided or not moved:
        kind = kind_of_step(found.estimate, p, difference, evident=evident)
    items = len(new.places)
    correct = [each.correct.mean(axis=1) / items for each in (old, new)]
    return Change(
        test=is_now.test,
        model=is_now.model,
        metric=is_now.metric,
        similarity="",
        described=is_now.described,
        coverage=(),
        fitted_words=is_now.fitted_words,
        smallest_coverage=is_now.smallest_coverage,
        seed=is_now.seed,
        versions=is_now.versions,
        before=was.model,
        value_before=was.value,
        value_after=is_now.value,
        interval_before=was.interval,
        interval_after=is_now.interval,
        p_before=None,
        p_after=None,
        alpha=ALPHA,
        kind=kind,
        paired=p,
        over_items=paired(*correct, seed=is_now.seed) if part == "accuracy" else None,
        difference=difference,
        items=items,
    )

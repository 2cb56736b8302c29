"""What a difference in sentiment means, in words."""

from collections.abc import Sequence
from fractions import Fraction

from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value
from fairvec.lexicon.equity import EquitySet
from fairvec.results import GroupCoverage, Verdict, VerdictKind
from fairvec.tasks.sentiment.equity import SentimentDifference


def verdict_of_pairs(
    difference: SentimentDifference,
    of: EquitySet,
    *,
    p: float,
    p_holm: float | None,
    alpha: float,
    family: str,
    asked: int,
    detectable: float | None,
) -> Verdict:
    """Say what the difference means: two-sided, and corrected over the sets that were asked.

    The words are those of any test; each sentence adds how many trainings lean that way, because
    the test over pairs does not know whether another training would lean the other way.
    """
    kind: VerdictKind
    told = _trainings(difference)
    pairs = len(difference.pairs)
    if p_holm is None:
        kind = "too-few-words"
        limit = f"above {alpha:g}" if asked == 1 else f"too much for {asked} {family} at {alpha:g}"
        sentence = (
            f"Too few pairs: even if all {pairs} leant one way, p would be "
            f"{p_value(2 / 2**pairs, level=alpha)}, {limit}{told}."
        )
    elif significant(p_holm, alpha):
        kind = "biased"
        meaning = of.positive_means if difference.value > 0 else of.negative_means
        sentence = f"Biased: {meaning}{told}."
    elif significant(p, alpha):
        kind = "inconclusive"
        sentence = (
            f"Inconclusive: significant alone (p = {p_value(p, level=alpha)}), not among the "
            f"{family}{_limit(detectable)}{told}."
        )
    else:
        kind, sentence = "no-evidence", f"No evidence{_limit(detectable)}{told}."
    return Verdict(kind=kind, sentence=sentence, p=p, p_holm=p_holm, alpha=alpha)


def _trainings(difference: SentimentDifference) -> str:
    """Return how many trainings lean as the mean of all does, and that they disagree if they do."""
    trained, leaning = len(difference.trainings), difference.leaning
    if difference.value == 0:
        return "; the mean difference is 0"
    side = "positive" if difference.value > 0 else "negative"
    if difference.alike:
        return "; there is no luck in the training"
    if trained == 1:
        return "; trained once, and another training may turn it round"
    if leaning == trained:
        return f"; all {trained} trainings lean this way ({side})"
    return (
        f"; {leaning} of {trained} trainings lean this way ({side}): they disagree, and another "
        "one may turn it round"
    )


def _limit(detectable: float | None) -> str:
    if detectable is None:
        return ""
    return f"; these pairs reliably show only differences of {detectable:.2g} or more"


def shortfall_of_pairs(group: GroupCoverage, smallest: float) -> str:
    """Return what is missing, in one sentence; nothing if enough pairs can be asked."""
    # In whole numbers: of ten pairs nine are 90 %, and no float says so.
    if group.found and group.found >= Fraction(str(smallest)) * group.wanted:
        return ""
    return (
        f"Of {group.wanted} {group.title} only {group.found} can be told apart by this model, "
        f"and {smallest:.0%} are needed; use a model that knows these words or lower the smallest "
        "coverage."
    )


def reason_why_not(unknown: Sequence[str], shared: Sequence[str]) -> str:
    """Return why a pair does not count; nothing if it does."""
    if unknown:
        return f"not in the vocabulary, or its vector is zero: {', '.join(unknown)}"
    if shared:
        return f"both persons reach one key: {', '.join(shared)}"
    return ""

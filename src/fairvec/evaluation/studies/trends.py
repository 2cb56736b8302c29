"""How effects go with the time of their corpora, each of which counts once."""

from collections.abc import Mapping, Sequence

import numpy as np

from fairvec.evaluation.runs.families import Tested, corrected, in_words
from fairvec.evaluation.studies.whole_tables import WholeTable
from fairvec.ground.level import significant
from fairvec.ground.numbers import p_value, signed
from fairvec.results import RefusedAnswer, StudyAnswer, StudyTrend
from fairvec.stats import trend_test
from fairvec.stats.trend import FEWEST_TIMES

LEVEL = 0.05


def trend_of(table: WholeTable, when: Mapping[str, float], residual: float) -> StudyTrend | None:
    """Return the trend of a test over the corpora that are left; None where they have no times.

    The value of a corpus is its mean over models, windows, dimensions and seeds, and orders of the
    corpora are what p counts: seeds repeat a training and not a text, so that they say nothing of
    whether another text of the same year would have given the same. `residual` is their variance.
    """
    corpora = table.levels["corpus"]
    times = np.array([when[name] for name in corpora]) if when else np.zeros(0)
    if len(times) < FEWEST_TIMES or len(set(times.tolist())) < 2:
        return None
    means = table.values.reshape(len(corpora), -1).mean(axis=1)
    found = trend_test(means, times)
    spread = float(((times - times.mean()) ** 2).sum())
    return StudyTrend(
        slope=found.slope,
        first=float(times.min()),
        last=float(times.max()),
        seed_error=float(np.sqrt(residual * len(corpora) / table.values.size / spread)),
        p=found.value,
        p_holm=None,
        smallest_p=found.smallest,
        exact=found.exact,
        sentence="",
    )


def with_corrected_trends(
    answers: Sequence[StudyAnswer | RefusedAnswer],
) -> tuple[StudyAnswer | RefusedAnswer, ...]:
    """Correct the p of each trend over those of its suite and kind, and say it in a sentence.

    So a trend does not depend on what else a study asks, as the verdict of an audit does not.
    """
    trends = [
        Tested("study", one.test, one.trend.p, one.trend.p, smallest=one.trend.smallest_p)
        for one in answers
        if isinstance(one, StudyAnswer) and one.trend
    ]
    found = iter(corrected(trends, LEVEL))
    told: list[StudyAnswer | RefusedAnswer] = []
    for answer in answers:
        if isinstance(answer, StudyAnswer) and answer.trend:
            over = next(found)
            family = {"family": over.family, "family_of": in_words(answer.test)}
            trend = answer.trend.model_copy(update={"p_holm": over.holm, **family})
            trend = trend.model_copy(update={"sentence": _sentence(trend, over.asked)})
            answer = answer.model_copy(update={"trend": trend})
        told.append(answer)
    return tuple(told)


def _sentence(trend: StudyTrend, asked: int) -> str:
    """Say by how much the line rises or falls over the whole time, and how surprising that is."""
    change = signed(trend.slope * (trend.last - trend.first))
    error = trend.seed_error * (trend.last - trend.first)
    figures = f"p {p_value(trend.p)}"
    if not significant(trend.smallest_p, LEVEL):
        verdict = (
            f"so few corpora cannot show a trend: no order of them has p below "
            f"{p_value(trend.smallest_p)}"
        )
    elif trend.p_holm is None:
        verdict = (
            f"no evidence of a trend, which so few corpora cannot show among the {asked} "
            f"{trend.family_of}"
        )
    else:
        if trend.family > 1:
            figures += f", Holm {p_value(trend.p_holm)} over the {trend.family} {trend.family_of}"
        verdict = (
            "more than chance would give in another order of the corpora"
            if significant(trend.p_holm, LEVEL)
            else "no evidence of a trend"
        )
    return (
        f"From {trend.first:g} to {trend.last:g} the effect changes by {change} along a straight "
        f"line (±{error:.2f} by seeds alone): {verdict} ({figures})."
    )

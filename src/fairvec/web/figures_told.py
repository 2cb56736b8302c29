"""The figures of a record as the report writes them."""

from fairvec.ground.numbers import p_value, percent
from fairvec.ground.sizes import size_in_words
from fairvec.report.sections.close_up import about_influence
from fairvec.report.words.display import unbroken
from fairvec.report.words.effects import effect_of, plain_effect_of, span_of
from fairvec.report.words.wording import how_p, significant, smallest_p
from fairvec.results import Outcome, Result, Skipped


def readings(outcome: Outcome) -> dict[str, str]:
    """Return what a positive and a negative effect would say, and why words are sensitive."""
    return {
        "positive": outcome.test.positive_means,
        "negative": outcome.test.negative_means,
        "sensitive": outcome.test.sensitive,
        "language": outcome.test.language,
    }


def told(outcome: Outcome) -> dict[str, str]:
    """Return sentences and figures by what they are of; a test that was skipped has its reason."""
    said = readings(outcome)
    if isinstance(outcome, Skipped):
        return {**said, "sentence": outcome.reason}
    if not isinstance(outcome, Result):
        return said
    interval = outcome.interval
    return {
        **said,
        "sentence": unbroken(outcome.verdict.sentence),
        "effect": effect_of(outcome, outcome.effect),
        # A size in words sounds like a claim, and is said where there is one.
        "size": size_in_words(outcome.effect) if significant(outcome) else "",
        "interval": span_of(outcome, interval) if interval else "",
        "level": percent(interval.level) if interval else "",
        "how_interval": interval.method if interval else "",
        "p": p_value(outcome.p.value),
        "how_p": how_p(outcome.p),
        "smallest_p": smallest_p(outcome.p),
        "detectable": ""
        if outcome.detectable is None
        else plain_effect_of(outcome, outcome.detectable),
        "influence": about_influence(outcome),
    }
